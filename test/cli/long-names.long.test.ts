import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import { manifest } from "../support/compiled.ts";
import { runInProcess } from "../support/run-cli.ts";

/** A name may have 400,000 characters: a terminal and a page show the beginning of it. */

const LONG = 400_000;
const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), "rolecall-names-"));
  const tool = "n".repeat(LONG);
  const policy = "p".repeat(LONG);
  const files = {
    "rolecall.yaml": "version: 1\nproject: harbor\nhosts: [ai-sdk, opencode, codex, claude-code]\n",
    "mcp/team.yaml": `servers:
  db: { connect: [{ http: https://db.example.com/mcp }] }
roles:
  tester: { tools: { db: all } }
policies:
  - { name: ${policy}, roles: ["*"], tools: [db.read], effect: ask }
`,
    "mcp/manifests/db.json": manifest(tool, `${tool}2`, { name: "read", annotations: { readOnlyHint: true } }),
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  }
});
afterAll(() => rmSync(dir, { recursive: true }));

test.each(["build", "report --terminal", "ls", "inspect db", "explain tester db.read", "hosts", "hosts codex"])(
  "%s prints no more than a few pages",
  { timeout: 30_000 },
  async (command) => expect((await run(command.split(" "), dir)).printed.length).toBeLessThan(40_000),
);

test("ACCESS.md is short", () => {
  expect(readFileSync(path.join(dir, "src/mcp/ACCESS.md"), "utf8").length).toBeLessThan(40_000);
});

test("an error about such a name says how long it is", async () => {
  const slip = `mcp/slip.yaml`;
  writeFileSync(path.join(dir, slip), `roles: { lead: { tools: { ${"s".repeat(LONG)}: all } } }\n`);
  const { printed, exit } = await run(["build"], dir);
  rmSync(path.join(dir, slip));
  expect(exit).toBe(1);
  expect(printed).toContain("(400000 characters)");
  expect(printed.length).toBeLessThan(40_000);
});
