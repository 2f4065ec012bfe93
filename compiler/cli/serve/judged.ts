import { schemaJudge } from "../../io/ask/runtime-judges.ts";
import { takeOver, type TakenOver } from "../../serve/take-over.ts";
import type { Served } from "../../serve/types.ts";
import type { MovedServer } from "../../serve/ways.ts";

/** A part of its own: most starts meet the build that was accepted, and have nothing to judge. */
export async function judged(accepted: Served, built: Served, moved: readonly MovedServer[]): Promise<TakenOver> {
  const isSameAccess = JSON.stringify(built.access) === JSON.stringify(accepted.access);
  return takeOver(accepted, built, isSameAccess ? NOTHING_TO_JUDGE : await schemaJudge(), moved);
}

/** Whatever is asked of it is no: then it waits. */
const NOTHING_TO_JUDGE = (): boolean => false;
