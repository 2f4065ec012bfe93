import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { message, sendRaw } from "../support/raw-http.ts";
import {
  realServer,
  servedProject,
  type Connected,
  type ServedHttp,
  type ServedProject,
} from "../support/served-project.ts";
import { recordedLines } from "../support/recorded-runs.ts";

/** Resources of servers behind `rolecall serve`: what a role may read comes as it is, and of all else nothing is sent. */

/** Writes down what it is asked; it lists more than anybody may read, and answers with more than it is asked. */
const DOCS = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const resources = ["docs:///public/a", "docs:///public/b", "docs:///secret/a", "docs:///public/../secret/a", "DOCS:///public/c", "docs:///public/c/"];
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: "docs", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "look", inputSchema: { type: "object" } }] }),
  "resources/list": ({ cursor }) => cursor === undefined
    ? { resources: resources.slice(0, 1).map(told), nextCursor: "more" }
    : { resources: [...resources.slice(1).map(told), { uri: 7 }, null, { uri: "docs:///public/d" }] },
  "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "docs:///public/{name}", name: "p" }, { uriTemplate: "docs:///secret/{name}", name: "s" }, { uriTemplate: "docs:///{+path}", name: "all" }] }),
  "resources/read": ({ uri }) => uri.endsWith("large") ? { contents: [{ uri, text: "x".repeat(9 * 1024 * 1024) }] }
    : { contents: [{ uri, mimeType: "text/plain", text: "of " + uri, _meta: { "io.modelcontextprotocol/x": 1, own: 2 } }, { uri: "docs:///secret/a", text: "SECRET" }] },
  "tools/call": () => ({ content: [] }),
};
const told = (uri) => ({ uri, name: uri.split("/").at(-1), icons: [{ src: "https://example.com" }] });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "resources/read") appendFileSync("asked.log", params.uri + "\\n");
  const missing = { "docs:///public/none": { code: -32602, data: { uri: params?.uri } }, "docs:///public/older": { code: -32002 }, "docs:///public/wrong": { code: -32602 } }[params?.uri];
  if (missing !== undefined) return process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { message: "no such thing", ...missing } }) + "\\n");
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...(results[method] ? { result: results[method](params ?? {}) } : { error: { code: -32601, message: "no" } }) }) + "\\n");
});
`;

let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(
    cli.entry,
    {
      "servers/docs.mjs": DOCS,
      "asked.log": "",
      "rolecall.yaml": `version: 1
project: harbor
servers:
  docs: { connect: [{ stdio: [${process.execPath}, servers/docs.mjs] }], resources: { exclude: ["docs:///hidden/**", "docs:///public/shut(1)"] } }
  everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] }
  gone: { connect: [{ stdio: [no-such-command] }] }
roles:
  reader:
    tools: { docs: [look] }
    resources: { docs: ["docs:///public/**"] }
  writer:
    extends: reader
    resources: { docs: { exclude: ["docs:///public/b"] }, everything: ["demo://resource/static/**"], gone: ["gone://**"] }
  alone: { tools: { docs: [look] } }
`,
    },
    [["capture", "docs", "everything", "--accept"], ["build"]],
  );
}, 120_000);
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
});
afterAll(() => {
  project.remove();
  cli.remove();
});

async function connect(role: string, mode: "legacy" | "auto" = "legacy", more: readonly string[] = []) {
  const connected = await project.connect(["--role", role, ...more], { mode });
  open.push(connected);
  return connected.client;
}

describe.each(["legacy", "auto"] as const)("in the protocol of %s clients", (mode) => {
  test("a role is offered what it may read, page after page, and nothing else", async () => {
    const client = await connect("reader", mode);
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true }, resources: { listChanged: true } });
    const { resources } = await client.listResources();
    expect(resources).toEqual(
      ["a", "b", "d"].map((name) => ({ uri: `docs:///public/${name}`, name: name === "d" ? "" : name })),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "docs:///public/{name}",
      "docs:///{+path}",
    ]);
  });

  test("it reads that, without what bears another address", async () => {
    const client = await connect("reader", mode);
    const { contents } = await client.readResource({ uri: "docs:///public/a" });
    expect(contents).toEqual([
      { uri: "docs:///public/a", mimeType: "text/plain", text: "of docs:///public/a", _meta: { own: 2 } },
    ]);
  });

  test("of all else nothing is sent, and it isn't said whether it is there", async () => {
    const client = await connect("reader", mode);
    project.write("asked.log", "");
    for (const uri of [
      "docs:///secret/a",
      "docs:///public/../secret/a",
      "docs:///public/%2e%2e/secret/a",
      "docs:///public/%2E%2E/secret/a",
      "docs:///public/..%2Fsecret/a",
      "docs:///public//a",
      "DOCS:///public/a",
      "docs:///public/a#x",
      "docs:///hidden/a",
      "docs:///public/shut%281%29",
      "docs:///public/SHUT(1)",
      "demo://resource/static/document/features.md",
      "file:///etc/hostname",
      "nothing",
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining("nothing that may be read"),
      });
    expect(project.read("asked.log")).toBe("");
  });

  test("what its server doesn't have is told as that, by the protocol's code", async () => {
    const client = await connect("reader", mode);
    for (const uri of ["docs:///public/none", "docs:///public/older"])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
    await expect(client.readResource({ uri: "docs:///public/wrong" })).rejects.toMatchObject({ code: -32603 });
  });

  test("several servers are one list, a child loses what it takes away, and one that is down is left out", async () => {
    const client = await connect("writer", mode);
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain("docs:///public/a");
    expect(uris).not.toContain("docs:///public/b");
    const documents = uris.filter((uri) => uri.startsWith("demo://resource/static/"));
    expect(documents.length).toBeGreaterThan(1);
    const { contents } = await client.readResource({ uri: documents[0]! });
    expect((contents[0] as { readonly text: string }).text.length).toBeGreaterThan(10);
    await expect(client.readResource({ uri: "docs:///public/b" })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: "gone://a" })).rejects.toMatchObject({ code: -32603 });
    await expect(client.readResource({ uri: "docs:///public/large" })).rejects.toMatchObject({
      message: expect.stringContaining("9.0 MB"),
    });
  });

  test("a role that reads nothing is offered none", async () => {
    const client = await connect("alone", mode);
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    await expect(client.readResource({ uri: "docs:///public/a" })).rejects.toMatchObject({ code: -32601 });
    const one = await connect("writer", mode, ["--server", "everything"]);
    expect((await one.listResources()).resources.every(({ uri }) => uri.startsWith("demo://"))).toBe(true);
    await expect(one.readResource({ uri: "docs:///public/a" })).rejects.toMatchObject({ code: -32602 });
  });
});

test("the record has a line of what was read, and of what wasn't to be", async () => {
  const client = await connect("reader");
  await client.readResource({ uri: "docs:///public/a" });
  await client.readResource({ uri: "docs:///secret/a" }).catch(() => {});
  const lines = (): readonly unknown[] =>
    recordedLines<{ readonly tool: string }>(project.dir).filter(({ tool }) => tool === "resources/read");
  await expect.poll(lines, { timeout: 10_000 }).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ server: "docs", args: { uri: "docs:///public/a" }, decision: "allow", status: "ok" }),
      expect.objectContaining({
        server: "docs",
        args: { uri: "docs:///secret/a" },
        decision: "deny",
        code: "tool-denied",
        result_bytes: 0,
      }),
    ]),
  );
});

describe("over HTTP", () => {
  let door: ServedHttp;
  beforeAll(async () => {
    door = await project.serveHttp();
  }, 60_000);
  afterAll(async () => {
    await door?.end();
  });

  test.each(["legacy", "auto"] as const)(
    "a %s client lists and reads what its role may, and nothing else",
    async (mode) => {
      const client = new Client({ name: "a-test", version: "7" }, { versionNegotiation: { mode } });
      const requestInit = { headers: { authorization: `Bearer ${door.token("writer")}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${door.address}/mcp/writer`), { requestInit }));
      project.write("asked.log", "");
      const uris = (await client.listResources()).resources.map(({ uri }) => uri);
      expect(uris.filter((uri) => uri.startsWith("docs:"))).toEqual(["docs:///public/a", "docs:///public/d"]);
      const { contents } = await client.readResource({ uri: "docs:///public/a" });
      expect(contents).toMatchObject([{ uri: "docs:///public/a", text: "of docs:///public/a" }]);
      for (const uri of ["docs:///public/b", "docs:///secret/a", "docs:///public/..%2Fsecret/a", "nothing"])
        await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
      expect(project.read("asked.log")).toBe("docs:///public/a\n");
      await client.close();
    },
  );

  test("another role's token reads nothing there, and at its own address only what is its own", async () => {
    project.write("asked.log", "");
    const reading = (role: string, uri: string) => message(door.token(role), "resources/read", { uri });
    const there = { ...reading("alone", "docs:///public/a"), path: "/mcp/writer" };
    expect(await sendRaw(door.address, there)).toMatchObject({ status: 403 });
    const own = await sendRaw(door.address, { ...reading("alone", "docs:///public/a"), path: "/mcp/alone" });
    expect(own.text).toContain("-32601");
    expect(project.read("asked.log")).toBe("");
    const b = await sendRaw(door.address, { ...reading("reader", "docs:///public/b"), path: "/mcp/reader" });
    expect(b.text).toContain("of docs:///public/b");
  });
});
