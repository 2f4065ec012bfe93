import type { Diagnostic } from "../diagnostics/types.ts";
import type { Locate } from "../base/place.ts";
import type { JsonValue } from "../base/json.ts";
import type { Plan } from "../3-plan/types.ts";
import type { LookedAt } from "../io/remember/looked-at.ts";
import { jsonText } from "../diagnostics/render-json.ts";
import { onlyAscii, wantsColour, type Stream, type Terminal } from "./terminal.ts";
import type { Style } from "../diagnostics/render-text.ts";
import { wrap } from "../base/wrap.ts";

/** What every command is, and what it is handed. A command asks the engine, prints, and says an exit code. */
export interface Command {
  /** The whole page of `rolecall <name> --help`, at most 80 columns. */
  readonly help: string;
  readonly flags: readonly Flag[];
  /** What may stand at the place of its first word, its second ...; for completion in a shell. */
  readonly takes?: readonly (readonly NameKind[])[];
  /** Further words are like the last. */
  readonly takesMore?: true;
  /** What stands behind `--` is another program's. */
  readonly handsOn?: true;
  /** All that it prints is for another program: word for word. */
  readonly forPrograms?: true;
  /** It doesn't say where the project lies. */
  readonly staysSilent?: true;
  run(context: Context, args: Args): Promise<number>;
}

export interface CommandEntry {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Among the six of the first page of help. */
  readonly isFirst?: true;
  /** One line for the pages of help. */
  readonly summary: string;
  load(): Promise<Command>;
}

export interface Flag {
  readonly name: string;
  /** The word for its value in messages; a flag without one is a switch. */
  readonly value?: string;
  /** What its value names. */
  readonly names?: NameKind;
  /** The word for a second value, which stands behind the first. */
  readonly and?: string;
  /** It may be given several times: its values are in `all`. */
  readonly isRepeated?: true;
}

export type NameKind = "role" | "server" | "tool" | "host" | "code" | "preset" | "shell" | "file";

export interface Args {
  /** What stands after the command's name, flags taken out. */
  readonly words: readonly string[];
  /** What stands behind `--`, for a command that hands it on; else it is among the words. */
  readonly behind: readonly string[];
  readonly on: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** Of flags that may be given several times: the values of each time. */
  readonly all: ReadonlyMap<string, readonly (readonly string[])[]>;
}

export interface Context {
  readonly terminal: Terminal;
  readonly engine: Engine;
  /** The project's folder, absolute; never printed. */
  readonly dir: string;
  /** Says where the project lies, once, when it isn't here. The engine does; whoever reads the folder without it calls this. */
  opened(): void;
  /** Every command there is: a command of its own can't import the others. */
  readonly commands: readonly CommandEntry[];
  readonly json: boolean;
  /** Nothing but errors, and what the command was asked to print. */
  readonly quiet: boolean;
  readonly noColour: boolean;
}

/** The compiler and the files on disk, as commands need them. */
export interface Engine {
  /** `instead`: texts by path, in place of what lies there. */
  compile(dir: string, instead?: ReadonlyMap<string, string>): Promise<Compiled>;
  build(dir: string, how: BuildOptions): Promise<Built>;
  /** Files with rolecall's header that no build of this project makes, relative to the project, sorted. */
  strays(dir: string): Promise<readonly string[]>;
  /**
   * Calls back with the files that changed, relative to the project, until stopped. What a build wrote is among them.
   * `followed`: besides sources anywhere, at the moment.
   */
  watch(dir: string, changed: (files: readonly string[]) => void, followed: () => Followed): Promise<() => void>;
}

export interface Followed {
  /** Files that aren't sources, wherever they lie. */
  readonly others: readonly string[];
  /** Whatever lies below it. */
  readonly folder: string;
}

export interface Compiled {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  readonly locate: Locate;
}

export interface BuildOptions {
  /** Compare with what is on disk and write nothing. */
  readonly check: boolean;
  readonly cache: boolean;
  /** Write also where a newer rolecall wrote the runtime. */
  readonly downgrade?: boolean;
  /** Told now and then how far writing is. */
  readonly progress?: (doing: string) => void;
}

export interface Built {
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined when errors kept the build from writing. */
  readonly outcome: Outcome | undefined;
  readonly counts: Counts;
  /** Files besides sources that count: prompts, whether they are there or not, and files of other systems. */
  readonly others: readonly string[];
  /** Where the sources lie. */
  readonly folder: string;
  /** Undefined: nothing was compiled, since the cache alone knew that there is nothing to do. */
  readonly plan?: Plan;
  readonly locate?: Locate;
  /** What it was made of and what it left, put together for who asks. */
  readonly lookedAt?: () => LookedAt;
}

/** How large the project is. Plain data: a build with nothing to do knows it from the cache alone. */
export interface Counts {
  readonly roles: number;
  readonly servers: number;
  readonly tools: number;
}

/**
 * What differed from the compiled output; paths relative to the project, sorted. Without `check`, the first two were
 * written and the third removed.
 */
export interface Outcome {
  readonly missing: readonly string[];
  readonly differs: readonly string[];
  readonly stale: readonly string[];
  /** Those of `differs` at which a build would stop: rolecall didn't write the file or can't read it. Only a check fills this. */
  readonly blocked?: readonly string[];
  /** Those of `differs` that have another layout and hold the same. Only a check fills this. */
  readonly respaced?: readonly string[];
  readonly unchanged: number;
  /** Settings that were something else at the last build: what it wrote there is stale. */
  readonly moved?: readonly { readonly key: string; readonly before: string }[];
}

/** The codes that scripts rely on. */
export const EXIT = { fine: 0, errors: 1, difference: 2, couldNotCheck: 3, wrongUsage: 64 } as const;

export function styleOf(context: Context, stream: Stream): Style {
  const { env } = context.terminal;
  return { colour: wantsColour(stream, env, context.noColour), width: stream.width, ascii: onlyAscii(env) };
}

/** What is told besides the answer: nothing, where only errors are wanted. */
export function tell(context: Context, text: string): void {
  if (!context.quiet) context.terminal.out.write(text);
}

/** What a person is to hear of them. */
export function heard(context: Context, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return context.quiet ? diagnostics.filter(({ severity }) => severity === "error") : diagnostics;
}

export function printJson(context: Context, value: JsonValue): void {
  context.terminal.out.write(jsonText(value));
}

/** The sentence, the next step, and exit code 64. */
export function wrongUsage(terminal: Terminal, sentence: string, next: string): number {
  say(terminal, sentence, next);
  return EXIT.wrongUsage;
}

/** What is in the way, and the next step. */
export function say({ err }: Terminal, sentence: string, next: string): void {
  const lines = [...wrap(`rolecall: ${sentence}`, err.width, "  "), ...wrap(`  ${next}`, err.width, "    ")];
  err.write(lines.map((line) => `${line}\n`).join(""));
}
