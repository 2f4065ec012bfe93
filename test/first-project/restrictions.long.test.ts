import { expect, test } from "vitest";
import { withBoth } from "../../compiler/first-project/restrictions.ts";

const many = (name: (i: number) => string): string[] => Array.from({ length: 40_000 }, (_, i) => name(i));

function seconds(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1e6;
}

test("what two files take away of one server is put together in a moment, however much it is", () => {
  const tools = (name: string) => ({
    tools: { exclude: many((i) => `${name}${i}`), include: many((i) => `list${i}`) },
  });
  let found: ReturnType<typeof withBoth> | undefined;
  expect(seconds(() => (found = withBoth(tools("a"), tools("b"))))).toBeLessThan(5);
  const { include, exclude } = found!["tools"] as Record<"include" | "exclude", readonly unknown[]>;
  expect([include.length, exclude.length]).toEqual([40_000, 80_000]);
});
