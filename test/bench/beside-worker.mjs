// A neighbour of a server that misbehaves: how many of its calls are late, how long the app stands still, and what it takes
// of memory, as JSON. usage: <how the server misbehaves> <the runtime's door>
import { createHash } from "node:crypto";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { TOOLS } from "../support/faults/tools.mjs";
import { echoRole } from "./echo-tool.mjs";

const [how, door] = process.argv.slice(2);
const { team } = await import(pathToFileURL(door).href);
const FOR_MS = 4_000;
/** Of a call that takes a tenth of a millisecond. */
const IN_TIME_MS = 1_000;
const MB = 1024 * 1024;

/** Each is called again and again, by so many at once. */
const WAYS = {
  nothing: { lanes: 1, call: (faulty) => faulty.slow({ ms: 100 }) },
  storm: { lanes: 1, call: (faulty) => faulty.attack({ kind: "storm", size: FOR_MS }) },
  huge: { lanes: 2, call: (faulty) => faulty.attack({ kind: "text", size: 31 * MB }) },
  "too much": { lanes: 2, call: (faulty) => faulty.attack({ kind: "endless" }) },
  hangs: { lanes: 64, call: (faulty) => faulty.hang({}, { timeoutMs: 200 }) },
};

const crew = team({ on: () => {} });
const session = crew.as(roleOf([stdio("echo-server.mjs"), stdio("../support/faults/fault-server.mjs")]));
await Promise.all([session.echo.echo({ text: "a" }), session.faulty.slow({ ms: 1 })]);
const over = { at: performance.now() + FOR_MS };
const still = watchStillness();
const took = [];
const lanes = Array.from({ length: WAYS[how].lanes }, misbehave);
await Promise.all([...lanes, callNeighbour()]);
const late = took.filter((ms) => ms > IN_TIME_MS).length;
const found = { late: (100 * late) / took.length, still: still(), mb: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(found));
await crew.close();

async function misbehave() {
  while (performance.now() < over.at) await WAYS[how].call(session.faulty).catch(() => pause(20));
}

async function callNeighbour() {
  while (performance.now() < over.at) {
    const began = performance.now();
    await session.echo.echo({ text: "hello" }, { timeoutMs: 10 * IN_TIME_MS }).catch(() => took.push(Infinity));
    took.push(performance.now() - began);
    await pause(2);
  }
}

/** In time of our own, since a busy machine gives none for long. */
function watchStillness() {
  let longest = 0;
  let last = { wall: performance.now(), cpu: process.cpuUsage() };
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last.cpu);
    longest = Math.max(longest, Math.min(performance.now() - last.wall, (user + system) / 1_000));
    last = { wall: performance.now(), cpu: process.cpuUsage() };
  }, 5);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

function stdio(program) {
  const file = path.join(import.meta.dirname, program);
  return { kind: "stdio", command: [[process.execPath], [file]], env: [], cwd: [import.meta.dirname] };
}

/** A role of two servers: the quick one, and the one that does what it is told. */
function roleOf([quick, bad]) {
  const tools = Object.fromEntries(TOOLS.map((tool) => [tool.name, pinOf(tool)]));
  const breaker = { failures: 1_000_000, cooldownMs: 1 };
  const roles = [echoRole(quick), echoRole(bad, { server: "faulty", tools, breaker, timeoutMs: 10_000 })];
  const allowed = Object.fromEntries(TOOLS.map(({ name }) => [name, "allow"]));
  const servers = { echo: { tools: { echo: "allow" } }, faulty: { tools: allowed } };
  return {
    name: "bench",
    data: JSON.stringify({ format: 1, role: "bench", servers, delegates: [] }),
    load: { echo: roles[0].load.echo, faulty: roles[1].load.echo },
  };
}

/** As a capture would pin it: its keys in order. */
function pinOf({ name, description, inputSchema }) {
  const text = JSON.stringify({ description, inputSchema, name });
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return { digest, description, inputSchema, readOnly: false, idempotent: false, labels: [] };
}
