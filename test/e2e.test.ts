import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Team } from "../runtime/api.ts";
import { engine } from "../compiler/cli/engine.ts";
import { main } from "../compiler/cli/main.ts";
import { runInProcess } from "./support/run-cli.ts";

/** The whole way with real servers: capture, build, import what was generated, call. */
const root = path.join(import.meta.dirname, "..");
const require = createRequire(import.meta.url);
const server = (name: string) => require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);

const SOURCES = {
  "rolecall.yaml": "version: 1\nproject: e2e\n",
  "mcp/team.yaml": `
servers:
  files:
    connect: [{ stdio: [node, ${JSON.stringify(server("filesystem"))}, "\${WORK}"] }]
    root: \${WORK}
  everything:
    connect: [{ stdio: [node, ${JSON.stringify(server("everything"))}, stdio] }]
    whenDown: Go on without it.
roles:
  reader: { tools: { files: read-only } }
  tester:
    extends: reader
    tools:
      everything: { include: [echo, get-sum], ask: [get-sum] }
      files: { include: [write_file], where: { write_file: { path: { glob: "tests/**" } } } }
`,
};

interface Call {
  (args: object): Promise<{ text: string; structured: unknown }>;
}
type Tester = Record<string, Record<string, Call>> & {
  $call(server: string, tool: string, args?: object): Promise<unknown>;
};

let dir: string;
let work: string;
let team: (options?: object) => Team<Record<string, never>>;
const as = (running: Team<Record<string, never>>): Tester => running.as("tester") as unknown as Tester;

beforeAll(async () => {
  dir = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-e2e-")));
  work = path.join(dir, "work");
  mkdirSync(path.join(work, "tests"), { recursive: true });
  mkdirSync(path.join(dir, "mcp"));
  for (const [file, text] of Object.entries(SOURCES)) writeFileSync(path.join(dir, file), text);
  for (const command of [["capture", "--accept"], ["build"]]) {
    const ran = await runInProcess((argv, terminal) => main(argv, terminal, engine), { WORK: work })(command, dir);
    if (ran.exit !== 0) throw new Error(ran.printed);
  }
  symlinkSync(path.join(root, "node_modules"), path.join(dir, "node_modules"));
  const outfile = path.join(dir, "team.mjs");
  await build({
    entryPoints: [path.join(dir, "src/mcp/index.ts")],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  ({ team } = (await import(pathToFileURL(outfile).href)) as { team: typeof team });
}, 60_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("a generated team at work with real servers", () => {
  test("an allowed call answers", async () => {
    const running = team({ env: { WORK: work } });
    try {
      expect((await as(running)["everything"]!["echo"]!({ message: "hello" })).text).toContain("hello");
    } finally {
      await running.close();
    }
  });

  test("what the role doesn't hold, asks about or conditions is refused, and the rest works", async () => {
    const running = team({ env: { WORK: work } });
    const tester = as(running);
    try {
      await expect(tester.$call("files", "move_file", { source: "a", destination: "b" })).rejects.toMatchObject({
        code: "tool-denied",
      });
      await expect(tester.$call("files", "no_such_tool", {})).rejects.toMatchObject({ code: "tool-unknown" });
      await expect(tester["everything"]!["get-sum"]!({ a: 1, b: 2 })).rejects.toMatchObject({ code: "ask-refused" });
      await expect(
        tester["files"]!["write_file"]!({ path: path.join(work, "src/a"), content: "x" }),
      ).rejects.toMatchObject({ code: "argument-refused" });
      await tester["files"]!["write_file"]!({ path: path.join(work, "tests/a"), content: "x" });
      expect(readFileSync(path.join(work, "tests/a"), "utf8")).toBe("x");
    } finally {
      await running.close();
    }
  });

  test("a yes is asked about the very call, and lets it through", async () => {
    const asked: unknown[] = [];
    const running = team({
      env: { WORK: work },
      ask: (request: { tool: string; args: unknown }) => asked.push([request.tool, request.args]) > 0,
    });
    try {
      expect((await as(running)["everything"]!["get-sum"]!({ a: 1, b: 2 })).text).toContain("3");
      expect(asked).toEqual([["get-sum", { a: 1, b: 2 }]]);
    } finally {
      await running.close();
    }
  });

  test("a server that can't be reached fails with its name and advice, and the others live", async () => {
    const running = team({ env: {} });
    const tester = as(running);
    try {
      await expect(tester["files"]!["read_text_file"]!({ path: "a" })).rejects.toMatchObject({
        code: "missing-variable",
        message: expect.stringContaining("WORK"),
      });
      expect((await tester["everything"]!["echo"]!({ message: "still here" })).text).toContain("still here");
    } finally {
      await running.close();
    }
  });
});
