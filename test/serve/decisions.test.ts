import { METHODS } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDecisions, type Decisions } from "../../compiler/io/serve/decisions.ts";
import { openDecisionDoor } from "../../compiler/io/serve/http/decision-door.ts";
import type { Connections } from "../../compiler/io/serve/http/connections.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import type { Served } from "../../compiler/serve/types.ts";
import { team, type RolecallError } from "../../runtime/index.ts";
import { planned } from "../support/compiled.ts";
import { fc } from "../support/generated.ts";
import { sendBytes, sendRaw } from "../support/raw-http.ts";

/** The decision point, asked over real HTTP as ToolHive asks. */
let served: Served;
let decisions: Decisions;
let door: Connections;

const TEXT = { type: "string" };
const path = { type: "object", properties: { path: TEXT }, required: ["path"] };

const tools = (...named: readonly object[]): string => JSON.stringify({ tools: named });

beforeAll(async () => {
  const { plan } = planned({
    "rolecall.yaml": `version: 1
project: harbor
servers:
  files: { connect: [{ http: "http://127.0.0.1:1/mcp" }], root: /work }
  wiki: { connect: [{ http: "http://127.0.0.1:1/mcp" }] }
roles:
  tester:
    tools:
      files: { include: [read, write, remove, any], ask: [remove], where: { write: { path: { glob: "tests/**" } } } }
  reader: { tools: { files: [read], wiki: [read] } }
  watcher: {}
`,
    "mcp/manifests/files.json": tools(
      { name: "read", inputSchema: path },
      { name: "write", inputSchema: { type: "object", properties: { path: TEXT, content: TEXT }, required: ["path"] } },
      { name: "remove", inputSchema: path },
      { name: "any", inputSchema: { type: "object" } },
      { name: "other", inputSchema: path },
    ),
    "mcp/manifests/wiki.json": tools({ name: "read", inputSchema: path }),
  });
  served = servePlan(plan);
  decisions = await openDecisions(served, { dir: "/work", env: {} });
  door = await openDecisionDoor({ host: "127.0.0.1", port: 0 }, decisions);
});
afterAll(() => door.close(100));

const asked = (roles: unknown, tool: string, args?: unknown, server = "files"): object => ({
  principal: { sub: "kit", roles, mannotations: {} },
  operation: "mcp:tool:call",
  resource: `mrn:mcp:${server}:tool:${tool}`,
  context: { mcp: { feature: "tool", operation: "call", resource_id: tool, ...(args !== undefined && { args }) } },
});

async function post(body: unknown, more: object = {}): Promise<{ readonly status: number; readonly text: string }> {
  const { status, text } = await sendRaw(door.address, {
    method: "POST",
    path: "/decision",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...more,
  });
  return { status, text };
}

const YES = { status: 200, text: '{"allow":true}' };
const NO = { status: 200, text: '{"allow":false}' };

describe("it says yes to", () => {
  test.each([
    ["a tool that is held", asked(["tester"], "read", { path: "a" })],
    ["a role as a text", asked("tester", "read", { path: "a" })],
    ["a role among names that aren't the project's", asked(["admin", "tester"], "read", { path: "a" })],
    ["a role that is named twice", asked(["tester", "tester"], "read", { path: "a" })],
    ["arguments that the condition takes", asked(["tester"], "write", { path: "tests/a", content: "x" })],
    ["no arguments, where nothing is said of them: a list is asked so", asked(["tester"], "read")],
    ["another server's tool of the same name", asked(["reader"], "read", { path: "a" }, "wiki")],
    ["the other name of the claim", { ...asked([], "read", { path: "a" }), principal: { mroles: ["tester"] } }],
  ])("%s", async (_, question) => expect(await post(question)).toEqual(YES));
});

describe("it says no to", () => {
  test.each([
    ["a tool that isn't held", asked(["tester"], "other", { path: "a" })],
    ["a tool that nobody knows", asked(["tester"], "__proto__", {})],
    ["a tool that is asked", asked(["tester"], "remove", { path: "a" })],
    ["another role's tool", asked(["tester"], "read", { path: "a" }, "wiki")],
    ["a role that isn't the project's", asked(["admin"], "read", { path: "a" })],
    ["no role", asked([], "read", { path: "a" })],
    ["two roles of the project", asked(["tester", "reader"], "read", { path: "a" })],
    [
      "two roles, by either name",
      { ...asked(["tester"], "read", {}), principal: { roles: "tester", mroles: "reader" } },
    ],
    ["a role that holds nothing", asked(["watcher"], "read", { path: "a" })],
    ["a role's name in other letters", asked(["Tester"], "read", { path: "a" })],
    ["arguments that the condition doesn't take", asked(["tester"], "write", { path: "src/a" })],
    ["a path that leaves by its end", asked(["tester"], "write", { path: "tests/../src/a" })],
    ["no arguments, where a condition speaks of them", asked(["tester"], "write")],
    ["arguments that the schema doesn't take", asked(["tester"], "read", { path: 7 })],
    [
      "arguments that the schema doesn't name, under a condition",
      asked(["tester"], "write", { path: "tests/a", mode: 1 }),
    ],
    ["a list of arguments", asked(["tester"], "any", [])],
    ["arguments that are nothing", asked(["tester"], "any", null)],
    ["arguments nested too deep", asked(["tester"], "any", { a: JSON.parse(`${"[".repeat(204)}${"]".repeat(204)}`) })],
    ["a list of tools", { ...asked(["tester"], "read"), operation: "mcp:tool:list" }],
    [
      "a resource",
      { ...asked(["tester"], "read"), operation: "mcp:resource:read", resource: "mrn:mcp:files:resource:read" },
    ],
    ["a prompt", { ...asked(["tester"], "read"), operation: "mcp:prompt:get" }],
    ["a server that looks alike", asked(["tester"], "read", { path: "a" }, "Files")],
    ["a name that only begins so", asked(["tester"], "read:x", { path: "a" })],
    ["nothing of it", {}],
    ["a role beside what is no text", asked(["tester", 7], "read", { path: "a" })],
    ["a role beside a list of them", asked(["tester", ["reader"]], "read", { path: "a" })],
    [
      "a role beside a map of them",
      { ...asked(["tester"], "read"), principal: { roles: ["tester"], mroles: { reader: true } } },
    ],
    ["a text as the context", { ...asked(["tester"], "read"), context: "x" }],
    ["a list as the context", { ...asked(["tester"], "read"), context: [] }],
    ["a number as its part", { ...asked(["tester"], "read"), context: { mcp: 5 } }],
    ["a text as the principal", { ...asked([], "read"), principal: "tester" }],
  ])("%s", async (_, question) => expect(await post(question)).toEqual(NO));
});

test("what is no question is an error, which is a no to who asks", async () => {
  for (const body of ["", "{", "[]", "7", "null"]) expect((await post(body)).status).toBe(400);
  expect((await post(asked(["tester"], "read"), { path: "/other" })).status).toBe(404);
  for (const method of METHODS.filter((one) => one !== "CONNECT")) {
    const [decision, health] = await Promise.all(
      ["/decision", "/healthz"].map((at) => sendRaw(door.address, { method, path: at })),
    );
    if (method !== "POST")
      expect([method, decision!.status, decision!.headers["allow"]]).toEqual([method, 405, "POST"]);
    const isRead = method === "GET" || method === "HEAD";
    expect([method, health!.status, health!.headers["allow"]]).toEqual(
      isRead ? [method, 200, undefined] : [method, 405, "GET, HEAD"],
    );
  }
  const headers = { "content-type": "application/json" };
  expect((await post(asked(["tester"], "read"), { headers: { ...headers, host: "evil.example" } })).status).toBe(403);
  expect((await post(asked(["tester"], "read"), { headers: { ...headers, origin: "http://localhost" } })).status).toBe(
    403,
  );
  expect((await post(asked(["tester"], "any", { a: "x".repeat(5_000_000) }))).status).toBe(413);
  expect(await post(asked(["tester"], "read"), { path: "/decision?probe=true" })).toEqual(YES);
});

describe("what may mean another thing to whoever sends it on is an error", () => {
  const question = JSON.stringify(asked(["tester"], "any", { path: "a", n: 1 }));
  const twice = (key: string, text: string) => question.replace(`"${key}":`, `"${key}":${text},"${key}":`);
  test.each([
    ["two equal arguments", twice("path", '"b"')],
    ["two equal arguments, one in escapes", question.replace('"path":', '"pat\\u0068":"b","path":')],
    ["two lists of arguments", twice("args", "{}")],
    ["two contexts", twice("context", "{}")],
    ["two tools", twice("resource", '"mrn:mcp:files:tool:other"')],
    ["two principals", twice("principal", '{"roles":"reader"}')],
    ["two lists of roles", twice("roles", '["reader"]')],
    ["a number of more digits than are read", question.replace('"n":1', '"n":9007199254740993')],
    ["a part of a number that isn't read", question.replace('"n":1', '"n":5.0000000000000001')],
  ])("%s", async (_, body) => {
    expect(await post(question)).toEqual(YES);
    expect(body).not.toBe(question);
    expect((await post(body)).status).toBe(400);
  });

  test("and so are two names that it is asked by", async () => {
    const lines = ["POST /decision HTTP/1.1", "Host: localhost", "Host: evil.example", "Connection: close"];
    const bytes = [...lines, `Content-Length: ${question.length}`, "", question].join("\r\n");
    expect(await sendBytes(door.address, bytes)).toMatch(/^HTTP\/1.1 403 /);
  });
});

test("whatever is called, the runtime says the same", async () => {
  const load = Object.fromEntries([...served.servers].map(([name, data]) => [name, async () => ({ data })]));
  const own = team({ env: {}, root: "/work" });
  const sessions = new Map(
    ["tester", "reader", "watcher"].map((name) => [
      name,
      own.as({ name, data: served.roles.get(name)!.data, load }) as unknown as Session,
    ]),
  );
  const paths = fc.oneof(
    fc.constantFrom(
      "tests/a",
      "tests/../src",
      "src/a",
      "tests",
      "/srv/tests/a",
      "tests//a",
      "tests/a\u0000",
      "TESTS/a",
      "./tests/a",
    ),
    fc.string({ maxLength: 12 }).map((text) => `tests/${text}`),
  );
  const args = fc.oneof(
    fc.record({ path: paths, content: fc.string({ maxLength: 5 }) }, { requiredKeys: [] }),
    fc.record(
      { path: fc.oneof(fc.integer(), fc.array(paths, { maxLength: 2 })), other: fc.jsonValue({ maxDepth: 2 }) },
      { requiredKeys: [] },
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("tester", "reader", "watcher"),
      fc.constantFrom("files", "wiki", "nobody"),
      fc.constantFrom("read", "write", "remove", "any", "other", "nothing"),
      args,
      async (role, server, tool, given) => {
        const error = await sessions
          .get(role)!
          .$call(server, tool, given)
          .catch((problem: unknown) => problem as RolecallError);
        // Nobody listens there: what got so far would have been sent.
        const mayBeSent = (error as RolecallError).code === "server-unavailable";
        expect(decisions.allows(asked(role, tool, given, server))).toBe(mayBeSent && tool !== "remove");
      },
    ),
    { numRuns: 500 },
  );
  await own.close();
});

interface Session {
  $call(server: string, tool: string, args: unknown): Promise<unknown>;
}
