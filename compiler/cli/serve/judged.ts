import { describeAll } from "../../diff/describe.ts";
import { summaryOf } from "../../diff/summary.ts";
import { schemaJudge } from "../../io/ask/runtime-judges.ts";
import { takeOver, type TakenOver } from "../../serve/take-over.ts";
import type { Served } from "../../serve/types.ts";
import type { MovedServer } from "../../serve/ways.ts";
import type { CompiledBuild } from "./built.ts";
import { waitingLines } from "./waiting-words.ts";

/** What becomes of a build, and what of it waits, in words. */
export interface JudgedBuild extends TakenOver {
  readonly says: readonly string[];
}

/** A part of its own: most starts meet the build that was accepted, and have nothing to judge. */
export async function judged(
  accepted: Served,
  built: Served,
  moved: readonly MovedServer[],
  { plan, locate }: CompiledBuild,
): Promise<JudgedBuild> {
  const isSameAccess = accepted.left === undefined && JSON.stringify(built.access) === JSON.stringify(accepted.access);
  const satisfies = isSameAccess ? NOTHING_TO_JUDGE : await schemaJudge();
  const taken = takeOver(accepted, built, satisfies, moved);
  if (plan === undefined || locate === undefined || taken.waiting.length === 0) return { ...taken, says: [] };
  const described = describeAll(taken.waiting, undefined, plan, satisfies);
  return { ...taken, says: waitingLines(summaryOf(described, { renamed: [] }, new Set()), { locate }) };
}

/** Whatever is asked of it is no: then it waits. */
const NOTHING_TO_JUDGE = (): boolean => false;
