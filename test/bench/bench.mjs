// Prints how fast a build is, as ratios: to the floor (read the inputs, write as many bytes), to an empty Node, to
// the same types made by other means; and what calls through the runtime cost, in microseconds beside the bare client. usage: node test/bench/bench.mjs [--sizes small,medium,large] [--rounds N] [--quick]
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { callRows } from "./calls.mjs";
import { instantiations, makeConsumers, nativeTsc } from "./consumer.mjs";
import { measure } from "./measure.mjs";
import { makeProjects, manifestChanger, removeCache, removeOutputs } from "./projects.mjs";

const ROOT = path.join(import.meta.dirname, "../..");
const TOOLS = path.join(ROOT, "../shared/tools/bench");

/** Ratios of wall time that are to be held, by size where it matters. */
const GOALS = {
  cold: { small: 1.45, medium: 2.2, large: 3.0 },
  warm: { small: 1.3, medium: 1.5, large: 1.8 },
  unchanged: 1.4,
  changed: 2.2,
  sameDifference: 1.5,
  difference: 2,
  help: 1.15,
  consumer: 1.6,
  instantiations: 1000,
  memory: 150,
};

const options = {
  sizes: { type: "string" },
  rounds: { type: "string" },
  quick: { type: "boolean", default: false },
  cli: { type: "string", default: path.join(ROOT, "dist/cli.js") },
};

await bench(parseArgs({ options }).values);

async function bench({ sizes, rounds, quick, cli }) {
  if (!existsSync(cli)) throw new Error("there is no dist/cli.js: run `npm run bundle` first");
  const times = Number(rounds ?? (quick ? 4 : 12));
  console.log(`Node ${process.version}, ${cpus().length} processors, least wall time of ${times} interleaved rounds\n`);
  console.log(
    "| what | wall ms | ratio | to | goal | cpu ms | peak MB |\n| --- | ---: | ---: | --- | ---: | ---: | ---: |",
  );
  for (const { title, ...figures } of await callRows({ quick })) printRow(title, figures);
  printRows(startRows(), measure(startCommands(cli), { rounds: times }));
  if (!existsSync(path.join(TOOLS, "workload.mjs"))) {
    return console.log("\nThe workloads' generator isn't here (../shared/tools/bench): no build is measured.");
  }
  const wanted = (sizes ?? (quick ? "small,medium" : "small,medium,large")).split(",");
  const folder = mkdtempSync(path.join(tmpdir(), "rolecall-bench-"));
  try {
    for (const size of wanted)
      await benchSize(makeProjects(size, { folder, tools: TOOLS, cli }), { cli, times, quick });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchSize(projects, { cli, times, quick }) {
  const { size } = projects;
  const tsc = await nativeTsc();
  const consumers = makeConsumers(projects.built);
  const commands = [
    ...buildCommands(projects, cli),
    ...rivalCommands(projects, quick),
    ...consumerCommands(consumers, tsc),
  ];
  const rounds = size === "large" ? Math.max(3, Math.ceil(times / 2)) : times;
  const found = measure(commands, { rounds });
  printRows(buildRows(size), found);
  const memory = found.get("build, cold").rss;
  printRow(`${size}: peak memory of a cold build`, {
    ratio: memory,
    to: "MB",
    goal: size === "large" ? GOALS.memory : undefined,
  });
  printRow(`${size}: instantiations of that app`, {
    ratio: instantiations(tsc, consumers.app),
    to: "count",
    goal: GOALS.instantiations,
  });
}

function startCommands(cli) {
  return [
    { name: "node", argv: ["node", "-e", "0"] },
    { name: "help", argv: ["node", cli, "--help"] },
    { name: "version", argv: ["node", cli, "--version"] },
  ];
}

function startRows() {
  return [
    { name: "node", title: "node -e 0" },
    { name: "help", title: "rolecall --help", to: "node", goal: GOALS.help },
    { name: "version", title: "rolecall --version", to: "node", goal: GOALS.help },
  ];
}

function buildCommands({ source, built, repository, other, cold, warm, changed, scratch, outline, written }, cli) {
  const build = (project) => ["node", cli, "build", "--project", project];
  const change = manifestChanger(changed);
  const coldAgain = () => {
    removeOutputs(cold, written);
    removeCache(cold);
  };
  return [
    { name: "node", argv: ["node", "-e", "0"] },
    {
      name: "floor",
      argv: ["node", path.join(TOOLS, "floor.mjs"), source, outline, scratch],
      prepare: () => rmSync(scratch, { recursive: true, force: true }),
    },
    { name: "build, cold", argv: build(cold), prepare: coldAgain },
    { name: "build, warm", argv: build(warm), prepare: () => removeOutputs(warm, written) },
    { name: "build, nothing changed", argv: build(built) },
    { name: "build, one manifest changed", argv: build(changed), prepare: change },
    { name: "diff, nothing changed", argv: ["node", cli, "diff", "HEAD", "--project", repository] },
    // Of a folder with itself: both sides are read and compiled, and there is nothing to say.
    { name: "reading both", argv: ["node", cli, "diff", `${source}/`, "--project", source] },
    { name: "diff, all changed", argv: ["node", cli, "diff", `${other}/`, "--project", source] },
  ];
}

/** The large size takes them most of a minute: once is enough. */
function rivalCommands({ source, size, scratch }, quick) {
  const slow = quick || size !== "small";
  return ["json-schema-to-typescript", "ts-morph"].map((name) => {
    const script = path.join(import.meta.dirname, `by-${name}.mjs`);
    return { name, argv: ["node", script, source, `${scratch}-${name}`], slow };
  });
}

function consumerCommands({ app, empty }, tsc) {
  return [
    { name: "tsc, empty", argv: [tsc, "-p", empty] },
    { name: "tsc, app", argv: [tsc, "-p", app] },
  ];
}

function buildRows(size) {
  const titled = (name, to, goal, title = name) => ({ name, to, goal, title: `${size}: ${title}` });
  return [
    titled("floor", "node"),
    titled("build, cold", "floor", GOALS.cold[size]),
    titled("build, warm", "floor", GOALS.warm[size]),
    titled("build, nothing changed", "node", GOALS.unchanged),
    titled("build, one manifest changed", "node", GOALS.changed),
    titled("diff, nothing changed", "build, nothing changed", GOALS.sameDifference),
    titled("diff, all changed", "reading both", GOALS.difference, "diff where every definition changed"),
    titled("json-schema-to-typescript", "build, cold", undefined, "types alone by json-schema-to-typescript"),
    titled("ts-morph", "build, cold", undefined, "types alone by ts-morph"),
    titled("tsc, empty", undefined, undefined, "tsc over an empty project"),
    titled("tsc, app", "tsc, empty", GOALS.consumer, "tsc over an app that imports one role"),
  ];
}

function printRows(rows, found) {
  for (const { name, title, to, goal } of rows) {
    const { wall, cpu, rss } = found.get(name);
    printRow(title, { wall, cpu, rss, to, goal, ratio: to && wall / found.get(to).wall });
  }
}

function printRow(title, { wall, ratio, to, goal, cpu, rss }) {
  const number = (value, digits) => (value === undefined ? "" : value.toFixed(digits));
  const held = goal === undefined ? "" : `${goal} ${ratio <= goal ? "held" : "MISSED"}`;
  const cells = [
    title,
    number(wall, 1),
    number(ratio, to === "count" || to === "MB" ? 0 : 2),
    to ?? "",
    held,
    number(cpu, 0),
    number(rss, 0),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
