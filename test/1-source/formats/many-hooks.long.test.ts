import { expect, test } from "vitest";
import { readingHooks } from "../../../compiler/1-source/formats/rules.ts";

/** A hook about very many servers: time grows with what is written, not with its square. */

const many = (name: (i: number) => string): string[] => Array.from({ length: 40_000 }, (_, i) => name(i));

function seconds(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1e6;
}

test("alternatives of one hook", () => {
  const heads = many((i) => `mcp__server${i}__`);
  for (const alternative of [(i: number) => `mcp__other${i}__drop`, (i: number) => `Bash.${i}`])
    expect(
      seconds(() => readingHooks(heads, { own: ["Bash"], namesBegin: true })(many(alternative).join("|"))),
    ).toBeLessThan(5);
});
