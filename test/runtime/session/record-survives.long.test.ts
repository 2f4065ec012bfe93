import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  openSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RecordLine } from "../../../runtime/api.ts";
import { createRecorder } from "../../../runtime/session/record.ts";
import { appendLines } from "../../../runtime/session/record-file.ts";
import { BUNDLED, FAULT_SERVER } from "../../support/root.ts";

/** Records outlive the process that wrote them, however it ends, and processes that write one file don't harm each other. */

const made = path.join(BUNDLED, `record-${process.pid}`);
const folder = mkdtempSync(path.join(tmpdir(), "rolecall-survives-"));
let files = 0;
const newFile = (): string => path.join(folder, `r${(files += 1)}`, "calls.jsonl");

beforeAll(async () => {
  const entryPoints = ["recording-app", "writing-app"].map((name) => path.join(import.meta.dirname, `${name}.ts`));
  const options = { packages: "external", platform: "node", format: "esm", target: "node20.19" } as const;
  await build({
    ...options,
    bundle: true,
    splitting: true,
    entryPoints,
    outdir: made,
    outExtension: { ".js": ".mjs" },
  });
});
afterAll(() => {
  rmSync(made, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

const linesOf = (file: string): RecordLine[] =>
  (existsSync(file) ? readFileSync(file, "utf8") : "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordLine);

interface Outcome {
  readonly ended: readonly [code: number | null, signal: string | null];
  /** Of each call that the app saw end. */
  readonly times: readonly number[];
  readonly lines: readonly RecordLine[];
}

/** Runs it, sends the signal once the first lines are in the file and calls come and go, and waits for its end. */
async function runApp(traffic: "held" | "refused", how: string, signal?: NodeJS.Signals): Promise<Outcome> {
  const file = newFile();
  const args = [path.join(made, "recording-app.mjs"), file, FAULT_SERVER, traffic, how];
  const told = `${file.slice(0, -".jsonl".length)}.told`;
  mkdirSync(path.dirname(told), { recursive: true });
  const out = openSync(told, "w");
  const app = spawn(process.execPath, args, { stdio: ["ignore", out, "ignore"] });
  // On a busy machine the first lines are written after few calls.
  const isInTraffic = (): boolean =>
    (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0 && readFileSync(told, "utf8").split("\n").length > 30;
  const watch = signal && setInterval(() => isInTraffic() && app.kill(signal), 10);
  const ended = (await once(app, "close")) as [number | null, string | null];
  clearInterval(watch);
  closeSync(out);
  const said = readFileSync(told, "utf8");
  const times = said
    .trimEnd()
    .split("\n")
    .map((line) => Number(line.split(" ")[1]));
  return { ended, times, lines: linesOf(file) };
}

/** Every call that has ended has its line, in order; the one that was going on may have one too. */
function expectAll({ times, lines }: Outcome, going = 1): void {
  expect(times.length).toBeGreaterThan(20);
  expect(lines.map(({ args }) => (args as { n: number }).n)).toEqual(lines.map((_, n) => n));
  expect(lines.length).toBeGreaterThanOrEqual(times.length);
  expect(lines.length).toBeLessThanOrEqual(times.length + going);
}

describe.each(["held", "refused"] as const)("an app whose calls are %s", (traffic) => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s: ends as it would, and no line is lost", async (signal) => {
    const outcome = await runApp(traffic, "wait", signal);
    expect(outcome.ended).toEqual([null, signal]);
    expectAll(outcome);
  });

  test.each([
    ["exit", 3],
    ["throw", 1],
    ["reject", 1],
    ["end", 0],
  ] as const)("%s: no line is lost", async (how, code) => {
    const outcome = await runApp(traffic, how);
    expect(outcome.ended).toEqual([code, null]);
    expectAll(outcome);
  });

  test("SIGKILL: what came in the last moment, and no half line", async () => {
    const { times, lines } = await runApp(traffic, "wait", "SIGKILL");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.map(({ args }) => (args as { n: number }).n)).toEqual(lines.map((_, n) => n));
    const lost = times.slice(lines.length);
    expect(times.at(-1)! - (lost[0] ?? times.at(-1)!)).toBeLessThan(5_000);
  });
});

test.each([
  ["listen", 5],
  ["close", 6],
] as const)("an app that listens to the signal itself (%s) decides, and no line is lost", async (how, code) => {
  const outcome = await runApp("held", how, "SIGTERM");
  expect(outcome.ended).toEqual([code, null]);
  expectAll(outcome, 3);
});

test("a project's folder that was moved isn't made anew for its record", async () => {
  const root = path.join(folder, "moved");
  const file = path.join(root, ".runs", "calls.jsonl");
  mkdirSync(root);
  const failures: unknown[] = [];
  const recorder = createRecorder(file, "r", (error) => failures.push(error), root)!;
  renameSync(root, `${root}-elsewhere`);
  recorder.write({ tool: "a" } as RecordLine);
  await recorder.close();
  expect(existsSync(root)).toBe(false);
  expect(failures).toEqual([expect.objectContaining({ code: "ENOENT" })]);
});

describe("a signal in this process", () => {
  test("is listened to from the first line to the end, first of all, and only then", () => {
    const before = process.listeners("SIGTERM");
    const recorder = createRecorder(newFile(), "r", () => {})!;
    expect(process.listeners("SIGTERM")).toEqual(before);
    const own = (): void => {};
    process.on("SIGTERM", own);
    recorder.write({ tool: "a" } as RecordLine);
    expect(process.listeners("SIGTERM")).toHaveLength(before.length + 2);
    expect(process.listeners("SIGTERM").at(-1)).toBe(own);
    recorder.close();
    process.off("SIGTERM", own);
    expect(process.listeners("SIGTERM")).toEqual(before);
  });

  test("writes what there is, and leaves the rest to the app's own listener", async () => {
    const file = newFile();
    let heard = 0;
    const own = (): void => void (heard += 1);
    process.on("SIGHUP", own);
    const recorder = createRecorder(file, "r", () => {})!;
    recorder.write({ tool: "a" } as RecordLine);
    process.emit("SIGHUP", "SIGHUP");
    expect([heard, linesOf(file).length]).toEqual([1, 1]);
    await new Promise((resolve) => setImmediate(resolve));
    recorder.write({ tool: "b" } as RecordLine);
    process.emit("SIGHUP", "SIGHUP");
    expect([heard, linesOf(file).length]).toEqual([2, 2]);
    process.off("SIGHUP", own);
    recorder.close();
  });
});

describe("several processes", () => {
  test("write one record through rotations: each line is whole, and there once", async () => {
    const file = newFile();
    const writers = [1, 2, 3, 4].map(() =>
      spawn(process.execPath, [path.join(made, "writing-app.mjs"), file, "1500", String(240_000)], { stdio: "ignore" }),
    );
    const codes = await Promise.all(writers.map(async (one) => (await once(one, "exit"))[0] as number));
    expect(codes).toEqual([0, 0, 0, 0]);
    const names = readdirSync(path.dirname(file)).toSorted();
    expect(names.length).toBeGreaterThan(2);
    const lines = names.flatMap((name) => linesOf(path.join(path.dirname(file), name)));
    const seen = new Set(lines.map((line) => `${line.run_id} ${JSON.stringify(line.args)}`));
    expect([lines.length, seen.size]).toEqual([6_000, 6_000]);
  });

  test("one that died while it moved the files holds up nobody for long", () => {
    const file = newFile();
    mkdirSync(`${file}.rotating`, { recursive: true });
    appendLines(file, "1\n", 3);
    appendLines(file, "2\n", 3);
    expect(readFileSync(file, "utf8")).toBe("1\n2\n");
    const old = Date.now() / 1000 - 60;
    utimesSync(`${file}.rotating`, old, old);
    appendLines(file, "3\n", 3);
    expect([readFileSync(file, "utf8"), readFileSync(`${file}.1`, "utf8")]).toEqual(["3\n", "1\n2\n"]);
    expect(existsSync(`${file}.rotating`)).toBe(false);
  });

  test("one that was killed while it wrote costs its own line and no other", () => {
    const file = newFile();
    appendLines(file, '{"n":1}\n');
    appendFileSync(file, '{"n":2,"ha');
    appendLines(file, '{"n":3}\n');
    expect(readFileSync(file, "utf8")).toBe('{"n":1}\n{"n":2,"ha\n{"n":3}\n');
  });
});
