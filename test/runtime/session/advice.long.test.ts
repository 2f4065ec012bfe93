import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import type { ErrorCode, RecordLine, RuntimeEvent } from "../../../runtime/api.ts";
import { adviceFor } from "../../../runtime/session/degradation.ts";
import { failureOf, fakeRole, fakeServer, fakeTeam } from "../../support/fake-link.ts";

/** What a model is told: one short line of ours, whatever a server or a project wrote. */

const CODES: readonly ErrorCode[] = [
  "tool-unknown",
  "tool-denied",
  "ask-refused",
  "argument-refused",
  "server-unavailable",
  "needs-auth",
  "auth-failed",
  "rate-limited",
  "timeout",
  "tool-changed",
  "tool-failed",
  "missing-variable",
];

describe("advice", () => {
  const text = fc.string({ unit: "binary", maxLength: 800 });
  test("is one line of at most 300 characters", () =>
    fc.assert(
      fc.property(
        fc.record({
          code: fc.constantFrom(...CODES),
          message: text,
          whenDown: fc.option(text, { nil: undefined }),
          retryInMs: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }),
        }),
        (trouble) => {
          const advice = adviceFor(trouble);
          expect(advice.length).toBeLessThanOrEqual(300);
          expect(advice).toBe(advice.trim());
          expect(advice).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]|\d\.\d+ m?s/u);
          expect(advice).not.toMatch(/\p{Surrogate}/u);
        },
      ),
      { numRuns: 2_000 },
    ));

  const down = { code: "server-unavailable", retryInMs: 59_999.4 } as const;
  test.each([
    ["a", "b", "a. b. The next try makes sense in 60 s."],
    ["Is it? ", " Say so!\nGo on. ", "Is it? Say so! Go on. The next try makes sense in 60 s."],
    ["a", "w".repeat(400), `a. ${"w".repeat(262)}… The next try makes sense in 60 s.`],
    ["m".repeat(400), "b", `${"m".repeat(260)}… b. The next try makes sense in 60 s.`],
    ["m".repeat(400), "w".repeat(400), `${"m".repeat(99)}… ${"w".repeat(163)}… The next try makes sense in 60 s.`],
  ])("%j, and when down %j", (message, whenDown, advice) => {
    const made = adviceFor({ ...down, message, whenDown });
    expect([made.length <= 300, made.length > 290 || advice.length < 100]).toEqual([true, true]);
    expect(made.replace(/m+…|w+…/g, (cut) => `${cut[0]}…`)).toBe(advice.replace(/m+…|w+…/g, (cut) => `${cut[0]}…`));
  });

  test("of what can't be reached has its `whenDown`, and of a refusal it hasn't", () => {
    expect(adviceFor({ ...down, message: "a", whenDown: "b" })).toContain("b.");
    expect(adviceFor({ code: "tool-denied", message: "a", whenDown: "b", retryInMs: undefined })).not.toContain("b.");
  });
});

describe("sinks that reject", () => {
  const github = fakeServer("github", { list: { readOnly: true } });
  const role = fakeRole("tester", [[github, { tools: { list: "allow" } }]]);
  const isUnhandled = async (work: () => Promise<void>): Promise<unknown[]> => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    await work();
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    return unhandled;
  };
  const later = async (work: () => void): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    work();
  };

  test("a record's are awaited at `close()`, and said once", async () => {
    const events: RuntimeEvent[] = [];
    const taken: RecordLine[] = [];
    const rejected = isUnhandled(async () => {
      const record = (line: RecordLine): Promise<void> =>
        later(() => {
          taken.push(line);
          throw new Error("no room");
        });
      const { team, as } = fakeTeam([github], [role], { record, on: (event) => events.push(event) });
      await Promise.all([1, 2, 3].map(() => as("tester").$call("github", "list")));
      expect(taken).toEqual([]);
      await team.close();
      expect(taken).toHaveLength(3);
    });
    expect(await rejected).toEqual([]);
    expect(events).toEqual([{ type: "hook-failed", hook: "record", why: "no room" }]);
  });

  test("one that works again in between is said again", async () => {
    const events: RuntimeEvent[] = [];
    let calls = 0;
    const record = async (): Promise<void> => {
      if ((calls += 1) !== 2) throw new Error(`line ${calls}`);
    };
    const { team, as } = fakeTeam([github], [role], { record, on: (event) => events.push(event) });
    for (let i = 0; i < 4; i++) await as("tester").$call("github", "list");
    await team.close();
    expect(events.map((event) => "why" in event && event.why)).toEqual(["line 1", "line 3"]);
  });

  test("a listener's are awaited too, and told to itself", async () => {
    const events: RuntimeEvent[] = [];
    const rejected = isUnhandled(async () => {
      const on = (event: RuntimeEvent): Promise<void> =>
        later(() => {
          events.push(event);
          throw new Error("deaf");
        });
      const { team, as } = fakeTeam([github], [role], { on });
      await failureOf(as("tester").$call("github", "merge"));
      await team.close();
    });
    expect(await rejected).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(["refused", "hook-failed"]);
  });

  test("one that never ends doesn't keep the team from closing for longer than five seconds", async () => {
    const events: RuntimeEvent[] = [];
    const record = (): Promise<void> => new Promise(() => {});
    const { team, as } = fakeTeam([github], [role], { record, on: (event) => events.push(event) });
    await as("tester").$call("github", "list");
    await team.close();
    expect(events).toEqual([{ type: "hook-failed", hook: "record", why: "it hasn't finished 5 s after the end" }]);
  }, 15_000);
});
