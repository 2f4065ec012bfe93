import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { servedProject, type ApproverProgram, type Connected, type ServedProject } from "../support/served-project.ts";

/** A team's state through `rolecall serve`: what a person said yes to. A person's own `rolecall state` has what is built. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];
const programs: ApproverProgram[] = [];

const sources = (state = "", members = "kit: { role: tester }, mo: { role: lead }"): string => `version: 1
project: harbor
serve: { idle: 5s, approvers: [terminal, program] }
state: { name: squad, command: [${process.execPath}, ${cli.entry}, state], members: { ${members} }${state} }
roles:
  tester: { tools: { squad: all }, resources: { squad: ["squad://**"] } }
  lead: {}
`;
const build = async (text: string): Promise<void> => {
  project.write("rolecall.yaml", text);
  await project.run("build");
};

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(
    cli.entry,
    {
      "rolecall.yaml": sources(),
      ".squad/decisions.md": "## Open\nA lamp.\n",
      "secrets.md": "## Hidden\nA lamp.\n",
    },
    [["build"]],
  );
}, 120_000);
beforeEach(async () => {
  await build(sources());
  project.typed("serve", "--accept");
});
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
  for (const program of programs.splice(0)) await program.end();
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  cli.remove();
});

async function connect(command: "serve" | "state"): Promise<Connected> {
  const connected = await project.connect(command === "serve" ? ["--role", "tester"] : [], { command });
  open.push(connected);
  return connected;
}
type Client = Connected["client"];
const found = async ({ client }: Connected, tool = "squad__squad_decision_search"): Promise<string> =>
  JSON.stringify((await client.callTool({ name: tool, arguments: { query: "lamp" } })).content);
const members = async (client: Client): Promise<string[]> => {
  const { contents } = await client.readResource({ uri: "squad://agents" });
  const { agents } = JSON.parse((contents[0] as { text: string }).text) as { agents: { name: string }[] };
  return agents.map(({ name }) => name);
};
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 15_000; !(await holds());) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

test("files elsewhere wait for a yes, and are read by whoever looks himself", async () => {
  const served = await connect("serve");
  expect(await found(served)).toContain("Open");
  const program = project.program();
  programs.push(program);
  expect(await program.line(0)).toEqual({ waiting: 0 });
  await build(sources(", decisions: secrets.md"));
  const { id, hash, settings } = await program.line(1);
  expect(settings).toEqual([{ key: "state.decisions", before: ".squad/decisions.md", after: "secrets.md" }]);
  const shut = await found(served);
  expect([shut.includes("Hidden"), shut.includes("Open"), shut.includes("waits for a yes")]).toEqual([
    false,
    false,
    true,
  ]);
  expect(await found(await connect("state"), "squad_decision_search")).toContain("Hidden");
  project.typed("serve", "--stop");
  expect(await found(served)).toContain("waits for a yes");
  const again = project.program();
  programs.push(again);
  expect(await again.line(1)).toMatchObject({ hash });
  again.say({ id: (await again.line(1)).id, hash, yes: true });
  await until(async () => (await found(served)).includes("Hidden"));
  expect(id).not.toBe("");
});

test("a member more waits, and one less is gone at once, beside what waits as well", async () => {
  const served = await connect("serve");
  expect(await members(served.client)).toEqual(["kit", "mo"]);
  await build(sources(", backlog: other.md", "kit: { role: tester }, zo: { role: lead }"));
  await until(async () => (await members(served.client)).join() === "kit");
  await expect(project.connect(["--role", "lead", "--member", "zo"])).rejects.toThrow("waits for a yes");
});

test("sources with an error change nothing of it, and are told in a line by one that a person starts", async () => {
  const served = await connect("serve");
  const own = await connect("state");
  expect(await found(served)).toContain("Open");
  project.write("rolecall.yaml", `${sources(", decisions: secrets.md")}nonsense: 1\n`);
  await until(async () => own.said().includes("the sources have an error"));
  expect(await found(own, "squad_decision_search")).toContain("Open");
  const late = await connect("state");
  expect(late.said()).toContain("the team is told of as it was before");
  expect(await found(late, "squad_decision_search")).toContain("Open");
  expect(await found(served)).toContain("Open");
  // Of what was accepted that a build took away isn't there either.
  await build(sources(", backlog: other.md", "kit: { role: tester }"));
  await until(async () => (await members(served.client)).join() === "kit");
  project.write("rolecall.yaml", `${sources()}nonsense: 1\n`);
  expect(await members((await connect("state")).client)).toEqual(["kit"]);
  // Started anew, by a process that is there.
  project.write("rolecall.yaml", sources());
});
