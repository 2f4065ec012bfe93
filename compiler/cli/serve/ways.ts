import path from "node:path";
import { visible } from "../../base/visible.ts";
import { isTrouble } from "../../io/login/types.ts";
import type { UntoldByGit } from "../../io/read/ask-git.ts";
import { trackingOf } from "../../io/read/tracking.ts";
import { findWays } from "../../io/serve/find-ways.ts";
import type { WaysOf } from "../../io/serve/known-ways.ts";
import type { openVariables, ServeVariables } from "../../io/serve/variables.ts";
import type { Served } from "../../serve/types.ts";
import type { Context } from "../command.ts";

/** With the variables of the file that a build names, as they were when it was first read. */
export function waysIn(
  { dir, terminal }: Context,
  variablesOf: ReturnType<typeof openVariables>,
  said: (line: string) => void = () => {},
): WaysOf {
  const shared = new Map<string, boolean>();
  const isShared = (file: string): boolean => {
    const known = shared.get(file);
    if (known !== undefined) return known;
    const tracking = trackingOf(path.join(dir, file));
    if (typeof tracking !== "string")
      said(
        `${untoldTracking(file, tracking)}: it counts as if it did, and its secrets wait for a yes. ${tracking.next}`,
      );
    const isOthers = tracking !== "untracked";
    shared.set(file, isOthers);
    return isOthers;
  };
  /** A file that can't be read is told at the start that needs it. */
  const variablesFor = ({ settings: { env } }: Pick<Served, "settings">): ServeVariables => {
    try {
      return variablesOf(env);
    } catch (problem) {
      if (!isTrouble(problem)) throw problem;
      const names = terminal.env;
      return { env: names, from: (name) => (names[name] === undefined ? undefined : "environment") };
    }
  };
  return (served, key) =>
    findWays(served, { key, variables: variablesFor(served), isShared: () => isShared(served.settings.env.file) });
}

export function untoldTracking(file: string, { problem }: UntoldByGit, about = ""): string {
  return `git doesn't say whether it tracks \`${visible(file)}\`${about} (${problem})`;
}
