import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { keptAt } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** What somebody reads who begins, or changes what `serve:` says: what counts, what waits, what isn't there, and the next step. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];

interface Sources {
  /** Of `serve:`. */
  readonly serve?: string;
  readonly tester?: string;
  readonly more?: string;
}

const sources = ({ serve = "", tester = "[echo]", more = "" }: Sources): string => `version: 1
project: harbor
serve: { idle: 1s, approvers: [program]${serve} }
servers:
  one: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, "\${MODE}"] }] }
roles: { tester: { tools: { one: ${tester} } }, lead: { tools: { one: [echo] } } }
${more}`;

async function build(asked: Sources = {}): Promise<void> {
  project.write("rolecall.yaml", sources(asked));
  await project.run("build");
}

beforeAll(async () => {
  cli = bundledCli();
  const capture = [["capture", "--accept"], ["build"]];
  project = await servedProject(cli.entry, { "rolecall.yaml": sources({}) }, capture, { MODE: "stdio" });
  delete project.env["MODE"];
}, 120_000);
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
  project.typed("serve", "--stop");
  for (const file of [".env", ".env.srv"]) rmSync(path.join(project.dir, file), { force: true });
  for (const end of ["json", "made.json", "ways.json", "tokens.json"])
    rmSync(`${keptAt(project.dir, project.env)}.${end}`, { force: true });
});
afterAll(() => {
  project.remove();
  cli.remove();
});

async function connect(...args: readonly string[]): Promise<Connected["client"]> {
  const connected = await project.connect(["--role", "tester", ...args]);
  open.push(connected);
  return connected.client;
}

const echoed = (client: Connected["client"]): Promise<string> =>
  client
    .callTool({ name: "one__echo", arguments: { message: "x" } })
    .then(({ content }) => (content as readonly { text: string }[])[0]!.text);

const started = (...args: readonly string[]) => project.typed("serve", "--role", "tester", ...args);
const door = (address = "127.0.0.1:0") => project.typed("serve", "--http", address);

test.each([
  [
    "a file of variables that isn't there",
    ", env: .env.srv",
    "`.env.srv`, which `serve: { env }` names, can't be read (ENOENT)",
  ],
  [
    "a token that isn't set",
    ', auth: { tokens: { tester: "${TESTER_TOKEN}" } }',
    "`TESTER_TOKEN`, the token of `tester`",
  ],
  [
    "a Redis that isn't set",
    ', limits: "${REDIS_URL}"',
    "`REDIS_URL`, which `serve: { limits }` names, isn't set\n  set it as",
  ],
])("a first start that couldn't be begun accepts nothing: %s", async (_, serve, says) => {
  await build({ serve });
  expect(door()).toMatchObject({ exit: 1, out: "", err: expect.stringContaining(says) as string });
  expect(existsSync(`${keptAt(project.dir, project.env)}.json`)).toBe(false);
  await build();
  expect(started()).toEqual({ exit: 0, out: "", err: "" });
  expect(project.typed("serve", "--status").out).toContain("first start of this project here");
  expect(existsSync(`${keptAt(project.dir, project.env)}.json`)).toBe(true);
});

test("a door over HTTP says in its first lines what waits, and how to say yes", async () => {
  await build();
  started();
  await build({ serve: ', auth: { tokens: { tester: "${TESTER_TOKEN}" } }', tester: "[echo, get-sum]" });
  const http = await project.serveHttp();
  try {
    expect(http.said).toContain(`
a build opens something; until your yes only what it takes away counts
  tester
    + one.get-sum`);
    expect(http.said).toContain(
      '  serve, the token of each role (auth.tokens): now "tester: ${TESTER_TOKEN}", before nothing said, from the next start on\n',
    );
    expect(http.said).toContain("tokens: nobody's count until a yes\n");
    expect(http.said).toContain(
      "  say yes in rolecall asks, or for a machine without a person: rolecall serve --accept\n",
    );
  } finally {
    await http.end();
  }
  // What refuses to open was judged by what counts, and not by what somebody has just written.
  const { exit, err } = door("0.0.0.0:0");
  expect([exit, err]).toEqual([
    1,
    "rolecall: `0.0.0.0` is open to others, and nobody's tokens count\n  listen on 127.0.0.1; what is built now waits for a yes, and this was judged without it: rolecall serve --accept\n",
  ]);
  expect(project.typed("serve", "--accept")).toMatchObject({ exit: 0 });
  expect(door("0.0.0.0:0").err).toBe(
    "rolecall: `TESTER_TOKEN`, the token of `tester`, isn't set\n  set it, or take the role out of `tokens`\n",
  );
});

test("another file of variables waits as one thing, with whether it is there, and how to get rid of one that is gone", async () => {
  project.write(".env", "MODE=stdio\n");
  await build();
  const client = await connect();
  expect(await echoed(client)).toBe("Echo: x");
  const approver = project.program();
  await approver.line(0);
  await build({ serve: ", env: .env.srv" });
  const { id, hash, ...item } = await approver.line(1);
  expect(item).toMatchObject({ reconnected: [], envFile: { before: ".env", after: ".env.srv", isMissing: true } });
  approver.say({ id, hash, yes: true });
  expect(await approver.line(2)).toMatchObject({ done: true });
  await approver.end();
  project.typed("serve", "--stop");
  await build({ serve: ", env: .env" });
  expect(started()).toEqual({
    exit: 1,
    out: "",
    err: "rolecall: `.env.srv`, which `serve: { env }` names, can't be read (ENOENT)\n  write it, or name another; what is built now waits for a yes, and this was judged without it: rolecall serve --accept\n",
  });
  expect(project.typed("serve", "--accept")).toMatchObject({ exit: 0 });
  expect(await echoed(await connect())).toBe("Echo: x");
});

test("behind a process over HTTP, which no client starts, that it is to be started again", async () => {
  await build();
  const door = await project.serveHttp();
  const anew = "set what is missing in `.env`, then to end `rolecall serve --http` and start it again";
  expect(await echoed(await connect())).toContain(anew);
  project.write(".env", "MODE=stdio\n");
  const changed = "`.env` has changed since they were read: it is read when this one is started again";
  expect(project.typed("serve", "--status").out).toContain(changed);
  await door.end();
});

test("who needs a variable is told that the process reads it when it starts, and the status that it has changed", async () => {
  await build();
  const client = await connect();
  const told = await echoed(client);
  expect(told).toContain("one needs the variable MODE, which isn't set");
  expect(told).toContain("set what is missing in `.env`, then to run `rolecall serve --stop`");
  const changed = "`.env` has changed since they were read: rolecall serve --stop, and the next call reads it";
  expect(project.typed("serve", "--status").out).not.toContain(changed);
  project.write(".env", "MODE=stdio\n");
  expect(await echoed(client)).toContain("isn't set");
  expect(project.typed("serve", "--status").out).toContain(changed);
  project.typed("serve", "--stop");
  // Nobody has said yes to that way to it.
  expect(await echoed(client)).toContain("in another way than its user has agreed to");
  project.typed("serve", "--accept");
  expect(await echoed(client)).toBe("Echo: x");
  expect(project.typed("serve", "--status").out).toContain("MODE: from `.env`\n");
  expect(project.typed("serve", "--status").out).not.toContain(changed);
});

test("a member that the team doesn't have is refused, and one that nobody lists is a name", async () => {
  await build({ more: "state: { members: { kit: { role: tester }, mo: { role: lead } } }\n" });
  expect(started("--member", "kti")).toMatchObject({
    exit: 64,
    out: "",
    err: "rolecall: the team has no member `kti`; the nearest name is `kit`\n  `state: { members }` in rolecall.yaml names those that it has\n",
  });
  expect(started("--member", "mo").err).toContain("member `mo` has role `lead`, and not `tester`");
  expect(started("--member", "kit")).toEqual({ exit: 0, out: "", err: "" });
  await build();
  project.typed("serve", "--accept");
  const late = Date.now() + 10_000;
  while (started("--member", "anybody").exit !== 0) expect(Date.now()).toBeLessThan(late);
  await connect("--member", "anybody");
  expect(project.typed("serve", "--status").out).toContain("member anybody");
});

test("who asks for what a build brings that waits is told so", async () => {
  await build();
  await connect();
  await build({ more: "hosts: [{ id: claude-code, via: serve }]\n" });
  const late = Date.now() + 10_000;
  while (!project.typed("serve", "--status").out.includes("1 waits for a person"))
    expect(Date.now()).toBeLessThan(late);
  const { exit, err } = started("--host", "claude-code");
  expect([exit, err]).toEqual([
    64,
    "rolecall: the project has no host `claude-code`\n  `hosts:` in rolecall.yaml names those that it has; what is built now waits for a yes in `rolecall asks`, or for `rolecall serve --accept`\n",
  ]);
});
