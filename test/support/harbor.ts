import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { RuntimeEvent, TeamOptions } from "../../runtime/index.ts";
import { generatedProject, movableClock, type AnySession, type GeneratedProject } from "./generated-team.ts";
import { FAULT_SERVER } from "./root.ts";

/**
 * A project whose servers are all the fault server, reached in every way; each test says by variables how it fails.
 * `steady` is the neighbour that must live whatever happens to the others.
 */

const DOWN = "whenDown: Use the notes instead.";
const fault = (config: string): string => `{ stdio: [node, ${JSON.stringify(FAULT_SERVER)}, ${config}] }`;

const FILES = {
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  "mcp/team.yaml": `
servers:
  child:
    connect: [${fault('"${CHILD}"')}]
    hints: { echo: { readOnly: true, destructive: false } }
    ${DOWN}
  web:
    connect: [{ http: "\${WEB}", headers: { Authorization: "Bearer \${TOKEN:-}" } }]
    manifest: child
    hints: { status: { readOnly: true, destructive: false }, echo: { readOnly: true, destructive: false } }
    ${DOWN}
  stream: { connect: [{ sse: "\${STREAM}" }], manifest: child, ${DOWN} }
  brisk: { connect: [{ http: "\${BRISK}" }], manifest: child, limits: { timeout: 600ms }, ${DOWN} }
  steady: { connect: [${fault('"{}"')}], manifest: child }
  diary: { connect: [${fault('"{}"')}], manifest: child, connection: session }
  vault:
    connect: [{ stdio: [node, ${JSON.stringify(FAULT_SERVER)}, "{}"], env: { VAULT_KEY: "\${VAULT_KEY}" } }]
    manifest: child
  flagship: { connect: [{ http: "\${FLAGSHIP}" }], manifest: child, mustConnect: true, ${DOWN} }
roles:
  sailor:
    tools:
      child: { exclude: [ask-client, stop] }
      web: { exclude: [ask-client, stop] }
      stream: { exclude: [ask-client, stop] }
      brisk: [echo]
      steady: [echo, seen]
      vault: [echo, seen, error]
      diary: [seen]
  captain: { tools: { flagship: [echo], steady: [echo, seen] } }
`,
};

export interface Harbor extends GeneratedProject {
  /** A sailor at work; ended by `goHome`. */
  sail(env: Readonly<Record<string, string>>, options?: TeamOptions): Voyage;
  goHome(): Promise<void>;
  /** For `log` of a fault server: everything that was sent to it. */
  newLog(): { readonly file: string; text(): string; calls(tool: string): number };
}

export interface Voyage {
  readonly sailor: AnySession;
  readonly captain: AnySession;
  /** One more session of a sailor. */
  another(): AnySession;
  readonly events: RuntimeEvent[];
  /** Milliseconds by which the team's clock is put forward. */
  skip(ms: number): void;
  close(): Promise<void>;
}

export async function harborProject(): Promise<Harbor> {
  const project = await generatedProject(FILES, [["capture", "child", "--accept"], ["build"]], () => ({ CHILD: "{}" }));
  let logs = 0;
  const atSea = new Set<Voyage>();
  return {
    ...project,
    sail: (env, options = {}) => {
      const events: RuntimeEvent[] = [];
      const clock = movableClock();
      const team = project.team({ env, root: project.dir, clock, on: (event) => void events.push(event), ...options });
      const voyage: Voyage = {
        sailor: team.as("sailor"),
        captain: team.as("captain"),
        another: () => team.as("sailor"),
        events,
        skip: clock.skip,
        close: async () => {
          await team.close();
          atSea.delete(voyage);
        },
      };
      atSea.add(voyage);
      return voyage;
    },
    newLog: () => {
      const file = path.join(project.dir, `sent-${(logs += 1)}.log`);
      const text = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
      return { file, text, calls: (tool) => text().split(`"tools/call","params":{"name":"${tool}"`).length - 1 };
    },
    goHome: async () => void (await Promise.all([...atSea].map((voyage) => voyage.close()))),
  };
}

/** Processes that this one has started and that still run, by what stands in their command line. None is seen but on Linux. */
export function childrenNamed(text: string): Child[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), words: listIn(name, "cmdline"), env: listIn(name, "environ") }))
    .filter(({ pid, words }) => words.some((word) => word.includes(text)) && parentOf(pid) === process.pid);
}

/** As the system shows it to whoever may look. */
export interface Child {
  readonly pid: number;
  readonly words: readonly string[];
  readonly env: readonly string[];
}

function listIn(pid: string, file: string): string[] {
  return readProcess(pid, file).split("\0").slice(0, -1);
}

function parentOf(pid: number): number {
  return Number(readProcess(String(pid), "stat").split(") ").at(-1)?.split(" ")[1]);
}

/** Empty once it is gone. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(path.join("/proc", pid, file), "utf8");
  } catch {
    return "";
  }
}
