import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Measures commands against each other on a machine that others use too. Every round runs every command once, each
 * time in another order, so that a noisy minute hits all alike; what counts is the least wall time. Processor time
 * and memory come from rounds of their own, for asking costs time.
 *
 * A command is `{ name, argv, cwd?, prepare?, slow? }`: `argv[0]` is "node" or a native program; `prepare` isn't
 * timed; a slow one runs once.
 */
export function measure(commands, { rounds }) {
  const found = new Map(commands.map((c) => [c.name, { wall: Infinity, cpu: undefined, rss: undefined }]));
  for (let round = 0; round < rounds; round++) {
    for (const command of turned(commands, round)) {
      if (command.slow) continue;
      const row = found.get(command.name);
      row.wall = Math.min(row.wall, run(command));
    }
  }
  for (let round = 0; round < Math.min(rounds, 2); round++) {
    for (const command of commands) {
      if (!command.slow || round === 0) addUsage(command, found.get(command.name));
    }
  }
  return found;
}

/** Each round starts elsewhere, and every second one runs backwards: nobody always follows the same neighbour. */
function turned(commands, round) {
  const at = round % commands.length;
  const order = [...commands.slice(at), ...commands.slice(0, at)];
  return round % 2 === 0 ? order : order.toReversed();
}

function addUsage(command, row) {
  const folder = mkdtempSync(path.join(tmpdir(), "rolecall-usage-"));
  try {
    const file = path.join(folder, "usage");
    const wall = run(asking(command, file));
    if (command.slow) row.wall = Math.min(row.wall, wall);
    if (!existsSync(file)) return;
    const { cpu, rss } = readUsage(readFileSync(file, "utf8"));
    row.cpu = Math.min(row.cpu ?? Infinity, cpu);
    row.rss = Math.max(row.rss ?? 0, rss);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Node says it itself; of a native program only time(1) knows, where there is one. */
function asking(command, file) {
  const [program, ...rest] = command.argv;
  if (program === "node") {
    const argv = ["node", "--require", path.join(import.meta.dirname, "usage.cjs"), ...rest];
    return { ...command, argv, env: { BENCH_USAGE: file } };
  }
  if (!existsSync("/usr/bin/time")) return command;
  return { ...command, argv: ["/usr/bin/time", "-f", "%U %S %M", "-o", file, ...command.argv] };
}

function readUsage(text) {
  if (text.startsWith("{")) return JSON.parse(text);
  const [user, system, kilobytes] = text.trim().split("\n").at(-1).split(" ").map(Number);
  return { cpu: (user + system) * 1000, rss: kilobytes / 1024 };
}

/** Milliseconds. */
function run({ argv, cwd, env, prepare, name }) {
  prepare?.();
  const [program, ...rest] = argv;
  const file = program === "node" ? process.execPath : program;
  const options = { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"], maxBuffer: 1 << 26 };
  const start = process.hrtime.bigint();
  const ended = spawnSync(file, rest, options);
  const wall = Number(process.hrtime.bigint() - start) / 1e6;
  if (ended.status !== 0) {
    throw new Error(
      `${name} ended with ${ended.status ?? ended.signal ?? ended.error}: ${ended.stderr?.toString().slice(0, 2000)}`,
    );
  }
  return wall;
}
