import { realpathSync } from "node:fs";
import path from "node:path";
import { nearest } from "../base/nearest.ts";
import { visible } from "../base/visible.ts";
import { readArguments, takeCommand } from "./arguments.ts";
import { EXIT, wrongUsage, type Args, type Command, type CommandEntry, type Context, type Engine } from "./command.ts";
import { commands, findCommand } from "./commands.ts";
import { asCalled } from "./as-called.ts";
import { allPage, firstPage } from "./first-page.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Arguments in, exit code out. Never throws: a mistake of ours is told as such. */
export async function main(argv: readonly string[], terminal: Terminal, engine: Engine): Promise<number> {
  try {
    return await answer(argv, terminal, engine);
  } catch (problem) {
    return ownMistake(problem, terminal);
  }
}

async function answer(argv: readonly string[], terminal: Terminal, engine: Engine): Promise<number> {
  const { name, rest } = takeCommand(argv);
  if (name === undefined) return withoutCommand(rest, terminal);
  if (name === "help") return helpOn(takeCommand(rest).name, terminal);
  const entry = findCommand(name);
  return entry === undefined
    ? unknownCommand(name, await asCalled(terminal))
    : runCommand(entry, rest, terminal, engine);
}

async function runCommand(
  entry: CommandEntry,
  argv: readonly string[],
  terminal: Terminal,
  engine: Engine,
): Promise<number> {
  const command = await entry.load();
  const args = readArguments(argv, command.flags, command.handsOn);
  if ("problem" in args)
    return wrongUsage(await asCalled(terminal), args.problem, `rolecall ${entry.name} --help shows its flags`);
  if (args.on.has("help")) return print(command.help, terminal);
  const isForPrograms = command.forPrograms === true || args.on.has("json") || args.on.has("markdown");
  const shown = await asCalled(terminal, isForPrograms);
  return command.run(await contextOf(command, args, shown, engine), args);
}

/** The project is the folder that is named, else the nearest one here or above. */
async function contextOf({ staysSilent }: Command, args: Args, terminal: Terminal, engine: Engine): Promise<Context> {
  const { projectAbove } = await import("../io/read/find-project.ts");
  const named = args.values.get("project");
  const above = named === undefined ? projectAbove(terminal.cwd) : undefined;
  let isTold = above === undefined || staysSilent === true;
  const opened = (): void => {
    if (!isTold) terminal.err.write(`rolecall: the project in ${above}\n`);
    isTold = true;
  };
  return {
    terminal,
    engine: tellingFirst(engine, opened),
    dir: realFolder(path.resolve(terminal.cwd, named ?? above ?? ".")),
    opened,
    commands,
    json: args.on.has("json"),
    quiet: args.on.has("quiet"),
    noColour: args.on.has("no-color"),
  };
}

/** What hosts are started in: above a link lies something else than above the folder that it leads to. */
function realFolder(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    return dir;
  }
}

function tellingFirst({ compile, build, strays, watch }: Engine, opened: () => void): Engine {
  const first = <Asked extends readonly unknown[], Answer>(ask: (...asked: Asked) => Answer) => {
    return (...asked: Asked): Answer => {
      opened();
      return ask(...asked);
    };
  };
  return { compile: first(compile), build: first(build), strays, watch };
}

async function withoutCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (argv.some((word) => word === "--version" || word === "-v" || word === "-V"))
    return print(`${version}\n`, terminal);
  const args = readArguments(argv, [{ name: "version" }]);
  return "problem" in args
    ? wrongUsage(await asCalled(terminal), args.problem, "rolecall --help shows the commands")
    : print(firstPage(), terminal);
}

async function helpOn(name: string | undefined, terminal: Terminal): Promise<number> {
  if (name === undefined) return print(firstPage(), terminal);
  if (name === "all") return print(allPage(), terminal);
  const entry = findCommand(name);
  return entry === undefined
    ? unknownCommand(name, await asCalled(terminal))
    : print((await entry.load()).help, terminal);
}

function unknownCommand(name: string, terminal: Terminal): number {
  const near = nearest(name, ["help", ...commands.flatMap((command) => [command.name, ...command.aliases])]);
  const guess = near === undefined ? "" : `; did you mean \`${near}\`?`;
  return wrongUsage(terminal, `there is no command \`${visible(name)}\`${guess}`, "rolecall --help shows the commands");
}

function print(page: string, terminal: Terminal): number {
  terminal.out.write(page);
  return EXIT.fine;
}

function ownMistake(problem: unknown, terminal: Terminal): number {
  const error = problem instanceof Error ? problem : new Error(String(problem));
  const trace = terminal.env.ROLECALL_TRACE
    ? `${error.stack ?? ""}\n`
    : "  please report it; ROLECALL_TRACE=1 shows where it happened\n";
  terminal.err.write(`rolecall: stopped over a mistake of its own: ${visible(error.message)}\n${trace}`);
  return EXIT.couldNotCheck;
}
