import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const ROOT = path.join(import.meta.dirname, "../..");
const WORKER = path.join(import.meta.dirname, "calls-worker.mjs");
const BESIDE = path.join(import.meta.dirname, "beside-worker.mjs");

/** Microseconds that an allowed call may cost more than the bare client's, and a refused one more than any rejection. */
const GOALS = { allowed: 5, refused: 2 };

/**
 * Beside a server that misbehaves: per cent of a neighbour's calls that may be late, milliseconds that the app may stand
 * still, and megabytes in all.
 */
const BESIDE_GOALS = { late: 5, still: 1_000, mb: 500 };
const MISBEHAVIOURS = {
  nothing: "a slow server",
  storm: "a storm of notices that the list has changed",
  huge: "answers of 31 MB",
  "too much": "answers without end",
  hangs: "64 calls that hang",
};

/** What calls cost, as rows of the table: the least of many rounds that take turns, p99 too. */
export async function callRows({ quick }) {
  // Beside the other programs here, so that packages are found.
  const folder = mkdtempSync(path.join(import.meta.dirname, ".calls-"));
  try {
    const door = await bundled(folder);
    const { sequential, inFlight, refused } = worker("calls", door, quick ? 40 : 80);
    return [
      ...sequentialRows(sequential),
      ...inFlightRows(inFlight),
      ...refusedRows(refused),
      ...(await importRows(folder, quick ? 10 : 25)),
      ...memoryRows(worker("memory", door, 1)),
      ...besideRows(door),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sequentialRows({ bare, callTool, allowed, recorded, conditioned, both, limited, kept }) {
  const added = (title, one, goal) => micro(`${title}, added at p50`, one.p50 - bare.p50, goal);
  return [
    micro("a call of the bare client over stdio, p50", bare.p50),
    micro("the same by `callTool`, p50", callTool.p50),
    added("an allowed call", allowed, GOALS.allowed),
    micro("an allowed call, added at p99", allowed.p99 - bare.p99),
    added("with a record file", recorded, GOALS.allowed),
    added("with four conditions", conditioned, GOALS.allowed),
    added("with both", both),
    added("with a rate and a concurrency", limited),
    micro("answered from what was kept, p50", kept.p50),
  ];
}

function inFlightRows({ bare, allowed, recorded }) {
  return [
    micro("32 in flight: each call of the bare client", bare.each),
    micro("32 in flight: added to each allowed call", allowed.each - bare.each, GOALS.allowed),
    micro("32 in flight: added with a record file", recorded.each - bare.each),
    micro("32 in flight: p99 of the bare client", bare.p99),
    micro("32 in flight: added at p99", allowed.p99 - bare.p99),
  ];
}

function refusedRows({ bare, ...refused }) {
  return [
    micro("a promise that rejects, awaited and caught", bare.p50),
    ...Object.entries(refused).map(([why, { p50 }]) =>
      micro(`a refused call: ${why}, added`, p50 - bare.p50, GOALS.refused),
    ),
  ];
}

function memoryRows({ bare, ours }) {
  return [
    { title: "100 connections over HTTP: memory of the bare client", ratio: bare, to: "MB" },
    { title: "100 connections over HTTP: memory with the runtime", ratio: ours, to: "MB" },
  ];
}

function besideRows(door) {
  return Object.entries(MISBEHAVIOURS).flatMap(([how, title]) => {
    const { late, still, mb } = run([BESIDE, how, door]);
    return [
      { title: `beside ${title}: a neighbour's calls that are late`, ratio: late, to: "%", goal: BESIDE_GOALS.late },
      { title: `beside ${title}: the app stands still, at most`, ratio: still, to: "ms", goal: BESIDE_GOALS.still },
      { title: `beside ${title}: memory at its peak`, ratio: mb, to: "MB", goal: BESIDE_GOALS.mb },
    ];
  });
}

function micro(title, value, goal) {
  return { title, ratio: value, to: "µs", goal };
}

/** As most projects have it: without OpenTelemetry, which this repository has for its tests. */
async function bundled(folder) {
  const missing = { "@opentelemetry/api": path.join(folder, "missing.mjs") };
  writeFileSync(missing["@opentelemetry/api"], 'throw new Error("not installed");\n');
  await build({
    ...SHAPE,
    entryPoints: [path.join(ROOT, "runtime/index.ts")],
    outdir: path.join(folder, "runtime"),
    bundle: true,
    splitting: true,
    packages: "external",
    alias: missing,
  });
  return path.join(folder, "runtime/index.js");
}

const SHAPE = { platform: "node", format: "esm", target: "node20.19", logLevel: "warning" };

function worker(what, door, rounds) {
  return run(["--expose-gc", WORKER, what, door, String(rounds)]);
}

function run(argv) {
  const ended = spawnSync(process.execPath, argv, { encoding: "utf8", maxBuffer: 1 << 26 });
  if (ended.status !== 0) throw new Error(`${argv.join(" ")} ended with ${ended.status}: ${ended.stderr}`);
  return JSON.parse(ended.stdout);
}

/** A role's module and the whole index of an example, against a module that is empty. */
async function importRows(folder, rounds) {
  const made = path.join(folder, "example");
  const source = path.join(ROOT, "examples/first-role/src/mcp");
  const files = readdirSync(source, { recursive: true }).filter((file) => file.endsWith(".ts"));
  await build({ ...SHAPE, entryPoints: files.map((file) => path.join(source, file)), outbase: source, outdir: made });
  const empty = path.join(made, "empty.js");
  writeFileSync(empty, "export {};\n");
  cpSync(path.join(ROOT, "package.json"), path.join(made, "package.json"));
  const modules = { empty, role: path.join(made, "roles/reader.js"), index: path.join(made, "index.js") };
  const least = {};
  const ask = "const s=performance.now();await import(process.argv[1]);console.log(performance.now()-s)";
  for (let round = 0; round < rounds; round++) {
    for (const [name, file] of Object.entries(modules))
      least[name] = Math.min(least[name] ?? Infinity, run(["--input-type=module", "-e", ask, file]));
  }
  return [
    { title: "import of a role's module, over an empty module", ratio: least.role - least.empty, to: "ms" },
    { title: "import of the index with every role, over an empty module", ratio: least.index - least.empty, to: "ms" },
  ];
}
