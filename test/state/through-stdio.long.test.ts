import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** A team's state, read by a real client of a real process, in both eras of the protocol. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];

const DECISIONS = Array.from(
  { length: 12 },
  (_, i) => `## 2026-01-${String(i + 1).padStart(2, "0")}: D${i + 1}\nText.\n`,
);

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(
    cli.entry,
    {
      "rolecall.yaml": `version: 1
project: harbor
hosts: [{ id: codex, via: serve }]
state:
  name: the-squad
  command: [${process.execPath}, ${cli.entry}, state]
  members: { kit: { role: tester, charter: charters/kit.md }, mo: { role: lead } }
  decisions: notes/decisions.md
  backlog: notes/backlog.json
roles:
  tester: { description: Writes tests., tools: { the-squad: all } }
  lead: { tools: { the-squad: [the_squad_status] } }
`,
      "notes/decisions.md": DECISIONS.join("\n"),
      "notes/backlog.json": JSON.stringify([{ title: "one" }, { title: "two", done: true }]),
      ".squad/agents/kit/history.md": "## Yesterday\nLooked.\n",
    },
    [["build"]],
  );
}, 120_000);
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
});
afterAll(() => {
  project.remove();
  cli.remove();
});

type Mode = "legacy" | "auto";
async function connect(mode: Mode, args: readonly string[] = [], command: "serve" | "state" = "state") {
  const connected = await project.connect(args, { mode, command });
  open.push(connected);
  return connected.client;
}
type Client = Connected["client"];
const read = async (client: Client, uri: string): Promise<unknown> => {
  const { contents } = await client.readResource({ uri: `the-squad://${uri}` });
  return JSON.parse((contents[0] as { readonly text: string }).text);
};
const called = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
  const { content } = await client.callTool({ name, arguments: args });
  return JSON.parse((content as { readonly text: string }[])[0]!.text);
};

describe.each(["legacy", "auto"] as const)("in the protocol of %s clients", (mode) => {
  test("it has name, version, resources, templates and two tools that read", async () => {
    const client = await connect(mode);
    expect(client.getServerVersion()).toEqual({ name: "the-squad", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(client.getServerCapabilities()).toEqual({ resources: { subscribe: true }, tools: {} });
    const { resources } = await client.listResources();
    const views = ["roster", "agents", "decisions", "decisions/latest", "backlog", "metrics"];
    expect(resources.map(({ uri }) => uri)).toEqual(views.map((view) => `the-squad://${view}`));
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "the-squad://agents/{name}/status",
      "the-squad://agents/{name}/history",
    ]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["the_squad_decision_search", true],
      ["the_squad_status", true],
    ]);
  });

  test("it tells what the files hold, and null of what nobody knows", async () => {
    const client = await connect(mode);
    expect(await read(client, "decisions")).toMatchObject({ decisions: { length: 12 } });
    const latest = (await read(client, "decisions/latest")) as { readonly decisions: { readonly title: string }[] };
    expect(latest.decisions.map(({ title }) => title)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `D${n}`));
    expect(await read(client, "backlog")).toMatchObject({ open: [{ title: "one" }], done: 1 });
    expect(await read(client, "roster")).toMatchObject({
      roles: [
        { name: "lead", members: [{ name: "mo" }] },
        {
          name: "tester",
          description: "Writes tests.",
          members: [{ name: "kit", charter: "charters/kit.md", status: null }],
        },
      ],
    });
    expect(await read(client, "agents/kit/history")).toMatchObject({ notes: [{ title: "Yesterday" }], calls: null });
    expect(await read(client, "agents/mo/history")).toMatchObject({
      notes: null,
      problem: expect.stringContaining("no file"),
    });
    expect(await read(client, "metrics")).toMatchObject({ tokens: null, cost: null, durationMs: null });
    expect(await called(client, "the_squad_decision_search", { query: "d7" })).toMatchObject({
      decisions: [{ title: "D7" }],
    });
    expect(await called(client, "the_squad_status")).toMatchObject({
      active: null,
      backlog: { open: [{ title: "one" }] },
    });
  });

  test("what isn't there is an error, and what is odd is one that a model can act on", async () => {
    const client = await connect(mode);
    for (const uri of ["agents/nobody/status", "agents/../roster", "agents/lead/history", "", "decisions/../../secret"])
      await expect(read(client, uri)).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: "file:///etc/hostname" })).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool({ name: "none", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    for (const query of ["", "x".repeat(501), 7])
      expect(await client.callTool({ name: "the_squad_decision_search", arguments: { query } })).toMatchObject({
        isError: true,
      });
  });

  test("who follows a view hears within two seconds that it has changed, and of no other", async () => {
    const client = await connect(mode);
    const heard: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
    const uris = ["the-squad://backlog", "the-squad://agents/kit/history"];
    if (mode === "legacy") for (const uri of uris) await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: uris });
    await new Promise((resolve) => setTimeout(resolve, 300));
    project.write("notes/decisions.md", `${DECISIONS.join("\n")}\n`);
    project.write("notes/backlog.json", JSON.stringify([{ title: "one" }, { title: "two", done: true }, 1]));
    const began = Date.now();
    while (heard.length === 0 && Date.now() - began < 5_000) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(heard).toEqual(["the-squad://backlog"]);
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});

test("behind `serve` it is a server like any other, and knows who is at work", async () => {
  const client = await connect(
    "legacy",
    ["--role", "tester", "--member", "kit", "--host", "codex", "--of", "harbor"],
    "serve",
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "the-squad__the_squad_decision_search",
    "the-squad__the_squad_status",
  ]);
  const status = await called(client, "the-squad__the_squad_status");
  expect(status).toMatchObject({
    active: ["kit"],
    agents: [
      { name: "kit", status: { connected: true, clients: [{ client: "a-test 7", host: "codex" }], asksWaiting: 0 } },
      { name: "mo", status: { connected: false, clients: [], lastCall: null } },
    ],
  });
  const plain = await connect("legacy");
  expect(await read(plain, "agents/kit/status")).toMatchObject({ status: { lastCall: expect.stringContaining("T") } });
  // The daemon writes its record a moment later.
  await expect
    .poll(async () => read(plain, "metrics"), { timeout: 5_000 })
    .toMatchObject({
      calls: 1,
      tokens: null,
      roles: { tester: { calls: 1, durationMs: expect.any(Number) } },
    });
  expect(await read(plain, "agents/kit/history")).toMatchObject({
    calls: [{ tool: "the_squad_status", ending: "ok" }],
  });
});

test("a file that leads out of the project, is too large or is none isn't read", async () => {
  const client = await connect("legacy");
  const at = (file: string): string => path.join(project.dir, file);
  writeFileSync(path.join(project.dir, "..", "outside.md"), "## Secret\n");
  mkdirSync(at(".squad/agents/mo"), { recursive: true });
  symlinkSync(path.join(project.dir, "..", "outside.md"), at(".squad/agents/mo/history.md"));
  expect(await read(client, "agents/mo/history")).toMatchObject({
    notes: null,
    problem: expect.stringContaining("leads out"),
  });
  writeFileSync(at("notes/decisions.md"), Buffer.alloc(10 * 1024 * 1024 + 1, "#"));
  expect(await read(client, "decisions")).toMatchObject({
    decisions: null,
    problem: expect.stringContaining("larger than 10 MB"),
  });
  project.write("notes/decisions.md", `## ${"word ".repeat(1_900_000)}\u202e\u0007`);
  const { contents } = await client.readResource({ uri: "the-squad://decisions" });
  const { text } = contents[0] as { readonly text: string };
  expect(text.length).toBeLessThan(100_000);
  project.write("notes/decisions.md", "## a\u202eb\u200b\u0007 **x**\n\ud800");
  expect(JSON.stringify(await client.readResource({ uri: "the-squad://decisions" }))).toContain(
    "a\\\\u202eb\\\\u200b\\\\u0007",
  );
});
