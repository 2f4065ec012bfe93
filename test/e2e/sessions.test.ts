import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { AnySession } from "../support/generated-team.ts";
import { childrenNamed, harborProject, type Harbor } from "../support/harbor.ts";
import { isAlive, soon, startFault } from "../support/linked.ts";

/** How many processes a team has, and when: seen from outside. */

let harbor: Harbor;
beforeAll(async () => {
  harbor = await harborProject();
});
afterEach(() => harbor.goHome());
afterAll(() => harbor.remove());

async function pidOf(session: AnySession, server: string): Promise<number> {
  const { meta } = await session.$call(server, "seen", {});
  return (meta.raw as { structuredContent: { pid: number } }).structuredContent.pid;
}
const running = (): number[] => childrenNamed("fault-server").map(({ pid }) => pid);

describe.runIf(process.platform === "linux")("seen by the system", () => {
  test("a session starts nothing before its first call, and then what that call needs", async () => {
    const { sailor } = harbor.sail({ CHILD: "{}" });
    await sailor.$tools();
    expect(running()).toEqual([]);
    const pid = await pidOf(sailor, "steady");
    expect(running()).toEqual([pid]);
  });

  test("one process for a server, however many roles, sessions and calls at once; two teams have two", async () => {
    const flagship = await startFault({});
    const { sailor, captain, another } = harbor.sail({ FLAGSHIP: flagship.url });
    const sessions = [sailor, captain, another(), another(), sailor];
    const pids = new Set(await Promise.all(sessions.map((session) => pidOf(session, "steady"))));
    expect(pids.size).toBe(1);
    expect(running().filter((pid) => pid !== flagship.process.pid)).toEqual([...pids]);
    expect(pids).not.toContain(await pidOf(harbor.sail({}).sailor, "steady"));
  });
});

test("one for each session where the server keeps state, and it ends with its session", async () => {
  const { sailor, another } = harbor.sail({});
  const other = another();
  const [own, others] = await Promise.all([pidOf(sailor, "diary"), pidOf(other, "diary")]);
  expect(own).not.toBe(others);
  await other.$close();
  expect([own, others].map(isAlive)).toEqual([true, false]);
  expect(await pidOf(sailor, "diary")).toBe(own);
});

test("eager: connected without a call, as far as that is possible", async () => {
  const { sailor } = harbor.sail({}, { start: "eager" });
  await soon(() => sailor.$health()["steady"]!.state === "up");
  expect(sailor.$health()["steady"]!.state).toBe("up");
});
