import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RecordLine, RuntimeEvent } from "../../runtime/index.ts";
import { errorOf } from "../support/generated-team.ts";
import { harborProject, type Harbor } from "../support/harbor.ts";
import { soon, startFault } from "../support/linked.ts";

/** Servers that are down: what the others feel of it, what an agent is told, and how they come back. */

let harbor: Harbor;
beforeAll(async () => {
  harbor = await harborProject();
});
afterEach(() => harbor.goHome());
afterAll(() => harbor.remove());

const types = (events: readonly RuntimeEvent[]): string[] => events.map((event) => event.type);

async function goneServer(): Promise<{ readonly url: string; readonly port: number }> {
  const server = await startFault({});
  await server.kill();
  return server;
}

describe("the breaker", () => {
  test("three failures: then at once and without a connection, until one call tries and succeeds", async () => {
    const { url, port } = await goneServer();
    const { sailor, events, skip } = harbor.sail({ WEB: url });
    for (let i = 0; i < 3; i++) {
      await errorOf(sailor.$call("web", "hang", {}));
      skip(31_000);
    }
    expect(sailor.$health()["web"]).toMatchObject({ state: "down", retryInMs: expect.any(Number) });
    const log = harbor.newLog();
    await startFault({ port, log: log.file });
    skip(-20_000);
    for (let i = 0; i < 50; i++) {
      const error = await errorOf(sailor.$call("web", "echo", {}));
      expect(error.code).toBe("server-unavailable");
      expect(error.retryAfterMs).toBeGreaterThan(30_000);
      expect(error.advice).toMatch(
        /^server `web` is down: .*Use the notes instead\. The next try makes sense in \d\d s\.$/,
      );
    }
    expect(log.text()).toBe("");
    skip(100_000);
    const trial = await Promise.all(Array.from({ length: 5 }, () => sailor.$call("web", "echo", {}).catch(() => {})));
    expect(trial.filter(Boolean).length).toBeGreaterThan(0);
    expect((await sailor.$call("web", "echo", {})).text).toBe("{}");
    expect(types(events).at(-1)).toBe("up");
    expect(sailor.$health()["web"]).toMatchObject({ state: "up", retryInMs: 0 });
  });

  test("is the server's: other roles are told at once too, and other servers know nothing of it", async () => {
    const { url } = await goneServer();
    const { sailor, captain, skip } = harbor.sail({ WEB: url, FLAGSHIP: url });
    for (let i = 0; i < 3; i++) {
      await errorOf(captain.$call("flagship", "echo", {}));
      skip(31_000);
    }
    skip(-20_000);
    expect((await errorOf(captain.$call("flagship", "echo", {}))).message).toContain("is down");
    expect((await errorOf(sailor.$call("web", "echo", {}))).message).not.toContain("is down");
    await sailor.$call("steady", "echo", {});
  });
});

test("until the next try nobody tries: calls fail at once", async () => {
  const { url } = await goneServer();
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const { sailor, events } = harbor.sail({ WEB: url }, { clock });
  for (let i = 0; i < 20; i++)
    expect(await errorOf(sailor.$call("web", "echo", {}))).toMatchObject({
      code: "server-unavailable",
      retryAfterMs: expect.any(Number),
    });
  expect(types(events)).toEqual(["down"]);
});

describe("one that is down harms no other", () => {
  test("while one hangs at start and one at a call, the neighbour answers", async () => {
    const hanging = await startFault({ initialize: "hang" });
    const { sailor } = harbor.sail({ BRISK: hanging.url, CHILD: "{}" });
    await sailor.$call("steady", "echo", {});
    const others = { over: 0 };
    const stuck = [
      errorOf(sailor.$call("brisk", "echo", {})),
      errorOf(sailor.$call("child", "hang", {}, { timeoutMs: 600 })),
    ].map((call) => call.finally(() => (others.over += 1)));
    let answered = 0;
    for (; others.over === 0; answered++) await sailor.$call("steady", "echo", { answered });
    expect(answered).toBeGreaterThan(0);
    expect((await Promise.all(stuck)).map(({ code }) => code)).toEqual(["server-unavailable", "timeout"]);
  });

  test("all down: the session still works, and says so", async () => {
    const { url } = await goneServer();
    const env = { WEB: url, STREAM: url, BRISK: url, CHILD: '{"die":true}' };
    const { sailor, events } = harbor.sail(env);
    const ready = await sailor.$ready();
    expect({ ...ready }).toEqual({
      brisk: "skipped",
      child: "skipped",
      diary: "up",
      steady: "up",
      stream: "skipped",
      vault: "skipped",
      web: "skipped",
    });
    expect(types(events).filter((type) => type === "skipped")).toHaveLength(5);
    expect((await sailor.$tools()).length).toBeGreaterThan(40);
    for (const server of ["web", "stream", "brisk", "child"]) {
      const error = await errorOf(sailor.$call(server, "echo", {}));
      expect(error).toMatchObject({ code: "server-unavailable", server });
      expect(error.advice).toContain("Use the notes instead.");
      expect(sailor.$health()[server]).toMatchObject({
        state: "down",
        lastFailure: expect.stringMatching(/^(?:its?|the) /),
      });
    }
  });

  test("a missing variable fails its own server, by name", async () => {
    const { sailor } = harbor.sail({ CHILD: "{}" });
    expect(await errorOf(sailor.$call("web", "echo", {}))).toMatchObject({
      code: "missing-variable",
      message: expect.stringContaining("WEB"),
    });
    await sailor.$call("child", "echo", {});
  });

  test("without one that must connect a session doesn't start, and once it has started it goes on without it", async () => {
    const { url, port } = await goneServer();
    const lines: RecordLine[] = [];
    const { captain, skip } = harbor.sail({ FLAGSHIP: url }, { record: (line) => void lines.push(line) });
    const error = await errorOf(captain.$ready());
    expect(error).toMatchObject({ code: "server-unavailable", role: "captain", server: "flagship" });
    expect(error.advice).toContain("Use the notes instead.");
    skip(60_000);
    const refused = await errorOf(captain.$call("steady", "echo", {}));
    expect(refused).toMatchObject({ code: "server-unavailable", role: "captain", server: "flagship", retryable: true });
    expect(refused.advice).toMatch(
      /^role `captain` can't start without server `flagship`: flagship can't be reached: .*refused\. Use the notes instead\./,
    );
    expect(refused.retryAfterMs).toBeGreaterThan(0);
    expect(lines).toMatchObject([{ server: "steady", tool: "echo", status: "error", code: "server-unavailable" }]);
    const flagship = await startFault({ port });
    skip(60_000);
    await captain.$call("steady", "echo", {});
    expect(captain.$health()).toMatchObject({ flagship: { state: "up" } });
    await flagship.kill();
    expect((await errorOf(captain.$call("flagship", "echo", {}))).code).toBe("server-unavailable");
    await captain.$call("steady", "echo", {});
    expect({ ...(await errorOf(captain.$ready())) }).toMatchObject({ server: "flagship" });
  });

  test("in the lazy start too: the first call connects who must, and is the only one that waits for it", async () => {
    const { url } = await startFault({});
    const { captain, events } = harbor.sail({ FLAGSHIP: url });
    await captain.$call("steady", "echo", {});
    expect(events.flatMap((event) => (event.type === "connected" ? event.server : [])).toSorted()).toEqual([
      "flagship",
      "steady",
    ]);
    const gone = harbor.sail({ FLAGSHIP: (await goneServer()).url });
    expect(await errorOf(gone.captain.$call("steady", "echo", {}))).toMatchObject({ server: "flagship" });
    expect(await errorOf(gone.captain.$call("steady", "shell", {}))).toMatchObject({ code: "tool-unknown" });
    await gone.sailor.$call("steady", "echo", {});
  });
});

describe("the agent is told", () => {
  test("by the hooks of a host, in the words of the error", async () => {
    const { url } = await goneServer();
    const { sailor } = harbor.sail({ WEB: url });
    const error = await errorOf(sailor.$call("web", "echo", {}));
    const told = await sailor.$hooks.onPostToolUseFailure({ toolName: "web-echo", error });
    expect(told?.additionalContext).toMatch(/web.*Use the notes instead\. The next try makes sense in \d+ s\.$/s);
  });

  test("by `$require`, before it plans with a server", async () => {
    const { url, port } = await goneServer();
    const { sailor, skip } = harbor.sail({ WEB: url });
    expect((await errorOf(sailor.$require("web"))).advice).toContain("Use the notes instead.");
    await startFault({ port });
    skip(60_000);
    await sailor.$require("web");
    expect(await errorOf(sailor.$require("flagship"))).toMatchObject({ code: "tool-denied" });
  });

  test("and a connection that is lost between calls is told by an event, with the time of the next try", async () => {
    const server = await startFault({});
    const { sailor, events } = harbor.sail({ WEB: server.url });
    await sailor.$call("web", "echo", {});
    await server.kill();
    await soon(() => types(events).includes("down"));
    expect(events.at(-1)).toMatchObject({ type: "down", server: "web", retryInMs: expect.any(Number) });
  });
});
