import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ServerData } from "../../../runtime/server-data.ts";
import { freePort } from "../../support/free-port.ts";
import {
  http,
  open,
  pinsOf,
  referenceServer,
  serverData,
  soon,
  sse,
  startEverything,
  stdio,
} from "../../support/linked.ts";
import type { Opened } from "../../support/linked.ts";
import { listedTools } from "./listed-tools.ts";

/** The reference servers, over every transport that they speak. */

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-real-")));
const everything = [process.execPath, referenceServer("everything"), "stdio"] as const;
let pins: ServerData["tools"] = {};

beforeAll(async () => {
  pins = pinsOf(await listedTools(everything));
});

interface Raw {
  readonly content: readonly [{ readonly text: string }];
  readonly structuredContent: { readonly entities: readonly object[] };
}

const textOf = (raw: Raw): string => raw.content[0].text;
const callRaw = async ({ link }: Opened, tool: string, args: object): Promise<Raw> =>
  (await link.call(tool, args as never, { timeoutMs: 10_000 })).raw as unknown as Raw;

test("everything over stdio, with all its tools pinned", async () => {
  const opened = open(serverData([stdio(everything)], { tools: pins }));
  expect(Object.keys(pins).length).toBeGreaterThan(8);
  expect(textOf(await callRaw(opened, "echo", { message: "hi" }))).toContain("hi");
  expect(opened.events).toEqual([{ type: "connected", server: "faulty", transport: "stdio" }]);
  expect(await callRaw(opened, "echo", { message: 1 })).toMatchObject({ isError: true });
});

test("everything sees no capability of ours, and no other environment", async () => {
  const opened = open(serverData([stdio(everything, { WRITTEN: ["yes"] })], { tools: {} }));
  const env = JSON.parse(textOf(await callRaw(opened, "get-env", {})));
  expect(env).toMatchObject({ WRITTEN: "yes" });
  expect(env).not.toHaveProperty("VITEST");
  for (const tool of ["trigger-sampling-request", "trigger-elicitation-request", "get-roots-list"])
    expect(Object.keys(pins)).not.toContain(tool);
});

describe("everything over streamable HTTP", () => {
  test("calls, with a session of its own", async () => {
    const server = await startEverything("streamableHttp", await freePort());
    const opened = open(serverData([http(server.url)], { tools: pins }));
    expect(textOf(await callRaw(opened, "echo", { message: "hi" }))).toContain("hi");
    expect(opened.link.info).toMatchObject({ transport: "http", sessionId: expect.any(String) });
    await opened.link.close();
  });

  test("killed during a call: an error at once; restarted: met anew", async () => {
    const port = await freePort();
    const server = await startEverything("streamableHttp", port);
    const opened = open(serverData([http(server.url)], { tools: pins }));
    await callRaw(opened, "echo", { message: "hi" });
    const long = opened.failure("trigger-long-running-operation", { duration: 20, steps: 2 }, 20_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const killed = Date.now();
    await server.kill();
    expect(await long).toMatchObject({ code: "server-unavailable" });
    expect(Date.now() - killed).toBeLessThan(3_000);
    await soon(() => opened.link.state === "down");
    await startEverything("streamableHttp", port);
    opened.skip(5_000);
    expect(textOf(await callRaw(opened, "echo", { message: "back" }))).toContain("back");
  });

  test("restarted between calls: noticed by itself, and the next call is answered", async () => {
    const port = await freePort();
    const server = await startEverything("streamableHttp", port);
    const opened = open(serverData([http(server.url)], { tools: pins }));
    await callRaw(opened, "echo", { message: "hi" });
    await server.kill();
    await soon(() => opened.link.state === "down");
    await startEverything("streamableHttp", port);
    expect(textOf(await callRaw(opened, "echo", { message: "again" }))).toContain("again");
  });
});

describe("everything over SSE", () => {
  test("is found behind an HTTP entry of the same address", async () => {
    const server = await startEverything("sse", await freePort());
    const opened = open(serverData([http(server.url), sse(server.url)], { tools: pins }));
    expect(textOf(await callRaw(opened, "echo", { message: "hi" }))).toContain("hi");
    expect(opened.events.map((event) => event.type)).toEqual(["fell-back", "connected"]);
  });

  test("killed during a call: an error at once; restarted: a new session, compared again", async () => {
    const port = await freePort();
    const server = await startEverything("sse", port);
    const opened = open(serverData([sse(server.url)], { tools: pins }));
    await callRaw(opened, "echo", { message: "hi" });
    const long = opened.failure("trigger-long-running-operation", { duration: 20, steps: 2 }, 20_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const killed = Date.now();
    await server.kill();
    expect(await long).toMatchObject({ code: "server-unavailable" });
    expect(Date.now() - killed).toBeLessThan(2_000);
    expect(opened.link.state).toBe("down");
    await startEverything("sse", port);
    expect(textOf(await callRaw(opened, "echo", { message: "back" }))).toContain("back");
    expect(opened.events.map((event) => event.type)).toEqual(["connected", "down", "connected", "up"]);
  });
});

test("filesystem: reads where it may, and says so where it may not", async () => {
  writeFileSync(path.join(folder, "a.txt"), "hello");
  const entry = stdio([process.execPath, referenceServer("filesystem"), [{ name: "FOLDER", form: "plain", word: [] }]]);
  const command = [process.execPath, referenceServer("filesystem"), folder];
  const tools = pinsOf(await listedTools(command));
  const opened = open(serverData([entry], { tools }), { FOLDER: folder });
  expect(textOf(await callRaw(opened, "read_text_file", { path: path.join(folder, "a.txt") }))).toBe("hello");
  expect(await callRaw(opened, "read_text_file", { path: "/etc/passwd" })).toMatchObject({ isError: true });
  expect(opened.secrets).toEqual([]);
});

test("filesystem without its folder ends at once, and says why", async () => {
  const opened = open(serverData([stdio([process.execPath, referenceServer("filesystem"), "/nowhere/at/all"])]));
  const { message, code, cause } = await opened.failure("read_text_file");
  expect(code).toBe("server-unavailable");
  expect(message).toBe("faulty can't be reached: it ended with exit code 1");
  expect(cause).toMatchObject({ said: expect.stringContaining("nowhere") });
  expect(opened.events[0]).toMatchObject({
    why: expect.stringMatching(/ended with exit code 1, and said: .*nowhere/s),
  });
});

test("memory: two links are two processes, one file", async () => {
  const file = path.join(folder, "memory.json");
  const entry = stdio([process.execPath, referenceServer("memory")], { MEMORY_FILE_PATH: [file] });
  const tools = pinsOf(await listedTools([process.execPath, referenceServer("memory")]));
  const first = open(serverData([entry], { tools }));
  const second = open(serverData([entry], { tools }));
  const entities = [{ name: "harbor", entityType: "project", observations: ["exists"] }];
  await callRaw(first, "create_entities", { entities });
  const { structuredContent } = await callRaw(second, "read_graph", {});
  expect(structuredContent.entities).toMatchObject(entities);
});
