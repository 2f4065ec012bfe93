import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { RecordLine } from "../../runtime/index.ts";
import { errorOf } from "../support/generated-team.ts";
import { harborProject, type Harbor } from "../support/harbor.ts";
import { startFault } from "../support/linked.ts";
import { typeCheck } from "../types/tsc.ts";

/**
 * A tool that a role doesn't hold: it doesn't compile, and at run time there is no way to it. Every server here writes
 * down what is sent to it; at the end nothing of what was tried stands there.
 */

let harbor: Harbor;
beforeAll(async () => {
  harbor = await harborProject();
});
afterEach(() => harbor.goHome());
afterAll(() => harbor.remove());

/** A sailor with servers over all three transports, and what was sent to any of them. */
async function atSea() {
  const log = harbor.newLog();
  const [web, stream] = await Promise.all([startFault({ log: log.file }), startFault({ over: "sse", log: log.file })]);
  const lines: RecordLine[] = [];
  const env = { CHILD: JSON.stringify({ log: log.file }), WEB: web.url, STREAM: stream.url };
  const voyage = harbor.sail(env, { record: (line) => void lines.push(line) });
  return { ...voyage, log, lines };
}

const SERVERS = ["child", "web", "stream"];
const ZERO_WIDTH = "\u200b";
const NAMES = [
  "ask-client",
  "stop",
  "ask_client",
  "ASK-CLIENT",
  "Stop",
  " stop",
  "stop ",
  "stop\n",
  "stop\0",
  `st${ZERO_WIDTH}op`,
  // Cyrillic o, full-width letters, a hyphen that only looks like one.
  "st\u043ep",
  "\uff53\uff54\uff4f\uff50",
  "ask\u2010client",
  "child.stop",
  "child-stop",
  "child_stop",
  "mcp__child__stop",
  "child/stop",
  "../child/stop",
  "web.stop",
  "echo/../stop",
  "echo;stop",
  "echo\nstop",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "",
  "*",
  "tools/call",
];

const SERVER_NAMES = [
  "captain",
  "flagship",
  "Child",
  "child ",
  "child.",
  "ch\u0456ld",
  "__proto__",
  "constructor",
  "",
  "child.echo",
  "harbor",
  "$call",
];

describe("by `$call`", () => {
  test.each(SERVERS)("of %s: no name leads to a tool that isn't held, and nothing is sent", async (server) => {
    const { sailor, log, lines } = await atSea();
    await sailor.$call(server, "echo", { be: "connected" });
    const before = log.text();
    for (const name of NAMES) {
      const error = await errorOf(sailor.$call(server, name, { tried: "treasure" }));
      expect(error, JSON.stringify(name)).toMatchObject({ role: "sailor", server, tool: name, retryable: false });
      expect(error.code, JSON.stringify(name)).toBe(
        name === "ask-client" || name === "stop" ? "tool-denied" : "tool-unknown",
      );
      expect(error.message).not.toContain("\n");
      expect(error.advice).not.toContain(ZERO_WIDTH);
    }
    // A later call proves that nothing was on its way.
    await sailor.$call(server, "echo", { the: "last" });
    const after = log.text().slice(before.length);
    expect(after).not.toContain("treasure");
    expect(after.match(/"tools\/call"/g)).toHaveLength(1);
    expect(lines.filter((line) => line.decision === "deny").map((line) => line.tool)).toEqual(NAMES);
  });

  test("nor does a server by another name", async () => {
    const { sailor, log } = await atSea();
    for (const server of SERVER_NAMES) {
      const error = await errorOf(sailor.$call(server, "echo", { tried: "treasure" }));
      expect(error.code, server).toMatch(/^tool-(denied|unknown)$/);
    }
    expect(log.text()).toBe("");
  });

  test("a server that only another role holds isn't even started", async () => {
    const log = harbor.newLog();
    const flagship = await startFault({ log: log.file });
    const { sailor, captain } = harbor.sail({ FLAGSHIP: flagship.url });
    expect(await errorOf(sailor.$call("flagship", "echo", {}))).toMatchObject({ code: "tool-denied" });
    expect(log.text()).toBe("");
    await captain.$call("flagship", "echo", {});
    // The connection is there now, and the sailor still has no part in it.
    const before = log.text();
    expect(await errorOf(sailor.$call("flagship", "echo", {}))).toMatchObject({ code: "tool-denied" });
    expect(log.text()).toBe(before);
  });

  test("names that are no text are refused too", async () => {
    const { sailor, log } = await atSea();
    const call = sailor.$call as unknown as (...given: unknown[]) => Promise<unknown>;
    const sly = { toString: () => "echo" };
    for (const name of [["echo"], sly, Symbol.iterator, null, undefined, 0, {}, () => "echo"]) {
      expect(await errorOf(call("child", name, { tried: "treasure" }))).toMatchObject({ code: "tool-unknown" });
      expect(await errorOf(call(name, "echo", { tried: "treasure" }))).toMatchObject({ code: "tool-unknown" });
    }
    expect(log.text()).toBe("");
  });
});

describe("by properties", () => {
  const odd = ["stop", "ask-client", "constructor", "__proto__", "toString", "then", "0", "$call", Symbol.iterator];

  test("what isn't held isn't there, whatever the key", async () => {
    const { sailor, log } = await atSea();
    const child = sailor["child"] as unknown as Record<PropertyKey, unknown>;
    expect(odd.filter((key) => child[key] !== undefined)).toEqual([]);
    expect(Object.getPrototypeOf(child)).toBeNull();
    const held = (await sailor.$tools()).filter(({ server }) => server === "child").map(({ name }) => name);
    expect(Reflect.ownKeys(child).sort()).toEqual(held.sort());
    expect((sailor as unknown as Record<PropertyKey, unknown>)["flagship"]).toBeUndefined();
    expect(log.text()).toBe("");
  });

  test("nothing can be put there", async () => {
    const { sailor, captain } = await atSea();
    const child = sailor["child"] as unknown as Record<string, unknown>;
    expect(() => (child["stop"] = () => 1)).toThrow(TypeError);
    expect(() => Object.setPrototypeOf(sailor, { flagship: captain["flagship"] })).toThrow(TypeError);
    expect(() => Object.defineProperty(sailor, "child", { value: {} })).toThrow(TypeError);
  });

  test("nor is what `Object.prototype` was given taken for a grant", async () => {
    const { sailor, log } = await atSea();
    Reflect.defineProperty(Object.prototype, "stop", { value: "allow", configurable: true });
    try {
      expect(await errorOf(sailor.$call("child", "stop", {}))).toMatchObject({ code: "tool-denied" });
    } finally {
      Reflect.deleteProperty(Object.prototype, "stop");
    }
    expect(log.text()).toBe("");
  });
});

test("arguments that change while they are judged are the first that were seen", async () => {
  const { sailor, log } = await atSea();
  let asked = 0;
  const sly = {
    get cargo() {
      asked += 1;
      return asked === 1 ? "apples" : "treasure";
    },
  };
  expect((await sailor.$call("child", "echo", sly)).text).toBe('{"cargo":"apples"}');
  expect(log.text()).not.toContain("treasure");
});

test("it doesn't compile: as a property, a string, or a server of another role", async () => {
  const lines = [
    'void sailor.child.echo({}); void sailor.$call("child", "echo", {});',
    "// @ts-expect-error",
    "void sailor.child.stop({});",
    "// @ts-expect-error",
    'void sailor.child["ask-client"]({});',
    "// @ts-expect-error",
    'void sailor.$call("child", "stop", {});',
    "// @ts-expect-error",
    "void sailor.flagship.echo({});",
    "// @ts-expect-error",
    'void sailor.$call("flagship", "echo", {});',
    "// @ts-expect-error",
    'crew.as("admiral");',
    "// @ts-expect-error",
    'const denied: ToolOf<"sailor"> = "child.stop";',
    'const held: ToolOf<"sailor"> = "child.echo";',
    "void [denied, held];",
  ];
  harbor.write("package.json", '{ "type": "module" }\n');
  harbor.write(
    "src/app.ts",
    `import { team, type ToolOf } from "./mcp/index.js";\nconst crew = team();\nconst sailor = crew.as("sailor");\n${lines.join("\n")}\n`,
  );
  expect(existsSync(path.join(harbor.dir, "src/mcp/index.ts"))).toBe(true);
  expect(readFileSync(path.join(harbor.dir, "src/app.ts"), "utf8").match(/@ts-expect-error/g)).toHaveLength(7);
  const project = { folder: harbor.dir, write: harbor.write, remove() {} };
  expect(await typeCheck(project, "7.0", ["src"])).toEqual([]);
});
