import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** What a person reads and gets who ends what serves a project, with clients there and the ten minutes of a project that sets none. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
servers: { one: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] } }
roles: { tester: { tools: { one: [echo] } } }
`,
  });
}, 120_000);
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  cli.remove();
});

async function connect(): Promise<Connected["client"]> {
  const connected = await project.connect(["--role", "tester"]);
  open.push(connected);
  return connected.client;
}

const echo = async (client: Connected["client"], message: string): Promise<string> => {
  const { content } = await client.callTool({ name: "one__echo", arguments: { message } });
  return (content as readonly { text: string }[])[0]!.text;
};

interface Status {
  readonly pid: number;
  readonly clients: readonly object[];
}

const status = (): Status => JSON.parse(project.typed("serve", "--status", "--json").out) as Status;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const gone = async (pid: number): Promise<boolean> => {
  for (const end = Date.now() + 3_000; Date.now() < end && isAlive(pid);)
    await new Promise((resolve) => setTimeout(resolve, 25));
  return !isAlive(pid);
};

test.each(["--stop", "SIGTERM"])("by %s it is gone at once, with a client there", async (how) => {
  const client = await connect();
  expect(await echo(client, "x")).toBe("Echo: x");
  const { pid } = status();
  if (how === "--stop") project.typed("serve", "--stop");
  else process.kill(pid, how);
  expect(await gone(pid)).toBe(true);
});
