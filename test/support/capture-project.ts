import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import type { Stream, Terminal } from "../../compiler/cli/terminal.ts";

/** A project on disk with servers that really run, and the command at a terminal that only remembers. */
export interface CaptureProject {
  readonly dir: string;
  write(file: string, text: string): void;
  read(file: string): string;
  has(file: string): boolean;
  /** Writes rolecall.yaml; `servers` by name, as flow maps. */
  declare(servers: Readonly<Record<string, string>>, roles?: string): void;
  /** A project with the fake server `notes`. */
  notes(settings: object, roles?: string, others?: Readonly<Record<string, string>>): void;
  /** Its manifest, as it lies there. */
  pinned(): Pinned;
  /** Settings of the fake server (see capture-server.mjs); returns what stands under `connect`. */
  fake(name: string, settings: object): string;
  run(argv: readonly string[], scene?: Scene): Promise<Ran>;
  remove(): void;
}

export interface Pinned {
  readonly [key: string]: unknown;
  readonly tools: readonly { readonly name: string }[];
}

export const NOTES = "mcp/manifests/notes.json";
export const READER = "roles:\n  reader: { tools: { notes: all } }\n";

export interface Scene {
  readonly env?: Record<string, string>;
  /** A folder of the project; left out: its root. */
  readonly cwd?: string;
  /** What somebody types, line by line; their absence means that nobody is there. */
  readonly types?: readonly string[];
  /** Resolves when somebody presses Ctrl-C. */
  readonly stopped?: Promise<void>;
}

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Answers what a test has written into the file that it is given. */
export const CAPTURE_SERVER = path.join(import.meta.dirname, "capture-server.mjs");

export function captureProject(): CaptureProject {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-capture-")));
  const project: CaptureProject = {
    dir,
    write: (file, text) => {
      mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
      writeFileSync(path.join(dir, file), text);
    },
    read: (file) => readFileSync(path.join(dir, file), "utf8"),
    has: (file) => {
      try {
        readFileSync(path.join(dir, file));
        return true;
      } catch {
        return false;
      }
    },
    declare: (servers, roles = "") => {
      const lines = Object.entries(servers).map(([name, server]) => `  ${name}: ${server}\n`);
      project.write("rolecall.yaml", `version: 1\nproject: harbor\nservers:\n${lines.join("")}${roles}`);
    },
    notes: (settings, roles, others) =>
      project.declare({ notes: `{ connect: ${project.fake("notes", settings)} }`, ...others }, roles),
    pinned: () => JSON.parse(project.read(NOTES)) as Pinned,
    fake: (name, settings) => {
      project.write(`${name}.settings.json`, JSON.stringify(settings));
      return `[{ stdio: [${process.execPath}, ${CAPTURE_SERVER}, ${dir}/${name}.settings.json] }]`;
    },
    run: (argv, scene = {}) => runCommand(dir, argv, scene),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
  return project;
}

async function runCommand(dir: string, argv: readonly string[], scene: Scene): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const lines = [...(scene.types ?? [])];
  const paper = (printed: string[], isTerminal: boolean): Stream => ({
    write: (text) => void printed.push(text),
    isTerminal,
    width: isTerminal ? 80 : undefined,
  });
  const terminal: Terminal = {
    out: paper(out, scene.types !== undefined),
    err: paper(err, false),
    env: scene.env ?? {},
    cwd: path.join(dir, scene.cwd ?? "."),
    now: () => 0,
    stopped: () => scene.stopped ?? new Promise(() => {}),
    ...(scene.types && { answer: async () => lines.shift() }),
  };
  const exit = await main(argv, terminal, engine);
  return { exit, out: out.join(""), err: err.join("") };
}

/** A tool as servers send it. */
export function tool(name: string, more: object = {}): object {
  return { name, description: `Does ${name}.`, inputSchema: { type: "object", properties: {} }, ...more };
}
