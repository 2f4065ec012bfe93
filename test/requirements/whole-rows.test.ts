import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { findForeign } from "../../compiler/translate.ts";
import { build } from "../support/built-project.ts";
import { manifest } from "../support/compiled.ts";
import { http, open, serverData, startFault } from "../support/linked.ts";
import { ROOT } from "../support/root.ts";
import { runInProcess } from "../support/run-cli.ts";
import { temporaryProject, typeCheck } from "../types/tsc.ts";

/** Rows that no test of a room sees whole, each by the check that the list gives for it. */

const home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-rows-")));
const app = temporaryProject();
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  app.remove();
});

test("M.1: a project is built without a connection to anywhere", async () => {
  const folder = path.join(home, "first-role");
  cpSync(path.join(ROOT, "examples/first-role"), folder, { recursive: true });
  rmSync(path.join(folder, "src/mcp"), { recursive: true, force: true });
  const connect = vi.spyOn(net.Socket.prototype, "connect");
  try {
    const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
    const { exit, printed } = await run(["build", "--no-cache"], folder);
    expect([exit, printed]).toEqual([0, expect.stringMatching(/^wrote \d+ files/m)]);
    expect(existsSync(path.join(folder, "src/mcp/index.ts"))).toBe(true);
    expect(connect).not.toHaveBeenCalled();
  } finally {
    connect.mockRestore();
  }
});

test("S0.113, S0.114: what a prompt did with `gh` is a typed call", async () => {
  const { errors, artifacts } = build(
    {
      "rolecall.yaml": "version: 1\nproject: squad\nimports: [.squad/mcp-config.json]\n",
      ".squad/mcp-config.json": JSON.stringify({
        servers: { github: { type: "http", url: "https://api.example.com/mcp" } },
        agentServers: { lead: ["github"] },
        toolRestrictions: { lead: { github: { exclude: ["merge_pull_request"] } } },
      }),
      "mcp/manifests/github.json": manifest(
        { name: "list_issues", arguments: ["owner", "repo"] },
        { name: "list_pull_requests", arguments: ["owner", "repo"] },
        { name: "merge_pull_request", arguments: ["owner", "repo"] },
      ),
    },
    true,
  );
  expect(errors).toEqual([]);
  for (const [file, text] of artifacts) if (file.endsWith(".ts")) app.write(file, text);
  app.write(
    "src/app.ts",
    `import { team } from "./mcp/index.js";
const session = team().as("lead");
const here = { owner: "harbor", repo: "quay" };
await session.github.list_issues(here);
await session.github.list_pull_requests(here);
// @ts-expect-error: an argument is a text
await session.github.list_issues({ owner: 1, repo: "quay" });
// @ts-expect-error: the role doesn't hold it
await session.github.merge_pull_request(here);
`,
  );
  expect(await typeCheck(app, "7.0", ["src/**/*.ts"])).toEqual([]);
}, 60_000);

test.each([
  [{}, "/mcp"],
  [{ REF: "quay" }, "/mcp?project_ref=quay"],
])("S3.15: an address with `:+`, where %j is set", async (env, expected) => {
  const { url } = await startFault({});
  const word = ["?project_ref=", { name: "REF", form: "plain", word: [] }] as const;
  const { call } = open(serverData([http([url, { name: "REF", form: "if-set", word }])]), env);
  expect((await call("seen")).url).toBe(expected);
});

test.each([".junie/mcp/mcp.json", ".ai/mcp/mcp.json", ".idea/mcp.json"])(
  "S0.133: what JetBrains' programs have is found, and its servers are read: %s",
  (file) => {
    const servers = { Tracker: { command: "serve" }, notes: { url: "https://n.example.com/mcp" } };
    const files = memoryFiles({ [file]: JSON.stringify({ mcpServers: servers }), "src/app.ts": "" });
    const found = findForeign({ files, project: { out: "src/mcp", folder: "mcp" }, hosts: [] }, lazyLibraries());
    expect(found.map(({ file: at, found: { translated } }) => [at, translated?.format.id])).toEqual([[file, "junie"]]);
    expect(Object.keys(found[0]!.found.translated!.blocks["servers"]!)).toEqual(["tracker", "notes"]);
  },
);
