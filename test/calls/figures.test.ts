import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { createAuditor } from "../../compiler/calls/audit.ts";
import { availability, errorRate, errorsByKind } from "../../compiler/calls/rates.ts";
import { readCall } from "../../compiler/calls/read-call.ts";
import { createTally } from "../../compiler/calls/tally.ts";
import { createStopwatch } from "../../compiler/calls/times.ts";
import type { Call } from "../../compiler/calls/types.ts";
import type { RecordLine } from "../../runtime/api.ts";
import { callLine } from "../support/call-lines.ts";

/** Figures of a record against the plain way to get them. */

const read = (more: Partial<RecordLine> = {}): Call => readCall(JSON.stringify(callLine(more)))!;
const summaryOf = (lines: readonly Partial<RecordLine>[]) => {
  const tally = createTally();
  for (const line of lines) tally.add(read(line));
  return tally.summary();
};

describe("how a call ended", () => {
  const failed = { status: "error", result_bytes: 0 } as const;
  test.each([
    ["ok", {}],
    ["refused", { ...failed, decision: "deny", code: "tool-denied", error: "no" }],
    ["refused", { ...failed, decision: "deny", code: undefined, error: "no" }],
    ["refused", { ...failed, ask: "no", code: undefined }],
    ["refused", { ...failed, code: "tool-changed" }],
    ["rate-limited", { ...failed, code: "rate-limited", error: "it" }],
    ["rate-limited", { ...failed, code: undefined, error: "Rate limit exceeded" }],
    ["rate-limited", { ...failed, code: undefined, http_status: 429 }],
    ["unavailable", { ...failed, code: "timeout", error: "no answer in time" }],
    ["unavailable", { ...failed, code: "missing-variable" }],
    ["unavailable", { ...failed, code: undefined }],
    ["stopped", { ...failed, code: "timeout", error: "s.t gave no answer within 0 ms", hurried: true }],
    ["failed", { ...failed, code: "tool-failed", error: "bad", hurried: true }],
    ["stopped", { ...failed, code: "timeout", error: "the caller cancelled the call" }],
    ["stopped", { ...failed, code: "cancelled", error: "s.t was cancelled" }],
    ["stopped", { ...failed, code: "server-unavailable", error: "the session is closed" }],
    ["stopped", { ...failed, code: "server-unavailable", error: "server `github`: the session is closed" }],
    ["stopped", { ...failed, decision: "deny", code: undefined, error: "the caller cancelled the call" }],
    ["refused", { ...failed, code: "argument-refused", error: "s.t: no additional properties (`rate limit`)" }],
    ["refused", { ...failed, code: "argument-refused", error: "s.t: none (`the session is closed`)" }],
    ["refused", { ...failed, code: "tool-unknown", error: "role `r` knows no tool `s.the caller cancelled the call`" }],
    ["refused", { ...failed, decision: "deny", code: undefined, error: "no tool `s.rate limit`" }],
    ["unavailable", { ...failed, code: "server-unavailable", error: "s can't be reached: the session is closed" }],
    ["unavailable", { ...failed, code: undefined, error: "it said: rate limit" }],
    ["failed", { ...failed, code: "tool-failed", error: "the session is closed" }],
    ["failed", { ...failed, code: "tool-failed", error: "bad" }],
    ["failed", { status: "error", code: undefined, error: "bad", result_bytes: 20 }],
  ] as const)("%s: %j", (ending, line) => expect(read(line as Partial<RecordLine>).ending).toBe(ending));

  test("a line of another program needs no more than server, tool and status", () => {
    const line =
      '{"ts":"2024-01-15T10:30:02Z","server":"memory","tool":"q","args":{},"status":"error","error":"Rate limit"}';
    expect(readCall(line)).toMatchObject({ role: "", ms: undefined, ending: "rate-limited" });
  });

  test.each([
    "",
    "{",
    "[]",
    "null",
    "1",
    '"x"',
    '{"server":"a","tool":1,"status":"ok"}',
    '{"__proto__":{"server":"a"}}',
    "\u0000\u0000",
  ])("%j is no call", (line) => expect(readCall(line)).toBeUndefined());
});

describe("quantiles", () => {
  const exact = (values: readonly number[], share: number): number =>
    values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1]!;
  const watch = (values: readonly number[]) => {
    const made = createStopwatch();
    for (const value of values) made.add(value);
    return made;
  };

  test("of few are exact, also when asked in between", () =>
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1 }), (values) => {
        const made = watch(values);
        for (const share of [0, 0.5, 0.95, 1]) expect(made.quantile(share)).toBe(exact(values, share));
        made.add(3);
        expect(made.quantile(0.5)).toBe(exact([...values, 3], 0.5));
        expect(made.error).toBe(0);
      }),
    ));

  test("of many are off by as much as is said, at most", () => {
    const values = Array.from({ length: 20_000 }, (_, i) => Math.exp(((i * 7919) % 20_000) / 1_500) / 10);
    const made = watch(values);
    expect(made.error).toBe(0.005);
    for (const share of [0.01, 0.5, 0.95, 0.999]) {
      const right = exact(values, share);
      expect(Math.abs(made.quantile(share)! - right) / right).toBeLessThanOrEqual(made.error);
    }
    expect(made.average).toBeCloseTo(values.reduce((a, b) => a + b) / values.length, 6);
    expect(watch(Array.from({ length: 5_000 }, () => 0)).quantile(0.5)).toBe(0);
  });

  test("of nothing are nothing", () =>
    expect([watch([]).average, watch([]).quantile(0.5)]).toEqual([undefined, undefined]));
});

describe("totals", () => {
  const dead = { status: "error", code: "server-unavailable", result_bytes: 0 } as const;
  const denied = { status: "error", code: "tool-denied", decision: "deny", result_bytes: 0 } as const;

  test("45 calls and 2 errors are 0.044", () => {
    const { all } = summaryOf(Array.from({ length: 45 }, (_, i) => (i < 2 ? dead : {})));
    expect([all.calls, all.errors, errorRate(all)]).toEqual([45, 2, 0.044]);
  });

  test("what was never asked says nothing about a server", () => {
    const { servers } = summaryOf([{}, {}, {}, dead, denied, denied, { ...denied, server: "notes" }]);
    expect(servers.named.map((one) => [one.name, one.calls, availability(one)])).toEqual([
      ["github", 6, 0.75],
      ["notes", 1, undefined],
    ]);
    expect(errorsByKind(servers.named[0]!)).toEqual({
      refused: 2,
      rateLimited: 0,
      unavailable: 1,
      failed: 0,
      stopped: 0,
    });
  });

  test("names are told apart whatever they hold, and there is an end of them", () => {
    const { tools } = summaryOf([
      { server: "a", tool: "b.c" },
      { server: "a.b", tool: "c" },
      { server: "__proto__", tool: "1:x" },
    ]);
    expect(tools.named.map(({ server, name }) => [server, name]).toSorted()).toEqual([
      ["__proto__", "1:x"],
      ["a", "b.c"],
      ["a.b", "c"],
    ]);
    const many = summaryOf(Array.from({ length: 2_500 }, (_, i) => ({ tool: `made-up-${i}` })));
    expect([many.tools.named.length, many.tools.others, many.all.calls]).toEqual([2_000, 500, 2_500]);
  });

  test("the slowest ten, slowest first, without what they were called with", () => {
    const durations = Array.from({ length: 30 }, (_, i) => ((i * 7) % 30) * 100);
    const { slow } = summaryOf(durations.map((ms) => ({ duration_ms: ms, args: { private: ms } })));
    expect(slow.calls.map(({ ms }) => ms)).toEqual([2900, 2800, 2700, 2600, 2500, 2400, 2300, 2200, 2100, 2000]);
    expect(slow.count).toBe(19);
    expect(slow.calls.map(({ args }) => args)).toEqual(Array(10).fill(null));
  });
});

describe("an audit", () => {
  const auditOf = (lines: readonly Partial<RecordLine>[]) => {
    const auditor = createAuditor();
    for (const line of lines) auditor.add(read(line));
    return auditor.audit();
  };

  test.each([
    [{ path: "../x" }, "path"],
    [{ path: "a/../../x" }, "path"],
    [{ path: "a\\.." }, "path"],
    [{ edits: [{}, { path: ".." }] }, "edits[1].path"],
    [{ url: "https://example.com/%2e%2E%2fetc" }, "url"],
    [{ text: "wait ... a..b, and so on.." }, undefined],
    [{ path: "a/...x/.b" }, undefined],
  ])("%j climbs at %s", (args, argument) => expect(auditOf([{ args }]).climbing.newest[0]?.argument).toBe(argument));

  test("arguments of any depth are looked at without falling over", () => {
    const deep = `${'{"a":'.repeat(20_000)}"../x"${"}".repeat(20_000)}`;
    const auditor = createAuditor();
    auditor.add(readCall(`{"server":"s","tool":"t","status":"ok","args":${deep}}`)!);
    expect(auditor.audit().climbing.count).toBe(0);
  });

  test("goes by pinned hints first, then by the verb of the name", () => {
    const hints = new Map([
      ["list_deleted", false],
      ["merge", true],
      ["delete_all", true],
    ]);
    const auditor = createAuditor((server, tool) => (server === "github" ? hints.get(tool) : undefined));
    for (const tool of ["list_deleted", "merge", "delete_all", "write_file", "read_file"]) auditor.add(read({ tool }));
    for (const tool of ["list_deleted", "run_query"]) auditor.add(read({ server: "other", tool }));
    expect(auditor.audit().changing.map(({ server, tool, by }) => `${server}.${tool} by ${by}`)).toEqual([
      "github.delete_all by hints",
      "github.merge by hints",
      "github.write_file by name",
      "other.run_query by name",
    ]);
  });

  test("keeps the newest, and counts all", () => {
    const { asked } = auditOf(Array.from({ length: 2_345 }, (_, i) => ({ ask: "yes", by: `n${i}` })));
    expect([asked.count, asked.newest.length, asked.newest.at(-1)!.by]).toEqual([2_345, 1_000, "n2344"]);
  });
});
