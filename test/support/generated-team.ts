import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import type { Clock, RolecallError, Session, Team, TeamOptions } from "../../runtime/index.ts";
import type { CallOptions, ToolResult } from "../../runtime/contract.ts";
import { runInProcess } from "./run-cli.ts";
import { ROOT } from "./root.ts";

/** A project as an app has it: captured and built by the CLI from real servers, then bundled and imported. */
export interface GeneratedProject {
  readonly dir: string;
  /** The generated door, bundled as an app would. */
  readonly module: string;
  team(options?: TeamOptions): Team<Record<string, Tools>>;
  write(file: string, text: string): void;
  read(file: string): string;
  run(command: readonly string[], env?: Record<string, string>): Promise<void>;
  remove(): void;
}

/** By server, by tool. What the compiler knows of them is proven elsewhere. */
export type Tools = Readonly<Record<string, Readonly<Record<string, Call>>>>;
type Call = (args?: object, options?: CallOptions) => Promise<ToolResult<unknown>>;

export async function generatedProject(
  files: Readonly<Record<string, string>>,
  commands: readonly (readonly string[])[],
  env: (dir: string) => Record<string, string> = () => ({}),
): Promise<GeneratedProject> {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-e2e-")));
  const module = path.join(dir, "team.mjs");
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  };
  const run = async (command: readonly string[], given: Record<string, string> = {}): Promise<void> => {
    const ran = await runInProcess((argv, terminal) => main(argv, terminal, engine), given)(command, dir);
    if (ran.exit !== 0) throw new Error(ran.printed);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  for (const command of commands) await run(command, env(dir));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(dir, "node_modules"), "dir");
  await build({
    entryPoints: [path.join(dir, "src/mcp/index.ts")],
    outfile: module,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  const { team } = (await import(pathToFileURL(module).href)) as Pick<GeneratedProject, "team">;
  return {
    dir,
    module,
    team,
    write,
    run,
    read: (file) => readFileSync(path.join(dir, file), "utf8"),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** A clock that can be put forward: back-off and cool-down pass at once, time-outs are real. */
export function movableClock(): Clock & { skip(ms: number): void } {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    skip: (ms) => void (ahead += ms),
  };
}

/** The error that a call rejects with; the bundle has a class of its own. */
export async function errorOf(work: Promise<unknown>): Promise<RolecallError> {
  const outcome = await work.then(
    () => new Error("it was answered"),
    (thrown: unknown) => thrown,
  );
  if (!(outcome instanceof Error) || outcome.name !== "RolecallError") throw outcome;
  return outcome as RolecallError;
}

export type AnySession = Session<Tools>;
