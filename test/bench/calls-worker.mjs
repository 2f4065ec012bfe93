// Measures calls in a process of its own, and prints what it found as JSON. usage: <what> <the runtime's door> <rounds>
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { echoRole } from "./echo-tool.mjs";

const [what, door, rounds] = process.argv.slice(2);
const { team } = await import(pathToFileURL(door).href);
const SERVER = path.join(import.meta.dirname, "echo-server.mjs");
const ARGS = { text: "hello there", path: "docs/notes/today.md", count: 3, tags: ["a", "b"] };
const WHERE = {
  echo: {
    path: { glob: "docs/**" },
    text: { pattern: "[a-z ]+" },
    count: { enum: [1, 2, 3] },
    tags: { optional: true, pattern: "[ab]" },
  },
};
const STDIO = { kind: "stdio", command: [[process.execPath], [SERVER]], env: [], cwd: [import.meta.dirname] };
const SAME = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } };
const measured = { calls, memory };
console.log(JSON.stringify(await measured[what](Number(rounds))));

async function calls(times) {
  const folder = mkdtempSync(path.join(tmpdir(), "rolecall-calls-"));
  const record = path.join(folder, "calls.jsonl");
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const connected = async () => {
    const client = new Client({ name: "bench", version: "1" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER] }));
    return client;
  };
  // Several, for a system may leave one pair of processes on two cores that wake each other slowly.
  const clients = [await connected(), await connected(), await connected()];
  let turn = 0;
  const teams = [];
  const session = (server = {}, options = {}) => {
    const made = team(options);
    teams.push(made);
    return made.as(echoRole(STDIO, server)).echo.echo;
  };
  const params = { name: "echo", arguments: ARGS };
  const asked = {
    bare: () => clients[turn].request({ method: "tools/call", params }, SAME),
    callTool: () => clients[turn].callTool(params),
    allowed: bind(session()),
    recorded: bind(session({}, { record })),
    conditioned: bind(session({ where: WHERE })),
    both: bind(session({ where: WHERE }, { record })),
    limited: bind(session({ ratePerMinute: 1_000_000_000, concurrency: 64 })),
    kept: bind(session({ cacheMs: 3_600_000 })),
  };
  const held = team();
  teams.push(held);
  const bench = held.as(echoRole(STDIO, { where: WHERE }));
  await bench.echo.echo(ARGS);
  const no = new Error("no");
  const refused = {
    bare: () => Promise.reject(no),
    "not held": () => bench.$call("echo", "remove", ARGS),
    "not of the schema": () => bench.$call("echo", "echo", { text: 1 }),
    "not as conditioned": () => bench.$call("echo", "echo", { ...ARGS, path: "src/a.ts" }),
  };
  const found = { sequential: {}, inFlight: {}, refused: {} };
  for (let round = 0; round < times; round++) {
    turn = round % clients.length;
    for (const [name, call] of inTurn(asked, round)) {
      note(found.sequential, name, await oneAfterTheOther(call, 300));
      note(found.inFlight, name, await manyAtOnce(call, 640, 32));
    }
    for (const [name, call] of inTurn(refused, round)) note(found.refused, name, await refusing(call, 500));
  }
  await Promise.all([...clients.map((one) => one.close()), ...teams.map((one) => one.close())]);
  rmSync(folder, { recursive: true, force: true });
  return found;
}

function bind(call) {
  return () => call(ARGS);
}

/** Each round begins elsewhere: nobody always follows the same neighbour. */
function inTurn(calls, round) {
  const all = Object.entries(calls);
  const at = round % all.length;
  return [...all.slice(at), ...all.slice(0, at)];
}

/** The least of the rounds, which are short and many: some of them are quiet on the busiest machine. */
function note(table, name, figures) {
  table[name] ??= {};
  for (const [key, value] of Object.entries(figures)) table[name][key] = Math.min(table[name][key] ?? Infinity, value);
}

async function oneAfterTheOther(call, count) {
  const took = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await call();
    took[i] = performance.now() - start;
  }
  return quantiles(took);
}

async function manyAtOnce(call, count, width) {
  const took = new Float64Array(count);
  let next = 0;
  const start = performance.now();
  const lane = async () => {
    while (next < count) {
      const at = next++;
      const began = performance.now();
      await call();
      took[at] = performance.now() - began;
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return { ...quantiles(took), each: ((performance.now() - start) * 1000) / count };
}

function quantiles(took) {
  took.sort();
  const at = (part) => took[Math.min(took.length - 1, Math.floor(took.length * part))] * 1000;
  return { p50: at(0.5), p99: at(0.99) };
}

/** By the batch: one is too short for the clock. */
async function refusing(call, count) {
  const batch = 50;
  const took = new Float64Array(count / batch);
  for (let i = 0; i < took.length; i++) {
    const start = performance.now();
    for (let j = 0; j < batch; j++) {
      try {
        await call();
      } catch {
        continue;
      }
      throw new Error("it should have been refused");
    }
    took[i] = (performance.now() - start) / batch;
  }
  return quantiles(took);
}

/** Of 100 connections over HTTP, ours and the bare client's: a child for each would measure the children. */
async function memory() {
  const server = spawn(process.execPath, [SERVER, "http"], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const [port] = await once(server.stdout.setEncoding("utf8"), "data");
  const url = `http://127.0.0.1:${Number(port)}/mcp`;
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const bare = async () => {
    const client = new Client({ name: "bench", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    await client.callTool({ name: "echo", arguments: ARGS });
    return () => client.close();
  };
  const garden = team();
  const role = echoRole({ kind: "http", url: [url], headers: [] }, { connection: "session" });
  const ours = async () => {
    const session = garden.as(role);
    await session.echo.echo(ARGS);
    return () => session.$close();
  };
  const found = { bare: await growth(bare), ours: await growth(ours) };
  await garden.close();
  server.disconnect();
  await once(server, "exit");
  return found;
}

/** Megabytes that a hundred more of them keep, after ten that have loaded everything. */
async function growth(connect) {
  const closing = [];
  for (let i = 0; i < 10; i++) closing.push(await connect());
  const before = await used();
  for (let i = 0; i < 100; i++) closing.push(await connect());
  const grown = (await used()) - before;
  await Promise.all(closing.map((close) => close()));
  return grown / 1024 / 1024;
}

async function used() {
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
