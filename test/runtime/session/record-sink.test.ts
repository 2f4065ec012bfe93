import { afterEach, expect, test, vi } from "vitest";
import type { RecordLine, RuntimeEvent, TeamOptions } from "../../../runtime/api.ts";
import { fakeClock, fakeRole, fakeServer, fakeTeam, settled } from "../../support/fake-link.ts";

/** A record that an app keeps itself: what its sink is given, and that no call waits for it or fails with it. */

afterEach(() => void vi.useRealTimers());

function start(record: TeamOptions["record"]) {
  const github = fakeServer("github", { list: { readOnly: true } });
  const role = fakeRole("tester", [[github, { tools: { list: "allow" } }]]);
  const { as, team, events } = fakeTeam([github], [role], { record, run: "r1", clock: fakeClock(true) });
  const session = as("tester");
  return { team, failures: () => failuresIn(events), call: (n: unknown) => session.$call("github", "list", { n }) };
}

function failuresIn(events: readonly RuntimeEvent[]): string[] {
  return events.flatMap((event) => (event.type === "hook-failed" ? `${event.hook}: ${event.why}` : []));
}

const numberOf = ({ args }: RecordLine) => (args as { n: unknown }).n;

test("lines come one after the other, in order, however long one takes", async () => {
  const seen: unknown[] = [];
  let [atOnce, most] = [0, 0];
  const write = async (line: RecordLine): Promise<void> => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setTimeout(resolve, numberOf(line) === 0 ? 20 : 0));
    seen.push(numberOf(line));
    atOnce--;
  };
  const { call, team } = start({ write, flush: () => void seen.push("flush") });
  await Promise.all([0, 1, 2, 3].map(call));
  expect(seen).toEqual([]);
  await team.close();
  expect(seen).toEqual([0, 1, 2, 3, "flush"]);
  expect(most).toBe(1);
});

test("`close()` waits for `flush`, which is there or not", async () => {
  const seen: string[] = [];
  const flush = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    seen.push("flushed");
  };
  const one = start({ write: () => {}, flush });
  await one.team.close();
  expect(seen).toEqual(["flushed"]);
  const other = start({ write: () => {} });
  await other.call(1);
  await other.team.close();
  expect([...one.failures(), ...other.failures()]).toEqual([]);
});

test("one that throws, or rejects, fails no call and is told once, until it works again", async () => {
  let n = 0;
  const write = (): unknown => {
    n++;
    if (n === 1) throw new Error("away");
    return n === 2 || n === 4 ? Promise.reject(new Error(`away ${n}`)) : undefined;
  };
  const { call, team, failures } = start({ write, flush: () => Promise.reject(new Error("no flush")) });
  for (const i of [1, 2, 3, 4]) await call(i);
  await team.close();
  expect(n).toBe(4);
  expect(failures()).toEqual(["record: away", "record: away 4"]);
});

test("`flush` that fails is told", async () => {
  const { call, team, failures } = start({
    write: () => {},
    flush: () => {
      throw new Error("no flush");
    },
  });
  await call(1);
  await team.close();
  expect(failures()).toEqual(["record: no flush"]);
});

test("what hangs keeps `close()` for 5 s, and no call at all", async () => {
  vi.useFakeTimers();
  const { call, team, failures } = start({ write: () => new Promise(() => {}) });
  await call(1);
  await call(2);
  let isOver = false;
  const closing = team.close().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(4_900);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  await closing;
  expect(failures()).toEqual(["record: it hasn't finished 5 s after the end"]);
});

test("of a slow one the oldest lines go, and that is told once", async () => {
  const seen: number[] = [];
  const doors: (() => void)[] = [];
  const write = (line: RecordLine): Promise<void> => {
    seen.push(Number.parseInt(numberOf(line) as string, 10));
    return new Promise((resolve) => doors.push(resolve));
  };
  const { call, team, failures } = start({ write });
  for (let i = 0; i < 200; i++) await call(`${i}`.padEnd(60_000, "."));
  expect(failures()).toEqual(["record: it takes lines more slowly than they come: the oldest that wait are lost"]);
  const closing = team.close();
  for (; doors.length > 0; await settled()) doors.shift()!();
  await closing;
  const [first, ...last] = seen;
  expect(first).toBe(0);
  expect(last.length).toBeGreaterThan(100);
  expect(last).toEqual(last.map((_, i) => 200 - last.length + i));
  expect(last[0]).toBeGreaterThan(1);
});

test("a line that comes after the end is written and flushed all the same", async () => {
  const seen: unknown[] = [];
  const { call, team } = start({
    write: (line) => void seen.push(numberOf(line)),
    flush: () => void seen.push("flush"),
  });
  const late = call(1);
  await team.close();
  await late.catch(() => {});
  await settled();
  expect(seen).toEqual(seen[0] === 1 ? [1, "flush"] : ["flush", 1, "flush"]);
});
