import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openNewestRecord } from "../../compiler/io/state/newest-record.ts";

/** Only files of the project are read: another project's calls aren't this team's, however new they are. */
let folder: string;
let dir: string;
let elsewhere: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rolecall-record-"));
  [dir, elsewhere] = [path.join(folder, "ours"), path.join(folder, "theirs")];
  write(dir, "own", 100);
  write(elsewhere, "strange", 200);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(project: string, tool: string, at: number): void {
  const run = path.join(project, ".runs", "a");
  mkdirSync(run, { recursive: true });
  const line = { ts: "2026-01-01T00:00:01Z", role: "r", server: "s", tool, status: "ok" };
  writeFileSync(path.join(run, "calls.jsonl"), `${JSON.stringify(line)}\n`);
  utimesSync(path.join(run, "calls.jsonl"), at, at);
}

const toolsRead = async (): Promise<(string | undefined)[]> => {
  const run = await openNewestRecord(dir, ".runs/{run}/calls.jsonl").run();
  return (run?.newest.get("r") ?? []).map(({ tool }) => tool);
};

test("a run that lies elsewhere is passed over", async () => {
  symlinkSync(path.join(elsewhere, ".runs/a"), path.join(dir, ".runs/b"));
  expect(await toolsRead()).toEqual(["own"]);
});

test("so is a record", async () => {
  mkdirSync(path.join(dir, ".runs/b"));
  symlinkSync(path.join(elsewhere, ".runs/a/calls.jsonl"), path.join(dir, ".runs/b/calls.jsonl"));
  expect(await toolsRead()).toEqual(["own"]);
});

test("and the folder of all runs", async () => {
  rmSync(path.join(dir, ".runs"), { recursive: true });
  symlinkSync(path.join(elsewhere, ".runs"), path.join(dir, ".runs"));
  expect(await toolsRead()).toEqual([]);
});

test("a link within the project is followed", async () => {
  symlinkSync(path.join(dir, ".runs/a"), path.join(dir, ".runs/b"));
  expect(await toolsRead()).toEqual(["own"]);
});
