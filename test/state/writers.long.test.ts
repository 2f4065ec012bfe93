import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** Agents write while others read: the server is asked again and again, and what it tells is never made up. */
let cli: BundledCli;
let project: ServedProject;
let state: Connected;

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(
    cli.entry,
    {
      "rolecall.yaml":
        "version: 1\nproject: squad\nroles: { tester: { builtins: { claude-code: all } } }\n" +
        "state: { decisions: decisions.jsonl, backlog: backlog.json, history: 'notes/{name}.md' }\n",
      "decisions.jsonl": "",
      "backlog.json": "[]",
    },
    [["build"]],
  );
  state = await project.connect([], { command: "state" });
}, 120_000);
afterAll(async () => {
  await state.client.close();
  project.remove();
  cli.remove();
});

interface Told {
  readonly decisions?: readonly { readonly title: string }[] | null;
  readonly open?: readonly { readonly title: string }[] | null;
  readonly unreadableLines?: number;
  readonly problem?: string;
}
const read = async (view: string): Promise<Told> => {
  const { contents } = await state.client.readResource({ uri: `squad://${view}` });
  return JSON.parse((contents[0] as { readonly text: string }).text) as Told;
};
const start = (program: string): ChildProcess =>
  spawn(process.execPath, ["-e", `const fs = require("node:fs"); ${program}`], { cwd: project.dir, stdio: "ignore" });
const over = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.once("close", () => resolve()));

function during(work: Promise<unknown>): { readonly isOver: boolean } {
  const state = { isOver: false };
  void work.then(() => (state.isOver = true));
  return state;
}

test("of two that add lines at once every line is told, once each", async () => {
  const lines = (by: string): string =>
    `for (let i = 0; i < 400; i++) fs.appendFileSync("decisions.jsonl", JSON.stringify({ title: "${by}" + i, text: "x".repeat(3000) }) + "\\n");`;
  const writers = [start(lines("a")), start(lines("b"))].map(over);
  const all = during(Promise.all(writers));
  let seen = 0;
  while (!all.isOver) {
    const { decisions, problem } = await read("decisions");
    if (problem !== undefined) expect(problem).toContain("try again");
    for (const { title } of decisions ?? []) expect(title).toMatch(/^[ab]\d+$/);
    seen += decisions?.length ?? 0;
  }
  expect(seen).toBeGreaterThan(0);
  const { decisions, leftOut, unreadableLines } = (await read("decisions")) as Told & { readonly leftOut: number };
  expect(decisions!.length + leftOut).toBe(800);
  expect(unreadableLines).toBeUndefined();
});

test("of a file that is put in place whole no half is ever told", async () => {
  const writer = start(
    'for (let i = 0; i < 150; i++) { fs.writeFileSync("b.tmp", JSON.stringify(Array(2000).fill({ title: "v" + i }))); fs.renameSync("b.tmp", "backlog.json"); }',
  );
  const writing = during(over(writer));
  const sizes = new Set<number>();
  while (!writing.isOver) {
    const { open, problem } = await read("backlog");
    if (problem !== undefined) expect(problem).toMatch(/try again|can't be read|no file/);
    else sizes.add(new Set(open!.map(({ title }) => title)).size);
  }
  expect([...sizes].every((size) => size <= 1)).toBe(true);
});

test("what somebody leaves who is killed as he writes is said, and what was whole stays told", async () => {
  project.write("decisions.jsonl", '{"title":"whole"}\n');
  const killed = start(
    'const to = fs.openSync("decisions.jsonl", "a"); fs.writeSync(to, \'{"title":"half\'); process.send?.(1); setInterval(() => {}, 1000);',
  );
  await expect.poll(() => project.read("decisions.jsonl"), { timeout: 10_000 }).toContain("half");
  killed.kill("SIGKILL");
  await over(killed);
  expect(await read("decisions")).toMatchObject({ decisions: [{ title: "whole" }], unreadableLines: 1 });
  project.write("backlog.json", '[{"title":"half');
  expect(await read("backlog")).toMatchObject({ open: null, problem: expect.stringContaining("no whole list") });
  project.write("backlog.json", '[{"title":"mended"}]');
  expect(await read("backlog")).toMatchObject({ open: [{ title: "mended" }] });
});

test.skipIf(process.platform === "win32")(
  "a pipe, a folder or a circle in a file's place is waited for by nobody",
  async () => {
    execFileSync("mkdir", ["-p", path.join(project.dir, "notes")]);
    const at = path.join(project.dir, "notes", "tester.md");
    const ways = [
      ["mkfifo", at],
      ["mkdir", at],
      ["ln", "-s", "tester.md", at],
      ["ln", "-s", "/dev/zero", at],
    ] as const;
    for (const [command, ...args] of ways) {
      execFileSync(command, args);
      expect(await read("agents/tester/history")).toMatchObject({ notes: null, problem: expect.any(String) });
      execFileSync("rm", ["-rf", at]);
    }
  },
);

test("it writes nothing, and ends with its client", async () => {
  const files = (): string =>
    execFileSync("find", [".", "-newer", "rolecall.yaml", "-type", "f"], { cwd: project.dir, encoding: "utf8" });
  const before = files();
  const other = await project.connect([], { command: "state" });
  const { pid } = other.transport;
  await other.client.readResource({ uri: "squad://roster" });
  await other.client.close();
  await expect.poll(() => isAlive(pid!), { timeout: 5_000 }).toBe(false);
  expect(files()).toBe(before);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
