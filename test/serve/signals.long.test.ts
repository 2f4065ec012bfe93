import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** Ends that nobody asked for: a terminal that closes, a process that is killed, a laptop's lid. Nothing is left behind. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];
const shims: ChildProcessWithoutNullStreams[] = [];

/** Writes its process id first, so that it is known who runs. */
const noted = (): string => JSON.stringify(["sh", "./noted.sh", process.execPath, realServer("everything"), "stdio"]);

beforeAll(async () => {
  cli = bundledCli();
  const servers = ["one", "two", "three"].map((name) => `  ${name}: { connect: [{ stdio: ${noted()}, cwd: . }] }`);
  project = await servedProject(cli.entry, {
    "noted.sh": 'echo $$ >> starts\nexec "$@"\n',
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 1s }
servers:
${servers.join("\n")}
  own: { connect: [{ stdio: ${noted()}, cwd: . }], connection: session }
roles:
  tester: { tools: { one: [echo, trigger-long-running-operation], two: [echo], three: [echo], own: [echo] } }
`,
  });
}, 120_000);
beforeEach(() => rmSync(path.join(project.dir, "starts"), { force: true }));
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
  for (const shim of shims.splice(0)) shim.stdin.end();
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  cli.remove();
});

async function connect(): Promise<Connected> {
  const connected = await project.connect(["--role", "tester"]);
  open.push(connected);
  return connected;
}

const echo = async ({ client }: Connected, message: string, server = "one"): Promise<string> => {
  const { content } = await client.callTool({ name: `${server}__echo`, arguments: { message } });
  return (content as readonly { text: string }[])[0]!.text;
};

const long = ({ client }: Connected, duration: number): Promise<string> =>
  client.callTool({ name: "one__trigger-long-running-operation", arguments: { duration, steps: 2 } }).then(
    ({ content }) => JSON.stringify(content),
    (error: unknown) => String(error),
  );

interface Status {
  readonly pid: number;
  readonly clients: readonly object[];
}

const status = (): Status => JSON.parse(project.typed("serve", "--status", "--json").out) as Status;

const started = (): number[] =>
  existsSync(path.join(project.dir, "starts")) ? project.read("starts").trim().split("\n").map(Number) : [];

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Direct children, by the kernel. */
const childrenOf = (pid: number): number[] =>
  execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([child, parent]) => parent === pid && isAlive(child!))
    .map(([child]) => child!);

test("ten agents share one set of servers", async () => {
  const agents = await Promise.all(Array.from({ length: 10 }, () => connect()));
  const names = ["one", "two", "three"];
  const told = await Promise.all(agents.map((agent, i) => echo(agent, String(i), names[i % 3])));
  expect(told).toEqual(agents.map((_, i) => `Echo: ${i}`));
  await Promise.all(agents.flatMap((agent) => names.map((name) => echo(agent, "again", name))));
  const { pid, clients } = status();
  expect(clients).toHaveLength(10);
  expect(started()).toHaveLength(3);
  // Three servers, and the guardian that ends them where the daemon can't.
  const children = childrenOf(pid);
  expect(children).toHaveLength(4);
  expect(started().every((server) => children.includes(server))).toBe(true);
  for (const { client } of open.splice(0)) await client.close();
  await until(() => [pid, ...children].every((one) => !isAlive(one)));
});

test.each(["SIGHUP", "SIGTERM", "SIGKILL"] as const)(
  "%s of the daemon: what is under way is answered, nothing is left, the next call has a new one",
  async (signal) => {
    const agent = await connect();
    await echo(agent, "x");
    await echo(agent, "x", "own");
    const { pid } = status();
    const left = [...started(), ...childrenOf(pid)];
    const told = long(agent, 20);
    await pause(200);
    process.kill(pid, signal);
    expect(await told).toContain("whether it was done isn't known");
    await until(() => [pid, ...left].every((one) => !isAlive(one)), 8_000);
    if (signal !== "SIGKILL") expect(readdirSync(servePlace(project.dir, project.env).folder)).toEqual(["log"]);
    expect(await echo(agent, "again")).toBe("Echo: again");
    expect(status().pid).not.toBe(pid);
    // What was under way wasn't sent again.
    expect(started().filter(isAlive)).toHaveLength(1);
  },
);

test.each(["SIGHUP", "SIGKILL"] as const)(
  "%s of a shim ends what was its own, and nothing of another's",
  async (signal) => {
    const [agent, other] = [await connect(), await connect()];
    await echo(agent, "x", "own");
    const [own] = started();
    await echo(other, "x");
    expect(status().clients).toHaveLength(2);
    process.kill(agent.transport.pid!, signal);
    await until(() => !isAlive(own!));
    expect(status().clients).toHaveLength(1);
    expect(await echo(other, "still")).toBe("Echo: still");
    const { pid } = status();
    const servers = started();
    process.kill(other.transport.pid!, signal);
    await until(() => [pid, ...servers].every((one) => !isAlive(one)));
  },
);

test("a daemon that sleeps with a call under way answers it when it wakes, and whoever came meanwhile", async () => {
  const agent = await connect();
  await echo(agent, "x");
  const { pid } = status();
  const told = long(agent, 1);
  await pause(300);
  process.kill(pid, "SIGSTOP");
  try {
    const late = connect();
    const queued = echo(agent, "queued");
    await pause(2_500);
    process.kill(pid, "SIGCONT");
    expect(await told).toContain("Long running operation completed");
    expect(await queued).toBe("Echo: queued");
    expect(await echo(await late, "late")).toBe("Echo: late");
  } finally {
    process.kill(pid, "SIGCONT");
  }
  // It slept longer than it idles, and its clients are there.
  expect(status().pid).toBe(pid);
});

test("a shim that sleeps keeps nobody waiting, and has its answers when it wakes", async () => {
  const [agent, other] = [await connect(), await connect()];
  await echo(agent, "x");
  const shim = agent.transport.pid!;
  const told = long(agent, 1);
  await pause(100);
  process.kill(shim, "SIGSTOP");
  try {
    const queued = echo(agent, "queued");
    await pause(1_500);
    expect(await echo(other, "awake")).toBe("Echo: awake");
    process.kill(shim, "SIGCONT");
    expect([await told, await queued]).toEqual([expect.stringContaining("completed"), "Echo: queued"]);
  } finally {
    process.kill(shim, "SIGCONT");
  }
});

test("both asleep, as under a closed lid, and the servers too: all of it goes on", async () => {
  const agent = await connect();
  await echo(agent, "x");
  const { pid } = status();
  const all = [agent.transport.pid!, pid, ...childrenOf(pid)];
  const told = long(agent, 1);
  await pause(200);
  for (const one of all) process.kill(one, "SIGSTOP");
  try {
    await pause(2_500);
  } finally {
    for (const one of all.toReversed()) process.kill(one, "SIGCONT");
  }
  expect(await told).toContain("completed");
  expect(await echo(agent, "on")).toBe("Echo: on");
});

test("whoever doesn't read his answers holds up nobody else, and is gone when he is killed", async () => {
  const shim = spawn(process.execPath, [cli.entry, "serve", "--role", "tester"], {
    cwd: project.dir,
    env: project.env,
  });
  shims.push(shim);
  shim.stdout.pause();
  const send = (message: object): void => void shim.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "deaf", version: "1" } };
  send({ id: 0, method: "initialize", params });
  send({ method: "notifications/initialized" });
  const text = "x".repeat(100_000);
  for (let id = 1; id <= 100; id++)
    send({ id, method: "tools/call", params: { name: "one__echo", arguments: { message: text } } });
  const other = await connect();
  expect(await echo(other, "quick")).toBe("Echo: quick");
  const { pid } = status();
  shim.kill("SIGKILL");
  await until(() => status().clients.length === 1);
  expect(readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(/VmRSS:\s+\d{1,6} kB/);
});
