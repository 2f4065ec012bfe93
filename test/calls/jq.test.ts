import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RecordLine } from "../../runtime/api.ts";
import { RolecallError } from "../../runtime/errors.ts";
import { failureOf, fakeClock, fakeRole, fakeServer, fakeTeam } from "../support/fake-link.ts";
import { rolecall } from "../support/fake-terminal.ts";
import { blocksOf } from "../support/markdown.ts";
import { ROOT } from "../support/root.ts";

/**
 * What others ask a record with jq, on a record that the runtime wrote: each question is asked in code, always, and where
 * jq is, by jq too, with the lines of docs/calls.md and of the guide that the questions come from.
 */

const folder = mkdtempSync(path.join(tmpdir(), "rolecall-jq-"));
const file = path.join(folder, "calls.jsonl");
const hasJq = spawnSync("jq", ["--version"]).status === 0;
if (!hasJq) console.warn("calls-jq: jq isn't here (Debian package jq), its lines are asked in code only");
let lines: readonly RecordLine[];
let stats: unknown;

beforeAll(async () => {
  const filesystem = fakeServer("filesystem", { read_file: {}, write_file: {}, delete_file: {} });
  const git = fakeServer("git", { git_diff: {} });
  const memory = fakeServer("memory", { query_entities: {} }, { ratePerMinute: 3 });
  const far = fakeServer("far", { search: {} });
  far.calling = () =>
    Promise.reject(new RolecallError("rate-limited", "its rate limit is reached (429)", { retryAfterMs: 60_000_000 }));
  const held = { read_file: "allow", write_file: "ask" } as const;
  const role = fakeRole("tester", [
    [filesystem, { tools: held, where: { read_file: { path: { glob: "**" } } } }],
    [git, { tools: { git_diff: "allow" } }],
    [memory, { tools: { query_entities: "allow" } }],
    [far, { tools: { search: "allow" } }],
  ]);
  const clock = fakeClock(true);
  const options = { record: file, run: "r1", clock, ask: () => ({ yes: true, by: "ada" }) };
  const { team, as } = fakeTeam([filesystem, git, memory, far], [role], options);
  const call = as("tester").$call as (server: string, tool: string, args?: object) => Promise<unknown>;
  filesystem.calling = async () => {
    clock.time += 1_500;
    return { content: [] };
  };
  await call("filesystem", "read_file", { path: "README.md" }).catch(() => {});
  await call("filesystem", "write_file", { path: "a.md" });
  await failureOf(call("filesystem", "read_file", { path: "../x" }));
  await failureOf(call("filesystem", "delete_file", { path: "a.md" }));
  for (let i = 0; i < 3; i++) await call("git", "git_diff", { ref: `HEAD~${i}` });
  for (let i = 0; i < 3; i++) await call("memory", "query_entities");
  await failureOf(call("memory", "query_entities"));
  await failureOf(call("far", "search"));
  await team.close();
  lines = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordLine);
  stats = JSON.parse((await rolecall(["calls", file, "--json"])).out).mcp_stats;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const failed = (line: RecordLine): boolean => line.status !== "ok";
const limited = (line: RecordLine): boolean => line.status === "error" && line.error!.includes("rate limit");
const climbing = (line: RecordLine): boolean =>
  line.server === "filesystem" && (line.args as { path: string }).path.includes("..");
const perServer = (some: readonly RecordLine[]): string[] =>
  [...new Set(some.map((line) => line.server))]
    .toSorted()
    .map((server) => `${some.filter((line) => line.server === server).length} ${server}`);

describe("the questions, in code", () => {
  test("calls per server, as `mcp_stats` has them", () => {
    expect(perServer(lines)).toEqual(["1 far", "4 filesystem", "3 git", "4 memory"]);
    expect(stats).toEqual({
      total_calls: lines.length,
      total_errors: lines.filter(failed).length,
      calls_by_server: { far: 1, filesystem: 4, git: 3, memory: 4 },
      error_rate: Math.round((lines.filter(failed).length / lines.length) * 1_000) / 1_000,
    });
  });

  test("failed ones have a text, and `decision` tells refusals apart", () => {
    for (const line of lines)
      expect([line.status, typeof line.error]).toEqual(failed(line) ? ["error", "string"] : ["ok", "object"]);
    expect(lines.filter(failed).map((line) => [line.server, line.decision])).toContainEqual(["filesystem", "deny"]);
  });

  test("limits of ours and of a server read the same way", () =>
    expect(perServer(lines.filter(limited))).toEqual(["1 far", "1 memory"]));

  test("every line has a duration, and slow ones are found by it", () => {
    for (const line of lines) expect(typeof line.duration_ms).toBe("number");
    expect(lines.filter((line) => line.duration_ms > 1_000).length).toBeGreaterThan(0);
  });

  test("paths that climb, and names that write, delete or execute", () => {
    expect(lines.filter(climbing)).toHaveLength(1);
    expect(lines.filter((line) => /write|delete|execute/.test(line.tool)).map((line) => line.tool)).toEqual([
      "write_file",
      "delete_file",
    ]);
  });

  test("the average of each tool is the command's", async () => {
    const { tools } = JSON.parse((await rolecall(["calls", file, "--json"])).out) as {
      tools: { tool: string; avgMs: number }[];
    };
    for (const { tool, avgMs } of tools) {
      const its = lines.filter((line) => line.tool === tool).map((line) => line.duration_ms);
      expect(avgMs).toBeCloseTo(its.reduce((a, b) => a + b) / its.length, 3);
    }
  });
});

/** A command of a page, on our record. */
function shell(command: string): string[] {
  const ended = spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
  expect({ command, err: ended.stderr, status: ended.status }).toMatchObject({ err: "", status: 0 });
  return ended.stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
}

/** jq prints objects over several lines. */
const objects = (printed: readonly string[]): unknown =>
  JSON.parse(`[${printed.join("\n").replaceAll(/^\}\n\{/gm, "},{")}]`);

describe.skipIf(!hasJq)("docs/calls.md", () => {
  const block = blocksOf(readFileSync(path.join(ROOT, "docs/calls.md"), "utf8")).find(({ text }) =>
    text.startsWith("jq "),
  )!;
  test.each(block.text.trimEnd().split("\n"))("%s", (line) => expect(shell(line).length).toBeGreaterThan(0));

  test("finds what there is to find", () => {
    const [servers, bad, limits, yes, up] = block.text.split("\n").map((line) => (line === "" ? [] : shell(line)));
    expect(servers).toEqual(perServer(lines));
    expect(bad).toHaveLength(lines.filter(failed).length);
    expect(limits).toHaveLength(2);
    expect(yes!.map((line) => (JSON.parse(line) as unknown[])[3])).toEqual(["ada"]);
    expect(up).toHaveLength(1);
  });
});

const seeds = ["../../shared/seeds", "../../../shared/seeds"]
  .map((place) => path.join(import.meta.dirname, place))
  .find(existsSync);
const seed = seeds && readdirSync(seeds).find((name) => name.startsWith("001"));

describe.skipIf(!hasJq || seed === undefined)("the guide that the format comes from", () => {
  const guide = seed === undefined ? "" : readFileSync(path.join(seeds!, seed), "utf8");
  const commands = blocksOf(guide)
    .filter(({ language }) => language === "bash")
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, " ").split("\n"))
    .filter((line) => line.includes("jq "))
    .map((line) => line.replaceAll(/\S*mcp_calls\.jsonl/g, "calls.jsonl"));
  /** What each of them has to say of our record, in the order of the guide. */
  const answers: readonly ((printed: readonly string[]) => void)[] = [
    (printed) => expect(printed).toEqual(perServer(lines)),
    (printed) => expect(objects(printed)).toEqual(lines.filter(failed)),
    (printed) => {
      const averages = new Map(printed.map((line) => line.split(" ") as [string, string]));
      expect([...averages.keys()].toSorted()).toEqual([...new Set(lines.map(({ tool }) => tool))].toSorted());
      for (const [tool, average] of averages) {
        const its = lines.filter((line) => line.tool === tool).map((line) => line.duration_ms);
        const plain = its.reduce((a, b) => a + b) / its.length;
        expect(Math.abs(Number(average) - plain)).toBeLessThanOrEqual(plain * 1e-4);
      }
    },
    (printed) => expect(JSON.parse(printed.join("\n"))).toEqual(stats),
    (printed) => expect(objects(printed)).toEqual(lines.filter(limited)),
    (printed) => expect(printed).toEqual(perServer(lines.filter(limited))),
    (printed) => expect(objects(printed)).toEqual(lines.filter(climbing)),
    (printed) => expect(objects(printed)).toEqual(lines.filter(({ tool }) => /write|delete|execute/.test(tool))),
    (printed) => expect(objects(printed)).toEqual(lines.filter((line) => line.duration_ms > 1_000)),
    (printed) => expect(printed).toHaveLength(10),
  ];

  test("has as many lines as are asked here", () => expect(commands).toHaveLength(answers.length));

  test.each(commands.map((command, i) => [command, i] as const))("%s", (command, i) => {
    writeFileSync(path.join(folder, "summary.json"), JSON.stringify({ mcp_stats: stats }));
    const printed = shell(command);
    expect(printed).not.toEqual([""]);
    answers[i]!(printed);
  });
});
