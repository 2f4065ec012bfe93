import { existsSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openAsks } from "../support/asks-terminal.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import {
  realServer,
  servedProject,
  type ApproverProgram,
  type Connected,
  type InboxLine,
  type ServedHttp,
  type ServedProject,
} from "../support/served-project.ts";

/** While one that came later serves the project, an older one goes on for its clients: whoever answers is there for both. */
let cli: BundledCli;
let newer: BundledCli;
let project: ServedProject;
const open: Connected[] = [];
const programs: ApproverProgram[] = [];
const doors: ServedHttp[] = [];

const sources = (reader = "[create_directory]"): string => `version: 1
project: harbor
serve: { idle: 1s, askHold: 10s, askTimeout: 20s, approvers: [terminal, program] }
servers:
  files: { connect: [{ stdio: [${process.execPath}, ${realServer("filesystem")}, .], cwd: . }], root: . }
roles:
  tester: { tools: { files: { include: [create_directory], ask: [create_directory] } } }
  reader: { tools: { files: ${reader} } }
`;

beforeAll(async () => {
  [cli, newer] = [bundledCli(), bundledCli("99.0.0")];
  project = await servedProject(cli.entry, { "rolecall.yaml": sources() });
}, 120_000);
beforeEach(async () => {
  project.write("rolecall.yaml", sources());
  await project.run("build");
  project.typed("serve", "--accept");
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.end();
  for (const { client } of open.splice(0)) await client.close();
  for (const door of doors.splice(0)) await door.end();
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  for (const one of [cli, newer]) one.remove();
});

function program(): ApproverProgram {
  const started = project.program();
  programs.push(started);
  return started;
}

async function connect(role = "tester", entry?: string): Promise<Connected["client"]> {
  const connected = await project.connect(["--role", role], entry === undefined ? {} : { entry });
  open.push(connected);
  return connected.client;
}

async function takeOver(): Promise<ServedHttp> {
  const door = await project.serveHttp();
  doors.push(door);
  return door;
}

const until = async (holds: () => boolean, ms = 15_000): Promise<void> => {
  for (const end = Date.now() + ms; !holds();) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const made = (client: Connected["client"], folder: string): Promise<string> =>
  client
    .callTool({ name: "files__create_directory", arguments: { path: folder } })
    .then(({ content }) => (content as readonly { text: string }[])[0]!.text);

const isThere = (folder: string): boolean => existsSync(path.join(project.dir, folder));

interface Status {
  readonly pid: number;
  readonly version: string;
  readonly approvers: number;
  readonly others: readonly Status[];
}
const status = (): Status => JSON.parse(project.typed("serve", "--status", "--json").out) as Status;
/** Of each process that serves the project, how many are there to answer. */
const approvers = (): readonly number[] => {
  const { others, ...first } = status();
  return [first, ...others].map((one) => one.approvers);
};

/** What the n-th ask of a call is, whatever else was said. */
async function nthCall(approver: ApproverProgram, nth: number) {
  for (let [line, found] = [0, 0]; ; line++) {
    const told = await approver.line(line);
    if (told["kind"] === "call" && ++found === nth) return told;
  }
}

/** Rejects where it is never said. */
async function heardGone(approver: ApproverProgram, id: string): Promise<void> {
  await said(approver, ({ gone }) => gone === id);
}

test("who answers is there for both from the hand-over on, and each answer goes to who asked", async () => {
  const older = await connect();
  const approver = program();
  await approver.line(0);
  // One that waits while it is handed over goes on waiting, and isn't told twice.
  const before = made(older, "before");
  const first = await nthCall(approver, 1);
  await takeOver();
  await until(() => approvers().join() === "1,1");
  const newest = await connect();
  const calls = [made(newest, "through-the-newer"), made(older, "through-the-older")];
  const asks = [first, await nthCall(approver, 2), await nthCall(approver, 3)];
  expect(new Set(asks.map(({ id }) => id)).size).toBe(3);
  for (const { id, hash } of asks) approver.say({ id, hash, yes: true, by: "kit" });
  for (const said of await Promise.all([before, ...calls])) expect(said).toContain("Successfully created");
  expect(["before", "through-the-newer", "through-the-older"].every(isThere)).toBe(true);
  // Nobody is there any more, at neither of them.
  await programs.pop()!.end();
  await until(() => approvers().join() === "0,0");
  for (const client of [older, newest]) expect(await made(client, "nobody")).toContain("open `rolecall asks`");
});

test("an answer by its id finds who asked, whichever that is", async () => {
  const older = await connect();
  await takeOver();
  const approver = program();
  await until(() => approvers().join() === "1,1");
  const call = made(older, "by-its-id");
  const { id } = await nthCall(approver, 1);
  expect(await openAsks(project, { words: ["--yes", id!] }).ended).toBe(0);
  expect(await call).toContain("Successfully created");
  const again = openAsks(project, { words: ["--yes", id!] });
  expect([await again.ended, again.printed()]).toEqual([1, expect.stringContaining("nothing with this id waits")]);
});

test("a process that is suspended keeps no answer from another", async () => {
  await connect();
  const { pid } = status();
  await takeOver();
  const newest = await connect();
  const approver = program();
  await until(() => approvers().join() === "1,1");
  const call = made(newest, "beside-a-suspended-one");
  const { id } = await nthCall(approver, 1);
  process.kill(pid, "SIGSTOP");
  try {
    expect(await openAsks(project, { words: ["--yes", id!] }).ended).toBe(0);
    expect(await call).toContain("Successfully created");
  } finally {
    process.kill(pid, "SIGCONT");
  }
});

test("what was answered with no stays so, where a suspended process missed what was taken away", async () => {
  await connect("reader");
  const { pid } = status();
  await takeOver();
  const approver = program();
  await until(() => approvers().join() === "1,1");
  const build = async (reader: string): Promise<void> => {
    project.write("rolecall.yaml", sources(reader));
    await project.run("build");
  };
  const listed = async (client: Connected["client"]): Promise<number> => (await client.listTools()).tools.length;
  const newest = await connect("reader");
  process.kill(pid, "SIGSTOP");
  try {
    await build("none");
    for (const end = Date.now() + 10_000; (await listed(newest)) > 0;) expect(Date.now()).toBeLessThan(end);
    await build("[create_directory]");
    const { id, hash } = await said(approver, ({ kind }) => kind === "build");
    approver.say({ id, hash, yes: false });
    expect(await said(approver, (told) => told.id === id && "done" in told)).toMatchObject({ done: true });
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(await listed(newest)).toBe(0);
  project.typed("serve", "--stop");
  expect(await listed(await connect("reader"))).toBe(0);
});

/** The first of its lines that is such a one. */
async function said(approver: ApproverProgram, isWanted: (told: InboxLine) => boolean): Promise<InboxLine> {
  for (let line = 0; ; line++) {
    const told = await approver.line(line);
    if (isWanted(told)) return told;
  }
}

test("a build that waits at both is answered by one yes", async () => {
  const older = await connect("reader");
  await takeOver();
  const newest = await connect("reader");
  const [before] = await Promise.all([older, newest].map((client) => client.listTools()));
  expect(before!.tools).toHaveLength(1);
  const atTerminal = openAsks(project);
  await until(() => approvers().join() === "1,1");
  project.write("rolecall.yaml", sources("[create_directory, list_directory]"));
  await project.run("build");
  await until(() => (JSON.parse(project.typed("serve", "--status", "--json").out) as { asks: number }).asks === 1);
  await until(() => atTerminal.printed().includes("or later?"));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  atTerminal.type("y");
  for (const client of [older, newest])
    for (const end = Date.now() + 10_000; (await client.listTools()).tools.length !== 2;) {
      expect(Date.now()).toBeLessThan(end);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  expect(atTerminal.printed().split("a build opens something")).toHaveLength(2);
  expect(atTerminal.printed().split("it counts now")).toHaveLength(2);
  expect(await atTerminal.end()).toBe(0);
});

test("where one ends, what it asked needs no answer any more, and the terminal stays for the other", async () => {
  const older = await connect();
  const { pid } = status();
  await takeOver();
  const atTerminal = openAsks(project);
  const approver = program();
  await until(() => approvers().join() === "2,2");
  void made(older, "never").catch(() => {});
  await until(() => atTerminal.printed().includes("or later?"));
  const { id } = await nthCall(approver, 1);
  process.kill(pid, "SIGKILL");
  await heardGone(approver, id!);
  await until(() => atTerminal.printed().includes("the process that asked has ended"));
  const call = made(await connect(), "afterwards");
  await until(() => atTerminal.printed().includes("press Enter first"));
  await atTerminal.answer("y");
  await until(() => atTerminal.printed().split("or later?").length === 3);
  await atTerminal.answer("y");
  expect(await call).toContain("Successfully created");
  expect([isThere("never"), await atTerminal.end()]).toEqual([false, 0]);
});

test("a newer version that can't serve what lies there is told why, and the older one serves on", async () => {
  const client = await connect("reader");
  const { pid } = status();
  expect(await made(client, "first")).toContain("Successfully");
  await expect(connect("reader", newer.entry)).rejects.toThrow("what was built isn't what the sources say");
  expect(status()).toMatchObject({ pid, version: "0.1.0", leaving: false, others: [] });
  await connect("reader");
  expect(status()).toMatchObject({ pid, others: [] });
  expect(await made(client, "again")).toContain("Successfully");
});

test("a newer version leaves a door over HTTP as it is, and uses it", async () => {
  const door = await takeOver();
  newer.run("rolecall build", project.dir);
  try {
    expect(await made(await connect("reader", newer.entry), "through-http")).toContain("Successfully");
    expect(status()).toMatchObject({ pid: door.pid, version: "0.1.0", others: [] });
  } finally {
    await project.run("build", "--downgrade");
  }
});

test("a door over HTTP that can't be opened takes nothing over", async () => {
  const sharing = (reader?: string): string => sources(reader).replace("serve: {", 'serve: { limits: "${REDIS_URL}",');
  project.write("rolecall.yaml", sharing());
  await project.run("build");
  project.write(".env", "REDIS_URL=redis://127.0.0.1:1\n");
  const client = await connect("reader");
  const { pid } = status();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = taken.address() as AddressInfo;
    for (const args of [[`127.0.0.1:${port}`], ["127.0.0.1:0", "--roles", "nobody"]])
      expect(project.typed("serve", "--http", ...args)).toMatchObject({ exit: 1, out: "" });
  } finally {
    await new Promise((resolve) => taken.close(resolve));
  }
  project.write("rolecall.yaml", sharing("[list_directory]"));
  expect(project.typed("serve", "--http", "127.0.0.1:0")).toMatchObject({ exit: 2, out: "" });
  rmSync(path.join(project.dir, ".env"));
  expect(status()).toMatchObject({ pid, leaving: false, others: [] });
  expect(await made(client, "still")).toContain("Successfully");
});
