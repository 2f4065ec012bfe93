import { readdirSync, readFileSync } from "node:fs";
import { connect as dial, type Socket } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { servedProject, type ServedProject } from "../support/served-project.ts";
import { recordedRuns } from "../support/recorded-runs.ts";

/** Many clients that never say goodbye, and servers that end: what a daemon keeps doesn't grow, and nothing is done twice. */
let cli: BundledCli;
let project: ServedProject;

/** Writes down each call before it answers, and ends by itself when it is told to. */
const SERVER = `
import { appendFileSync } from "node:fs";
const tool = { name: "note", description: "Notes a text.", inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } };
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } }),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: { text } }) => {
    appendFileSync("done", text + "\\n");
    if (text.endsWith("-last")) process.exit(1);
    return { content: [{ type: "text", text: "noted " + text }] };
  },
};
let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const { id, method, params } of lines.map((line) => JSON.parse(line)))
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} }) + "\\n");
}).on("end", () => process.exit(0));
`;

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "notes.mjs": SERVER,
    "rolecall.yaml": `version: 1
project: harbor
servers: { notes: { connect: [{ stdio: [${process.execPath}, notes.mjs], cwd: . }] } }
roles: { writer: { tools: { notes: all } } }
`,
  });
}, 120_000);
afterAll(() => {
  project.remove();
  cli.remove();
});

interface Talker {
  call(text: string): Promise<string>;
  /** As who is killed leaves. */
  vanish(): void;
}

/** What a shim is to the daemon. */
async function talker(): Promise<Talker> {
  const { folder } = servePlace(project.dir, project.env);
  const socket: Socket = dial(path.join(folder, "clients"));
  socket.on("error", () => {});
  const waiting = new Map<unknown, (line: string) => void>();
  let rest = "";
  const answer = (id: unknown): Promise<string> => new Promise((resolve) => waiting.set(id, resolve));
  socket.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop()!;
    for (const line of lines) waiting.get((JSON.parse(line) as { id?: unknown }).id)?.(line);
  });
  const send = (message: object): void => void socket.write(`${JSON.stringify(message)}\n`);
  const welcome = answer(undefined);
  send({ rolecall: 1, role: "writer", version: "0.0.0" });
  await welcome;
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "soak", version: "1" } };
  const met = answer(0);
  send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  await met;
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  let made = 0;
  return {
    call(text) {
      const id = ++made;
      const answered = answer(id);
      send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "notes__note", arguments: { text } } });
      return answered.finally(() => waiting.delete(id));
    },
    vanish: () => socket.destroy(),
  };
}

interface Kept {
  readonly mb: number;
  readonly files: number;
  /** With all that it started. */
  readonly processes: number;
}

const keptBy = (pid: number): Kept => ({
  mb: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024,
  files: readdirSync(`/proc/${pid}/fd`).length,
  processes: treeBelow(pid),
});

function treeBelow(pid: number): number {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(parentOf);
  const below = (one: number): number =>
    parents.reduce((count, [child, parent]) => (parent === one ? count + below(child!) : count), 1);
  return below(pid);
}

/** One may end while it is looked at. */
function parentOf(name: string): readonly [pid: number, parent: number] {
  try {
    const [, parent] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return [Number(name), Number(parent)];
  } catch {
    return [Number(name), 0];
  }
}

/** `SOAK=whole`: what the contract asks for, 100,000 calls of 500 clients and 50 restarts, in about a minute. */
const IS_WHOLE = process.env["SOAK"] === "whole";
const CLIENTS = 10;
const CALLS = IS_WHOLE ? 200 : 80;
const ROUNDS = IS_WHOLE ? 50 : 25;
const ENDS_EVERY = IS_WHOLE ? 1 : 5;

test.skipIf(process.platform !== "linux")(
  `${ROUNDS * CLIENTS * CALLS} calls of ${ROUNDS * CLIENTS} clients, and ${ROUNDS / ENDS_EVERY} ends of their server, leave the daemon as it was`,
  async () => {
    const first = await project.connect(["--role", "writer"]);
    await first.client.callTool({ name: "notes__note", arguments: { text: "first" } });
    const { pid } = JSON.parse(project.typed("serve", "--status", "--json").out) as { pid: number };
    const answered = new Set<string>();
    const kept: Kept[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const talkers = await Promise.all(Array.from({ length: CLIENTS }, talker));
      await Promise.all(
        talkers.map(async ({ call, vanish }, one) => {
          const texts = Array.from({ length: CALLS }, (_, i) => `${round}.${one}.${i}`);
          for (let i = 0; i < CALLS; i += 20)
            for (const line of await Promise.all(texts.slice(i, i + 20).map(call)))
              answered.add(/noted ([\d.]+)"/.exec(line)?.[1] ?? line);
          // Its last call is under way when it is gone.
          void call(`${round}.${one}.left`);
          vanish();
        }),
      );
      // Its server ends in the middle of a call, which isn't made a second time.
      if (round % ENDS_EVERY === ENDS_EVERY - 1) {
        const ending = await talker();
        expect(await ending.call(`${round}-last`)).toContain('"isError":true');
        ending.vanish();
        // Until it is tried again.
        for (let tries = 0; tries < 200; tries++) {
          const { content } = await first.client.callTool({
            name: "notes__note",
            arguments: { text: `again-${round}-${tries}` },
          });
          if (JSON.stringify(content).includes("noted")) break;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
      kept.push(keptBy(pid));
    }
    expect(answered.size).toBe(ROUNDS * CLIENTS * CALLS);
    expect([...answered].every((text) => /^[\d.]+$/.test(text))).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const [early, late] = [kept[(2 * ROUNDS) / 5 - 1]!, keptBy(pid)];
    if (IS_WHOLE) console.log(shown([...kept.filter((_, round) => round % 10 === 9), late]));
    expect(late.files).toBeLessThanOrEqual(early.files + 2);
    expect(late.processes).toBe(early.processes);
    expect(late.mb).toBeLessThan(early.mb * 1.25 + 10);
    const { clients } = JSON.parse(project.typed("serve", "--status", "--json").out) as { clients: readonly object[] };
    expect(clients).toHaveLength(1);
    await first.client.close();
    project.typed("serve", "--stop");
    // Whatever was done was done once, and is in the record.
    const done = project.read("done").trim().split("\n");
    expect(new Set(done).size).toBe(done.length);
    const isDone = new Set(done);
    expect([...answered].filter((text) => !isDone.has(text))).toEqual([]);
    const runs = recordedRuns(project.dir);
    const files = runs.flatMap((run) =>
      readdirSync(path.join(project.dir, ".runs", run)).map((file) => `.runs/${run}/${file}`),
    );
    const lines = files.flatMap((file) => project.read(file).trim().split("\n"));
    const recorded = lines.map((line) => (JSON.parse(line) as { args: { text: string } }).args.text);
    expect(new Set(recorded).size).toBe(recorded.length);
    const known = new Set(recorded);
    expect(done.filter((text) => !known.has(text))).toEqual([]);
  },
  600_000,
);

function shown(kept: readonly Kept[]): string {
  return kept
    .map(({ mb, files, processes }) => `${mb.toFixed(0)} MB, ${files} files, ${processes} processes`)
    .join("\n");
}
