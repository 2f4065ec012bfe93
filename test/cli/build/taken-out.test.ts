import { cpSync, existsSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder } from "../../support/git-project.ts";
import { ROOT } from "../../support/root.ts";
import { runInProcess } from "../../support/run-cli.ts";

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const INPUT = path.join(ROOT, "test/cases/diagnostics/output/taken-out/input");

test("only a build that writes says that something was taken out, and keeps a copy", async () => {
  const dir = temporaryFolder();
  folders.push(dir);
  const project = openGitProject(dir);
  cpSync(INPUT, dir, { recursive: true });
  for (const file of [".mcp.json", ".cursor/mcp.json"]) expect((await run(["import", file], dir)).exit).toBe(0);
  const before = project.text(".cursor/mcp.json");
  const copies = project.at(".rolecall/replaced");

  expect((await run(["build", "--check"], dir)).printed).not.toContain("taken");
  expect(existsSync(copies)).toBe(false);

  project.write({ "src/mcp/ACCESS.md": "mine\n" });
  const refused = await run(["build"], dir);
  expect(refused).toMatchObject({ exit: 1, printed: expect.stringContaining("output/in-the-way") });
  expect(refused.printed).not.toContain("output/taken-out");
  expect(project.text(".cursor/mcp.json")).toBe(before);
  expect(existsSync(copies)).toBe(false);

  project.write({ "src/mcp/ACCESS.md": undefined });
  expect((await run(["build"], dir)).printed).toContain("output/taken-out");
  expect(existsSync(copies)).toBe(true);
});
