import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { spawn } from "node:child_process";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import {
  realServer,
  servedProject,
  type Connected,
  type Connecting,
  type ServedProject,
} from "../support/served-project.ts";
import { recordedLines } from "../support/recorded-runs.ts";

/** One process for all clients of a project: how it begins, what it outlives, and that it ends. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];

/** Writes its process id first, so that it is known who runs. */
const noted = (server: string, ...args: string[]): string =>
  JSON.stringify(["sh", "./noted.sh", process.execPath, realServer(server), ...args]);

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "noted.sh": 'echo $$ >> starts\nexec "$@"\n',
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 1s }
servers:
  everything: { connect: [{ stdio: ${noted("everything", "stdio")}, cwd: ., env: { PLACE: "\${HARBOR_PLACE:-none}" } }] }
  own: { connect: [{ stdio: ${noted("everything", "stdio")}, cwd: . }], connection: session }
roles:
  tester: { tools: { everything: [echo, get-env, trigger-long-running-operation], own: [echo] } }
  reader: { tools: { everything: [echo] } }
`,
  });
}, 120_000);
beforeEach(() => rmSync(path.join(project.dir, "starts"), { force: true }));
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  cli.remove();
});

async function connect(role: string, how?: Connecting): Promise<Connected["client"]> {
  const connected = await project.connect(["--role", role], how);
  open.push(connected);
  return connected.client;
}

interface Status {
  readonly pid: number;
  readonly version: string;
  readonly clients: readonly { readonly role: string; readonly client: string | null }[];
  readonly servers: readonly { readonly name: string; readonly state: string }[];
  readonly variables: readonly { readonly name: string; readonly from: string | null }[];
}

const status = (): Status => {
  const { exit, out, err } = project.typed("serve", "--status", "--json");
  expect([exit, err]).toEqual([0, ""]);
  return JSON.parse(out) as Status;
};

const echo = async (client: Connected["client"], message: string, name = "everything__echo"): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: { message } });
  return (content as readonly { text: string }[])[0]!.text;
};

const started = (): number[] =>
  existsSync(path.join(project.dir, "starts")) ? project.read("starts").trim().split("\n").map(Number) : [];

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // What has ended and was asked for by nobody is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const until = async (holds: () => boolean, ms = 15_000): Promise<void> => {
  for (const end = Date.now() + ms; !holds();) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

test("clients that come at once start one process, and share its servers", async () => {
  // Hosts hand on different variables, and these say elsewhere where such things lie.
  const elsewhere = path.join(project.env["HOME"]!, "elsewhere");
  const envs = [{}, { XDG_RUNTIME_DIR: elsewhere }, { XDG_STATE_HOME: elsewhere }, {}];
  const roles = ["tester", "tester", "reader", "tester"];
  const clients = await Promise.all(roles.map((role, i) => connect(role, { env: envs[i]! })));
  const told = await Promise.all(clients.map((client, i) => echo(client, String(i))));
  expect(told).toEqual(["Echo: 0", "Echo: 1", "Echo: 2", "Echo: 3"]);
  expect(started()).toHaveLength(1);
  const { clients: known, servers } = status();
  expect(known.map(({ role }) => role).toSorted()).toEqual(["reader", "tester", "tester", "tester"]);
  expect(known.every(({ client }) => client === "a-test 7")).toBe(true);
  expect(servers).toContainEqual(expect.objectContaining({ name: "everything", state: "up" }));
  // One that keeps state is each client's own, and ends with it.
  await echo(clients[0]!, "x", "own__echo");
  await echo(clients[1]!, "x", "own__echo");
  expect(started()).toHaveLength(3);
  const [, first] = started();
  await clients[0]!.close();
  await until(() => !isAlive(first!));
});

test("it ends after its last client, with its servers, and leaves no door", async () => {
  const client = await connect("tester");
  await echo(client, "x");
  const { pid } = status();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(isAlive(pid)).toBe(true);
  await open.shift()!.client.close();
  await until(() => !isAlive(pid));
  expect(started().filter(isAlive)).toEqual([]);
  const { folder } = servePlace(project.dir, project.env);
  expect(readdirSync(folder).toSorted()).toEqual(["log"]);
});

test.each(["legacy", "auto"] as const)(
  "a killed one is told to a %s client, and the next call has a new one",
  async (mode) => {
    const client = await connect("tester", { mode });
    const strange: Error[] = [];
    Object.assign(client, { onerror: (error: Error) => void strange.push(error) });
    await echo(client, "x");
    const { pid } = status();
    const [server] = started();
    const long = { name: "everything__trigger-long-running-operation", arguments: { duration: 30, steps: 120 } };
    let steps = 0;
    const told = client.callTool(long, { onprogress: () => void steps++ }).then(
      () => "answered",
      (error: unknown) => String(error),
    );
    await until(() => steps > 0);
    process.kill(pid, "SIGKILL");
    expect(await told).toContain("whether it was done isn't known");
    expect(await echo(client, "again")).toBe("Echo: again");
    expect(status().pid).not.toBe(pid);
    await until(() => !isAlive(server!));
    // The list is asked over the same connection of the host, which has noticed nothing.
    expect((await client.listTools()).tools).toHaveLength(4);
    // It was told who the client is, and the client was told no second time who it talks to.
    expect([status().clients[0]?.client, strange]).toEqual(["a-test 7", []]);
  },
);

test("a killed host leaves no shim, even where another process holds its pipe", async () => {
  const script = `const { spawn } = require("node:child_process");
    const shim = spawn(process.execPath, [process.argv[1], "serve", "--role", "tester"], { stdio: ["inherit", "ignore", "ignore"] });
    console.log(process.pid, shim.pid); setInterval(() => {}, 1000)`;
  const line = 'sleep 30 | "$0" -e "$1" "$2"';
  const both = spawn("sh", ["-c", line, process.execPath, script, cli.entry], {
    cwd: project.dir,
    env: project.env,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  try {
    const told = await new Promise<string>((resolve) =>
      both.stdout.once("data", (text: Buffer) => resolve(String(text))),
    );
    const [host, shim] = told.split(" ").map(Number);
    await until(() => project.typed("serve", "--status").exit === 0);
    expect(isAlive(shim!)).toBe(true);
    process.kill(host!, "SIGKILL");
    await until(() => !isAlive(shim!), 5_000);
  } finally {
    process.kill(-both.pid!, "SIGKILL");
  }
});

test("the record says who called, and a file's variables come before the environment's", async () => {
  project.write(".env", "HARBOR_PLACE=from-the-file\n");
  project.typed("serve", "--accept");
  const env = { HARBOR_PLACE: "from-the-environment" };
  const client = await connect("tester", { name: "some-host", env });
  const { content } = await client.callTool({ name: "everything__get-env", arguments: {} });
  expect(JSON.stringify(content)).toContain("from-the-file");
  expect(status().variables).toEqual([{ name: "HARBOR_PLACE", from: "file" }]);
  expect(project.typed("serve", "--status").out).not.toContain("from-the-file");
  project.typed("serve", "--stop");
  const lines = recordedLines<{ client?: string }>(project.dir);
  const own = lines.filter(({ client: by }) => by === "some-host 7");
  expect(own).toEqual([
    expect.objectContaining({ role: "tester", server: "everything", tool: "get-env", status: "ok" }),
  ]);
  rmSync(path.join(project.dir, ".env"));
});

test("a list of messages is refused, and so is a first line that is none of ours", async () => {
  const batch = spawn(process.execPath, [cli.entry, "serve", "--role", "tester"], {
    cwd: project.dir,
    env: project.env,
  });
  batch.stdin.write(`[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]\n`);
  const answer = await new Promise<string>((resolve) =>
    batch.stdout.once("data", (text: Buffer) => resolve(String(text))),
  );
  expect(JSON.parse(answer)).toMatchObject({ id: null, error: { code: -32600 } });
  batch.stdin.end();
  const { connect: dial } = await import("node:net");
  const { folder } = servePlace(project.dir, project.env);
  for (const first of [
    `{"rolecall":1,"do":"stop"}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
    "GET / HTTP/1.1",
  ]) {
    const socket = dial(path.join(folder, "clients"));
    socket.write(`${first}\n`);
    const told = await new Promise<string>((resolve) => socket.once("data", (text: Buffer) => resolve(String(text))));
    expect(JSON.parse(told)).toMatchObject({ refused: { exit: 1 } });
    socket.destroy();
  }
  // One that says nothing keeps nobody from ending, and neither does one that was refused.
  const silent = dial(path.join(folder, "clients"));
  await new Promise((resolve) => silent.once("connect", resolve));
  const { pid } = status();
  project.typed("serve", "--stop");
  await until(() => !isAlive(pid), 5_000);
});

test("what can't be served says why on standard error, and nothing on standard output", () => {
  const refused = (...args: string[]) => project.typed("serve", "--role", ...args);
  expect(refused("testr")).toMatchObject({ exit: 64, out: "" });
  expect(refused("testr").err).toContain("the nearest name is `tester`");
  expect(refused("reader", "--server", "own").err).toContain("role `reader` holds nothing of a server `own`");
  project.typed("serve", "--stop");
  const sources = project.read("rolecall.yaml");
  project.write(
    "rolecall.yaml",
    sources.replace("reader: { tools: { everything: [echo] } }", "reader: { tools: { everything: all } }"),
  );
  try {
    const { exit, out, err } = refused("tester");
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain("rolecall build");
    expect(project.typed("serve").exit).toBe(2);
  } finally {
    project.write("rolecall.yaml", sources);
  }
});

test("a build that leaves servers as they are leaves their processes and sessions", async () => {
  const client = await connect("tester");
  const reader = await connect("reader");
  await echo(client, "x");
  await echo(client, "x", "own__echo");
  expect((await reader.listTools()).tools).toHaveLength(1);
  const sources = project.read("rolecall.yaml");
  try {
    project.write(
      "rolecall.yaml",
      sources.replace("reader: { tools: { everything: [echo] } }", "reader: { tools: { everything: none } }"),
    );
    await project.run("build");
    for (let tries = 0; (await reader.listTools()).tools.length > 0; tries++) {
      expect(tries).toBeLessThan(200);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await echo(client, "x");
    await echo(client, "x", "own__echo");
    expect(started()).toHaveLength(2);
  } finally {
    project.write("rolecall.yaml", sources);
    await project.run("build");
    project.typed("serve", "--accept");
  }
});

test("a newer version takes over, and an older one uses what is there", async () => {
  const newer = bundledCli("99.0.0");
  try {
    const old = await connect("tester");
    const { pid, version } = status();
    newer.run("rolecall build", project.dir);
    const fresh = await connect("tester", { entry: newer.entry });
    expect(await echo(fresh, "new")).toBe("Echo: new");
    expect(await echo(old, "old")).toBe("Echo: old");
    const { pid: now, version: nowVersion } = status();
    expect(now).not.toBe(pid);
    expect([version, nowVersion]).toEqual(["0.1.0", "99.0.0"]);
    const again = await connect("tester");
    expect(await echo(again, "x")).toBe("Echo: x");
    expect(status().pid).toBe(now);
    await open.shift()!.client.close();
    await until(() => !isAlive(pid));
  } finally {
    await project.run("build", "--downgrade");
    newer.remove();
  }
}, 90_000);

test("its folder is its user's alone, or nothing is served", () => {
  const { folder } = servePlace(project.dir, project.env);
  const base = path.dirname(folder);
  rmSync(base, { recursive: true });
  mkdirSync(base);
  chmodSync(base, 0o777);
  expect(() => servePlace(project.dir, project.env)).toThrow(
    expect.objectContaining({ says: expect.stringContaining("open to other users") }),
  );
  rmSync(base, { recursive: true });
  mkdirSync(`${base}-elsewhere`);
  symlinkSync(`${base}-elsewhere`, base);
  const { exit, err } = project.typed("serve", "--role", "tester");
  expect([exit, err]).toEqual([1, expect.stringContaining("isn't a folder")]);
  rmSync(base);
});
