import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { displayWidth } from "../../compiler/base/display-width.ts";
import type { RecordLine } from "../../runtime/api.ts";
import { bundledCli } from "../support/bundled-cli.ts";
import { captureProject, tool } from "../support/capture-project.ts";
import { callLine, jsonLines } from "../support/call-lines.ts";
import { rolecall, type Scene } from "../support/fake-terminal.ts";

/** `rolecall calls` on files as they are: moved, broken, half written, hostile, very large. */

const home = mkdtempSync(path.join(tmpdir(), "rolecall-calls-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let folder: string;
let file: string;
let folders = 0;
beforeEach(() => {
  folder = path.join(home, `p${(folders += 1)}`);
  file = path.join(folder, ".runs", "r1", "calls.jsonl");
  mkdirSync(path.dirname(file), { recursive: true });
});

const write = (lines: readonly Partial<RecordLine>[], to = file): void =>
  writeFileSync(to, jsonLines(lines.map((line) => callLine(line))));
const calls = (args: readonly string[], scene: Scene = {}) => rolecall(["calls", ...args], scene);
const json = async (...args: string[]) => {
  const { exit, out, err } = await calls([...args, "--json"]);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  return JSON.parse(out);
};

const refused = { status: "error", decision: "deny", code: "tool-denied", error: "no", result_bytes: 0 } as const;
const MIXED: readonly Partial<RecordLine>[] = [
  { duration_ms: 5, retries: 2 },
  {
    duration_ms: 2_500,
    role: "tester",
    tool: "create_issue",
    decision: "ask",
    ask: "yes",
    by: "ada",
    caller: "sub kit",
  },
  { ...refused, tool: "delete_branch", args: { path: "../../x" }, ts: "2026-03-01T10:00:00.000Z" },
  { server: "notes", tool: "search", status: "error", code: "server-unavailable", error: "gone", result_bytes: 0 },
  {
    server: "notes",
    tool: "search",
    status: "error",
    code: "rate-limited",
    error: "Rate limit exceeded (rate limit of 1/min, notes)",
    result_bytes: 0,
  },
];

describe("what it says", () => {
  test("to programs", async () => {
    write(MIXED);
    const answer = await json(file, "--audit");
    expect(answer.mcp_stats).toEqual({
      total_calls: 5,
      total_errors: 3,
      calls_by_server: { github: 3, notes: 2 },
      error_rate: 0.6,
    });
    expect(answer.all).toEqual({
      calls: 5,
      errors: 3,
      errorRate: 0.6,
      availability: 0.666666,
      refused: 1,
      rateLimited: 1,
      unavailable: 1,
      failed: 0,
      stopped: 0,
      retries: 2,
      avgMs: 507,
      p50Ms: 10,
      p95Ms: 2_500,
      quantilesWithin: 0,
      resultBytes: 200,
    });
    expect(answer.roles.map((role: { name: string }) => role.name)).toEqual(["reader", "tester"]);
    expect(answer.tools).toHaveLength(4);
    expect(answer.slow).toMatchObject({
      overOneSecond: 1,
      slowest: [{ tool: "create_issue", durationMs: 2_500 }, {}, {}, {}, {}],
    });
    expect(answer.audit.asked).toMatchObject({
      count: 1,
      newest: [{ role: "tester", caller: "sub kit", answer: "yes", by: "ada", plan: "sha256:ab12" }],
    });
    expect(answer.audit.refused).toMatchObject({ count: 1, newest: [{ tool: "delete_branch", error: "no" }] });
    expect(answer.audit.climbing.newest).toMatchObject([{ argument: "path", value: "../../x", ending: "refused" }]);
    expect(answer.audit.changing).toEqual([
      { role: "reader", server: "github", tool: "delete_branch", by: "name", calls: 1, errors: 1 },
      { role: "tester", server: "github", tool: "create_issue", by: "name", calls: 1, errors: 0 },
    ]);
  });

  test("an audit goes by the project's pinned hints, the author's among them, then by names", async () => {
    const project = captureProject();
    try {
      const hints = "hints: { poke: { readOnly: false } }";
      project.declare({ "github-ro": `{ connect: [{ stdio: [g] }], manifest: github, ${hints} }` });
      const says = { list_deleted: { readOnlyHint: true }, merge: { destructiveHint: false }, write_log: {}, poke: {} };
      const tools = Object.entries(says).map(([name, annotations]) => tool(name, { annotations }));
      project.write("mcp/manifests/github.json", JSON.stringify({ server: "github", tools }));
      const called = [...Object.keys(says), "read_log", "delete_it"];
      const lines = called.map((name) => callLine({ server: "github-ro", tool: name }));
      project.write(".runs/calls.jsonl", jsonLines(lines));
      const changing = async () => {
        const { out } = await project.run(["calls", "--audit", "--json"]);
        const { audit } = JSON.parse(out) as { audit: { changing: { tool: string; by: string }[] } };
        return audit.changing.map((one) => `${one.tool} by ${one.by}`);
      };
      expect(await changing()).toEqual(["delete_it by name", "merge by hints", "poke by hints", "write_log by name"]);
      project.write("mcp/manifests/github.json", "{");
      expect(await changing()).toContain("merge by name");
    } finally {
      project.remove();
    }
  });

  test("to people", async () => {
    write(MIXED);
    const { out } = await calls([file], { width: 80 });
    expect(out).toContain(": 5 calls\n");
    expect(out).toContain("errors        3 (60.0 %): 1 without an answer, 1 refused, 1 rate limited\n");
    expect(out).toContain("duration      avg 507 ms, p50 10 ms, p95 2.5 s; 1 over 1 s\n");
    expect(out).toMatch(/\nnotes +2 +2 +low 0\.0 % /);
    expect(out).toMatch(/\ngithub\.create_issue +1 +0 .*2,500\n/);
    expect(out).toMatch(/\nserver +calls +errors +available +refused +limited +retries +avg ms/);
    expect(out).toMatch(/\ngithub +3 +1 +100 % +1 +0 +2 /);
    write(MIXED.map((line) => ({ ...line, retries: 0 })));
    expect((await calls([file], { width: 80 })).out).not.toContain("retries");
    const audit = (await calls([file, "--audit"], { width: 80 })).out;
    expect(audit).toMatch(/\ntester, sub kit +github\.create_issue +yes by ada +ab12 +1\n/);
    expect(audit).toMatch(/\nreader +github\.delete_branch +not held +1\n/);
    expect(audit).toMatch(/\nreader +github\.delete_branch +path: \.\.\/\.\.\/x +refused +1\n/);
  });

  test.each([[["--audit"]], [[]]])("fits, and colour changes nothing but colour: %j", async (flags) => {
    const long = {
      server: "s".repeat(90),
      tool: "t".repeat(300),
      role: "r".repeat(60),
      by: "b".repeat(100),
      caller: "c".repeat(300),
    };
    for (const [width, lines] of [
      [40, MIXED],
      [80, MIXED],
      [80, [...MIXED, { ...refused, ...long, ask: "no" as const, args: { path: "../".repeat(100) } }]],
      [120, MIXED],
    ] as const) {
      write(lines);
      const plain = (await calls([file, ...flags], { width })).out;
      // The first line names the file.
      for (const line of plain.split("\n").slice(1)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const coloured = (await calls([file, ...flags], { width, isTerminal: true })).out;
      expect(stripVTControlCharacters(coloured)).toBe(plain);
      const ascii = (await calls([file, ...flags], { width, env: { LANG: "C" } })).out;
      expect(ascii).toMatch(/^[\n\x20-\x7e]*$/);
    }
  });

  test("hostile names steer nothing", async () => {
    const evil = "\u001b[2Jx\u202e\u0007\nname";
    write([
      {
        server: evil,
        tool: evil,
        role: evil,
        ts: evil,
        ask: "yes",
        by: evil,
        caller: evil,
        plan: evil,
        duration_ms: 5_000,
        args: { [evil]: "../x" },
      },
    ]);
    for (const flags of [
      [],
      ["--audit"],
      ["--json"],
      ["--json", "--audit"],
      ["--server", evil],
      ["--tool", `${evil}x`],
    ]) {
      const { exit, out, err } = await calls([file, ...flags], { width: 80 });
      expect({ exit, err }).toEqual({ exit: 0, err: "" });
      expect(out).not.toMatch(/[\u001b\u202e\u0007]/);
    }
  });
});

describe("which file", () => {
  test("the newest below .runs, with what was moved out of its way", async () => {
    write([{}], path.join(folder, ".runs", "mcp_calls.jsonl"));
    write([{}, {}]);
    write([{}, {}, {}], `${file}.1`);
    write([{}], `${file}.2`);
    write([{}], `${file}.4`);
    utimesSync(path.join(folder, ".runs", "mcp_calls.jsonl"), 1, 1);
    const answer = await json("--project", folder);
    expect(answer.mcp_stats.total_calls).toBe(6);
    expect(answer.files.map((name: string) => path.basename(name))).toEqual([
      "calls.jsonl.2",
      "calls.jsonl.1",
      "calls.jsonl",
    ]);
  });

  test("several, a folder, and one given twice is read once", async () => {
    write([{}, {}]);
    write([{}], `${file}.1`);
    write([{}], path.join(folder, "other.jsonl"));
    const names = [file, `${file}.1`, path.join(folder, "other.jsonl"), path.dirname(file)];
    expect((await json(...names)).mcp_stats.total_calls).toBe(4);
  });

  test.each([
    ["no file below .runs/ ends in calls.jsonl", []],
    ["there is no such file", ["/srv/nowhere/calls.jsonl"]],
  ])("none: %s", async (says, args) => {
    const { exit, out, err } = await calls([...args, "--project", path.join(folder, ".runs")]);
    expect({ exit, out }).toEqual({ exit: 3, out: "" });
    expect(err).toContain(says);
    expect(err).toContain("team({ record:");
  });

  test("one that is no record", async () => {
    writeFileSync(file, "# Changelog\n\n- something\n");
    expect(await calls([file])).toMatchObject({ exit: 3, out: "" });
    writeFileSync(file, "");
    expect(await calls([file])).toMatchObject({ exit: 0 });
  });
});

describe("lines that can't be read", () => {
  test("are counted and named, and harm no other", async () => {
    write([{}]);
    appendFileSync(
      file,
      `{"ts":"20\n\n${JSON.stringify(callLine())}\r\n\u0000\u0000\n[1]\n${JSON.stringify(callLine())}{"ts":"20`,
    );
    const answer = await json(file);
    expect([answer.mcp_stats.total_calls, answer.unreadable.count]).toEqual([2, 4]);
    expect(answer.unreadable.first).toEqual([`${file}:2`, `${file}:5`, `${file}:6`]);
    const { out } = await calls([file]);
    expect(out).toContain(`4 lines couldn't be read and aren't counted: ${file}:2, ${file}:5, ${file}:6 ...`);
  });

  test("the last one without its end counts, and so does one behind a byte order mark", async () => {
    writeFileSync(file, `\ufeff${jsonLines([callLine()])}${JSON.stringify(callLine())}`);
    expect((await json(file)).mcp_stats.total_calls).toBe(2);
  });
});

describe("filters", () => {
  test.each([
    [["--server", "notes"], 2],
    [["--role", "tester"], 1],
    [["--tool", "search"], 2],
    [["--tool", "notes.search", "--role", "reader"], 2],
    [["--since", "2026-03-01T09:30"], 1],
    [["--since", "2026-03-01T12:30+03:00"], 1],
    [["--since", "2026-03-02"], 0],
    [["--since", "1m"], 0],
    [["--since", "36500d"], 5],
  ])("%j", async (flags, count) => {
    write(MIXED);
    expect((await json(file, ...flags)).mcp_stats.total_calls).toBe(count);
  });

  test("a name that no call has: the nearest one", async () => {
    write(MIXED);
    expect((await calls([file, "--server", "githb"])).out).toContain(
      "no call has the server `githb`; did you mean `github`?",
    );
    expect((await calls([file, "--tool", "github.list_isues"])).out).toContain("did you mean `github.list_issues`?");
  });

  test.each(["yesterday", "5", "0m", "2026-13-01", "2026-03-01 09:00", "30s"])(
    "--since %s is wrong usage",
    async (time) => {
      const { exit, err } = await calls([file, "--since", time]);
      expect(exit).toBe(64);
      expect(err).toContain("rolecall calls --since 24h");
    },
  );
});

describe("the real command", () => {
  const cli = bundledCli();
  afterAll(() => cli.remove());

  test("reads standard input, and a file that is far larger than its memory, with a line that has no end", () => {
    const place = cli.folder("large");
    const large = path.join(place, "calls.jsonl");
    const block = jsonLines(
      Array.from({ length: 5_000 }, (_, i) => callLine({ duration_ms: i, args: { text: "x".repeat(300) } })),
    );
    writeFileSync(large, "");
    for (let i = 0; i < 20; i++) appendFileSync(large, block);
    appendFileSync(large, `{"server":"${"x".repeat(40 * 1024 * 1024)}\n${block}`);
    const small = "NODE_OPTIONS=--max-old-space-size=40";
    for (const line of [
      `${small} rolecall calls calls.jsonl --audit --json`,
      `cat calls.jsonl | ${small} rolecall calls - --json`,
    ]) {
      const { exit, out, err } = cli.run(line, place);
      expect({ exit, err }).toEqual({ exit: 0, err: "" });
      const { mcp_stats, unreadable, all } = JSON.parse(out);
      expect([mcp_stats.total_calls, unreadable.count]).toEqual([105_000, 1]);
      expect(Math.abs(all.p95Ms - 4_749) / 4_749).toBeLessThanOrEqual(all.quantilesWithin);
    }
  });

  test("ends quietly when its reader does", () => {
    const place = cli.folder("pipe");
    writeFileSync(path.join(place, "calls.jsonl"), jsonLines(MIXED.map((line) => callLine(line))));
    expect(cli.run("rolecall calls calls.jsonl | head -1", place)).toEqual({
      exit: 0,
      out: "calls.jsonl: 5 calls\n",
      err: "",
    });
  });
});
