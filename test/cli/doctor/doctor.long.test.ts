import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { displayWidth } from "../../../compiler/base/display-width.ts";
import { captureProject, tool, type CaptureProject, type Scene } from "../../support/capture-project.ts";
import { isAlive, referenceServer, soon, startFault } from "../../support/linked.ts";
import { FAULT_SERVER } from "../../support/root.ts";

/** `rolecall doctor` against servers that really run, or really don't. */
let project: CaptureProject;
beforeEach(() => void (project = captureProject()));
afterEach(() => project.remove());

interface Found {
  readonly state: string;
  readonly by: number | null;
  readonly next: string | null;
  readonly transports: readonly Readonly<Record<string, unknown>>[];
}

async function found(scene: Scene = {}, ...flags: string[]): Promise<Found & { readonly exit: number }> {
  const { exit, out } = await project.run(["doctor", "--json", ...flags], scene);
  const [server] = (JSON.parse(out) as { servers: [Found] }).servers;
  return { ...server, exit };
}

const declare = (connect: string, more = "") => project.declare({ small: `{ connect: [${connect}]${more} }` });
const http = (url: string, headers = "") => `{ http: "${url}"${headers && `, headers: { ${headers} }`} }`;
const gone = "{ stdio: [no-such-command-anywhere] }";

async function closedPort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/mcp`;
}

describe("the word of a transport", () => {
  test("reachable: with session, protocol, status, time and the names of its tools", async () => {
    declare(http((await startFault({})).url));
    const { exit, state, by, next, transports } = await found();
    expect({ exit, state, by, next }).toEqual({ exit: 0, state: "reachable", by: 0, next: null });
    expect(transports[0]).toMatchObject({ transport: "http", httpStatus: 200, missing: [], why: null });
    expect(transports[0]!["sessionId"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(transports[0]!["protocolVersion"]).toMatch(/^20\d\d-/);
    expect(transports[0]!["tools"]).toContain("echo");
    expect(transports[0]!["ms"]).toBeGreaterThan(0);
  });

  test("reachable: the reference server, over stdio", async () => {
    declare(`{ stdio: [${process.execPath}, "${referenceServer("everything")}", stdio] }`);
    const { exit, transports } = await found();
    expect(exit).toBe(0);
    expect(transports[0]).toMatchObject({ httpStatus: null, sessionId: null });
    expect(transports[0]!["tools"]).toContain("get-env");
  });

  test.each([
    [401, "needs-auth", "it asks for credentials (401)", /in a header, or log in: rolecall login small$/],
    [403, "auth-failed", "it refuses these credentials (403)", /scopes.*licence/],
    [451, "auth-failed", "it refuses for legal reasons (451)", /licence/],
    [400, "unreachable", "it answered 400", /address/],
    [404, "unreachable", "it answered 404", /address/],
    [429, "unreachable", "its rate limit is reached (429)", /wait a while/],
    [503, "unreachable", "it answered 503", /later/],
  ])("after %i it is %s", async (status, state, why, next) => {
    declare(http((await startFault({ initialize: status })).url));
    const one = await found();
    expect(one).toMatchObject({ exit: 1, state });
    expect(one.transports[0]).toMatchObject({ state, httpStatus: status, why, tools: [] });
    expect(one.next).toMatch(next);
  });

  test.each([
    ["nobody listens", closedPort, "the connection was refused", /address and your network/],
    ["it hangs", async () => (await startFault({ initialize: "hang" })).url, /^no answer to/, /^--timeout 4s/],
    [
      "it speaks no TLS",
      async () => (await startFault({})).url.replace("http:", "https:"),
      /^it doesn't speak TLS .*\(E[A-Z_]+\)$/,
      /^check its address and your network$/,
    ],
    ["it talks nonsense", async () => (await startFault({ initialize: "wrong" })).url, /./, /./],
  ])("unreachable, when %s", async (_, url, why, next) => {
    declare(http(await url()));
    const one = await found({}, "--timeout", "600ms");
    expect(one).toMatchObject({ exit: 1, state: "unreachable", transports: [{ httpStatus: null }] });
    expect(one.transports[0]!["why"]).toMatch(why);
    expect(one.next).toMatch(next);
  });

  test("unreachable, when a page answers where a server should", async () => {
    const page = createHttpServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
    await new Promise((resolve) => page.once("listening", resolve));
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    declare(`${http(url)}, { sse: "${url}" }`);
    const { state, transports } = await found();
    page.close();
    expect(state).toBe("unreachable");
    expect(transports.map(({ why }) => why)).toEqual(Array(2).fill("its answer isn't one that can be read"));
  });

  test("unreachable, when its command isn't there or ends: it says which, and what it said", async () => {
    project.declare({
      obsidian: "{ connect: [{ stdio: [uvx-that-is-nowhere, mcp-obsidian] }] }",
      notes: `{ connect: ${project.fake("notes", { die: "no vault at /srv/vault" })} }`,
    });
    const { exit, out } = await project.run(["doctor"]);
    expect(exit).toBe(1);
    expect(out).toContain(
      "obsidian: unreachable\n  stdio: its command `uvx-that-is-nowhere` isn't found\n  next: install it",
    );
    expect(out).toContain(
      "  stdio: it ended with exit code 3, and said: no vault at /srv/vault\n  next: run its command",
    );
    expect(out).toContain("\n0 of 2 servers reachable\n");
  });
});

describe("the word of a server", () => {
  const alive = async () => `{ sse: "${(await startFault({ over: "sse" })).url}" }`;

  test("is that of the first transport at which a team would stop; the others are asked all the same", async () => {
    declare(`${http((await startFault({ initialize: 401 })).url)}, ${await alive()}`);
    const one = await found();
    expect(one).toMatchObject({ exit: 1, state: "needs-auth", by: 0 });
    expect(one.transports.map(({ state }) => state)).toEqual(["needs-auth", "reachable"]);
  });

  test("is reachable over the next one where the first isn't there, and that is told", async () => {
    declare(`${http((await startFault({ initialize: 404 })).url)}, ${await alive()}, ${gone}`);
    expect(await found()).toMatchObject({ exit: 0, state: "reachable", by: 1, next: null });
    const { out } = await project.run(["doctor"]);
    expect(out).toMatch(/^small {3}http {3}unreachable {3}404 /m);
    expect(out).toMatch(/^ {8}sse {4}reachable {5}200 /m);
    expect(out).toContain("small: reachable over sse\n  http: it answered 404\n  stdio: its command");
  });

  test("isn't reachable where a team would never come to the transport that works", async () => {
    declare(`${http((await startFault({ initialize: 400 })).url)}, ${await alive()}`);
    expect(await found()).toMatchObject({ exit: 1, state: "unreachable", by: 0 });
  });

  test("is unreachable with the first one's next step when nobody answers", async () => {
    declare(`${http(await closedPort())}, ${gone}`);
    expect(await found()).toMatchObject({ state: "unreachable", by: null, next: expect.stringMatching(/network/) });
  });
});

describe("variables", () => {
  const supabase = (url: string) =>
    declare(
      http(url + "${PROJECT_REF:+?project_ref=${PROJECT_REF}}", 'Authorization: "Bearer ${TOKEN}", X: "${OTHER}"'),
    );

  test("each missing one is named, and nothing is sent", async () => {
    supabase((await startFault({ token: "t0ken-of-the-day" })).url);
    const one = await found();
    expect(one).toMatchObject({
      exit: 1,
      state: "unreachable",
      next: expect.stringMatching(/^set them in the environment and try again; a `\.env` /),
    });
    expect(one.transports[0]).toMatchObject({ missing: ["OTHER", "TOKEN"], httpStatus: null });
    expect((await found({ env: { OTHER: "x", TOKEN: "" } })).transports[0]).toMatchObject({ missing: ["TOKEN"] });
  });

  test("with all of them it is reachable, and no value is shown", async () => {
    supabase((await startFault({ token: "t0ken-of-the-day" })).url);
    const env = { TOKEN: "t0ken-of-the-day", OTHER: "another-0ne", PROJECT_REF: "abcdefgh" };
    expect(await found({ env })).toMatchObject({ exit: 0, state: "reachable" });
    const { out } = await project.run(["doctor"], { env });
    expect(out).toContain("1 of 1 server reachable");
    expect(out).not.toMatch(/t0ken|another-0ne/);
  });

  test("a name that every object has isn't set", async () => {
    declare(http("https://api.example.com/${constructor}"));
    expect((await found()).transports[0]).toMatchObject({ missing: ["constructor"] });
  });

  test("a token that is refused is named, to be renewed", async () => {
    supabase((await startFault({ token: "t0ken-of-the-day" })).url);
    const one = await found({ env: { TOKEN: "t0ken-of-yesterday", OTHER: "x" } });
    expect(one).toMatchObject({ exit: 1, state: "needs-auth" });
    expect(one.next).toBe("renew what `TOKEN` and `OTHER` hold, or log in: rolecall login small");
  });

  test("where to get a missing one is told, when its preset knows", async () => {
    project.write(
      "mcp/presets/notes.yaml",
      'id: notes\ntitle: Notes\nvariables:\n  - { name: NOTES_TOKEN, url: "https://notes.example.com/tokens" }\nserver:\n  connect:\n    - http: https://notes.example.com/mcp\n      headers: { Authorization: "Bearer ${NOTES_TOKEN}" }\n',
    );
    project.declare({ notes: "{ preset: notes }" });
    expect(await found()).toMatchObject({
      next: "set it in the environment and try again; a `.env` counts for `rolecall serve` alone; get one at https://notes.example.com/tokens",
      transports: [{ missing: ["NOTES_TOKEN"], why: "`NOTES_TOKEN` isn't set" }],
    });
  });

  test("no value is shown that a server repeats, nor what would steer a terminal", async () => {
    const token = "s3cr3t-of-mine-17";
    const refused = http((await startFault({ initialize: 500, body: `bad key ${token}` })).url, 'A: "${TOKEN}"');
    const telling = project.fake("telling", { pages: [[tool(token), tool("a\u001b[31mb")]] }).slice(2, -2);
    const dying = project.fake("dying", { die: `\u001b[31mno: ${token}` }).slice(2, -2);
    const env = 'env: { TOKEN: "${TOKEN}" }';
    project.declare({ small: `{ connect: [${refused}, { ${telling}, ${env} }, { ${dying}, ${env} }] }` });
    for (const argv of [["doctor"], ["doctor", "--json"], ["doctor", "--record", "calls.jsonl"]]) {
      const { out, err } = await project.run(argv, { env: { TOKEN: token } });
      expect(out).toContain("bad key ***");
      expect(out + err).not.toMatch(/s3cr3t|\u001b/);
    }
    expect(project.read("calls.jsonl")).not.toContain("s3cr3t");
  });
});

test("--record appends a line for each transport, shaped as a call's", async () => {
  declare(`${http(await closedPort())}, ${project.fake("small", { pages: [[tool("b"), tool("a")]] }).slice(1, -1)}`);
  await project.run(["doctor", "--record", "runs/calls.jsonl"]);
  await project.run(["doctor", "--record", "runs/calls.jsonl"]);
  const lines = project
    .read("runs/calls.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatchObject({ server: "small", tool: "tools/list", status: "error", probe: "unreachable" });
  expect(lines[0]).toMatchObject({ error: "the connection was refused", transport: "http", http_status: null });
  expect(lines[1]).toMatchObject({ status: "ok", probe: "reachable", tools: ["a", "b"], error: null });
  expect(Object.keys(lines[0]!)).toEqual(Object.keys(lines[1]!));
  project.write("file", "");
  const { exit, err } = await project.run(["doctor", "--record", "file/calls.jsonl"]);
  expect(exit).toBe(3);
  expect(err).toContain("rolecall: file/calls.jsonl can't be written");
});

describe("the command", () => {
  test.each([
    [["doctor", "smal"], 64, "there is no server `smal`; did you mean `small`?"],
    [["doctor", "--timeout", "soon"], 64, "--timeout takes a time"],
    [["doctor", "--record"], 64, "--record needs a value"],
  ])("%j is wrong usage", async (argv, exit, says) => {
    declare(gone);
    const ran = await project.run(argv);
    expect(ran).toMatchObject({ exit, out: "" });
    expect(ran.err).toContain(says);
  });

  test("what it can't read it can't check: 3", async () => {
    declare(gone);
    project.write("mcp/broken.yaml", "roles: [");
    const { exit, err } = await project.run(["doctor"]);
    expect(exit).toBe(3);
    expect(err).toContain("no server was asked: mend these first");
  });

  test("roles without manifests, and errors about access, are no hindrance", async () => {
    const connect = project.fake("small", { pages: [[tool("a")]] });
    project.declare({ small: `{ connect: ${connect} }` }, "roles:\n  r: { tools: { small: read-only } }\n");
    expect(await project.run(["doctor"])).toMatchObject({ exit: 0, err: "" });
  });

  test("names what an earlier `out` left behind, and nothing of another project", async () => {
    const connect = project.fake("small", { pages: [[tool("a")]] });
    project.declare({ small: `{ connect: ${connect} }` }, "roles: { watcher: {} }\n");
    await project.run(["build"]);
    expect((await project.run(["doctor"])).out).not.toContain("rolecall's header");
    const stray = project.read("src/mcp/index.ts");
    for (const file of ["lib/mcp/index.ts", "node_modules/x/index.ts", "other/src/mcp/index.ts"])
      project.write(file, stray);
    project.write("other/rolecall.yaml", "version: 1\n");
    project.write("lib/mcp/mine.ts", "mine\n");
    const { exit, out } = await project.run(["doctor"]);
    expect(exit).toBe(0);
    expect(out).toContain(
      "1 file bears rolecall's header, and no build of this project makes it\n  lib/mcp/index.ts\n  next: delete",
    );
    expect(JSON.parse((await project.run(["doctor", "--json"])).out).strays).toEqual(["lib/mcp/index.ts"]);
  });

  test("one that is switched off is asked where it is named alone", async () => {
    const connect = project.fake("small", { pages: [[tool("a")]] });
    project.declare({ small: `{ connect: ${connect} }`, other: `{ connect: [${gone}], enabled: false }` });
    const { exit, out } = await project.run(["doctor"]);
    expect(exit).toBe(0);
    expect(out).toContain("other: not asked, switched off by `enabled: false`\n");
    expect(out).toContain("1 of 1 server reachable");
    expect(JSON.parse((await project.run(["doctor", "--json"])).out)).toMatchObject({
      servers: [{ server: "small" }],
      off: ["other"],
    });
    expect(await project.run(["doctor", "other"])).toMatchObject({ exit: 1, out: expect.not.stringContaining("off") });
  });

  test("a project without servers says so", async () => {
    project.write("rolecall.yaml", "version: 1\nproject: harbor\nroles: { watcher: {} }\n");
    expect(await project.run(["doctor"])).toMatchObject({ exit: 0, out: expect.stringContaining("no servers") });
  });

  test("it fits a terminal, asks only what was named, and leaves no process", async () => {
    const stubborn = (name: string, config: object) =>
      `{ stdio: [${process.execPath}, "${FAULT_SERVER}", '${JSON.stringify({ ...config, ignoreEnd: true, pidFile: `${project.dir}/${name}` })}'] }`;
    const ways = [
      http((await startFault({})).url),
      stubborn("silent", { initialize: "hang" }),
      stubborn("talking", {}),
    ];
    project.declare({ small: `{ connect: [${ways.join(", ")}] }`, other: `{ connect: [${gone}] }` });
    const { exit, out, err } = await project.run(["doctor", "small", "--timeout", "600ms"], { types: [] });
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).not.toContain("other");
    expect(out).not.toContain("TypeScript");
    for (const line of stripVTControlCharacters(out).split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    for (const name of ["silent", "talking"]) await soon(() => !isAlive(Number(project.read(name))));
  }, 20_000);
});
