import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { temporaryFolder } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

const dir = temporaryFolder();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const run = runInProcess((argv, terminal) => main(argv, terminal, engine));

interface Sarif {
  readonly runs: readonly {
    readonly results: readonly { readonly partialFingerprints: Readonly<Record<string, string>> }[];
    readonly invocations: readonly [{ readonly toolExecutionNotifications: readonly object[] }];
  }[];
}

test("one run, of at most the 5,000 results that are shown, and how many more there are", async () => {
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  };
  mkdirSync(path.join(dir, "before"));
  const tools = Array.from({ length: 5_004 }, (_, i) => ({ name: `t${i}`, inputSchema: { type: "object" } }));
  write("rolecall.yaml", "version: 1\nproject: harbor\n");
  write("mcp/servers.yaml", "servers:\n  files: { connect: [{ stdio: [files] }] }\n");
  write("mcp/roles.yaml", "roles: { docs: { tools: { files: all } } }\n");
  write("mcp/manifests/files.json", JSON.stringify({ server: "files", tools }));
  const { runs } = JSON.parse((await run(["diff", "./before", "--sarif"], dir)).printed) as Sarif;
  expect(runs).toHaveLength(1);
  const [{ results, invocations }] = runs as [Sarif["runs"][number]];
  expect(results).toHaveLength(5_000);
  expect(new Set(results.map(({ partialFingerprints }) => Object.values(partialFingerprints).join())).size).toBe(5_000);
  // The 5,004 tools and the new server.
  expect(JSON.stringify(invocations)).toContain("5 more changes aren't among the results");
});

test("a name that reads as a link in a message's plain text is none", async () => {
  const tools = [{ name: "[click](https://e.example)", inputSchema: { type: "object" } }];
  writeFileSync(path.join(dir, "mcp/manifests/files.json"), JSON.stringify({ server: "files", tools }));
  const { printed } = await run(["diff", "./before", "--sarif"], dir);
  expect(printed).toContain("[click] (https://e.example)");
  expect(printed).not.toContain("](");
});
