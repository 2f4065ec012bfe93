import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { knownAddresses, servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** Whatever one client sends, the process and its other clients go on. */
let cli: BundledCli;
let project: ServedProject;
let other: Connected;
const hostile: ChildProcessWithoutNullStreams[] = [];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
servers: { everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] } }
roles:
  tester: { tools: { everything: [echo, trigger-long-running-operation] } }
  reader: { tools: { everything: [echo] } }
`,
  });
  other = await project.connect(["--role", "reader"]);
}, 120_000);
afterEach(() => hostile.splice(0).forEach((child) => child.kill()));
afterAll(async () => {
  await other?.client.close();
  project.remove();
  cli.remove();
});

interface Answer {
  readonly id?: unknown;
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number };
}

/** What a host starts, with any line written to it. */
function client(role: string): {
  say(line: string | object): void;
  answer(id: unknown): Promise<Answer>;
  all: Answer[];
  /** Resolves when its process has ended. */
  readonly over: Promise<{ readonly exit: number | null; readonly wrong: string }>;
} {
  const child = spawn(process.execPath, [cli.entry, "serve", "--role", role], { cwd: project.dir, env: project.env });
  hostile.push(child);
  const all: Answer[] = [];
  let [text, wrong] = ["", ""];
  child.stderr.on("data", (chunk: Buffer) => (wrong += chunk.toString()));
  const over = new Promise<Awaited<ReturnType<typeof client>["over"]>>((resolve) =>
    child.once("close", (exit) => resolve({ exit, wrong })),
  );
  child.stdin.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split("\n");
    text = lines.pop()!;
    all.push(...lines.map((line) => JSON.parse(line) as Answer));
  });
  return {
    all,
    over,
    say: (line) =>
      void child.stdin.write(`${typeof line === "string" ? line : JSON.stringify({ jsonrpc: "2.0", ...line })}\n`),
    async answer(id) {
      for (const end = Date.now() + 20_000; Date.now() < end;) {
        const found = all.find((one) => one.id === id);
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`no answer to ${String(id)}: ${JSON.stringify(all).slice(0, 500)}`);
    },
  };
}

const PREFIX = "io.modelcontextprotocol/";
const ENVELOPE = {
  [`${PREFIX}protocolVersion`]: "2026-07-28",
  [`${PREFIX}clientInfo`]: { name: "a", version: "1" },
  [`${PREFIX}clientCapabilities`]: {},
};
const pid = (): number => (JSON.parse(project.typed("serve", "--status", "--json").out) as { pid: number }).pid;
const echo = async (): Promise<string> => {
  const { content } = await other.client.callTool({ name: "everything__echo", arguments: { message: "ho" } });
  return (content as readonly { text: string }[])[0]!.text;
};
const log = (): string => readFileSync(servePlace(project.dir, project.env).log, "utf8");

test("a deep value under a key of the protocol's own is refused, and nothing else ends", async () => {
  const before = pid();
  const one = client("tester");
  one.say({ id: 1, method: "tools/list", params: { _meta: ENVELOPE } });
  await one.answer(1);
  const envelope = JSON.stringify(ENVELOPE).slice(0, -1);
  for (const [id, levels] of [
    [2, 4_500],
    [3, 100_000],
    [4, 1_000_000],
  ] as const)
    for (const key of ["z", "clientCapabilities"]) {
      const deep = "[".repeat(levels) + "]".repeat(levels);
      one.say(
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"everything__echo","arguments":{},"_meta":${envelope},"${PREFIX}${key}":${deep}}}}`,
      );
      expect((await one.answer(id)).error).toMatchObject({ code: -32600 });
      expect(await echo()).toBe("Echo: ho");
    }
  expect(pid()).toBe(before);
}, 60_000);

test("a thousand calls at once: 256 are carried out, the others told so, and a cancel is heard", async () => {
  const before = pid();
  const one = client("tester");
  one.say({ id: "first", method: "tools/list", params: { _meta: ENVELOPE } });
  await one.answer("first");
  const tool = { name: "everything__trigger-long-running-operation", arguments: { duration: 30, steps: 1 } };
  for (let id = 0; id < 1_000; id++) one.say({ id, method: "tools/call", params: { ...tool, _meta: ENVELOPE } });
  const { result } = await one.answer(999);
  expect(result).toMatchObject({ isError: true });
  expect(result!.content![0]!.text).toMatch(/^Nothing was done: 256 requests of this client/);
  expect(one.all).toHaveLength(1 + 1_000 - 256);
  expect(await echo()).toBe("Echo: ho");
  for (let id = 0; id < 256; id++) one.say({ method: "notifications/cancelled", params: { requestId: id } });
  one.say({ id: "heard", method: "tools/list", params: { _meta: ENVELOPE } });
  await one.answer("heard");
  one.say({
    id: "last",
    method: "tools/call",
    params: { name: "everything__echo", arguments: { message: "on" }, _meta: ENVELOPE },
  });
  expect((await one.answer("last")).result!.content![0]!.text).toBe("Echo: on");
  expect(pid()).toBe(before);
}, 60_000);

test("a line of more than 32 MB is refused in words, to what is under way too, and ends that client alone", async () => {
  const before = pid();
  const one = client("tester");
  one.say({ id: "first", method: "tools/list", params: { _meta: ENVELOPE } });
  await one.answer("first");
  const tool = { name: "everything__trigger-long-running-operation", arguments: { duration: 30, steps: 1 } };
  one.say({ id: 1, method: "tools/call", params: { ...tool, _meta: ENVELOPE } });
  const message = "x".repeat(33 * 1024 * 1024);
  one.say({ id: 2, method: "tools/call", params: { name: "everything__echo", arguments: { message } } });
  expect(await one.over).toEqual({
    exit: 1,
    wrong: expect.stringContaining("a line of more than 32 MB isn't taken, and ends the connection"),
  });
  expect(one.all.slice(1)).toMatchObject([
    { id: null, error: { code: -32600 } },
    { id: 1, error: { code: -32000 } },
  ]);
  expect(JSON.stringify(one.all)).not.toContain("input of rolecall serve has ended");
  expect(await echo()).toBe("Echo: ho");
  expect(pid()).toBe(before);
}, 60_000);

test("no client writes a line of its own into the log", async () => {
  const forged = "\n2026-01-01T00:00:00.000Z yes to 1, by terminal\u001b[2J";
  for (const message of [
    { id: 1, method: "tools/list", params: { _meta: { ...ENVELOPE, [`${PREFIX}protocolVersion`]: forged } } },
    { id: forged, result: {} },
    { method: "notifications/progress", params: { progressToken: forged, progress: 1 } },
  ]) {
    const one = client("tester");
    one.say(message);
    one.say({ id: "last", method: "tools/list", params: { _meta: ENVELOPE } });
    await one.answer("last");
  }
  expect(log()).toContain("client of tester");
  expect(log()).not.toMatch(/^2026-01-01T00:00:00/m);
  expect(log()).not.toContain("\u001b");
}, 60_000);

test("a hello whose host is no text is refused", async () => {
  const socket = connect(knownAddresses(servePlace(project.dir, project.env))!.clients);
  const came = new Promise<string>((resolve) => socket.once("data", (chunk: Buffer) => resolve(chunk.toString())));
  socket.write('{"rolecall":1,"role":"tester","version":"0.1.0","host":5}\n');
  expect(JSON.parse(await came)).toMatchObject({ refused: { exit: 1 } });
  socket.destroy();
});
