import { textOf } from "../support/artifact-text.ts";
import { mkdtempSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import { held } from "../../compiler/3-plan/held.ts";
import { allTargets } from "../../compiler/5-artifacts/targets.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { readResources } from "../../compiler/io/read/resources.ts";

/** Manifests as real servers send them, asked now: what they really have is what the compiler resolves against. */
const require = createRequire(import.meta.url);
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-real-")));
const SERVERS: Readonly<Record<string, { readonly args: readonly string[]; readonly env?: Record<string, string> }>> = {
  filesystem: { args: [folder] },
  memory: { args: [], env: { MEMORY_FILE_PATH: path.join(folder, "memory.json") } },
  everything: { args: ["stdio"] },
};
const manifests: Record<string, string> = {};

beforeAll(async () => {
  for (const name of Object.keys(SERVERS)) manifests[`mcp/manifests/${name}.json`] = await ask(name);
}, 60_000);

async function ask(name: string): Promise<string> {
  const { args, env } = SERVERS[name]!;
  const entry = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, ...args],
    stderr: "ignore",
    ...(env && { env }),
  });
  const client = new Client({ name: "rolecall-test", version: "0" });
  await client.connect(transport);
  try {
    return JSON.stringify(await client.listTools());
  } finally {
    await client.close();
  }
}

const SOURCES = {
  "rolecall.yaml": "version: 1\nproject: real\n",
  "mcp/team.yaml": `
servers:
  filesystem: { connect: [{ stdio: [mcp-server-filesystem, "\${WORKSPACE_ROOT}"] }], root: "\${WORKSPACE_ROOT}" }
  memory: { connect: [{ stdio: [mcp-server-memory] }] }
  everything: { connect: [{ stdio: [mcp-server-everything] }] }
roles:
  reader: { tools: { filesystem: read-only, memory: read-only } }
  tester:
    extends: reader
    tools:
      filesystem: { include: [write_file], where: { write_file: { path: { glob: "tests/**" } } } }
      everything: [echo]
  all-but-one: { tools: { filesystem: { exclude: [move_file] } } }
`,
};

describe("the reference servers, asked now", () => {
  const build = () => compile(memoryFiles({ ...SOURCES, ...manifests }), allTargets(readResources()), lazyLibraries());
  const names = (role: string, server: string) =>
    held(
      build()
        .plan.roles.find((r) => r.name === role)!
        .grants.find((g) => g.server.name === server)!,
    ).map(([tool]) => tool.name);

  test("compile without an error", () => {
    expect(build().diagnostics.filter((diagnostic) => diagnostic.severity === "error")).toEqual([]);
  });

  test("an exclude is every other tool that the server has", () => {
    const sent = (JSON.parse(manifests["mcp/manifests/filesystem.json"]!) as { tools: { name: string }[] }).tools;
    expect(sent.length).toBeGreaterThan(10);
    expect(names("all-but-one", "filesystem")).toEqual(
      sent
        .map((tool) => tool.name)
        .filter((name) => name !== "move_file")
        .toSorted(),
    );
  });

  test("read-only is what the server says is read-only", () => {
    expect(names("reader", "filesystem")).toContain("read_text_file");
    expect(names("reader", "filesystem")).not.toContain("write_file");
    expect(names("reader", "memory")).toEqual(["open_nodes", "read_graph", "search_nodes"]);
  });

  test("its description, `**/` and all, stays a comment", () => {
    const artifact = [...build().artifacts].find((a) => a.path === "src/mcp/servers/filesystem.ts");
    expect(artifact && textOf(artifact)).toContain("FilesystemTools");
  });
});
