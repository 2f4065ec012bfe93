import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordLine, RuntimeEvent } from "../runtime/index.ts";
import { movableClock } from "./support/generated-team.ts";
import { childrenNamed, harborProject, type Harbor } from "./support/harbor.ts";
import { isAlive, soon } from "./support/linked.ts";

/** Many calls at once while a server is killed: each has its one end and its one line, and no process is left. */

let harbor: Harbor;
beforeAll(async () => {
  harbor = await harborProject();
});
afterAll(() => harbor.remove());

const CALLS = 10_000;
const IN_FLIGHT = 32;
/** At these calls the server is killed; the second time it doesn't start again before a third event. */
const [KILLED, KILLED_IN_A_STORM, CALM] = [2_000, 5_000, 7_000];

test("10,000 calls, 32 in flight, a server killed twice: no call and no line lost, no process left", async () => {
  const [storm, pids, record] = ["storm", "pids", "calls.jsonl"].map((name) => path.join(harbor.dir, name));
  const events: RuntimeEvent[] = [];
  const clock = movableClock();
  const team = harbor.team({
    env: { CHILD: JSON.stringify({ dieIf: storm, pids }) },
    root: harbor.dir,
    record: record!,
    clock,
    on: (event) => void events.push(event),
  });
  const sailor = team.as("sailor");
  const kill = (): boolean => process.kill(pidsIn(pids!).at(-1)!, "SIGKILL");
  // One signal for all of them, as an agent's run has it.
  const { signal } = new AbortController();
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on("warning", warned);
  const settled = new Map<number, string>();
  let shut = false;
  let next = 0;
  const call = async (n: number): Promise<void> => {
    if (n === KILLED) kill();
    if (n === KILLED_IN_A_STORM) {
      writeFileSync(storm!, "");
      kill();
    }
    if (n === CALM) {
      rmSync(storm!);
      clock.skip(60_000);
    }
    const code = await sailor.$call("child", "echo", { n }, { signal }).then(
      ({ text }) => (text === `{"n":${n}}` ? "ok" : "another's answer"),
      (error: { code: string; message: string }) => {
        shut ||= error.message.startsWith("server `child` is down");
        return error.code;
      },
    );
    expect(settled.has(n)).toBe(false);
    settled.set(n, code);
    if (code === "ok") return;
    // An agent that is told to try later does something else meanwhile.
    if (n < CALM) clock.skip(50);
    await new Promise((resolve) => setTimeout(resolve, 2));
  };
  const worker = async (): Promise<void> => {
    while (next < CALLS) await call(next++);
  };
  const started = Date.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  expect(Date.now() - started).toBeLessThan(20_000);
  const alive = pidsIn(pids!).filter(isAlive);
  expect(alive).toHaveLength(1);
  await team.close();

  expect(settled.size).toBe(CALLS);
  const ends = [...settled.values()];
  const answered = ends.filter((end) => end === "ok").length;
  expect(new Set(ends)).toEqual(new Set(["ok", "server-unavailable"]));
  expect(answered).toBeGreaterThan(CALLS - (CALM - KILLED_IN_A_STORM) - 1_000);
  expect(shut).toBe(true);
  expect(settled.get(CALLS - 1)).toBe("ok");

  const lines = readFileSync(record!, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordLine);
  expect(lines).toHaveLength(CALLS);
  const recorded = new Map(lines.map((line) => [(line.args as { n: number }).n, line.status]));
  expect(recorded.size).toBe(CALLS);
  for (const [n, end] of settled) expect(recorded.get(n)).toBe(end === "ok" ? "ok" : "error");

  const types = events.map((event) => event.type);
  expect(types.filter((type) => type === "connected")).toHaveLength(3);
  expect(types.filter((type) => type === "down").length).toBeGreaterThanOrEqual(4);
  expect(types.lastIndexOf("up")).toBeGreaterThan(types.lastIndexOf("down"));

  await soon(() => !pidsIn(pids!).some(isAlive));
  expect(childrenNamed("fault-server")).toEqual([]);
  await soon(() => childrenNamed("while read").length === 0);
  process.off("warning", warned);
  expect(warnings).toEqual([]);
}, 40_000);

/** Every process that the server has been so far. */
function pidsIn(file: string): number[] {
  return readFileSync(file, "utf8").trim().split("\n").map(Number);
}
