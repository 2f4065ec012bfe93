import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ObservedOutcome, RecordLine, RuntimeEvent, TeamOptions } from "../../../runtime/api.ts";
import type { JsonValue } from "../../../runtime/contract.ts";
import { createRecorder } from "../../../runtime/session/record.ts";
import { failureOf, fakeRole, fakeServer, fakeTeam, type FakeServer } from "../../support/fake-link.ts";
import { fault, open, serverData } from "../../support/linked.ts";
import { BUNDLED, ROOT } from "../../support/root.ts";

/** What attacks found at the edges of a session: shared objects, deep values, times beyond a timer, a full disk. */

let folder: string;
let github: FakeServer;
const inputSchema = { type: "object", properties: { path: { type: "string" } }, additionalProperties: false };
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rolecall-hardening-"));
  github = fakeServer(
    "github",
    { list: { readOnly: true, digest: "sha256:x", inputSchema }, create: {} },
    { cacheMs: 60_000 },
  );
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function start(options: TeamOptions = {}) {
  const roles = ["tester", "lead"].map((name) =>
    fakeRole(name, [[github, { tools: { list: "allow", create: "allow" } }]]),
  );
  return fakeTeam([github], roles, options);
}

const nested = (depth: number): JsonValue => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as JsonValue;

describe("what is handed out", () => {
  test("schemas of `$tools()` are frozen through and through, and judge calls all the same", async () => {
    const { as } = start();
    const [list] = await as("tester").$tools();
    const schema = list!.inputSchema as unknown as typeof inputSchema;
    expect(() => (schema.additionalProperties = true)).toThrow(TypeError);
    expect(() => Object.assign(schema.properties.path, { type: "number" })).toThrow(TypeError);
    expect(await failureOf(as("lead").$call("github", "list", { path: 1 }))).toMatchObject({
      code: "argument-refused",
    });
    await as("lead").$call("github", "list", { path: "a" });
  });

  test("an observer has a copy of the result", async () => {
    github.calling = async () => ({ content: [{ type: "text", text: "kept" }], structuredContent: { a: [1] } });
    const seen: ObservedOutcome[] = [];
    const after = (_: unknown, outcome: ObservedOutcome): void => {
      seen.push(outcome);
      if (!outcome.ok) return;
      Object.assign(outcome.content[0]!, { text: "spoilt" });
      (outcome.meta.raw as { structuredContent: { a: unknown[] } }).structuredContent.a.push(2);
    };
    const { as } = start({ after });
    for (let i = 0; i < 2; i++) {
      const result = await as("tester").$call("github", "list");
      expect([result.text, result.structured]).toEqual(["kept", { a: [1] }]);
    }
    expect(JSON.stringify(seen)).toContain("spoilt");
  });
});

describe("deep values", () => {
  test("a call whose result can't be written as text leaves its line, and its answer", async () => {
    const deep = nested(50_000);
    github.calling = async () => ({ content: [{ type: "text", text: "fine" }], structuredContent: { deep } });
    const lines: RecordLine[] = [];
    const events: RuntimeEvent[] = [];
    const { as } = start({ record: (line) => lines.push(line), on: (event) => events.push(event) });
    for (let i = 0; i < 2; i++) expect((await as("tester").$call("github", "list", {})).text).toBe("fine");
    expect(lines.map(({ status, tool, result_bytes }) => [status, tool, result_bytes])).toEqual([
      ["ok", "list", 0],
      ["ok", "list", 0],
    ]);
    expect(events[0]).toMatchObject({ type: "hook-failed", hook: "record" });
  });

  test("from a real server it is told as such, with its line, and the cache is none the worse", async () => {
    const { call, failure } = open(serverData([fault({})]));
    expect((await failure("attack", { kind: "deep", size: 5_000 })).message).toContain("nested deeper than 200");
    await call("attack", { kind: "deep", size: 150 });
  });

  test.each([
    [190, undefined],
    [210, "argument-refused"],
    [3_000, "argument-refused"],
    [200_000, "argument-refused"],
  ])("arguments nested %i deep", async (depth, code) => {
    const lines: RecordLine[] = [];
    const { as } = start({ record: (line) => lines.push(line) });
    const ended = await as("tester")
      .$call("github", "create", { deep: nested(depth) })
      .then(
        () => undefined,
        (error: { readonly code: string }) => error.code,
      );
    expect([ended, lines.length]).toEqual([code, 1]);
  });
});

describe("times beyond a timer", () => {
  test.each([2 ** 31, 1e15, Infinity])("%d ms for a call is as long as it takes", async (timeoutMs) => {
    const { link } = open(serverData([fault({})], { timeoutMs }));
    const { raw } = await link.call("slow", { ms: 50 }, { timeoutMs });
    expect(JSON.stringify(raw)).toContain("slow");
  });

  test.each([2 ** 31, Infinity])("%d ms for an answer to an ask", async (askTimeoutMs) => {
    const roles = [fakeRole("tester", [[github, { tools: { create: "ask" } }]])];
    const ask = (): Promise<boolean> => new Promise((resolve) => setTimeout(resolve, 30, true));
    const { as } = fakeTeam([github], roles, { ask, askTimeoutMs });
    expect(await as("tester").$call("github", "create")).toHaveProperty("meta");
  });
});

describe("a record that can't be written", () => {
  const line = (n: number): RecordLine => ({ tool: `t${n}` }) as RecordLine;
  const toolsIn = (file: string): string[] =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((text) => (JSON.parse(text) as RecordLine).tool);

  test("loses no line while it fails, and says so once", async () => {
    const file = path.join(folder, "runs", "calls.jsonl");
    writeFileSync(path.join(folder, "runs"), "in the way");
    const failures: unknown[] = [];
    const recorder = createRecorder(file, "r", (error) => failures.push(error))!;
    for (let n = 0; n < 3; n++) {
      recorder.write(line(n));
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    rmSync(path.join(folder, "runs"));
    mkdirSync(path.join(folder, "runs"));
    recorder.write(line(3));
    await recorder.close();
    expect(toolsIn(file)).toEqual(["t0", "t1", "t2", "t3"]);
    expect(failures).toHaveLength(1);
  });

  test("holds the last eight million characters, not more", async () => {
    writeFileSync(path.join(folder, "runs"), "in the way");
    const file = path.join(folder, "runs", "calls.jsonl");
    const recorder = createRecorder(file, "r", () => {})!;
    const big = { tool: "x".repeat(1_000_000) } as RecordLine;
    for (let n = 0; n < 12; n++) recorder.write(big);
    await new Promise((resolve) => setTimeout(resolve, 300));
    rmSync(path.join(folder, "runs"));
    await recorder.close();
    expect(toolsIn(file).length).toBeLessThan(9);
    expect(toolsIn(file).length).toBeGreaterThan(5);
  });

  test.skipIf(process.platform === "win32")("is for whoever runs the app alone", async () => {
    const file = path.join(folder, "calls.jsonl");
    const recorder = createRecorder(file, "r", () => {})!;
    recorder.write(line(1));
    await recorder.close();
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    chmodSync(file, 0o640);
    const next = createRecorder(file, "r", () => {})!;
    next.write(line(2));
    await next.close();
    // What its owner made of it stays.
    expect((statSync(file).mode & 0o777).toString(8)).toBe("640");
  });
});

test.skipIf(process.platform === "win32")(
  "too many open files are told as such, and not as a lack of the library",
  async () => {
    const app = path.join(BUNDLED, `crowded-${process.pid}.mjs`);
    const source = `
    import { openSync } from "node:fs";
    import { openLink } from "./runtime/connect/open-link.ts";
    import { createSecrets } from "./runtime/secrets.ts";
    await import("@modelcontextprotocol/client"); await import("@modelcontextprotocol/client/stdio");
    const data = { format: 1, server: "faulty", connect: [{ kind: "stdio", command: [[process.execPath], ["-e", ""]], env: [] }], timeoutMs: 3000, breaker: { failures: 3, cooldownMs: 60000 }, connection: "project", mustConnect: false, tools: {} };
    const world = { env: () => undefined, root: "/", clock: { now: Date.now, sleep: async () => {} }, on: () => {}, secrets: createSecrets() };
    try { for (;;) openSync("/dev/null", "r"); } catch {}
    const error = await openLink(data, world).call("echo", {}, { timeoutMs: 3000 }).catch((one) => one);
    process.stdout.write(error.message);
    process.exit(0);
  `;
    await build({
      stdin: { contents: source, resolveDir: ROOT, loader: "ts" },
      outfile: app,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      logLevel: "error",
    });
    try {
      const child = spawn("sh", ["-c", `ulimit -n 256; exec "${process.execPath}" "${app}"`], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
      await once(child, "close");
      expect(said).toContain("too many files and connections are open here");
    } finally {
      rmSync(app, { force: true });
    }
  },
);
