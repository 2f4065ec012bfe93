import path from "node:path";
import { isTrouble } from "../../io/login/types.ts";
import { isTracked } from "../../io/read/git.ts";
import { findWays } from "../../io/serve/find-ways.ts";
import type { WaysOf } from "../../io/serve/known-ways.ts";
import type { openVariables, ServeVariables } from "../../io/serve/variables.ts";
import type { Served } from "../../serve/types.ts";
import type { Context } from "../command.ts";

/** With the variables of the file that a build names, as they were when it was first read. */
export function waysIn({ dir, terminal }: Context, variablesOf: ReturnType<typeof openVariables>): WaysOf {
  const tracked = new Map<string, boolean>();
  const isShared = (file: string): boolean => {
    const known = tracked.get(file) ?? isTracked(path.join(dir, file));
    tracked.set(file, known);
    return known;
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
