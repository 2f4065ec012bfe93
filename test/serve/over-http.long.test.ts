import { statSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { type RawAnswer, type RawRequest, answered, message, sendBytes, sendRaw, textOf } from "../support/raw-http.ts";
import { realServer, servedProject, type ServedHttp, type ServedProject } from "../support/served-project.ts";

/** Roles over HTTP, and who tries to come in that mustn't: each attack is one that was made on such a door. */
let cli: BundledCli;
let project: ServedProject;
let door: ServedHttp;
const open: Client[] = [];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { hosts: [tools.example.com] }
servers:
  files: { connect: [{ stdio: [${process.execPath}, ${realServer("filesystem")}, .], cwd: . }], root: . }
  everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] }
  own: { connect: [{ stdio: [${process.execPath}, ${realServer("memory")}] }], connection: session }
roles:
  tester:
    description: Writes tests.
    tools:
      files: { include: [read_text_file, write_file, create_directory], ask: [create_directory], where: { write_file: { path: { glob: "tests/**" } } } }
      everything: [echo, get-env, trigger-long-running-operation]
      own: [read_graph]
  reader: { tools: { files: [read_text_file] } }
`,
    "tests/.keep": "",
    "src/.keep": "",
  });
  door = await project.serveHttp();
}, 120_000);
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(async () => {
  await door?.end();
  project.remove();
  cli.remove();
});

const send = (request: RawRequest & { readonly path?: string }): Promise<RawAnswer> => sendRaw(door.address, request);
const tester = (method: string, params?: object): RawRequest => ({
  ...message(door.token("tester"), method, params),
  path: "/mcp/tester",
});
const echo = (text = "ho"): RawRequest =>
  tester("tools/call", { name: "everything__echo", arguments: { message: text } });
const withHeaders = (request: RawRequest, headers: RawRequest["headers"]): RawRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});
const WORKS = "Echo: ho";

describe.each(["legacy", "auto"] as const)("a client of the protocol %s", (mode) => {
  async function connect(role: string, token = door.token(role)): Promise<Client> {
    const client = new Client({ name: "a-test", version: "7" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${door.address}/mcp/${role}`), { requestInit }));
    open.push(client);
    return client;
  }

  test("sees what the role holds, but for servers that each client has for itself, and calls it", async () => {
    const client = await connect("tester");
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "legacy" ? "2025-11-25" : "2026-07-28");
    expect(client.getInstructions()).toContain("Writes tests.");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "everything__echo",
      "everything__get-env",
      "everything__trigger-long-running-operation",
      "files__create_directory",
      "files__read_text_file",
      "files__write_file",
    ]);
    const said = await client.callTool({ name: "everything__echo", arguments: { message: "ho" } });
    expect(said.content).toEqual([{ type: "text", text: WORKS }]);
    const written = { name: "files__write_file", arguments: { path: `tests/${mode}`, content: "x" } };
    expect((await client.callTool(written)).isError).toBeFalsy();
    expect(project.read(`tests/${mode}`)).toBe("x");
  });

  test("is refused what the role may not, with advice", async () => {
    const client = await connect("tester");
    const call = (name: string, args: object) => client.callTool({ name, arguments: args as Record<string, unknown> });
    expect(await call("files__write_file", { path: "src/a", content: "x" })).toMatchObject({ isError: true });
    expect(JSON.stringify(await call("files__create_directory", { path: "tests/new" }))).toContain("rolecall asks");
    for (const name of ["own__read_graph", "files__move_file", "nothing"])
      await expect(call(name, {})).rejects.toMatchObject({ code: -32602 });
  });

  test("hears of progress, and can give up", async () => {
    const client = await connect("tester");
    const heard: unknown[] = [];
    const long = { name: "everything__trigger-long-running-operation", arguments: { duration: 1, steps: 4 } };
    await client.callTool(long, { onprogress: (progress) => heard.push(progress) });
    expect(heard.length).toBeGreaterThan(1);
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort(), 200);
    const longer = { ...long, arguments: { duration: 20, steps: 2 } };
    await expect(client.callTool(longer, { signal: giveUp.signal })).rejects.toThrow("AbortError");
    expect((await client.callTool({ name: "everything__echo", arguments: { message: "ho" } })).isError).toBeFalsy();
  });

  test("with another role's token, or none, isn't let in", async () => {
    await expect(connect("tester", door.token("reader"))).rejects.toThrow(/403|Forbidden/);
    await expect(connect("tester", "nothing")).rejects.toThrow(/401|nauthorized|valid token/);
  });
});

test("its tokens lie outside the project, and nobody else reads them", () => {
  const file = /^tokens: (.*)$/m.exec(door.said)![1]!;
  expect(file.startsWith(project.dir)).toBe(false);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(door.token("tester")).toMatch(/^rolecall_[0-9a-f]{64}$/);
  expect(door.token("tester")).not.toBe(door.token("reader"));
  expect(door.said).not.toContain(door.token("tester"));
  expect(door.said).toContain("not over HTTP, since each client has its own: own");
});

describe("without a valid token every address is 401, in the same words", () => {
  const paths = [
    "/mcp/tester",
    "/mcp/reader",
    "/mcp/nobody",
    "/mcp",
    "/",
    "/metrics",
    "/.well-known/oauth-protected-resource/mcp/tester",
    "/mcp/tester?x",
  ];
  const refused = ["GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT"].flatMap((method) =>
    paths.map((path) => [method, path] as const),
  );
  test.each(refused)("%s %s", async (method, path) => {
    const answer = await send({ method, path });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    if (method !== "HEAD") expect(answer.text).toBe('{"error":"A valid token is needed"}');
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

test("another role's address is 403, whether there is such a role or not, and so is any other", async () => {
  for (const path of [
    "/mcp/reader",
    "/mcp/nobody",
    "/mcp",
    "/mcp/tester/",
    "/mcp/%74ester",
    "/mcp/../mcp/tester",
    "/",
  ]) {
    const answer = await send({ ...echo(), path });
    expect([path, answer.status, answer.text]).toEqual([path, 403, '{"error":"Forbidden"}']);
  }
});

test("a token in the address, in the body, in a cookie or as Basic is none", async () => {
  const token = door.token("tester");
  const without = withHeaders(echo(), { authorization: [] });
  for (const request of [
    { ...without, path: `/mcp/tester?access_token=${token}` },
    { ...without, path: `/mcp/tester?token=${token}&authorization=Bearer%20${token}` },
    withHeaders(without, { cookie: `authorization=Bearer ${token}; token=${token}` }),
    withHeaders(without, { authorization: `Basic ${Buffer.from(`tester:${token}`).toString("base64")}` }),
    withHeaders(without, { "x-api-key": token, "proxy-authorization": `Bearer ${token}` }),
    { ...without, body: JSON.stringify({ access_token: token, jsonrpc: "2.0", id: 1, method: "tools/list" }) },
  ])
    expect((await send(request)).status).toBe(401);
  expect(textOf(await send({ ...echo(), path: "/mcp/tester?access_token=other" }))).toBe(WORKS);
});

test("a page whose name was bound to this machine is refused, token or not", async () => {
  for (const host of [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "evil.example:80",
    "localhost@evil.example",
  ])
    for (const path of ["/mcp/tester", "/healthz", "/readyz", "/metrics"])
      expect((await send(withHeaders({ ...echo(), path }, { host }))).status).toBe(403);
  for (const host of ["tools.example.com", "tools.example.com:443", "localhost"])
    expect((await send(withHeaders(echo(), { host }))).status).toBe(200);
});

test("a page of another origin is refused before its token is looked at, and may read nothing", async () => {
  for (const origin of [
    "null",
    "http://evil.example",
    "http://localhost:3000",
    "file://",
    "chrome-extension://abc",
    "",
  ])
    for (const token of [door.token("tester"), "wrong"]) {
      const asked = withHeaders(echo(), { origin, authorization: `Bearer ${token}` });
      const answer = await send(asked);
      expect([origin, answer.status]).toEqual([origin, 403]);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  // What a form can send without asking first.
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
    expect((await send(withHeaders(echo(), { authorization: [], "content-type": type }))).status).toBe(401);
  expect((await send(withHeaders(echo(), { "content-type": "text/plain" }))).status).toBe(415);
  const preflight = withHeaders(
    { method: "OPTIONS", path: "/mcp/tester" },
    { origin: "http://evil.example", "access-control-request-method": "POST" },
  );
  expect((await send(preflight)).status).toBe(403);
});

test("what decides is taken once: a second `Host`, `Origin` or token is refused", async () => {
  const { host } = new URL(door.address);
  expect(
    (await send(withHeaders(echo(), { authorization: ["Bearer wrong", `Bearer ${door.token("tester")}`] }))).status,
  ).toBe(401);
  expect(
    (await send(withHeaders(echo(), { authorization: [`Bearer ${door.token("tester")}`, "Bearer wrong"] }))).status,
  ).toBe(401);
  expect((await send(withHeaders(echo(), { origin: [door.address, "http://evil.example"] }))).status).toBe(403);
  const twoHosts = await sendBytes(
    door.address,
    `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
  );
  expect(twoHosts).toMatch(/^HTTP\/1.1 40[03] /);
  const whole = await sendBytes(
    door.address,
    `GET http://evil.example/healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  expect(whole).toMatch(/^HTTP\/1.1 401 /);
  const hidden = Array.from({ length: 2_100 }, (_, i) => `${(i % 36).toString(36)}:`).join("\r\n");
  const last = await sendBytes(
    door.address,
    `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n${hidden}\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n`,
  );
  expect(last).toMatch(/^HTTP\/1.1 (403|431) /);
});

test("there is no session to be guessed, ended or gone on with", async () => {
  const first = await send(
    tester("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } }),
  );
  expect(answered(first).result.protocolVersion).toBe("2025-11-25");
  // Without a stream on which it would be told.
  expect(answered(first).result).toMatchObject({ capabilities: { tools: { listChanged: false } } });
  expect(first.headers["mcp-session-id"]).toBeUndefined();
  for (const id of ["1", "00000000-0000-0000-0000-000000000000", "../tester", "a".repeat(4_000)]) {
    expect(textOf(await send(withHeaders(echo(), { "mcp-session-id": id })))).toBe(WORKS);
    expect((await send(withHeaders({ ...echo(), path: "/mcp/reader" }, { "mcp-session-id": id }))).status).toBe(403);
  }
  expect(
    (
      await send(
        withHeaders(
          { method: "GET", path: "/mcp/tester" },
          { authorization: `Bearer ${door.token("tester")}`, accept: "text/event-stream" },
        ),
      )
    ).status,
  ).toBe(405);
  expect(
    (
      await send(
        withHeaders(
          { method: "DELETE", path: "/mcp/tester" },
          { authorization: `Bearer ${door.token("tester")}`, "mcp-session-id": "1" },
        ),
      )
    ).status,
  ).toBe(405);
});

test("a message that is no message, too large, too deep or a list is refused, and the next one is served", async () => {
  const refused: readonly (readonly [body: string, status: number])[] = [
    ["", 400],
    ["{", 400],
    ["7", 400],
    ["null", 400],
    [`[${message(undefined, "tools/list").body}]`, 400],
    [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":[${"[],".repeat(300_000)}[]]}}`, 400],
    [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":[${"[],".repeat(5_000)}[]]}}`, 400],
    [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":"${"x".repeat(5 * 1024 * 1024)}"}}`, 413],
  ];
  for (const [body, status] of refused) expect((await send({ ...echo(), body })).status).toBe(status);
  // In pieces, so that nobody says how much it will be.
  const pieces = await send({
    ...withHeaders(echo(), { "transfer-encoding": "chunked" }),
    body: `{"a":"${"x".repeat(5 * 1024 * 1024)}"}`,
  });
  expect(pieces.status).toBe(413);
  const polluting = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "__proto__", arguments: {} },
  });
  expect(answered(await send({ ...echo(), body: polluting })).error.code).toBe(-32602);
  expect(textOf(await send(echo()))).toBe(WORKS);
});

test("the client's token goes to no server, and the record holds none", async () => {
  const answer = await send(
    tester("tools/call", { name: "everything__get-env", arguments: {}, _meta: { token: door.token("tester") } }),
  );
  expect(textOf(answer)).toContain("PATH");
  expect(answer.text).not.toContain(door.token("tester").slice("rolecall_".length));
});

test("what watches it learns one word, and measures of its own role", async () => {
  expect(await send({ path: "/healthz" })).toMatchObject({ status: 200, text: "ok\n" });
  expect(await send({ path: "/readyz" })).toMatchObject({ status: 200, text: "partly\n" });
  expect((await send({ path: "/healthz", method: "POST" })).status).toBe(401);
  const measures = await send(withHeaders({ path: "/metrics" }, { authorization: `Bearer ${door.token("reader")}` }));
  expect(measures.status).toBe(200);
  expect(measures.text).not.toContain("tester");
});

test("a second door is refused, and so is one that is open to others without a word on who may come", () => {
  const second = project.typed("serve", "--http", "127.0.0.1:0");
  expect(second.exit).toBe(1);
  expect(second.err).toContain(`served over HTTP already, at ${door.address}`);
  expect(project.typed("serve", "--status").out).toContain(door.address);
});

test("it says why it doesn't open", () => {
  const opened = (address: string, ...more: readonly string[]): string => {
    project.typed("serve", "--stop");
    const { exit, err } = project.typed("serve", "--http", address, ...more);
    return `${exit} ${err}`;
  };
  expect(opened("0.0.0.0:0")).toMatch(/^1 .*is open to others, and the project doesn't say whose tokens count/);
  expect(opened("192.0.2.1:0")).toMatch(/^1 .*is open to others/);
  expect(opened("127.0.0.1:0", "--roles", "testr")).toMatch(/^1 .*has no role `testr`[^]*did you mean `tester`/);
  expect(opened("127.0.0.1")).toMatch(/^64 .*is no address/);
  expect(opened("127.0.0.1:70000")).toMatch(/^64 .*is no address/);
});
