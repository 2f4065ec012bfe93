import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import type { RecordSink, RolecallError, RuntimeEvent, Team, TeamOptions } from "../../runtime/index.ts";
import { blocksOf } from "../support/markdown.ts";
import type { Tools } from "../support/generated-team.ts";
import { hasPostgres, ownPostgres, type OwnPostgres } from "../support/postgres.ts";
import { installPackages } from "../support/packages.ts";
import { runInProcess } from "../support/run-cli.ts";
import { typeCheck } from "../types/tsc.ts";
import { ROOT } from "../support/root.ts";

/** docs/runtime.md and docs/testing.md: every program runs in the garden of README.md, on its real server, and prints what stands below it. */

const garden = blocksOf(readFileSync(path.join(ROOT, "README.md"), "utf8"));
const page = ["docs/runtime.md", "docs/testing.md"].flatMap((file) =>
  blocksOf(readFileSync(path.join(ROOT, file), "utf8")),
);
const programs = page
  .map((block, i) => ({ name: block.marks["runs"] ?? "", text: block.text, prints: page[i + 1]?.text }))
  .filter(({ name }) => name !== "");

const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-garden-")));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

beforeAll(async () => {
  for (const { marks, text } of garden) if (marks["file"] !== undefined) write(marks["file"], text);
  write("notes/garden.md", "Compost in spring.\n");
  await installPackages(dir);
  write("mcp/servers.yaml", stringify({ servers: { notes: notes() } }));
  await rolecall("capture", "--accept");
  await rolecall("build");
  rmSync(path.join(dir, "src/draft.ts"));
  for (const { name, text } of programs) write(`src/${name}.ts`, text);
  for (const { marks, text } of page) if (marks["file"] !== undefined) write(marks["file"], text);
});

test("there are programs, and they compile", async () => {
  expect(programs.map(({ name }) => name)).toEqual(["call", "options", "down", "hooks", "fake"]);
  expect(await typeCheck({ folder: dir, write, remove() {} }, "7.0", ["src"])).toEqual([]);
});

test.each(programs)("$name prints what the page says", async ({ name, prints }) => {
  if (name === "down") await endAtOnce();
  const outfile = path.join(dir, `${name}.mjs`);
  const entryPoints = [path.join(dir, `src/${name}.ts`)];
  await build({ entryPoints, outfile, bundle: true, packages: "external", format: "esm", platform: "node" });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [outfile], { cwd: dir });
  expect({ stdout, stderr }).toEqual({ stdout: prints, stderr: "" });
  if (name === "options") expect(read(".runs/today/calls.jsonl")).toContain('"tool":"list_directory"');
});

describe.skipIf(!hasPostgres)("the table of calls, in a real PostgreSQL", () => {
  let database: OwnPostgres;
  beforeAll(async () => {
    database = await ownPostgres();
    const columns =
      "run_id text, tool_name text, mcp_server text, agent text, input jsonb, status text, error_message text, duration_ms int, created_at timestamptz";
    database.psql(`create schema kb; create table kb.agent_run_tool_calls (n serial primary key, ${columns});`);
    write("mcp/servers.yaml", stringify({ servers: { notes: notes() } }));
    await rolecall("build");
  });
  afterAll(() => database.end());

  test("has a row for each call, refused ones too, in order and with the run's id", async () => {
    const [outfile, entry] = [path.join(dir, "sink.mjs"), path.join(dir, "src/sink.ts")];
    write("src/sink.ts", 'export { team } from "./mcp/index.ts";\nexport { tableSink } from "./table-sink.ts";\n');
    await build({ entryPoints: [entry], outfile, bundle: true, packages: "external", format: "esm", platform: "node" });
    const { team, tableSink } = (await import(pathToFileURL(outfile).href)) as {
      team(options: TeamOptions): Team<Record<string, Tools>>;
      tableSink(client: OwnPostgres): RecordSink;
    };
    const garden = team({ record: tableSink(database), run: "run-7" });
    const reader = garden.as("reader");
    const odd = "it's; drop table kb.agent_run_tool_calls; --";
    await reader.$call("notes", "list_directory", { path: path.join(dir, "notes") });
    await reader.$call("notes", "write_file", { path: odd, content: "$1" }).catch(() => {});
    await garden.close();
    const asked = "select run_id, tool_name, mcp_server, agent, input, status from kb.agent_run_tool_calls order by n";
    const same = { run_id: "run-7", mcp_server: "notes", agent: "reader" };
    expect((await database.query(asked)).rows).toEqual([
      { ...same, tool_name: "list_directory", input: { path: path.join(dir, "notes") }, status: "ok" },
      { ...same, tool_name: "write_file", input: { path: odd, content: "$1" }, status: "error" },
    ]);
  });

  test("that isn't there fails no call, and is said once", async () => {
    const { team, tableSink } = (await import(pathToFileURL(path.join(dir, "sink.mjs")).href)) as {
      team(options: TeamOptions): Team<Record<string, Tools>>;
      tableSink(client: OwnPostgres, table: string): RecordSink;
    };
    const said: string[] = [];
    const on = (event: RuntimeEvent): void => void (event.type === "hook-failed" && said.push(event.why));
    const garden = team({ record: tableSink(database, "kb.nowhere"), on });
    const codes = [1, 2].map(() =>
      garden
        .as("reader")
        .$call("notes", "write_file", {})
        .catch((error: RolecallError) => error.code),
    );
    expect(await Promise.all(codes)).toEqual(["tool-denied", "tool-denied"]);
    await garden.close();
    expect(said).toEqual([expect.stringContaining("kb.nowhere")]);
  });
});

/** What README declares, with what the page adds to it. */
function notes(): object {
  const declared = garden.find(({ marks }) => marks["file"] === "mcp/servers.yaml")!.text;
  const added = page.find(({ marks }) => marks["adds"] === "mcp/servers.yaml")!.text;
  return [declared, added]
    .map((text) => (parse(text) as { servers: { notes: object } }).servers.notes)
    .reduce((all, part) => Object.assign(all, part));
}

/** The server, as one that can't be started any more. */
async function endAtOnce(): Promise<void> {
  const connect = [{ stdio: ["node", "-e", "process.exit(1)"] }];
  write("mcp/servers.yaml", stringify({ servers: { notes: { ...notes(), connect } } }));
  await rolecall("build");
}

async function rolecall(...command: readonly string[]): Promise<void> {
  const ran = await runInProcess((argv, terminal) => main(argv, terminal, engine), {})(command, dir);
  expect(ran.exit, ran.printed).toBe(0);
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), text);
}

function read(file: string): string {
  return readFileSync(path.join(dir, file), "utf8");
}
