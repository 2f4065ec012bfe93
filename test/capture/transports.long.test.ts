import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { captureProject, tool, type CaptureProject } from "../support/capture-project.ts";

/** Capture over every transport: the reference servers as they are, and small HTTP servers that misbehave. */
const require = createRequire(import.meta.url);
const entry = (name: string) => require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
let project: CaptureProject;
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
  project.remove();
});

const manifest = (name: string) =>
  JSON.parse(project.read(`mcp/manifests/${name}.json`)) as {
    serverInfo: { name: string };
    instructions?: string;
    tools: { name: string; annotations?: object }[];
  };

const GONE = "[{ stdio: [no-such-command-anywhere] }]";

function servers(connects: Readonly<Record<string, string>>): void {
  project = captureProject();
  const declared = Object.entries(connects).map(([name, connect]) => [name, `{ connect: ${connect} }`]);
  project.declare(Object.fromEntries(declared) as Record<string, string>);
}

async function listening(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => void (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address where nobody listens. */
async function unused(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** The reference server over HTTP, once it says that it listens. */
async function everything(mode: "streamableHttp" | "sse"): Promise<string> {
  const free = await unused();
  const port = new URL(free).port;
  const child: ChildProcess = spawn(process.execPath, [entry("everything"), mode], {
    env: { ...process.env, PORT: port },
    stdio: ["ignore", "ignore", "pipe"],
  });
  open.push(() => void child.kill("SIGKILL"));
  await new Promise<void>((resolve) =>
    child.stderr!.on("data", (said: Buffer) => String(said).includes(port) && resolve()),
  );
  return free;
}

/** A streamable HTTP server that answers with the very texts it is given; `frame` makes a body of one. */
function answering(
  results: Readonly<Record<string, string>>,
  frame: (json: string) => readonly [type: string, body: string],
): RequestListener {
  return (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += String(chunk)));
    request.on("end", () => {
      const { id, method } = (body === "" ? {} : JSON.parse(body)) as { id?: number; method?: string };
      if (request.method !== "POST") return response.writeHead(405).end();
      if (id === undefined) return response.writeHead(202).end();
      const [type, text] = frame(`{"jsonrpc":"2.0","id":${id},"result":${results[method!] ?? "{}"}}`);
      response.writeHead(200, { "content-type": type }).end(text);
    });
  };
}

const INITIALIZE =
  '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"small","version":"1"}}';
const asJson = (json: string) => ["application/json", json] as const;
const asEvents = (json: string) => ["text/event-stream", `: hello\r\nevent: message\r\ndata: ${json}\r\n\r\n`] as const;

describe("the reference servers", () => {
  test("several at once over stdio, and one that isn't there stops none", async () => {
    servers({
      filesystem: `[{ stdio: ["${process.execPath}", "${entry("filesystem")}", "\${ROOT}"] }]`,
      memory: `[{ stdio: ["${process.execPath}", "${entry("memory")}"], env: { MEMORY_FILE_PATH: "\${ROOT}/memory.json" } }]`,
      everything: `[{ stdio: ["${process.execPath}", "${entry("everything")}", stdio] }]`,
      gone: GONE,
    });
    const { exit, out } = await project.run(["capture", "--accept"], { env: { ROOT: project.dir } });
    expect(exit).toBe(1);
    expect(out).toContain(
      "wrote mcp/manifests/everything.json\nwrote mcp/manifests/filesystem.json\nwrote mcp/manifests/memory.json\n",
    );
    expect(manifest("filesystem").tools.length).toBeGreaterThan(10);
    expect(manifest("memory").tools.map((one) => one.name)).toContain("read_graph");
    const checked = await project.run(["capture", "filesystem", "memory", "everything", "--check"], {
      env: { ROOT: project.dir },
    });
    expect(checked.exit).toBe(0);
  });

  test("streamable HTTP and SSE give what stdio gives", async () => {
    const [http, sse] = await Promise.all([everything("streamableHttp"), everything("sse")]);
    servers({
      pipe: `[{ stdio: ["${process.execPath}", "${entry("everything")}", stdio] }]`,
      http: `[{ http: "${http}/mcp" }]`,
      events: `[{ http: "${sse}/sse" }, { sse: "${sse}/sse" }]`,
    });
    const { exit, out } = await project.run(["capture", "--accept"]);
    expect(exit).toBe(0);
    expect(out).toContain("(http)");
    expect(out).toContain("(sse)\n  http didn't work: it answered 404");
    expect(manifest("http").tools).toEqual(manifest("pipe").tools);
    expect(manifest("events").tools).toEqual(manifest("pipe").tools);
    expect(manifest("http").instructions).toBe(manifest("pipe").instructions);
  }, 30_000);
});

describe("over HTTP", () => {
  test.each([
    ["JSON", asJson],
    ["events", asEvents],
  ])("what comes as %s is taken as sent, and headers go with it", async (_, frame) => {
    const results = {
      initialize: INITIALIZE,
      "tools/list": '{"tools":[{"name":"a","inputSchema":{"type":"string"},"zz":{"b":1,"a":2}}]}',
    };
    const seen: (string | undefined)[] = [];
    const answer = answering(results, frame);
    const url = await listening(
      (request, response) => (seen.push(request.headers.authorization), answer(request, response)),
    );
    servers({ small: `[{ http: "${url}/mcp", headers: { Authorization: "Bearer \${TOKEN}" } }]` });
    const { exit } = await project.run(["capture", "--accept"], { env: { TOKEN: "t0ken-of-the-day" } });
    expect(exit).toBe(0);
    expect(manifest("small").tools[0]).toMatchObject({
      name: "a",
      inputSchema: { type: "string" },
      zz: { a: 2, b: 1 },
    });
    expect(new Set(seen)).toEqual(new Set(["Bearer t0ken-of-the-day"]));
  });

  test("a key that stands twice is refused here too", async () => {
    const url = await listening(
      answering({ initialize: INITIALIZE, "tools/list": '{"tools":[{"name":"a","name":"b"}]}' }, asEvents),
    );
    servers({ small: `[{ http: "${url}/mcp" }]` });
    expect((await project.run(["capture"])).err).toContain("twice");
  });

  test.each([
    [404, true, ""],
    [405, true, ""],
    [503, true, ""],
    [
      401,
      false,
      "it asks for credentials (401)\n    help: give its token in a header, or log in: rolecall login small",
    ],
    [403, false, "it refuses these credentials (403)"],
    [451, false, "it refuses for legal reasons (451)"],
    [400, false, "it answered 400"],
    [
      302,
      false,
      "it answered with a redirect (302); write the address it names, and said: it redirects to https://elsewhere.example/",
    ],
  ])("after %i the next transport is tried: %j", async (status, goesOn, says) => {
    const url = await listening((_, response) =>
      response.writeHead(status, { location: "https://elsewhere.example/" }).end(),
    );
    project = captureProject();
    const next = project.fake("small", { pages: [[tool("a")]] }).slice(1);
    project.declare({ small: `{ connect: [{ http: "${url}/mcp" }, ${next} }` });
    const { exit, out, err } = await project.run(["capture", "--accept"]);
    expect(exit).toBe(goesOn ? 0 : 1);
    expect(goesOn ? out : err).toContain(goesOn ? `(stdio)\n  http didn't work: it answered ${status}` : says);
  });

  test("a refused connection and one that hangs lead on; all that was tried is told", async () => {
    const refused = await unused();
    const hanging = await listening(() => {});
    servers({
      small: `[{ http: "${refused}/mcp" }, { http: "${hanging}/mcp" }, { sse: "${hanging}/sse" }, { stdio: [no-such-command-anywhere] }]`,
    });
    const { exit, err } = await project.run(["capture", "--timeout", "300ms"]);
    expect(exit).toBe(1);
    expect(err).toContain(
      "small: not captured: its command `no-such-command-anywhere` isn't found\n    http: the connection was refused\n" +
        "    http: no answer to `initialize` within 300 ms\n    sse: no answer to `initialize` within 300 ms\n",
    );
  });

  test("a token that no header can hold is refused before anything is sent, unseen", async () => {
    servers({ small: '[{ http: "https://api.example.com/${PART}", headers: { Authorization: "Bearer ${TOKEN}" } }]' });
    const bad = await project.run(["capture"], { env: { PART: "mcp", TOKEN: "two\nlines-of-token" } });
    expect(bad.err).toContain("the header `Authorization` would hold a line break");
    expect(bad.err).not.toContain("lines-of-token");
  });
});

test("a process that ignores its end is ended by force", async () => {
  project = captureProject();
  const connect = project.fake("stubborn", { pages: [[tool("a")]], hang: "initialize", stubborn: true });
  project.declare({ stubborn: `{ connect: ${connect} }` });
  const { exit } = await project.run(["capture", "--timeout", "300ms"]);
  expect(exit).toBe(1);
  await expect.poll(() => running(path.join(project.dir, "stubborn.settings.json"))).toBe(false);
}, 20_000);

function running(argument: string): boolean {
  if (process.platform !== "linux") return false;
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(argument);
    } catch {
      return false;
    }
  });
}

test("a server that doesn't start is told with its last lines, whole, and always the same", async () => {
  const lines = [
    "npm warn old lockfile",
    `npm error 404  'notes@1' ${"isn't here, ".repeat(12)}really`,
    "npm error A complete log of this run can be found in: /var/cache/npm/debug-0.log",
  ];
  project = captureProject();
  project.write("start.mjs", `process.stderr.write(${JSON.stringify(`${lines.join("\n")}\n`)}); process.exit(1);`);
  project.declare({ notes: `{ connect: [{ stdio: [${process.execPath}, start.mjs] }] }` });
  const runs = await Promise.all(Array.from({ length: 10 }, () => project.run(["capture", "--accept"])));
  expect(new Set(runs.map(({ err }) => err)).size).toBe(1);
  expect(runs[0]!.err.replace(/\s+/g, " ")).toContain(
    `not captured: it ended with exit code 1, and said: ${lines[1]!.replace(/\s+/g, " ")} `,
  );
  expect(runs[0]!.err).not.toMatch(/old lockfile|debug-0/);
});
