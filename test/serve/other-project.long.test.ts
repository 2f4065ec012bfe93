import { existsSync, readdirSync } from "node:fs";
import { once } from "node:events";
import { spawn } from "node:child_process";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { LIES_IN_A_HOME } from "../../compiler/cli/serve/of-project.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** An entry that lies in a person's home is started wherever the host is: it says whose it is, and another project refuses. */
let cli: BundledCli;
let harbor: ServedProject;
let other: ServedProject;
const open: Connected[] = [];

const named = (project: string): Promise<ServedProject> =>
  servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: ${project}
hosts: [{ id: codex, via: serve }, { id: claude-code, via: serve }]
serve: { idle: 1s }
servers: { everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] } }
roles: { tester: { tools: { everything: [echo] } } }
`,
  });

beforeAll(async () => {
  cli = bundledCli();
  [harbor, other] = [await named("harbor"), await named("other")];
}, 120_000);
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
  for (const project of [harbor, other]) project.typed("serve", "--stop");
});
afterAll(() => {
  for (const project of [harbor, other]) project.remove();
  cli.remove();
});

async function toolsOf(project: ServedProject, ...args: string[]): Promise<string[]> {
  const connected = await project.connect(["--role", "tester", ...args]);
  open.push(connected);
  return (await connected.client.listTools()).tools.map(({ name }) => name);
}

const REFUSED = `rolecall: this entry is for project \`harbor\`, and here is \`other\`
  start the host where \`harbor\` is, or with an entry of \`other\`: \`rolecall hosts\` shows how
`;

test("another project's entry begins nothing here, and isn't the first start that accepts", () => {
  expect(other.typed("serve", "--role", "tester", "--host", "codex", "--of", "harbor")).toEqual({
    exit: 64,
    out: "",
    err: REFUSED,
  });
  expect(other.typed("serve", "--status").exit).toBe(3);
  const kept = path.join(other.env["HOME"]!, ".local/state/rolecall");
  expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
});

test("nor is it let in where the project is served already", async () => {
  expect(await toolsOf(other, "--host", "codex", "--of", "other")).toEqual(["everything__echo"]);
  expect(other.typed("serve", "--role", "tester", "--of", "harbor")).toEqual({ exit: 64, out: "", err: REFUSED });
});

test("what a build wrote is served at home; an earlier entry without the name too, where it lies in the project", async () => {
  const [, ...words] = /args = \["serve", (.*)\]/.exec(harbor.read("mcp/hosts/codex/tester.config.toml"))!;
  expect(words).toEqual(['"--role", "tester", "--host", "codex", "--of", "harbor"']);
  for (const args of [["--host", "codex", "--of", "harbor"], ["--host", "claude-code"], []])
    expect(await toolsOf(harbor, ...args)).toEqual(["everything__echo"]);
});

test("one for a home that doesn't say whose it is isn't served", () => {
  const { exit, err } = harbor.typed("serve", "--role", "tester", "--host", "codex");
  expect([exit, err]).toEqual([64, expect.stringContaining("rolecall start tester --host codex")]);
});

test("a host that shows no standard error is answered in the same words", async () => {
  const answered = async (...args: string[]): Promise<string> => {
    const shim = spawn(process.execPath, [cli.entry, "serve", ...args], { cwd: other.dir, env: other.env });
    let said = "";
    shim.stdout.on("data", (text: Buffer) => (said += text.toString()));
    shim.stdin.write('{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}\n');
    await once(shim, "close");
    return said;
  };
  expect(JSON.parse(await answered("--role", "tester", "--of", "harbor"))).toEqual({
    jsonrpc: "2.0",
    id: "a",
    error: {
      code: -32000,
      message:
        "this entry is for project `harbor`, and here is `other`: start the host where `harbor` is, or with an entry of `other`: `rolecall hosts` shows how",
    },
  });
  expect(await answered("--role", "tester", "--host", "codex")).toContain("rolecall start tester --host codex");
  expect(await answered("--role", "testr")).toContain("the nearest name is `tester`");
});

test("those are the hosts whose files a start copies into a home", () => {
  const about = { role: "tester", folder: "mcp", project: "harbor" };
  const copied = allHosts([]).filter(({ start }) => start(about).run?.copied !== undefined);
  expect(copied.map(({ id }) => id)).toEqual([...LIES_IN_A_HOME]);
});

test("--of belongs to --role", () => {
  const { exit, err } = harbor.typed("serve", "--status", "--of", "harbor");
  expect([exit, err]).toEqual([64, expect.stringContaining("--of goes with --role")]);
});
