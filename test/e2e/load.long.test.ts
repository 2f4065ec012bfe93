import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordLine, RuntimeEvent } from "../../runtime/index.ts";
import { movableClock, type AnySession } from "../support/generated-team.ts";
import { childrenNamed, harborProject, type Harbor } from "../support/harbor.ts";
import { isAlive, soon } from "../support/linked.ts";

/** Many calls at once while a server is killed: each has its one end and its one line, and no process is left. */

let harbor: Harbor;
const warnings: Error[] = [];
const warned = (warning: Error): void => void warnings.push(warning);
beforeAll(async () => {
  harbor = await harborProject();
  process.on("warning", warned);
});
afterAll(() => {
  process.off("warning", warned);
  harbor.remove();
});

const CALLS = 10_000;
const IN_FLIGHT = 32;
/** An agent that is told to try later does something else meanwhile. */
const PAUSE_MS = 30;

/** What happens to the server, from a certain call on and once it is due. */
interface Act {
  readonly from: number;
  due(so: Far): boolean;
  happens(): void;
}

interface Far {
  /** How each call ended, by its number. */
  readonly ends: Map<number, string>;
  /** Calls since the last act. */
  answered: number;
  /** Somebody was told that the breaker is open. */
  shut: boolean;
}

test("10,000 calls, 32 in flight, a server killed twice: no call and no line lost, no process left", async () => {
  const [storm = "", pids = "", record = ""] = ["storm", "pids", "calls.jsonl"].map((name) =>
    path.join(harbor.dir, name),
  );
  const clock = movableClock();
  const { sailor, events, close } = harbor.sail({ CHILD: JSON.stringify({ dieIf: storm, pids }) }, { record, clock });
  const kill = (): boolean => process.kill(pidsIn(pids).at(-1)!, "SIGKILL");
  const acts: readonly Act[] = [
    { from: 2_000, due: ({ answered }) => answered > 0, happens: kill },
    {
      from: 4_000,
      due: ({ answered }) => answered > 0,
      happens() {
        writeFileSync(storm, "");
        kill();
      },
    },
    {
      from: 5_000,
      due: ({ shut }) => shut,
      happens() {
        rmSync(storm);
        clock.skip(60_000);
      },
    },
  ];
  const started = Date.now();
  const { ends, shut } = await callThrough(sailor, acts, clock.skip);
  expect(Date.now() - started).toBeLessThan(20_000);
  expect(pidsIn(pids).filter(isAlive)).toHaveLength(1);
  await close();

  expect(shut).toBe(true);
  expect(new Set(ends.values())).toEqual(new Set(["ok", "server-unavailable"]));
  expect([...ends.values()].filter((end) => end === "ok").length).toBeGreaterThan(CALLS / 2);
  expect(ends.get(CALLS - 1)).toBe("ok");
  expectRecorded(record, ends);
  expectComeBack(events);

  await soon(() => !pidsIn(pids).some(isAlive));
  expect(childrenNamed("fault-server")).toEqual([]);
  await soon(() => childrenNamed("while read").length === 0);
  expect(warnings).toEqual([]);
}, 40_000);

/** All calls, by so many workers; each call ends once. */
async function callThrough(sailor: AnySession, acts: readonly Act[], skip: (ms: number) => void): Promise<Far> {
  // One signal for all of them, as an agent's run has it.
  const { signal } = new AbortController();
  const far: Far = { ends: new Map(), answered: 0, shut: false };
  const toCome = [...acts];
  let next = 0;
  const call = async (n: number): Promise<void> => {
    if (toCome[0] !== undefined && n >= toCome[0].from && toCome[0].due(far)) {
      far.answered = 0;
      toCome.shift()!.happens();
    }
    const end = await sailor.$call("child", "echo", { n }, { signal }).then(
      ({ text }) => (text === `{"n":${n}}` ? "ok" : "another's answer"),
      (error: { code: string; message: string }) => {
        far.shut ||= error.message.startsWith("server `child` is down");
        return error.code;
      },
    );
    expect(far.ends.has(n)).toBe(false);
    far.ends.set(n, end);
    if (end === "ok") return void (far.answered += 1);
    if (toCome.length > 0) skip(50);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  };
  const worker = async (): Promise<void> => {
    while (next < CALLS) await call(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  expect(toCome).toEqual([]);
  expect(far.ends.size).toBe(CALLS);
  return far;
}

/** Each call once, with the end that its caller saw. */
function expectRecorded(file: string, ends: ReadonlyMap<number, string>): void {
  const texts = readFileSync(file, "utf8").trimEnd().split("\n");
  const lines = texts.map((text) => JSON.parse(text) as RecordLine);
  expect(lines).toHaveLength(CALLS);
  const recorded = new Map(lines.map(({ args, status }) => [(args as { n: number }).n, status]));
  expect(recorded.size).toBe(CALLS);
  for (const [n, end] of ends) expect(recorded.get(n)).toBe(end === "ok" ? "ok" : "error");
}

/** Connected, and again after each time that it was killed. */
function expectComeBack(events: readonly RuntimeEvent[]): void {
  const types = events.map((event) => event.type);
  expect(types.filter((type) => type === "connected")).toHaveLength(3);
  expect(types.filter((type) => type === "down").length).toBeGreaterThanOrEqual(4);
  expect(types.lastIndexOf("up")).toBeGreaterThan(types.lastIndexOf("down"));
}

/** Every process that the server has been so far. */
function pidsIn(file: string): number[] {
  return readFileSync(file, "utf8").trim().split("\n").map(Number);
}
