import { expect, test } from "vitest";
import { createTally } from "../../compiler/io/serve/http/tally.ts";

/** What comes in is counted from its first byte, by role. */
const MB = 1024 * 1024;

test("256 of a role are under way, and another role's are its own", () => {
  const tally = createTally();
  const all = Array.from({ length: 256 }, () => tally.enter("tester")!);
  expect(tally.enter("tester")).toBeUndefined();
  expect(tally.enter("reader")).toBeDefined();
  all[0]!.leave();
  expect(tally.enter("tester")).toBeDefined();
  expect(tally.text(["tester"])).toContain('rolecall_http_too_many_total{role="tester"} 1');
});

test("64 MB of a role's bodies are held; what is small is held beside them, and what has left is forgotten", () => {
  const tally = createTally();
  const large = Array.from({ length: 16 }, () => tally.enter("tester")!);
  expect(large.every((one) => one.holds(4 * MB))).toBe(true);
  expect(tally.enter("tester")!.holds(1000)).toBe(true);
  const one = tally.enter("tester")!;
  expect(one.holds(MB)).toBe(false);
  expect(tally.enter("reader")!.holds(4 * MB)).toBe(true);
  one.leave();
  large[0]!.leave();
  expect(tally.enter("tester")!.holds(3 * MB)).toBe(true);
});

test("a stream counts among streams, and no more as under way", () => {
  const tally = createTally();
  const streams = Array.from({ length: 1000 }, () => tally.enter("tester")!.asStream()!);
  const request = tally.enter("tester")!;
  expect(request.asStream()).toBeUndefined();
  streams[0]!.leave();
  expect(request.asStream()).toBeDefined();
  expect(tally.text(["tester"])).toContain('rolecall_http_requests_under_way{role="tester"} 0');
  expect(tally.text(["tester"])).toContain('rolecall_http_streams_open{role="tester"} 1000');
});
