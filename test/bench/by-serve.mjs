// Prints what the gateway costs over stdio, as ratios in one run: a shim to an empty Node, a list of 500 tools to the
// protocol's own server with the same list, calls beside that server, a plain forwarder and another gateway; and what ten
// clients keep alive. usage: node test/bench/by-serve.mjs [--rounds N] [--calls N]
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { ECHO } from "./echo-tool.mjs";
import { gatewaySides, processesOf } from "./gateway-sides.mjs";

const HERE = import.meta.dirname;
const CLI = path.join(HERE, "../../dist/cli.js");
const MANY = 500;
const ROUNDS = 5;
const IN_FLIGHT = 32;
const CLIENTS = 10;
const { values } = parseArgs({ options: { rounds: { type: "string" }, calls: { type: "string" } } });
const rounds = Number(values.rounds ?? 8);
const calls = Number(values.calls ?? 3000);

const home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-bench-serve-")));
const env = { PATH: process.env.PATH, HOME: home };
try {
  const few = project("few", [ECHO], [process.execPath, path.join(HERE, "echo-server.mjs")]);
  const many = project("many", manyTools(), ["never-started"]);
  console.log(`Node ${process.version}, least wall time of ${rounds} interleaved rounds, p50 of ${calls} calls\n`);
  await lists(many);
  await besides(few);
} finally {
  for (const name of ["few", "many"]) rolecall(path.join(home, name), "serve", "--stop");
  rmSync(home, { recursive: true, force: true });
}

async function lists(dir) {
  const bare = [path.join(HERE, "bare-server.mjs"), path.join(dir, "tools.json")];
  const served = [CLI, "serve", "--role", "caller", "--project", dir];
  const best = { node: Infinity, bare: Infinity, ready: Infinity, warm: Infinity, cold: Infinity, first: Infinity };
  const least = (name, ms) => (best[name] = Math.min(best[name], ms));
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    least("node", performance.now() - began);
    least("bare", (await asked(bare, dir)).listed);
    rolecall(dir, "serve", "--stop");
    // What was accepted lies there, and what it was made of.
    rmSync(path.join(home, ".local"), { recursive: true, force: true });
    least("first", (await asked(served, dir)).listed);
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
  row(`serve lists ${MANY}, for the first time ever`, best.first, "the bare server", best.bare);
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

async function besides(dir) {
  const sides = await gatewaySides({ cli: CLI, dir, env, scratch: home });
  try {
    for (const side of sides) side.met = await side.connect();
    await measureCalls(sides);
    for (const side of sides) side.one = processesOf([...side.met.pids, ...side.shared()]);
    for (const side of sides) {
      const more = await Promise.all(Array.from({ length: CLIENTS - 1 }, () => side.connect()));
      await Promise.all(more.map(({ client }) => client.callTool({ name: side.tool, arguments: { text: "hello" } })));
      side.ten = processesOf([...[side.met, ...more].flatMap(({ pids }) => pids), ...side.shared()]);
      await Promise.all(more.map((one) => one.close()));
    }
    printSides(sides);
  } finally {
    for (const { met } of sides) await met?.close().catch(() => {});
    for (const { end } of sides) end();
  }
}

/** They take turns; of each the least p50 and the most calls in a second are kept. */
async function measureCalls(sides) {
  const each = Math.ceil(calls / ROUNDS);
  for (const side of sides) {
    side.call = () => side.met.client.callTool({ name: side.tool, arguments: { text: "hello" } });
    Object.assign(side, { p50: Infinity, list: Infinity, rate: 0 });
    for (let i = 0; i < 300; i++) await side.call();
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const side of sides) {
      side.list = Math.min(side.list, await middle(20, () => side.met.client.listTools()));
      side.p50 = Math.min(side.p50, await middle(each, side.call));
      const began = performance.now();
      let left = each;
      const caller = async () => {
        while (left-- > 0) await side.call();
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
      side.rate = Math.max(side.rate, each / ((performance.now() - began) / 1000));
    }
}

async function middle(times, work) {
  const took = [];
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    await work();
    took.push((performance.now() - began) * 1000);
  }
  return took.toSorted((one, other) => one - other)[took.length >> 1];
}

function printSides(sides) {
  const [direct, bare] = sides;
  const header = [
    "",
    "list, us",
    "call, us at p50",
    "over the server",
    `${IN_FLIGHT} in flight, to the server`,
    "to the bare SDK server",
  ];
  console.log(`\n| ${[...header, "processes", "MB", `${CLIENTS} clients: processes`, "MB"].join(" | ")} |`);
  console.log(`| --- ${"| ---: ".repeat(9)}|`);
  for (const { name, list, p50, rate, one, ten } of sides) {
    const cells = [list, p50, p50 - direct.p50].map((us) => us.toFixed(0));
    const ratios = [rate / direct.rate, rate / bare.rate].map((ratio) => ratio.toFixed(2));
    const kept = [one.processes, one.mb.toFixed(0), ten.processes, ten.mb.toFixed(0)];
    console.log(`| ${[name, ...cells, ...ratios, ...kept].join(" | ")} |`);
  }
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
