import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import {
  realServer,
  servedProject,
  type ApproverProgram,
  type Connected,
  type Connecting,
  type ServedProject,
} from "../support/served-project.ts";

/** Calls that come again by themselves, and answers typed at a real terminal: through the real daemon. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];
const programs: ApproverProgram[] = [];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 1s, askHold: 1s, askTimeout: 20s, approvers: [terminal, program] }
servers:
  files: { connect: [{ stdio: [${process.execPath}, ${realServer("filesystem")}, .], cwd: . }], root: . }
roles:
  tester: { tools: { files: { include: [create_directory, read_text_file], ask: [create_directory] } } }
  reader: { tools: { files: { include: [create_directory], ask: [create_directory] } } }
`,
  });
}, 120_000);
afterEach(async () => {
  for (const program of programs.splice(0)) await program.end();
  for (const { client } of open.splice(0)) await client.close();
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  cli.remove();
});

function program(): ApproverProgram {
  const started = project.program();
  programs.push(started);
  return started;
}

async function connect(role: string, how?: Connecting): Promise<Connected["client"]> {
  const connected = await project.connect(["--role", role], how);
  open.push(connected);
  return connected.client;
}

const until = async (holds: () => boolean, ms = 15_000): Promise<void> => {
  for (const end = Date.now() + ms; !holds();) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const asked = (
  client: Connected["client"],
  folder: string,
  options: object = {},
): Promise<{ text: string; isError: boolean }> =>
  client.callTool({ name: "files__create_directory", arguments: { path: folder } }, options).then((answer) => ({
    text: (answer.content as readonly { text: string }[])[0]!.text,
    isError: answer.isError === true,
  }));

const isThere = (folder: string): boolean => existsSync(path.join(project.dir, folder));
const WAITS_ON = "Make the same call again, unchanged";

interface Wire {
  /** One leg of a call, as it stands on the wire. */
  call(folder: string, more?: object): Promise<Answer>;
  end(): void;
}

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

/** A client of 2026-07-28 that does nothing by itself. */
function newerWire(entry: string, { dir, env }: ServedProject, role: string): Wire {
  const shim = spawn(process.execPath, [entry, "serve", "--role", role], { cwd: dir, env });
  const waiting = new Map<number, (answer: Answer) => void>();
  let rest = "";
  shim.stdout.on("data", (text: Buffer) => {
    const lines = (rest + text.toString()).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const answer = JSON.parse(line) as Answer & { readonly id: number };
      waiting.get(answer.id)?.(answer);
    }
  });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  let made = 0;
  return {
    call: (folder, more) =>
      new Promise((resolve) => {
        const id = ++made;
        waiting.set(id, resolve);
        const params = { name: "files__create_directory", arguments: { path: folder }, _meta, ...more };
        shim.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
      }),
    end: () => shim.stdin.end(),
  };
}

test("a client of the newer protocol comes again by itself, and is told the sentence in the end", async () => {
  const client = await connect("tester", { mode: "auto" });
  const approver = program();
  await approver.line(0);
  const wire = newerWire(cli.entry, project, "tester");
  try {
    const first = await wire.call("again");
    expect(first.result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
    expect(Object.keys(first.result!)).not.toContain("inputRequests");
    const ask = await approver.line(1);
    const state = first.result!["requestState"] as string;
    // What is handed in besides is no answer, and what was given for one call is nothing for another.
    const forged = [{ requestState: `${state.slice(0, -2)}AA` }, { requestState: "yes" }, { requestState: 7 }];
    for (const more of forged) expect((await wire.call("again", more)).error).toMatchObject({ code: -32602 });
    expect((await wire.call("another", { requestState: state })).error).toMatchObject({ code: -32602 });
    const inputResponses = { [ask.id!]: { action: "accept", content: { yes: true } } };
    const second = await wire.call("again", { requestState: state, inputResponses });
    expect(second.result).toMatchObject({ resultType: "input_required" });
    expect(isThere("again")).toBe(false);
    expect(await approver.line(2)).toEqual({ again: ask.id });
    approver.say({ id: ask.id, hash: ask.hash, yes: true, by: "" });
    await approver.line(3);
    expect(isThere("again")).toBe(false);
    const last = await wire.call("again", { requestState: second.result!["requestState"] });
    expect([last.result?.["isError"] ?? false, isThere("again")]).toEqual([false, true]);
  } finally {
    wire.end();
  }
  // And a real client of that protocol does all of it in one call: an answer in the third round, or none in eight.
  const call = asked(client, "by-itself");
  const ask = await approver.line(4);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  approver.say({ id: ask.id, hash: ask.hash, yes: true, by: "" });
  expect([(await call).isError, isThere("by-itself")]).toEqual([false, true]);
  const began = Date.now();
  const never = await asked(client, "never");
  expect([never.isError, isThere("never")]).toEqual([true, false]);
  expect(never.text).toContain(WAITS_ON);
  expect(Date.now() - began).toBeGreaterThan(8_000);
}, 60_000);

/** `script` of util-linux gives a terminal to what it starts; elsewhere it takes other words. */
const hasTerminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") === true;

test.skipIf(!hasTerminal)(
  "at a real terminal one is answered by its id, and a build is asked about like a call",
  async () => {
    const client = await connect("tester");
    const atTerminal = (words: string) => {
      const child = spawn("script", ["-qec", `exec ${process.execPath} ${cli.entry} asks ${words}`, "/dev/null"], {
        cwd: project.dir,
        env: project.env,
      });
      let printed = "";
      child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
      const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
      return { child, exit, printed: () => printed };
    };
    const approver = program();
    await approver.line(0);
    const [yes, no] = [asked(client, "by-id"), asked(client, "by-id-no")];
    const [one, other] = [await approver.line(1), await approver.line(2)];
    const idOf = (folder: string) => [one, other].find(({ args }) => JSON.stringify(args).includes(`"${folder}"`))!.id!;
    const [said, refused] = [atTerminal(`--yes ${idOf("by-id")}`), atTerminal(`--no ${idOf("by-id-no")}`)];
    expect([await said.exit, await refused.exit]).toEqual([0, 0]);
    expect([(await yes).isError, isThere("by-id")]).toEqual([false, true]);
    expect([(await no).isError, isThere("by-id-no")]).toEqual([true, false]);
    // Used up.
    const again = atTerminal(`--yes ${idOf("by-id")}`);
    expect([await again.exit, again.printed()]).toEqual([1, expect.stringContaining("nothing with this id waits")]);

    const sources = project.read("rolecall.yaml");
    const terminal = atTerminal("");
    try {
      await until(() => terminal.printed().includes("Ctrl+C ends"));
      const wider = "include: [create_directory, list_directory]";
      project.write(
        "rolecall.yaml",
        sources.replace(
          "reader: { tools: { files: { include: [create_directory]",
          `reader: { tools: { files: { ${wider}`,
        ),
      );
      await project.run("build");
      await until(() => terminal.printed().includes("or later?"));
      expect(terminal.printed()).toContain("a build opens something");
      expect(terminal.printed()).toContain("    + files.list_directory");
      const reader = await connect("reader");
      expect((await reader.listTools()).tools).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, 500));
      terminal.child.stdin.write("y\n");
      for (const end = Date.now() + 10_000; (await reader.listTools()).tools.length === 1;) {
        expect(Date.now()).toBeLessThan(end);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      // Its own Ctrl+C.
      terminal.child.stdin.write("\u0003");
      expect(await terminal.exit).toBe(0);
    } finally {
      terminal.child.kill();
      project.write("rolecall.yaml", sources);
      await project.run("build");
    }
  },
  60_000,
);
