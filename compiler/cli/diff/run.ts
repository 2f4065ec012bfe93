import { NO_DIFFERENCE, NOTHING_FOUND, NOTHING_TOLD } from "../../diff/no-difference.ts";
import { isAsAt, revisionOf } from "../../io/read/git.ts";
import { standingBuild } from "../../io/remember/cache.ts";
import { openMemory } from "../../io/remember/memory.ts";
import { NOTHING_ASIDE } from "../../questions/aside.ts";
import { EXIT, type Context } from "../command.ts";
import { buildId } from "../version.ts";
import { isPath } from "./named-base.ts";
import type { DiffOptions } from "./options.ts";
import { printDifference } from "./print.ts";
import type { ShownDifference } from "./words.ts";

/** Where nothing that a build reads is another than in the base, nothing is compiled. */
export async function compareWith(context: Context, options: DiffOptions): Promise<number> {
  const same = unchanged(context, options);
  if (same === undefined) return (await import("./compiled.ts")).compareCompiled(context, options);
  context.opened();
  printDifference(context, options.as, same);
  return EXIT.fine;
}

/** Undefined: something changed, or that can't be told without compiling. */
function unchanged({ dir }: Context, { base, failOn, today }: DiffOptions): ShownDifference | undefined {
  if (base !== undefined && isPath(base)) return undefined;
  const standing = standingBuild(dir, buildId);
  if (standing === undefined) return undefined;
  const revision = revisionOf(dir, base);
  if ("problem" in revision) return undefined;
  const asGit = openMemory<string>(dir, "blobs", buildId);
  if (!isAsAt(dir, revision.commit, standing.inputs, asGit)) return undefined;
  asGit.save();
  return {
    difference: NO_DIFFERENCE,
    described: [],
    aside: NOTHING_ASIDE,
    summary: () => NOTHING_TOLD,
    settings: [],
    gate: { ...NOTHING_FOUND, approval: undefined, failOn: failOn?.written },
    standing: undefined,
    isGated: false,
    base: revision.name,
    sourcesChanged: [],
    compared: { roles: 0, servers: 0 },
    folder: "",
    sources: "",
    locate: () => undefined,
    today,
  };
}
