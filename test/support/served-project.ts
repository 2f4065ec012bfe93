import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import { ROOT } from "./root.ts";
import { runInProcess } from "./run-cli.ts";

/** A project with real servers, captured and built, that clients reach through `rolecall serve`. */
export interface ServedProject {
  readonly dir: string;
  write(file: string, text: string): void;
  read(file: string): string;
  run(...command: readonly string[]): Promise<void>;
  /** A command as somebody types it, with what it printed. */
  typed(...args: readonly string[]): { readonly exit: number; readonly out: string; readonly err: string };
  /** What a host's file names, started by a real client. */
  connect(args: readonly string[], how?: Connecting): Promise<Connected>;
  /** `rolecall asks --json --watch`, as a program starts it. `env`: of the door whose inbox it is to find. */
  program(env?: Readonly<Record<string, string>>): ApproverProgram;
  /** `rolecall serve --http`, at a port that is free. */
  serveHttp(how?: ServingHttp): Promise<ServedHttp>;
  /** Of everything that is started for it. */
  readonly env: Record<string, string>;
  remove(): void;
}

export interface ServingHttp {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where its process starts, for a second one of the same project. */
  readonly dir?: string;
}

export interface ServedHttp {
  readonly address: string;
  /** Its first lines. */
  readonly said: string;
  readonly pid: number;
  /** The token that it made for a role. */
  token(role: string): string;
  /** Resolves with its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ApproverProgram {
  /** One that it printed, awaited. */
  line(number: number): Promise<InboxLine>;
  say(answer: object): void;
  end(): Promise<void>;
}

export interface InboxLine {
  readonly id?: string;
  readonly hash?: string;
  readonly [key: string]: unknown;
}

export interface Connecting {
  /** `auto`: the newer protocol where the server has it. */
  readonly mode?: "legacy" | "auto";
  readonly name?: string;
  /** Variables that its host has, and the others don't. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another version of the command. */
  readonly entry?: string;
  readonly command?: "serve" | "state";
}

export interface Connected {
  readonly client: Client;
  readonly transport: StdioClientTransport;
  /** What the shim said on standard error. */
  said(): string;
}

export const realServer = (name: string): string =>
  createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);

/** `entry`: the bundled command. */
export async function servedProject(
  entry: string,
  files: Readonly<Record<string, string>>,
  commands: readonly (readonly string[])[] = [["capture", "--accept"], ["build"]],
  variables: Readonly<Record<string, string>> = {},
): Promise<ServedProject> {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-serve-")));
  const dir = path.join(home, "project");
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, NO_COLOR: "1", ...variables };
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  };
  const run = async (...command: readonly string[]): Promise<void> => {
    const ran = await runInProcess((argv, terminal) => main(argv, terminal, engine), env)(command, dir);
    if (ran.exit !== 0) throw new Error(ran.printed);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  for (const command of commands) await run(...command);
  symlinkSync(path.join(ROOT, "node_modules"), path.join(dir, "node_modules"), "dir");
  return {
    dir,
    env,
    write,
    run,
    read: (file) => readFileSync(path.join(dir, file), "utf8"),
    typed(...args) {
      const ended = spawnSync(process.execPath, [entry, ...args], {
        cwd: dir,
        env,
        encoding: "utf8",
        input: "",
        timeout: 60_000,
      });
      return { exit: ended.status ?? -1, out: ended.stdout, err: ended.stderr };
    },
    program: (own) => startProgram(entry, dir, { ...env, ...own }),
    serveHttp: ({ args = [], env: own, dir: from = dir } = {}) =>
      startHttp(
        spawn(process.execPath, [entry, "serve", "--http", "127.0.0.1:0", ...args], {
          cwd: from,
          env: { ...env, ...own },
        }),
      ),
    async connect(args, { mode = "legacy", name = "a-test", env: own, entry: other = entry, command = "serve" } = {}) {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [other, command, ...args],
        cwd: dir,
        env: { ...env, ...own },
        stderr: "pipe",
      });
      let said = "";
      transport.stderr?.on("data", (text: Buffer) => (said += text.toString()));
      const client = new Client({ name, version: "7" }, { versionNegotiation: { mode } });
      await client.connect(transport).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${said}`);
      });
      return { client, transport, said: () => said };
    },
    remove() {
      // Ends the daemon that a test may have left: by its own door, and no other process.
      spawnSync(process.execPath, [entry, "serve", "--stop"], { cwd: dir, env, timeout: 30_000 });
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function startHttp(child: ChildProcessWithoutNullStreams): Promise<ServedHttp> {
  let [said, wrong] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (wrong += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (const late = Date.now() + 60_000; !/^tokens: /m.test(said);) {
    if (isOver || Date.now() > late) {
      child.kill("SIGKILL");
      throw new Error(`it didn't open:\n${said}${wrong}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    address: /http:\/\/[^/\s]+/.exec(said)![0],
    said,
    pid: child.pid!,
    token(role) {
      const file = /^tokens: (.*)$/m.exec(said)![1]!;
      return (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>)[role]!;
    },
    end(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

function startProgram(entry: string, cwd: string, env: Readonly<Record<string, string>>): ApproverProgram {
  const child = spawn(process.execPath, [entry, "asks", "--json", "--watch"], { cwd, env });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const lines = (): string[] => text.split("\n").slice(0, -1);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    async line(number) {
      for (const end = Date.now() + 15_000; lines().length <= number;) {
        if (Date.now() > end) throw new Error(`it printed no line ${number}:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return JSON.parse(lines()[number]!) as InboxLine;
    },
    say: (answer) => void child.stdin.write(`${JSON.stringify(answer)}\n`),
    end() {
      child.stdin.end();
      return ended;
    },
  };
}
