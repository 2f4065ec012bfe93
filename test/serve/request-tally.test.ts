import { expect, test } from "vitest";
import { createTally, type Entered } from "../../compiler/io/serve/http/tally.ts";

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

interface Listener {
  readonly stream: Entered | undefined;
  readonly over: AbortController;
}

test("a stream counts among streams, and no more as under way", () => {
  const tally = createTally();
  const listen = (holder = "kit"): Listener => {
    const over = new AbortController();
    return { stream: tally.enter("tester")!.asStream(holder, over), over };
  };
  const streams = Array.from({ length: 1000 }, () => listen());
  expect(listen().stream).toBeUndefined();
  streams[0]!.stream!.leave();
  expect(listen().stream).toBeDefined();
  expect(tally.text(["tester"])).toContain('rolecall_http_requests_under_way{role="tester"} 1');
  expect(tally.text(["tester"])).toContain('rolecall_http_streams_open{role="tester"} 1000');
  expect(tally.text(["tester"])).toContain('rolecall_http_too_many_total{role="tester"} 1');
});

test("who holds the most streams gives way to another, the longest first, until both hold as many", () => {
  const tally = createTally();
  const listen = (holder: string, role = "tester"): Listener => {
    const over = new AbortController();
    return { stream: tally.enter(role)!.asStream(holder, over), over };
  };
  const greedy = Array.from({ length: 990 }, () => listen("greedy"));
  const small = Array.from({ length: 10 }, () => listen("small"));
  expect(listen("greedy").stream).toBeUndefined();
  expect(listen("other", "reader").stream).toBeDefined();
  expect(greedy.map(({ over }) => over.signal.aborted).indexOf(false)).toBe(1);
  // What gave way leaves as everything does, and is counted out once.
  greedy[0]!.stream!.leave();
  expect(tally.text(["tester"])).toContain('rolecall_http_streams_open{role="tester"} 999');
  expect(listen("greedy").stream).toBeUndefined();
  let more = 0;
  while (listen("other").stream !== undefined) more++;
  expect(more).toBe(494);
  expect(greedy.filter(({ over }) => !over.signal.aborted)).toHaveLength(495);
  expect(small.some(({ over }) => over.signal.aborted)).toBe(false);
});
