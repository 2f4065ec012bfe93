import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import { runInProcess } from "../support/run-cli.ts";

/** The commands over the real compiler and real files. */
const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const source = (role: string) =>
  `version: 1\nproject: harbor\nservers:\n  notes: { connect: [{ stdio: [notes] }] }\nroles:\n  ${role}: { tools: { notes: [search] } }\n`;

let dir = "";
beforeEach(() => void (dir = mkdtempSync(path.join(tmpdir(), "rolecall-cli-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("build writes, a second build has nothing to do, from the cache and without it", async () => {
  writeFileSync(path.join(dir, "rolecall.yaml"), source("reader"));
  const first = await run(["build"], dir);
  expect(first.exit).toBe(0);
  expect(first.printed).toMatch(/wrote \d+ files\n/);
  const before = statSync(path.join(dir, "src/mcp/roles/reader.ts")).mtimeMs;
  for (const again of [["build"], ["build", "--no-cache"]]) {
    const { exit, printed } = await run(again, dir);
    expect(exit).toBe(0);
    expect(printed).toContain("nothing to do: ");
    expect(printed).toContain("1 role, 1 server, 1 tool, ");
    expect(printed).toContain("warning[");
  }
  expect(statSync(path.join(dir, "src/mcp/roles/reader.ts")).mtimeMs).toBe(before);
});

test("build --check says what is missing, differs and is stale, and writes nothing", async () => {
  writeFileSync(path.join(dir, "rolecall.yaml"), source("reader"));
  await run(["build"], dir);
  writeFileSync(path.join(dir, "rolecall.yaml"), source("writer"));
  for (let look = 0; look < 2; look++) {
    const { exit, printed } = await run(["build", "--check"], dir);
    expect(exit).toBe(2);
    expect(printed).toContain("missing  src/mcp/roles/writer.ts");
    expect(printed).toContain("stale    src/mcp/roles/reader.ts");
    expect(printed).toContain("differs  src/mcp/index.ts");
  }
});

test("no project: exit 1 and the next step", async () => {
  const { exit, printed } = await run(["ls"], dir);
  expect(exit).toBe(1);
  expect(printed).toContain("error[source/no-project]");
  expect(printed).toContain("help: ");
});
