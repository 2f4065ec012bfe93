import { readFileSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { type RawAnswer, type RawRequest, message, sendRaw, textOf } from "../support/raw-http.ts";
import { realServer, servedProject, type ServedHttp, type ServedProject } from "../support/served-project.ts";

/** Who comes in numbers, slowly, or not at all. */
let cli: BundledCli;
let project: ServedProject;
let door: ServedHttp;
const sockets: Socket[] = [];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
servers:
  everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] }
roles:
  tester: { tools: { everything: [echo, trigger-long-running-operation] } }
  reader: { tools: { everything: [echo] } }
`,
  });
}, 120_000);
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await door?.end();
});
afterAll(() => {
  project.remove();
  cli.remove();
});

const as = (role: string, method: string, params?: object): RawRequest => ({
  ...message(door.token(role), method, params),
  path: `/mcp/${role}`,
});
const echo = (role = "tester"): RawRequest =>
  as(role, "tools/call", { name: "everything__echo", arguments: { message: "ho" } });
const long = (seconds: number): RawRequest =>
  as("tester", "tools/call", {
    name: "everything__trigger-long-running-operation",
    arguments: { duration: seconds, steps: 1 },
  });
const send = (request: RawRequest): Promise<RawAnswer> => sendRaw(door.address, request);
const until = async (holds: () => Promise<boolean> | boolean, ms = 20_000): Promise<void> => {
  for (const end = Date.now() + ms; !(await holds());) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

function opened(bytes: string): Promise<Socket & { closed?: boolean }> {
  const { hostname, port } = new URL(door.address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      if (bytes !== "") socket.write(bytes);
      resolve(socket);
    });
    socket.on("error", () => resolve(socket));
    socket.resume();
    sockets.push(socket);
  });
}

test("10,000 connections that say nothing, or half of something, keep nobody out and aren't kept", async () => {
  door = await project.serveHttp();
  expect(textOf(await send(echo()))).toBe("Echo: ho");
  const files = (): number => readdirSync(`/proc/${door.pid}/fd`).length;
  const before = files();
  const half = [
    "",
    "G",
    "POST /mcp/tester HTTP/1.1\r\n",
    `POST /mcp/tester HTTP/1.1\r\nHost: ${new URL(door.address).host}\r\nX-A: `,
  ];
  const took: number[] = [];
  for (let i = 0; i < 10_000; i += 250) {
    await Promise.all(Array.from({ length: 250 }, (_, j) => opened(half[(i + j) % half.length]!)));
    const began = performance.now();
    expect(textOf(await send(echo()))).toBe("Echo: ho");
    took.push(performance.now() - began);
    expect(files() - before).toBeLessThan(900);
  }
  console.log(
    `calls among 10,000 half-open connections: p50 ${took.sort((a, b) => a - b)[20]!.toFixed(1)} ms, longest ${took.at(-1)!.toFixed(1)} ms`,
  );
  await until(() => files() - before < 5, 30_000);
}, 180_000);

test("what comes slowly is ended: headers, a body without a token at once, and a body with one", async () => {
  door = await project.serveHttp();
  const { host } = new URL(door.address);
  const ended = async (bytes: string, each: string): Promise<{ readonly text: string; readonly ms: number }> => {
    const socket = await opened(bytes);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const drop = setInterval(() => socket.write(each), 500);
    const began = Date.now();
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(drop);
    return { text, ms: Date.now() - began };
  };
  const head = (more: string): string =>
    `POST /mcp/tester HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n${more}`;
  const [headers, stranger, body] = await Promise.all([
    ended(head(""), "X-A: b\r\n"),
    ended(`${head("\r\n")}{`, " "),
    ended(`${head(`Authorization: Bearer ${door.token("tester")}\r\n\r\n`)}{`, " "),
  ]);
  expect(headers.text).toMatch(/^HTTP\/1.1 408 /);
  expect(headers.ms).toBeLessThan(15_000);
  expect(stranger.text).toMatch(/^HTTP\/1.1 401 /);
  expect(stranger.ms).toBeLessThan(5_000);
  expect(body.text).toMatch(/^HTTP\/1.1 408 /);
  expect(body.ms).toBeLessThan(40_000);
}, 90_000);

test("a role that has too much under way is told so, and another one is served", async () => {
  door = await project.serveHttp();
  await send(echo());
  const held = Array.from({ length: 256 }, () => send(long(6)));
  await until(async () => (await send(as("tester", "ping"))).status === 429);
  expect((await send(echo())).headers["retry-after"]).toBe("1");
  expect(textOf(await send(echo("reader")))).toBe("Echo: ho");
  expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(textOf(await send(echo()))).toBe("Echo: ho");
}, 60_000);

test("bodies that never end are bounded, and hold back neither memory nor another role", async () => {
  door = await project.serveHttp();
  await send(echo());
  const { host } = new URL(door.address);
  const memory = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${door.pid}/status`, "utf8"))![1]) / 1024;
  const before = memory();
  const head = `POST /mcp/tester HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAuthorization: Bearer ${door.token("tester")}\r\nContent-Length: 4000000\r\n\r\n`;
  const most = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"p":"${"a".repeat(3_900_000)}`;
  for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 30 }, () => opened(head + most)));
  expect(textOf(await send(echo("reader")))).toBe("Echo: ho");
  await until(async () => (await send(as("tester", "ping"))).status === 429);
  expect(memory() - before).toBeLessThan(300);
  sockets.splice(0).forEach((socket) => socket.destroy());
  await until(async () => (await send(echo())).status === 200);
}, 90_000);

test("told to end it answers what is under way, takes nothing new, and leaves nothing", async () => {
  door = await project.serveHttp();
  await send(echo());
  const under = send(long(2));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const ending = door.end("SIGTERM");
  expect(textOf(await under)).toContain("completed");
  await expect(send(echo())).rejects.toThrow("ECONN");
  expect(await ending).toBe(0);
}, 60_000);

test("it takes the place of a process that a host started, whose client is served on", async () => {
  const { client } = await project.connect(["--role", "reader"]);
  expect((await client.listTools()).tools).toHaveLength(1);
  door = await project.serveHttp();
  expect((await client.listTools()).tools).toHaveLength(1);
  expect(project.typed("serve", "--status").out).toContain(door.address);
  await client.close();
});
