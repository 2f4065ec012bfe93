import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../compiler/cli/commands.ts";
import { readModule } from "../support/module-facts.ts";
import { ROOT } from "../support/root.ts";

/** What a help page costs: everything that is imported at once, before a command asks for more. */
const HEAVY = /compile\.ts$|1-source|2-model|checks|4-fit|5-artifacts|schemas|\/io\/|catalogue/;

test.each(["bin.ts", ...commands.map((command) => `${command.name}/command.ts`)])(
  "%s reads no compiler, yaml or zod until it is asked",
  (file) => {
    const read = [...importedAtOnce(`compiler/cli/${file}`)];
    expect(read.length).toBeGreaterThan(4);
    expect(read.filter((one) => HEAVY.test(one))).toEqual([]);
    expect(
      read.filter((one) => !one.startsWith("node:") && !/^(compiler|runtime)\/|^package\.json$/.test(one)),
    ).toEqual([]);
  },
);

/** The files of the repository that a module needs to start, itself included, and packages by name. */
function importedAtOnce(file: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.endsWith(".ts")) return seen;
  for (const { specifier, types, later } of readModule(file, readFileSync(path.join(ROOT, file), "utf8")).imports) {
    if (types || later) continue;
    if (specifier.startsWith(".")) importedAtOnce(path.posix.join(path.posix.dirname(file), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}
