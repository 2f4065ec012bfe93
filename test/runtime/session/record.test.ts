import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RecordLine, RuntimeEvent, TeamOptions } from "../../../runtime/api.ts";
import type { JsonValue } from "../../../runtime/contract.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import { fc } from "../../support/generated.ts";
import { bytesInJson } from "../../../runtime/session/result.ts";
import { createRecorder } from "../../../runtime/session/record.ts";
import { createSecrets } from "../../../runtime/secrets.ts";
import {
  failureOf,
  fakeClock,
  fakeRole,
  fakeServer,
  fakeTeam,
  settled,
  type FakeServer,
} from "../../support/fake-link.ts";

/** What is kept of calls: lines, hooks, spans; and what must not stand in any of them. */

let folder: string;
let github: FakeServer;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rolecall-record-"));
  github = fakeServer("github", { list: { readOnly: true }, create: {}, merge: {} });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function start(options: TeamOptions = {}) {
  const role = fakeRole("tester", [[github, { tools: { list: "allow", create: "ask" } }]]);
  const made = fakeTeam([github], [role], { run: "r1", clock: fakeClock(true), ...options });
  return { ...made, session: made.as("tester") };
}

const linesOf = (file: string): RecordLine[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordLine);

describe("of arguments a line has", () => {
  const argumentsOf = async (text: string, options: TeamOptions = {}) => {
    const lines: RecordLine[] = [];
    await start({ record: (line) => lines.push(line), ...options }).session.$call("github", "list", { text });
    return lines[0]!.args;
  };

  test("all, up to a bound", async () => {
    expect(await argumentsOf("a".repeat(60_000))).toEqual({ text: "a".repeat(60_000) });
  });

  test("what tells it from another beyond that, in whatever form", async () => {
    const [one, other] = [await argumentsOf("a".repeat(70_000)), await argumentsOf("a".repeat(70_001))];
    const form = /^left out: they have more than 65536 characters; sha256:[0-9a-f]{64}$/;
    expect([one, other]).toEqual([expect.stringMatching(form), expect.stringMatching(form)]);
    expect(one).not.toBe(other);
    const hash = await argumentsOf("a".repeat(70_000), { recordArguments: "hash" });
    expect(one).toContain(hash);
    expect(await argumentsOf("a".repeat(70_000), { recordArguments: "none" })).toBeNull();
  });
});

describe("a line", () => {
  test("has every field, in this order", async () => {
    const lines: RecordLine[] = [];
    github.httpStatus = 200;
    github.calling = async () => ({ content: [{ type: "text", text: "é" }] });
    await start({ record: (line) => lines.push(line), ask: () => true }).session.$call("github", "create", {
      b: 1,
      a: 2,
    });
    expect(JSON.stringify(lines)).toBe(
      JSON.stringify([
        {
          ts: "1970-01-01T00:16:40.000Z",
          run_id: "r1",
          role: "tester",
          server: "github",
          tool: "create",
          args: { a: 2, b: 1 },
          status: "ok",
          duration_ms: lines[0]!.duration_ms,
          decision: "ask",
          ask: "yes",
          transport: "stdio",
          session_id: "s-1",
          protocol_version: "2025-11-25",
          http_status: 200,
          retries: 0,
          result_bytes: 41,
          plan: "sha256:pin",
          error: null,
        },
      ]),
    );
  });

  test("tells refusals and failures apart by decision, and each is an error", async () => {
    const lines: RecordLine[] = [];
    const { session } = start({ record: (line) => lines.push(line) });
    await session.$call("github", "list", {});
    await failureOf(session.$call("github", "merge", {}));
    await failureOf(session.$call("github", "create", {}));
    github.calling = async () => {
      throw new RolecallError("auth-failed", "it refuses", {
        cause: { httpStatus: 403, unsent: true, waiting: false },
      });
    };
    await failureOf(session.$call("github", "list", {}));
    expect(
      lines.map(({ status, decision, ask, error, http_status }) => [status, decision, ask, error, http_status]),
    ).toEqual([
      ["ok", "allow", null, null, null],
      ["error", "deny", null, "role `tester` doesn't hold `github.merge`", null],
      ["error", "ask", "none", "`github.create` is asked first, and nobody is there to ask", null],
      ["error", "allow", null, "server `github`: it refuses", 403],
    ]);
    for (const { duration_ms } of lines) expect(duration_ms).toBeGreaterThanOrEqual(0);
  });

  test.each(["hash", "none"] as const)("arguments: %s", async (recordArguments) => {
    const lines: RecordLine[] = [];
    const { session } = start({ record: (line) => lines.push(line), recordArguments });
    await session.$call("github", "list", { text: "private" });
    expect(JSON.stringify(lines)).not.toContain("private");
    if (recordArguments === "hash") expect(lines[0]!.args).toMatch(/^sha256:[0-9a-f]{64}$/);
    else expect(lines[0]!.args).toBeNull();
  });

  test("the bytes of a result are those of its JSON", () => {
    const sizes = (value: JsonValue): number[] => [bytesInJson(value), Buffer.byteLength(JSON.stringify(value))];
    const isCounted = (value: JsonValue): boolean => new Set(sizes(value)).size === 1;
    fc.assert(fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => isCounted(value as JsonValue)));
    expect(isCounted(JSON.parse('[1e999,-0,1e21,0.1,"\\ud800","\\u007f","\\n",{},[],{"a":{},"":[null,true]}]'))).toBe(
      true,
    );
  });

  test("the time is written as everybody writes it, before the epoch and after the year 9999 too", async () => {
    const lines: RecordLine[] = [];
    const clock = fakeClock();
    const { session } = start({ record: (line) => lines.push(line), clock });
    const times = [0, 7, 999, 1_000, 1_000, 1_793_534_400_123, 1_793_534_400_999, 253_402_300_800_045, -1, -1_001];
    for (const time of times) {
      clock.time = time;
      await session.$call("github", "list");
    }
    expect(lines.map(({ ts }) => ts)).toEqual(times.map((time) => new Date(time).toISOString()));
  });

  test("the time of a person isn't the call's", async () => {
    const lines: RecordLine[] = [];
    const clock = fakeClock();
    const ask = (): boolean => (clock.time += 90_000) > 0;
    await start({ record: (line) => lines.push(line), clock, ask, askTimeoutMs: 200_000 }).session.$call(
      "github",
      "create",
    );
    expect(lines[0]!.duration_ms).toBeLessThan(90_000);
  });
});

describe("a file", () => {
  test("in a folder of the run's, written when the team is closed", async () => {
    const { session, team } = start({ record: join(folder, "{run}/calls.jsonl"), run: "../r 1" });
    await session.$call("github", "list");
    await failureOf(session.$call("github", "merge"));
    await team.close();
    expect(readdirSync(folder)).toEqual(["__r_1"]);
    expect(linesOf(join(folder, "__r_1/calls.jsonl")).map(({ run_id, status }) => [run_id, status])).toEqual([
      ["../r 1", "ok"],
      ["../r 1", "error"],
    ]);
  });

  test("after a second, at 64 KB, and at exit", () => {
    vi.useFakeTimers();
    const file = join(folder, "calls.jsonl");
    const recorder = createRecorder(file, "r", () => {})!;
    const line = { tool: "x".repeat(1_000) } as RecordLine;
    recorder.write(line);
    expect(existsSync(file)).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(linesOf(file)).toHaveLength(1);
    for (let i = 0; i < 66; i++) recorder.write(line);
    expect(linesOf(file).length).toBeGreaterThanOrEqual(65);
    recorder.write(line);
    const exit = process.listeners("exit").at(-1)!;
    exit(0);
    expect(linesOf(file)).toHaveLength(68);
    recorder.close();
    expect(process.listeners("exit")).not.toContain(exit);
    recorder.write(line);
    vi.advanceTimersByTime(1_000);
    expect(linesOf(file)).toHaveLength(69);
  });

  test("beyond 10 MB it moves on, and five are kept", () => {
    const file = join(folder, "calls.jsonl");
    writeFileSync(file, "x".repeat(10 * 1024 * 1024));
    for (let age = 1; age <= 5; age++) writeFileSync(`${file}.${age}`, String(age));
    const recorder = createRecorder(file, "r", () => {})!;
    recorder.write({ tool: "new" } as RecordLine);
    recorder.close();
    expect(readdirSync(folder).toSorted()).toEqual([
      "calls.jsonl",
      ...[1, 2, 3, 4, 5].map((age) => `calls.jsonl.${age}`),
    ]);
    expect(linesOf(file)).toEqual([{ tool: "new" }]);
    expect(statSync(`${file}.1`).size).toBe(10 * 1024 * 1024);
    expect(readFileSync(`${file}.5`, "utf8")).toBe("4");
  });

  test("that can't be written harms no call", async () => {
    writeFileSync(join(folder, "file"), "");
    const { session, events, team } = start({ record: join(folder, "file/calls.jsonl") });
    await session.$call("github", "list");
    await team.close();
    expect(events).toContainEqual({ type: "hook-failed", hook: "record", why: expect.stringContaining("file") });
  });
});

describe("secrets", () => {
  const secret = 'tok"en+1/x';

  test("stand nowhere as they are", async () => {
    const lines: RecordLine[] = [];
    const outcomes: unknown[] = [];
    const { session, events, as } = start({
      record: (line) => lines.push(line),
      after: (_, outcome) => void outcomes.push(outcome),
    });
    await session.$call("github", "list");
    const [world] = github.worlds;
    world!.secrets.add(secret);
    world!.secrets.add("short");
    world!.on({ type: "fell-back", server: "github", from: "http", why: `with ${secret}` });
    github.calling = async () => {
      throw new RolecallError(
        "server-unavailable",
        `Bearer ${secret} at ?key=${encodeURIComponent(secret)} ${JSON.stringify(secret)}`,
      );
    };
    const error = await failureOf(session.$call("github", "list", { [secret]: [`a${secret}b`], short: 1 }));
    const said = JSON.stringify([
      lines,
      events,
      outcomes,
      error.message,
      error.advice,
      error.stack,
      as("tester").$health(),
    ]);
    for (const spelling of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
      encodeURIComponent(secret),
    ])
      expect(said).not.toContain(spelling);
    expect(lines[1]!.args).toEqual({ "***": ["a***b"], short: 1 });
    expect(error.message).toBe('server `github`: Bearer *** at ?key=*** "***"');
    expect(github.sent[1]).toEqual({ [secret]: [`a${secret}b`], short: 1 });
  });

  test("each of several that overlap, whatever quotes they hold", () => {
    const secrets = createSecrets();
    for (const one of ["AAAAAAAABB", "BB'CCDD", 'CDD"EEEEEEEE']) secrets.add(one);
    expect(secrets.text(`x AAAAAAAABB'CCDD"EEEEEEEE y`)).toBe("x *** y");
  });

  test("the longer of two first, however long, numbers too, `__proto__` as any key", () => {
    const secrets = createSecrets();
    secrets.add("123456");
    secrets.add("123456789");
    expect(secrets.text("a123456789b123456c")).toBe("a***b***c");
    for (const length of [5_000, 400_000]) {
      const large = "key ".repeat(length / 4);
      secrets.add(large);
      expect(secrets.text(`a${large}b123456c${encodeURIComponent(large)}`)).toBe("a***b***c***");
    }
    const masked = secrets.json(JSON.parse('{"__proto__":123456,"n":1}'));
    expect(JSON.stringify(masked)).toBe('{"__proto__":"***","n":1}');
  });
});

describe("observers", () => {
  test("see each call and change nothing", async () => {
    const seen: unknown[] = [];
    const { session } = start({
      before: (call) => void seen.push(["before", call]),
      after: (call, outcome) =>
        void seen.push(["after", call.tool, outcome.ok ? outcome.meta.transport : outcome.code]),
    });
    await session.$call("github", "list", { a: 1 });
    await failureOf(session.$call("github", "merge", {}));
    expect(seen).toEqual([
      ["before", { role: "tester", server: "github", tool: "list", args: { a: 1 } }],
      ["after", "list", "stdio"],
      ["before", { role: "tester", server: "github", tool: "merge", args: {} }],
      ["after", "merge", "tool-denied"],
    ]);
    expect(Object.isFrozen((seen[0] as [string, { args: object }])[1].args)).toBe(true);
    await failureOf(session.$read("github", "docs:///a"));
    expect(seen[4]).toEqual([
      "before",
      { role: "tester", server: "github", tool: "resources/read", args: { uri: "docs:///a" } },
    ]);
    expect(Object.isFrozen((seen[4] as [string, { args: object }])[1].args)).toBe(true);
  });

  test("one that throws, or never ends, is an event and no more", async () => {
    const events: RuntimeEvent[] = [];
    const { session } = start({
      before: () => new Promise(() => {}),
      after: async () => {
        throw new Error("late");
      },
      record: () => {
        throw new Error("sink");
      },
      on: (event) => {
        events.push(event);
        throw new Error("listener");
      },
    });
    await session.$call("github", "list");
    await settled();
    expect(events).toEqual([
      { type: "hook-failed", hook: "record", why: "sink" },
      { type: "hook-failed", hook: "on", why: "listener" },
      { type: "hook-failed", hook: "after", why: "late" },
    ]);
  });

  test("a refusal is an event, with its reason's code", async () => {
    const { session, events } = start();
    await failureOf(session.$call("github", "merge"));
    expect(events).toEqual([{ type: "refused", role: "tester", server: "github", tool: "merge", code: "tool-denied" }]);
  });
});
