// Prints what the gateway costs over stdio, as ratios in one run: a shim to an empty Node, a list of 500 tools to the
// protocol's own server with the same list, a call to the bare client's own. usage: node test/bench/by-serve.mjs [--rounds N] [--calls N]
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { ECHO } from "./echo-tool.mjs";

const HERE = import.meta.dirname;
const CLI = path.join(HERE, "../../dist/cli.js");
const MANY = 500;
const { values } = parseArgs({ options: { rounds: { type: "string" }, calls: { type: "string" } } });
const rounds = Number(values.rounds ?? 8);
const calls = Number(values.calls ?? 3000);

const home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-bench-serve-")));
const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home };
try {
  const few = project("few", [ECHO], [process.execPath, path.join(HERE, "echo-server.mjs")]);
  const many = project("many", manyTools(), ["never-started"]);
  console.log(`Node ${process.version}, least wall time of ${rounds} interleaved rounds, p50 of ${calls} calls\n`);
  await lists(many);
  await callsThrough(few);
} finally {
  for (const name of ["few", "many"]) rolecall(path.join(home, name), "serve", "--stop");
  rmSync(home, { recursive: true, force: true });
}

async function lists(dir) {
  const bare = [path.join(HERE, "bare-server.mjs"), path.join(dir, "tools.json")];
  const served = [CLI, "serve", "--role", "caller", "--project", dir];
  const best = { node: Infinity, bare: Infinity, ready: Infinity, warm: Infinity, cold: Infinity };
  const least = (name, ms) => (best[name] = Math.min(best[name], ms));
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    least("node", performance.now() - began);
    least("bare", (await asked(bare, dir)).listed);
    rolecall(dir, "serve", "--stop");
    least("cold", (await asked(served, dir)).listed);
    const { ready, listed } = await asked(served, dir);
    least("ready", ready);
    least("warm", listed);
  }
  const row = (what, ms, to, than) => console.log(`${what}: ${ms.toFixed(0)} ms, ${(ms / than).toFixed(2)} x ${to}`);
  row("node -e 0", best.node, "itself", best.node);
  row("shim answers initialize, daemon running", best.ready, "node -e 0", best.node);
  row(`bare server lists ${MANY}`, best.bare, "node -e 0", best.node);
  row(`serve lists ${MANY}, daemon running`, best.warm, "the bare server", best.bare);
  row(`serve lists ${MANY}, no daemon`, best.cold, "the bare server", best.bare);
}

/** From the start of the process, in the older protocol, with no client library in the way. */
function asked(args, cwd) {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
    let text = "";
    let ready;
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (!text.endsWith("\n")) return;
      if (ready === undefined) {
        ready = performance.now() - began;
        text = "";
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/list" });
      } else {
        const listed = performance.now() - began;
        if (JSON.parse(text).result.tools.length !== MANY) throw new Error("that is another list");
        child.stdin.end();
        child.once("close", () => resolve({ ready, listed }));
      }
    });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
    send({ id: 1, method: "initialize", params });
  });
}

async function callsThrough(dir) {
  const direct = await connected([path.join(HERE, "echo-server.mjs")], dir);
  const served = await connected([CLI, "serve", "--role", "caller", "--project", dir], dir);
  const bare = await connected([path.join(HERE, "bare-server.mjs"), path.join(dir, "tools.json")], dir);
  const one = (client, name) => client.callTool({ name, arguments: { text: "hello" } });
  const sides = [
    ["direct", () => one(direct, ECHO.name)],
    ["bare server", () => one(bare, ECHO.name)],
    ["serve", () => one(served, `echo__${ECHO.name}`)],
  ];
  for (const [, call] of sides) for (let i = 0; i < 300; i++) await call();
  const p50 = new Map();
  const rate = new Map();
  for (let round = 0; round < 5; round++)
    for (const [name, call] of sides) {
      const took = [];
      for (let i = 0; i < calls / 5; i++) {
        const began = performance.now();
        await call();
        took.push(performance.now() - began);
      }
      took.sort((a, b) => a - b);
      p50.set(name, Math.min(p50.get(name) ?? Infinity, took[took.length >> 1] * 1000));
      const began = performance.now();
      let left = calls / 5;
      await Promise.all(
        Array.from({ length: 32 }, async () => {
          while (left-- > 0) await call();
        }),
      );
      rate.set(name, Math.max(rate.get(name) ?? 0, calls / 5 / ((performance.now() - began) / 1000)));
    }
  for (const [name, us] of p50)
    console.log(
      `call ${name}: p50 ${us.toFixed(0)} us (${(us - p50.get("direct")).toFixed(0)} over direct); 32 in flight: ${rate.get(name).toFixed(0)}/s, ${(rate.get(name) / rate.get("direct")).toFixed(2)} of direct`,
    );
  for (const client of [direct, served, bare]) await client.close();
}

async function connected(args, cwd) {
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd, env, stderr: "inherit" });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  return client;
}

function manyTools() {
  const properties = Object.fromEntries(
    ["path", "text", "limit", "mode"].map((name) => [name, { type: "string", description: `What ${name} says.` }]),
  );
  return Array.from({ length: MANY }, (_, i) => ({
    name: `tool_${i}`,
    description: `The tool of number ${i}, described in a sentence as tools are.`,
    inputSchema: { type: "object", properties, required: ["path"] },
  }));
}

function project(name, tools, command) {
  const dir = path.join(home, name);
  mkdirSync(path.join(dir, "mcp/manifests"), { recursive: true });
  writeFileSync(
    path.join(dir, "rolecall.yaml"),
    `version: 1\nproject: ${name}\nservers: { echo: { connect: [{ stdio: ${JSON.stringify(command)} }] } }\nroles: { caller: { tools: { echo: all } } }\n`,
  );
  writeFileSync(path.join(dir, "mcp/manifests/echo.json"), JSON.stringify({ server: "echo", tools }));
  writeFileSync(path.join(dir, "tools.json"), JSON.stringify(tools));
  const built = rolecall(dir, "build");
  if (built.status !== 0) throw new Error(built.stderr.toString());
  return dir;
}

function rolecall(dir, ...args) {
  return spawnSync(process.execPath, [CLI, ...args], { cwd: dir, env, timeout: 60_000 });
}
