import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openState } from "../../compiler/io/state/open-state.ts";
import type { TeamState } from "../../compiler/state/answers.ts";

/** By what it is known that a view has changed, to whoever follows it. */
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "rolecall-signs-"));
  mkdirSync(path.join(dir, "notes"));
  for (const file of ["decisions.md", "backlog.md", "notes/kit.md"]) writeFileSync(path.join(dir, file), "## One\n");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test.each([
  ["decisions", "decisions"],
  ["decisions", "decisions/latest"],
  ["backlog", "backlog"],
  ["history", "agents/kit/history"],
] as const)("a file that isn't read any more changes what is told of it: %s, at %s", async (file, view) => {
  let closed: TeamState["closed"] = [];
  const team = async (): Promise<TeamState> => ({
    name: "squad",
    project: "test",
    roles: [],
    members: [{ name: "kit", role: "tester", charter: undefined }],
    decisions: "decisions.md",
    backlog: "backlog.md",
    history: "notes/{name}.md",
    closed,
  });
  const { sign } = openState({ dir, env: {}, record: "calls.jsonl", team });
  const signs: string[] = [];
  for (const now of [[], [file], []] as const) {
    closed = now;
    signs.push(await sign(`squad://${view}`));
  }
  expect([signs[1] === signs[0], signs[2]]).toEqual([false, signs[0]]);
});
