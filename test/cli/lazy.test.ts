import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../compiler/cli/commands.ts";
import { ROOT } from "../support/root.ts";

/** What a help page costs: everything that is imported at once, before a command asks for more. */
const cli = path.join(ROOT, "compiler/cli");

test.each(["bin.ts", ...commands.map((command) => `${command.name}/command.ts`)])(
  "%s reads no compiler, yaml or zod until it is asked",
  (file) => {
    const read = [...importedAtOnce(path.join(cli, file))];
    expect(read.length).toBeGreaterThan(4);
    expect(
      read.filter((one) => /compile\.ts$|1-source|2-model|checks|4-fit|5-artifacts|schemas|\/io\/|catalogue/.test(one)),
    ).toEqual([]);
    expect(read.filter((one) => !one.startsWith("node:") && !path.isAbsolute(one))).toEqual([]);
  },
);

function importedAtOnce(file: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = file.endsWith(".ts") ? readFileSync(file, "utf8") : "";
  for (const [, what, from] of text.matchAll(/^import ([^;]*?) from "([^"]+)"/gm)) {
    if (what!.startsWith("type ")) continue;
    if (from!.startsWith(".")) importedAtOnce(path.resolve(path.dirname(file), from!), seen);
    else seen.add(from!);
  }
  return seen;
}
