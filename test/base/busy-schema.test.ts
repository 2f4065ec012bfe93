import { afterEach, expect, test, vi } from "vitest";
import { loadChecks } from "../../runtime/session/schemas.ts";

/** A schema that a busy machine didn't get compiled is tried again later, and not with each call. */

const HOPELESS = { dependentRequired: { a: Array.from({ length: 20_000 }, (_, i) => `k${i}`) } };
const TOO_LONG = "can't be judged by its schema within 90 ms";
const BUSY = `${TOO_LONG}, on a machine that is busy: try again`;

const { threadCpuUsage } = process as { threadCpuUsage?: unknown };
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process, { threadCpuUsage });
});

type Usage = (before?: NodeJS.CpuUsage) => NodeJS.CpuUsage;

function usage(ms: number): Usage {
  return (before) => ({ user: before === undefined ? 0 : ms * 1000, system: 0 });
}

/** As this machine tells what this thread and all threads used meanwhile. */
function machine(own: number | undefined, all: number): void {
  vi.spyOn(process, "cpuUsage").mockImplementation(usage(all));
  Object.assign(process, { threadCpuUsage: own === undefined ? undefined : usage(own) });
}

test.each([
  [10, 10, BUSY],
  [10, 90, BUSY],
  [88, 88, TOO_LONG],
  [88, 180, TOO_LONG],
  [undefined, 10, BUSY],
  [undefined, 90, TOO_LONG],
  // Others of the process used it too, and how much of it nobody knows.
  [undefined, 180, BUSY],
])("where this thread used %s ms, and all used %s", async (own, all, said) => {
  machine(own, all);
  const checks = await loadChecks();
  const check = checks(structuredClone(HOPELESS), true);
  expect(check({})).toBe(said);
  const began = performance.now();
  for (let i = 0; i < 100; i++) expect(check({})).toBe(said);
  expect(performance.now() - began).toBeLessThan(500);
});

test.each([BUSY, TOO_LONG])("one busy moment closes no schema for good: %s", async (said) => {
  machine(said === BUSY ? 10 : 90, 90);
  let busyMs = 0;
  const schema = {
    get required(): string[] {
      const end = performance.now() + busyMs;
      while (performance.now() < end);
      return ["a"];
    },
  };
  const check = (await loadChecks())(schema, true);
  busyMs = 1_000;
  expect(check({})).toBe(said);
  busyMs = 0;
  expect(check({ a: 1 })).toBe(said);
  await expect.poll(() => check({ a: 1 }), { timeout: 5_000 }).toBe(undefined);
  expect(check({})).toContain("must have required property 'a'");
});
