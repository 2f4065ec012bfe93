import { createServer, type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RecordLine, RuntimeEvent } from "../../runtime/index.ts";
import { errorOf, generatedProject, movableClock, type GeneratedProject } from "../support/generated-team.ts";
import { soon, startEverything } from "../support/linked.ts";
import { recordingProxy, type RecordingProxy } from "./recording-proxy.ts";

/**
 * The reference server `everything` over both HTTP transports, as real processes behind a proxy that records: captured
 * over the wire, built, and put to work as an app does.
 */

const FILES = {
  "rolecall.yaml": "version: 1\nproject: wires\n",
  "mcp/team.yaml": `
servers:
  streamable:
    connect: [{ http: "\${STREAMABLE}" }]
    hints: { trigger-long-running-operation: { readOnly: false, idempotent: false } }
    whenDown: Go on without it.
  events:
    connect: [{ sse: "\${EVENTS}" }]
    manifest: streamable
    hints: { trigger-long-running-operation: { readOnly: false, idempotent: false } }
    whenDown: Go on without it.
roles:
  tester:
    tools:
      streamable: { include: [echo, get-sum, trigger-long-running-operation], ask: [get-sum] }
      events: [echo, trigger-long-running-operation]
policies:
  - { name: no looking into the environment, roles: ["*"], tools: ["*.get-env"], effect: deny }
`,
};

const LONG = "trigger-long-running-operation";

let project: GeneratedProject;
let proxies: { readonly streamable: RecordingProxy; readonly events: RecordingProxy };
const ports = { streamable: 0, events: 0 };
const MODES = { streamable: "streamableHttp", events: "sse" } as const;
type Name = keyof typeof MODES;
const PATHS = { streamable: "mcp", events: "sse" } as const;

const env = (): Record<string, string> =>
  Object.fromEntries(
    (["streamable", "events"] as const).map((name) => [
      name.toUpperCase(),
      `http://127.0.0.1:${proxies[name].port}/${PATHS[name]}`,
    ]),
  );
const start = (name: Name) => startEverything(MODES[name], ports[name]);

beforeAll(async () => {
  for (const name of ["streamable", "events"] as const) ports[name] = await freePort();
  proxies = { streamable: await recordingProxy(ports.streamable), events: await recordingProxy(ports.events) };
  const server = await start("streamable");
  project = await generatedProject(FILES, [["capture", "streamable", "--accept"], ["build"]], env);
  await server.kill();
});
afterAll(async () => {
  await Promise.all([proxies.streamable.close(), proxies.events.close()]);
  project.remove();
});

let lines: RecordLine[];
let events: RuntimeEvent[];
let ended: (() => Promise<void>)[];
beforeEach(() => {
  lines = [];
  events = [];
  ended = [];
});
// Before the servers end, so that sessions are ended as they should be.
afterEach(async () => void (await Promise.all(ended.map((end) => end()))));

function work() {
  const clock = movableClock();
  const team = project.team({
    env: env(),
    clock,
    record: (line) => void lines.push(line),
    on: (event) => void events.push(event),
  });
  ended.push(() => team.close());
  return { tester: team.as("tester"), skip: clock.skip, close: () => team.close() };
}
const types = (): string[] => events.map((event) => event.type);

describe.each(["streamable", "events"] as const)("%s", (name) => {
  const say = (tester: ReturnType<typeof work>["tester"], message: string) => tester[name]!["echo"]!({ message });

  test("an allowed call answers; what is denied, asked or unknown sends no byte", async () => {
    await start(name);
    const { tester } = work();
    expect((await say(tester, "first")).text).toContain("first");
    expect(lines).toMatchObject([
      { status: "ok", transport: name === "events" ? "sse" : "http", http_status: name === "events" ? null : 200 },
    ]);
    if (name === "streamable") expect(lines[0]!.session_id).toMatch(/^[0-9a-f-]{36}$/);
    await quiet(proxies[name]);
    const before = [proxies[name].bytes(), proxies[name].requests.length];
    const { $call } = tester;
    expect(await errorOf($call(name, "get-env", {}))).toMatchObject({ code: "tool-denied" });
    expect(await errorOf($call(name, "echo2", {}))).toMatchObject({ code: "tool-unknown" });
    expect(await errorOf($call(name, "echo", { message: 1 }))).toMatchObject({ code: "argument-refused" });
    if (name === "streamable")
      expect(await errorOf($call(name, "get-sum", { a: 1, b: 2 }))).toMatchObject({ code: "ask-refused" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([proxies[name].bytes(), proxies[name].requests.length]).toEqual(before);
    await say(tester, "last");
    expect(proxies[name].bytes()).toBeGreaterThan(before[0]!);
    expect(["get-env", "echo2", "get-sum"].map((tool) => proxies[name].calls(tool))).toEqual([0, 0, 0]);
  });

  test("killed during a call: an error and no hang; then at once; restarted: it is met anew", async () => {
    const server = await start(name);
    const { tester, skip } = work();
    await say(tester, "hi");
    const long = errorOf(tester[name]![LONG]!({ duration: 25, steps: 2 }));
    await soon(() => proxies[name].calls(LONG) > 0);
    const killed = Date.now();
    await server.kill();
    const error = await long;
    expect(error).toMatchObject({ code: "server-unavailable", retryable: false });
    expect(error.advice).toContain("Go on without it.");
    expect(Date.now() - killed).toBeLessThan(3_000);
    await soon(() => tester.$health()[name]!.state === "down");
    const refused = Date.now();
    await errorOf(say(tester, "nobody is there"));
    expect(await errorOf(say(tester, "still nobody"))).toMatchObject({ code: "server-unavailable" });
    expect(Date.now() - refused).toBeLessThan(2_000);
    await start(name);
    skip(60_000);
    expect((await say(tester, "back")).text).toContain("back");
    expect(types().at(-1)).toBe("up");
  });
});

describe("connections that are cut while both sides live", () => {
  const longCalls = (name: Name) => proxies[name].calls(LONG);

  // The reference server lets its stream be taken up again and then sends nothing on it: the call's time ends the wait.
  test("streamable: the call waits no longer than its time, and the next one is answered", async () => {
    await start("streamable");
    const { tester } = work();
    const [calls, answered] = [longCalls("streamable"), proxies.streamable.answered(LONG)];
    const long = errorOf(tester["streamable"]![LONG]!({ duration: 1, steps: 2 }, { timeoutMs: 1_500 }));
    await soon(() => proxies.streamable.answered(LONG) > answered);
    proxies.streamable.cut();
    expect((await long).code).toMatch(/^(timeout|server-unavailable)$/);
    expect((await tester["streamable"]!["echo"]!({ message: "again" })).text).toContain("again");
    expect(longCalls("streamable")).toBe(calls + 1);
  });

  test("events: an error and no hang, since its answer has no other way; the next call is answered", async () => {
    await start("events");
    const { tester } = work();
    await tester["events"]!["echo"]!({ message: "hi" });
    const calls = longCalls("events");
    const long = errorOf(tester["events"]![LONG]!({ duration: 25, steps: 2 }));
    await soon(() => longCalls("events") > calls);
    proxies.events.cut();
    expect(await long).toMatchObject({ code: "server-unavailable", retryable: false });
    expect((await tester["events"]!["echo"]!({ message: "again" })).text).toContain("again");
    expect(longCalls("events")).toBe(calls + 1);
    expect(types()).toEqual(["connected", "down", "connected", "up"]);
  });
});

describe("a session that the reference server doesn't know any more", () => {
  test("it was ended by somebody else: 400, renewed, and the call is answered", async () => {
    await start("streamable");
    const { tester, close } = work();
    await tester["streamable"]!["echo"]!({ message: "hi" });
    const session = lines[0]!.session_id!;
    await fetch(env()["STREAMABLE"]!, { method: "DELETE", headers: { "mcp-session-id": session } });
    expect((await tester["streamable"]!["echo"]!({ message: "renewed" })).text).toContain("renewed");
    const renewed = lines[1]!.session_id!;
    expect(lines[1]).toMatchObject({ status: "ok", session_id: expect.not.stringMatching(session) });
    // The new one is the server's to keep until we say that it is over.
    await close();
    expect(proxies.streamable.requests.at(-1)).toMatchObject({ method: "DELETE", session: renewed });
  });

  test("another process took its place behind a proxy that held the streams: 400, renewed", async () => {
    const server = await start("streamable");
    const { tester } = work();
    await tester["streamable"]!["echo"]!({ message: "hi" });
    const session = lines[0]!.session_id!;
    proxies.streamable.holdStreams();
    await server.kill();
    await start("streamable");
    expect((await tester["streamable"]!["echo"]!({ message: "renewed" })).text).toContain("renewed");
    const stale = proxies.streamable.requests.filter((one) => one.session === session && one.body.includes("renewed"));
    expect(stale).toHaveLength(1);
    expect(types()).toEqual(["connected", "down", "connected", "up"]);
  });
});

/** Until nothing has come for a moment. */
async function quiet(proxy: RecordingProxy): Promise<void> {
  for (let bytes = -1; bytes !== proxy.bytes(); await new Promise((resolve) => setTimeout(resolve, 60)))
    bytes = proxy.bytes();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
