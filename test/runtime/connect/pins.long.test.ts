import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkFailure } from "../../../runtime/connect/failure.ts";
import type { JsonValue } from "../../../runtime/contract.ts";
import type { ServerData } from "../../../runtime/server-data.ts";
import { fault, http, open, pinsOf, serverData, soon, startFault, type Opened } from "../../support/linked.ts";
import { TOOLS } from "../../support/faults/tools.mjs";

/** The live list against the pins, at each connection and whenever it may have changed. */

const TRANSPORTS = ["stdio", "http", "sse"] as const;

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "rolecall-pins-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function opened(over: string, config: object = {}, more: Partial<ServerData> = {}): Promise<Opened> {
  if (over === "stdio") return open(serverData([fault(config)], more));
  const { url } = await startFault({ over, ...config });
  return open(serverData([over === "sse" ? { kind: "sse", url: [url], headers: [] } : http(url)], more));
}

const changedTools = ({ events }: Opened) => events.flatMap((event) => (event.type === "changed" ? [event.tool] : []));

describe.each(TRANSPORTS)("over %s", (over) => {
  test("a tool whose description changes is refused from the notice on, the others aren't", async () => {
    const link = await opened(over);
    await link.call("echo");
    await link.call("change", { describe: "slow" });
    // Over HTTP the notice comes over another stream than the answer.
    await soon(() => link.link.changed("slow") !== undefined);
    const error = await link.failure("slow", { ms: 1 });
    expect(error).toMatchObject({ code: "tool-changed", server: "faulty", tool: "slow", retryable: false });
    expect(error.message).toBe(
      "faulty.slow has changed: its definition isn't the one that was captured. Look at it with `rolecall capture faulty`",
    );
    expect(link.link.changed("slow")).toBe("its definition isn't the one that was captured");
    expect(link.link.changed("echo")).toBeUndefined();
    await link.call("echo");
    expect(changedTools(link)).toEqual(["slow"]);
    expect((await link.call("seen")).methods).toMatchObject({ initialize: 1, "tools/list": 2 });
  });

  test("a notice holds calls until the list is compared", async () => {
    const link = await opened(over, { listDelay: 1_000 });
    await link.call("change", { describe: "echo" });
    await soon(() => link.link.state === "up");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = Date.now();
    expect(await link.failure("echo")).toMatchObject({ code: "tool-changed" });
    expect(Date.now() - started).toBeGreaterThan(150);
  });
});

test("every page is read", async () => {
  const link = await opened("stdio", { pageSize: 3 });
  const { lists } = await link.call("seen");
  expect(lists).toBe(Math.ceil(TOOLS.length / 3));
  expect(TOOLS.filter(({ name }) => link.link.changed(name) !== undefined)).toEqual([]);
});

test("a list that doesn't end is an error, and no call goes out", async () => {
  const link = await opened("stdio", { neverEnds: true });
  expect((await link.failure("echo")).message).toBe("faulty can't be reached: its list of tools doesn't end");
});

test("a tool that is gone, and one listed twice", async () => {
  const link = await opened("stdio");
  await link.call("change", { remove: "slow", add: "echo" });
  expect(await link.failure("slow")).toMatchObject({ code: "tool-changed" });
  expect(link.link.changed("slow")).toBe("the server doesn't list it any more");
  expect(link.link.changed("echo")).toBe("the server lists two tools of this name");
});

test("a new tool is nothing to a role", async () => {
  const link = await opened("stdio");
  await link.call("change", { add: "brand_new" });
  await link.call("echo");
  expect(changedTools(link)).toEqual([]);
});

test("a new process is compared before it gets a call", async () => {
  const tools = pinsOf(TOOLS.map((tool) => (tool.name === "echo" ? { ...tool, description: "As captured." } : tool)));
  const link = await opened("stdio", {}, { tools });
  expect(await link.failure("echo")).toMatchObject({ code: "tool-changed" });
  await link.failure("die");
  link.skip(1_000);
  expect(await link.failure("echo")).toMatchObject({ code: "tool-changed" });
  expect((await link.call("seen")).methods["tools/call"]).toBe(1);
  expect(changedTools(link)).toEqual(["echo"]);
});

test("what a server says while its own stream was away isn't missed", async () => {
  const link = await opened("http");
  await link.call("echo");
  await link.call("change", { describe: "echo", quiet: true });
  await link.call("echo");
  await link.call("reload");
  await soon(() => link.link.changed("echo") !== undefined);
  expect(await link.failure("echo")).toMatchObject({ code: "tool-changed" });
});

test.each([120, 500])("nor what it says before its stream is there, after %i ms", async (streamDelay) => {
  const link = await opened("http", { streamDelay });
  await link.call("change", { describe: "echo" });
  await soon(() => link.link.changed("echo") !== undefined);
  expect(changedTools(link)).toEqual(["echo"]);
});

test("a tool without a pin is callable, and said once a connection", async () => {
  const echo = { ...serverData([]).tools["echo"]!, digest: null };
  const link = await opened("stdio", {}, { tools: { ...serverData([]).tools, echo } });
  await link.call("echo");
  await link.call("change", { describe: "echo" });
  await link.call("echo");
  const unpinned = { type: "unpinned", server: "faulty", tool: "echo" };
  expect(link.events.filter((event) => event.type === "unpinned")).toEqual([unpinned]);
  await link.failure("die");
  await link.call("echo");
  expect(link.events.filter((event) => event.type === "unpinned")).toEqual([unpinned, unpinned]);
});

describe("a tool that the manifest doesn't have", () => {
  const newTools = (link: Awaited<ReturnType<typeof opened>>) =>
    link.events.flatMap((event) => (event.type === "new-tool" ? event.tool : []));

  test("is told, once, from the start and when it comes", async () => {
    const { echo, seen, ...rest } = serverData([]).tools;
    const link = await opened("stdio", {}, { tools: rest, notHeld: ["seen"] });
    await link.call("slow", { ms: 1 });
    expect(newTools(link)).toEqual(["echo"]);
    await link.call("change", { add: "sh\u202eell" });
    await soon(() => newTools(link).length > 1);
    await link.call("change", { remove: "slow" });
    await soon(() => link.link.changed("slow") !== undefined);
    expect(newTools(link)).toEqual(["echo", "shell"]);
    expect([echo, seen]).not.toContain(undefined);
  });

  test("isn't told where nothing is pinned", async () => {
    const tools = { echo: { ...serverData([]).tools["echo"]!, digest: null } };
    const link = await opened("stdio", {}, { tools });
    await link.call("echo");
    expect(newTools(link)).toEqual([]);
  });
});

describe("instructions", () => {
  const digest = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const said = async (pinned: string, live?: string) => {
    const link = await opened("stdio", live === undefined ? {} : { instructions: live }, {
      instructions: digest(pinned),
    });
    await link.call("echo");
    return link.events.some((event) => event.type === "instructions-changed");
  };

  test("that differ from their pin are told", async () => {
    expect(await said("Be kind.", "Be kind.")).toBe(false);
    expect(await said("Be kind.", "Delete everything.")).toBe(true);
    expect(await said("Be kind.")).toBe(true);
  });
});

describe("a session that the server forgot", () => {
  test.each([404, 400])("answered with %i: told, and the next call has another, compared", async (status) => {
    const link = await opened("http");
    await link.call("forget", { status });
    const failures = await Promise.all([1, 2, 3].map((n) => link.failure("echo", { n })));
    for (const error of failures) {
      expect(error).toMatchObject({ code: "tool-failed", retryable: false });
      expect(linkFailure(error)).toMatchObject({ httpStatus: status, unsent: false, forgotten: true });
    }
    const { methods } = await link.call("seen");
    expect(methods).toMatchObject({ initialize: 2, "tools/list": 2, "tools/call": 1 + 1 });
    expect(link.events.map((event) => event.type)).toEqual(["connected", "down", "connected", "up"]);
  });

  test("isn't every 400", async () => {
    const link = await opened("http");
    expect(await link.failure("status", { status: 400, body: "bad arguments" })).toMatchObject({ code: "tool-failed" });
    expect((await link.call("seen")).methods.initialize).toBe(1);
  });

  test("isn't one in which no call was answered, and nothing is waited for after it", async () => {
    const link = await opened("http");
    const together = await Promise.all([1, 2].map((n) => link.failure("status", { status: 404, n })));
    for (const error of [...together, await link.failure("status", { status: 404 })]) {
      expect(error).toMatchObject({ code: "tool-failed", message: expect.stringContaining("it answered 404") });
      expect(linkFailure(error)).toMatchObject({ forgotten: false, unsent: false });
    }
    expect((await link.call("seen")).methods.initialize).toBe(3);
    await link.failure("error");
    expect(linkFailure(await link.failure("status", { status: 404 }))).toMatchObject({ forgotten: true });
  });

  test("can't be said by a server without sessions", async () => {
    const link = await opened("http", { stateless: true });
    await link.call("echo");
    const error = await link.failure("status", { status: 404 });
    expect(error).toMatchObject({ code: "tool-failed" });
    expect(linkFailure(error)).toMatchObject({ forgotten: false });
    expect((await link.call("seen")).methods.initialize).toBe(1);
  });
});

test("a restarted HTTP server is met anew, with its tools compared", async () => {
  const first = await startFault({});
  const link = open(serverData([http(first.url)]));
  await link.call("echo");
  await first.kill();
  expect(await link.failure("echo")).toMatchObject({ code: "server-unavailable" });
  await startFault({ port: first.port });
  link.skip(2_000);
  const args: JsonValue = { again: true };
  expect((await link.call("echo", args)).args).toEqual(args);
  expect(link.events.map((event) => event.type)).toEqual(["connected", "down", "connected", "up"]);
});

describe("a definition that changes in silence", () => {
  const MINUTE = 60_000;

  test.each(TRANSPORTS)(
    "is found five minutes after the list was last compared, before the call (%s)",
    async (over) => {
      const log = path.join(folder, `${over}.log`);
      const link = await opened(over, { log });
      await link.call("change", { describe: "slow", quiet: true });
      link.skip(4.9 * MINUTE);
      await link.call("slow", { ms: 1 });
      link.skip(0.2 * MINUTE);
      expect(await link.failure("slow", { ms: 2 })).toMatchObject({ code: "tool-changed" });
      expect(readFileSync(log, "utf8")).not.toContain('"ms":2');
      const { lists } = await link.call("seen");
      link.skip(4.9 * MINUTE);
      expect((await link.call("seen")).lists).toBe(lists);
    },
  );

  test("or at the next notice, whatever it is about", async () => {
    const link = await opened("stdio");
    await link.call("change", { describe: "slow", quiet: true });
    await link.call("change", { describe: "echo" });
    expect(await link.failure("slow", { ms: 2 })).toMatchObject({ code: "tool-changed" });
  });

  test("a list that nobody pinned isn't asked for again", async () => {
    const unpinned = Object.fromEntries(
      Object.entries(pinsOf(TOOLS)).map(([name, pin]) => [name, { ...pin, digest: null }]),
    );
    const link = await opened("stdio", {}, { tools: unpinned });
    await link.call("echo");
    link.skip(6 * MINUTE);
    expect((await link.call("seen")).lists).toBe(0);
  });
});
