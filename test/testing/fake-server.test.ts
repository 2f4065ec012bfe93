import { spawnSync } from "node:child_process";
import { createServer, get, type IncomingHttpHeaders } from "node:http";

import { connect, type AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeServer, type AnyTools, type FakeHandlers } from "../../compiler/testing/fake-server.ts";
import type { RecordLine, RuntimeEvent } from "../../runtime/index.ts";
import { errorOf, generatedProject, type GeneratedProject } from "../support/generated-team.ts";
import { ROOT } from "../support/root.ts";

/** Fakes of real servers that were captured: a team can't tell them apart, and holds every rule. */

const MODULES = path.join(ROOT, "node_modules/@modelcontextprotocol");
const EVERYTHING = path.join(MODULES, "server-everything/dist/index.js");
const FILES = path.join(MODULES, "server-filesystem/dist/index.js");
let project: GeneratedProject;

const capturing = (dir: string): Record<string, string> => ({ NOTES: dir });

beforeAll(async () => {
  const sources = {
    "rolecall.yaml": "version: 1\nproject: garden\nfolder: access\n",
    "access/team.yaml": `servers:
  everything: { connect: [{ stdio: [node, ${JSON.stringify(EVERYTHING)}, stdio] }] }
  hosted:
    connect: [{ http: "https://hosted.example.com/mcp", headers: { Authorization: "Bearer \${HOSTED_TOKEN}" } }]
    manifest: everything
    limits: { ratePerMinute: 2, timeout: 200ms }
  notes: { connect: [{ stdio: [node, ${JSON.stringify(FILES)}, "\${NOTES}"], cwd: "\${NOTES}" }] }
roles:
  caller:
    tools:
      everything: [echo, get-sum, get-structured-content, get-env]
      hosted: [echo]
      notes:
        include: [read_text_file, write_file, move_file, list_directory]
        ask: [move_file]
        where: { write_file: { path: { glob: "drafts/**" } } }
`,
  };
  project = await generatedProject(sources, [["capture", "everything", "notes", "--accept"], ["build"]], capturing);
}, 120_000);
afterAll(() => project.remove());

const fake = (server: string, handlers: FakeHandlers<AnyTools>) =>
  fakeServer(server, handlers, { project: project.dir });

describe("a team on fakes", () => {
  test("finds what its pins say, and gets what handlers say", async () => {
    const events: RuntimeEvent[] = [];
    const everything = await fake("everything", {
      echo: ({ message }) => `Echo: ${String(message)}`,
      "get-sum": async ({ a, b }) => ({ sum: Number(a) + Number(b) }),
      "get-structured-content": () => ({ temperature: 4, conditions: "fog", humidity: 90 }),
    });
    await using team = project.team({ fakes: [everything], on: (event) => void events.push(event) });
    const caller = team.as("caller");
    expect((await caller["everything"]!["echo"]!({ message: "ahoy" })).text).toBe("Echo: ahoy");
    expect((await caller["everything"]!["get-sum"]!({ a: 2, b: 3 })).structured).toEqual({ sum: 5 });
    const weather = await caller["everything"]!["get-structured-content"]!({ location: "New York" });
    expect(weather.structured).toEqual({ temperature: 4, conditions: "fog", humidity: 90 });
    expect(events).toEqual([
      { type: "faked", server: "everything", url: everything.url },
      { type: "connected", server: "everything", transport: "http" },
    ]);
    expect(everything.calls.map(({ tool }) => tool)).toEqual(["echo", "get-sum", "get-structured-content"]);
    expect(everything.calls[0]!.args).toEqual({ message: "ahoy" });
    await everything.close();
  });

  test("is held to conditions, asking and its record as with the real server", async () => {
    const lines: RecordLine[] = [];
    const notes = await fake("notes", {
      write_file: () => ({ content: "written" }),
      move_file: () => ({ content: "moved" }),
    });
    const options = { env: { NOTES: project.dir }, record: (line: RecordLine) => void lines.push(line) };
    await using team = project.team({
      fakes: [notes],
      ...options,
      ask: ({ args }) => JSON.stringify(args).includes("b.md"),
    });
    const { notes: held } = team.as("caller");
    const content = "Compost.";
    await held!["write_file"]!({ path: path.join(project.dir, "drafts/a.md"), content });
    const outside = await errorOf(held!["write_file"]!({ path: path.join(project.dir, "a.md"), content }));
    const unasked = await errorOf(held!["move_file"]!({ source: "a.md", destination: "c.md" }));
    await held!["move_file"]!({ source: "a.md", destination: "b.md" });
    const missing = await errorOf(held!["list_directory"]!({ path: "." }));
    const denied = await errorOf(team.as("caller").$call("notes" as string, "edit_file" as string, {}));
    expect([outside.code, unasked.code, missing.code, denied.code]).toEqual([
      "argument-refused",
      "ask-refused",
      "tool-failed",
      "tool-denied",
    ]);
    expect(missing.message).toContain("the fake of notes has no handler for `list_directory`: give fakeServer one");
    expect(notes.calls.map(({ tool }) => tool)).toEqual(["write_file", "move_file", "list_directory"]);
    expect(lines.map(({ faked }) => faked)).toEqual(Array.from(lines, () => true));
    await notes.close();
  });

  test("is held to limits, and meets a fake that fails, throws or is closed", async () => {
    let answer: () => unknown = () => new Promise(() => {});
    const hosted = await fake("hosted", { echo: () => answer() as string });
    await using team = project.team({ fakes: [hosted], env: {} });
    const echo = () => team.as("caller")["hosted"]!["echo"]!({ message: "x" });
    expect((await errorOf(echo())).code).toBe("timeout");
    answer = () => {
      throw new Error("out of ink");
    };
    expect((await errorOf(echo())).message).toContain("out of ink");
    expect((await errorOf(echo())).code).toBe("rate-limited");
    await hosted.close();
    await using another = project.team({ fakes: [hosted], env: {} });
    expect((await errorOf(another.as("caller")["hosted"]!["echo"]!({ message: "x" }))).code).toBe("server-unavailable");
  });

  test("a whole result is sent as it is", async () => {
    const content = [{ type: "text", text: "no such file" }];
    const everything = await fake("everything", { echo: () => ({ content, isError: true }) });
    await using team = project.team({ fakes: [everything] });
    const error = await errorOf(team.as("caller")["everything"]!["echo"]!({ message: "x" }));
    expect([error.code, error.message]).toEqual(["tool-failed", expect.stringContaining("no such file")]);
    await everything.close();
  });
});

describe("what the option can't do", () => {
  test("a fake gets no header, no variable and nothing else of the real connection", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const bodies: string[] = [];
    const thief = createServer((request, response) => {
      seen.push(request.headers);
      request.on("data", (piece) => bodies.push(String(piece)));
      request.on("end", () => response.writeHead(500).end());
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => thief.once("listening", resolve));
    const url = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/mcp`;
    const asked: string[] = [];
    const env = (name: string) => (asked.push(name), "tok-harbor-0001");
    await using team = project.team({ fakes: [{ server: "hosted", url }], env });
    expect((await errorOf(team.as("caller")["hosted"]!["echo"]!({ message: "x" }))).code).toBe("server-unavailable");
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify([seen, bodies])).not.toContain("harbor-0001");
    expect(asked).toEqual([]);
    thief.close();
  });

  test.each([
    "https://evil.example.com/mcp",
    "http://evil.example.com/mcp",
    "http://127.0.0.1.example.com/mcp",
    "http://localhost@evil.example.com/mcp",
    "https://127.0.0.1/mcp",
    "file:///etc/passwd",
    "here",
  ])("%s is refused before anything starts", (url) => {
    expect(() => project.team({ fakes: [{ server: "hosted", url }] })).toThrow(
      /a fake has an http address of this machine/,
    );
  });

  test("a fake of a server that no role has would leave the real one in its place", () => {
    expect(() => project.team({ fakes: [{ server: "hostd", url: "http://127.0.0.1:1/mcp" }] })).toThrow(
      "there is a fake of `hostd`, and no role has that server: the roles have everything, hosted, notes",
    );
  });

  test("a page in a browser reaches no fake", async () => {
    const everything = await fake("everything", {});
    const { port } = new URL(everything.url);
    const status = await new Promise((resolve) =>
      get({ host: "127.0.0.1", port, headers: { host: "evil.example.com" } }, (answer) => resolve(answer.statusCode)),
    );
    expect(status).toBe(403);
    await everything.close();
  });
});

describe("a slip", () => {
  test("in a tool's name: the nearest", async () => {
    await expect(fake("everything", { ecko: () => "" })).rejects.toThrow(
      'fakeServer("everything"): its pin has no tool `ecko`; did you mean `echo`?',
    );
  });
  test("in a server's name: the nearest", async () => {
    await expect(fake("everthing", {})).rejects.toThrow("the project has no such server; did you mean `everything`?");
  });
  test("a server that wasn't captured: the command", async () => {
    const bare = await generatedProject(
      {
        "rolecall.yaml": "version: 1\nproject: bare\n",
        "mcp/a.yaml":
          "servers: { web: { connect: [{ http: https://web.example.com }] } }\nroles: { r: { tools: { web: [go] } } }\n",
      },
      [["build"]],
    );
    await expect(fakeServer("web", {}, { project: bare.dir })).rejects.toThrow("`rolecall capture web`");
    bare.remove();
  });
  test("arguments that the pin doesn't allow, from a client that didn't look", async () => {
    const everything = await fake("everything", { echo: () => "never" });
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo", arguments: { message: 1 } } };
    const response = await fetch(everything.url, { method: "POST", body: JSON.stringify(call) });
    const { result } = (await response.json()) as { result: { isError: boolean; content: { text: string }[] } };
    expect(result.isError).toBe(true);
    expect(result.content[0]!.text).toContain("arguments of `echo`");
    expect(everything.calls).toEqual([]);
    await everything.close();
  });
});

test("a fake outlives whoever breaks off, and a host that is no name", async () => {
  const everything = await fake("everything", {});
  const { port } = new URL(everything.url);
  const said = [
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
    "POST / HTTP/1.1\r\nHost: [\r\n\r\n",
  ];
  for (const text of said) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    await new Promise<void>((resolve) => socket.write(text, () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const call = { jsonrpc: "2.0", id: 1, method: "ping" };
  expect((await fetch(everything.url, { method: "POST", body: JSON.stringify(call) })).status).toBe(200);
  await everything.close();
});

test("a fake that nobody closes keeps no process alive", async () => {
  const outfile = path.join(project.dir, "left.mjs");
  const entry = JSON.stringify(path.join(ROOT, "compiler/testing/fake-server.ts"));
  const contents = `import { fakeServer } from ${entry};
import { team } from ${JSON.stringify(pathToFileURL(project.module).href)};
const everything = await fakeServer("everything", { echo: () => "ahoy" });
const caller = team({ fakes: [everything] }).as("caller");
console.log((await caller.everything.echo({ message: "x" })).text);
`;
  await build({
    stdin: { contents, resolveDir: ROOT },
    outfile,
    bundle: true,
    packages: "external",
    external: [pathToFileURL(project.module).href],
    format: "esm",
    platform: "node",
  });
  const ran = spawnSync(process.execPath, [outfile], { cwd: project.dir, encoding: "utf8", timeout: 20_000 });
  expect([ran.stdout, ran.stderr, ran.status]).toEqual(["ahoy\n", "", 0]);
});
