import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { team } from "../../runtime/index.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** Rows about the server of a team's state, each by the check that the list gives for it. */
let cli: BundledCli;
let project: ServedProject;
let plain: Connected["client"];
let lead: Connected["client"];

const DECISIONS = Array.from(
  { length: 12 },
  (_, i) => `## 2026-02-${String(i + 1).padStart(2, "0")}: Choice ${i + 1}\n`,
);

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(
    cli.entry,
    {
      "rolecall.yaml": `version: 1
project: squad
hosts: [{ id: claude-code, via: serve }, mcp-servers]
serve: { command: [${process.execPath}, ${cli.entry}] }
state: { command: [${process.execPath}, ${cli.entry}, state] }
roles:
  lead: &all { tools: { squad: all }, resources: { squad: ["squad://**"] }, builtins: { claude-code: none } }
  tester: *all
`,
      ".squad/decisions.md": DECISIONS.join("\n"),
      ".squad/backlog.md": "- [ ] open one\n- [x] done one\n- [ ] open two\n",
      ".squad/agents/lead/history.md": "## Monday\nPlanned.\n",
    },
    [["build"]],
  );
  const [one, other] = await Promise.all([
    project.connect([], { command: "state", name: "any-client" }),
    project.connect(["--role", "lead", "--member", "lead"], { name: "an-agent" }),
  ]);
  plain = one.client;
  lead = other.client;
  const record = path.join(project.dir, ".runs/r1/calls.jsonl");
  const app = team({ record, run: "r1" });
  app.report({ tokens: 1_200, cost: 0.02, role: "lead" });
  app.report({ tokens: 300 });
  await app.close();
  appendFileSync(
    record,
    '{"ts":"2026-03-01T10:00:00.000Z","role":"lead","server":"s","tool":"t","status":"ok","duration_ms":40}\n',
  );
}, 120_000);
afterAll(async () => {
  await Promise.all([plain.close(), lead.close()]);
  project.remove();
  cli.remove();
});

type Told = Readonly<Record<string, unknown>>;
const read = async (view: string, client = plain): Promise<Told> => {
  const { contents } = await client.readResource({ uri: `squad://${view}` });
  return JSON.parse((contents[0] as { readonly text: string }).text) as Told;
};
const called = async (name: string, args: Record<string, unknown> = {}, client = plain): Promise<Told> => {
  const { content } = await client.callTool({ name, arguments: args });
  return JSON.parse((content as { readonly text: string }[])[0]!.text) as Told;
};

test("S0.4: a client of `rolecall serve` is listed roster, decisions and backlog", async () => {
  const { resources } = await lead.listResources();
  const uris = resources.map(({ uri }) => uri);
  expect(uris).toEqual(expect.arrayContaining(["squad://roster", "squad://decisions", "squad://backlog"]));
});

test("S0.7: `rolecall serve` answers what two custom tools answered", async () => {
  expect(await called("squad__squad_status", {}, lead)).toMatchObject({ active: ["lead"] });
  expect(await read("agents", lead)).toMatchObject({ agents: [{ name: "lead" }, { name: "tester" }] });
});

test("S0.43: it is a local stdio server with name and version", () => {
  expect(plain.getServerVersion()).toEqual({ name: "squad", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
});

test("S0.44: the roster has every role of access.json, with its status", async () => {
  const { roles } = JSON.parse(project.read("src/mcp/access.json")) as { readonly roles: object };
  const roster = (await read("roster")) as { readonly roles: readonly { readonly name: string }[] };
  expect(roster.roles.map(({ name }) => name)).toEqual(Object.keys(roles));
  expect(roster).toMatchObject({
    roles: [{ members: [{ status: { connected: true } }] }, { members: [{ status: { connected: false } }] }],
  });
});

test("S0.45, S0.46: decisions are those of the file, the latest ten newest first", async () => {
  expect(await read("decisions")).toMatchObject({ decisions: { length: 12 } });
  const { decisions } = (await read("decisions/latest")) as {
    readonly decisions: readonly { readonly title: string }[];
  };
  expect(decisions.map(({ title }) => title)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `Choice ${n}`));
});

test("S0.47: the backlog is what is open", async () => {
  expect(await read("backlog")).toMatchObject({ open: [{ title: "open one" }, { title: "open two" }], done: 1 });
});

test("S0.48, S0.49: templates are listed, an agent's status and history can be read, nobody's is an error", async () => {
  const { resourceTemplates } = await plain.listResourceTemplates();
  const views = ["status", "history"];
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
    views.map((view) => `squad://agents/{name}/${view}`),
  );
  expect(await read("agents/lead/status")).toMatchObject({ name: "lead", status: { connected: true } });
  expect(await read("agents/lead/history")).toMatchObject({ notes: [{ title: "Monday" }], calls: expect.any(Array) });
  for (const view of views) await expect(read(`agents/nobody/${view}`)).rejects.toMatchObject({ code: -32602 });
});

test("S0.50, S0.111: the metrics are numbers of the call record", async () => {
  const run = { tokens: 1_500, cost: 0.02, durationMs: 40, calls: 1, errors: 0 };
  // The daemon's own record is the newest once it has written; ours is written last here.
  project.write(".runs/r1/calls.jsonl", `${project.read(".runs/r1/calls.jsonl").trim()}\n`);
  expect(await read("metrics")).toMatchObject({ ...run, roles: { lead: { tokens: 1_200, durationMs: 40 } } });
});

test("S0.51, S0.52: the two tools tell who is active and what is pending, and find a decision", async () => {
  expect(await called("squad_status")).toMatchObject({ active: ["lead"], backlog: { open: { length: 2 } } });
  expect(await called("squad_decision_search", { query: "choice 7" })).toMatchObject({
    decisions: [{ title: "Choice 7" }],
    leftOut: 0,
  });
});

test("S0.54: each role's host file has the entry through which it is reached", () => {
  for (const role of ["lead", "tester"]) {
    const file = JSON.parse(project.read(`mcp/hosts/claude-code/${role}.mcp.json`)) as {
      readonly mcpServers: Readonly<Record<string, { readonly args: readonly string[] }>>;
    };
    expect(file.mcpServers["rolecall"]?.args.slice(1)).toEqual([
      "serve",
      "--role",
      role,
      "--host",
      "claude-code",
      "--of",
      "squad",
    ]);
    expect(project.read(`.claude/agents/${role}.md`)).toContain("mcp__rolecall__squad__squad_status");
  }
  expect(project.read(".mcp/servers/squad.json")).toContain('"state"');
});

test("S0.55, S0.120: agents need no tool beside the protocol's, and none of them writes", async () => {
  expect(readFileSync("examples/squad/mcp/roles.yaml", "utf8")).not.toMatch(/squad_|rolecall_/);
  const { tools } = await plain.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ["squad_decision_search", true],
    ["squad_status", true],
  ]);
});

test("S0.112, S0.127: each custom tool has an address or a tool in its place", async () => {
  expect(await read("agents")).toMatchObject({ agents: [{ name: "lead", role: "lead" }, { name: "tester" }] });
  const page = readFileSync("docs/state.md", "utf8");
  for (const named of ["squad://agents", "squad://metrics", "squad_status", "squad_decision_search"])
    expect(page).toContain(named);
});

test("S0.131: what is read is read afresh, and who follows it is told", async () => {
  const heard: string[] = [];
  plain.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  await plain.subscribeResource({ uri: "squad://backlog" });
  project.write(".squad/backlog.md", "- [ ] open three and more\n");
  expect(await read("backlog")).toMatchObject({ open: [{ title: "open three and more" }] });
  await expect.poll(() => heard, { timeout: 2_000 }).toEqual(["squad://backlog"]);
});
