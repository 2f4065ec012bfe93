import { visible } from "../../base/visible.ts";
import { builtNames, type BuiltNames } from "../../io/read/built-names.ts";
import { readBashLine } from "./bash-line.ts";
import { COMMON_FLAGS, takeCommand } from "../arguments.ts";
import type { Command, CommandEntry, Context, Flag, NameKind } from "../command.ts";

/** Said instead of candidates: the shell completes the names of files. */
const FILES = ":files";
const SHELLS = ["bash", "zsh", "fish"];

/**
 * What the last of the words may become. The words are what stands behind `rolecall`, without quotes. Candidates that end
 * in `.` or `/` go on.
 */
export async function candidates(words: readonly string[], context: Context): Promise<string[]> {
  const [, flag = "", value] = /^(--[a-z-]+)=(.*)$/s.exec(words.at(-1) ?? "") ?? [];
  const before = value === undefined ? words.slice(0, -1) : [...words.slice(0, -1), flag];
  const current = value ?? words.at(-1) ?? "";
  const open = await openTo(before, current, context);
  return open
    .filter((name) => name === FILES || (name.startsWith(current) && visible(name) === name))
    .map((name) => (name === FILES || value === undefined ? name : `${flag}=${name}`));
}

/** For bash, which replaces only a part of the word. Within an open quote, names with characters that mean something there aren't offered. */
export async function candidatesOfLine(
  [line = "", replaced = ""]: readonly string[],
  context: Context,
): Promise<string[]> {
  const { words, kept, isInQuote } = readBashLine(line, replaced);
  const found = await candidates(words.slice(1), context);
  const usable = isInQuote ? found.filter((name) => /^[\w./@%+:=-]*$/.test(name)) : found;
  return usable.map((name) => (name.startsWith(kept) ? name.slice(kept.length) : name));
}

async function openTo(before: readonly string[], current: string, context: Context): Promise<readonly string[]> {
  const { name, rest } = takeCommand(before);
  const command = name === undefined ? undefined : await commandOf(name, context)?.load();
  const flags = [...COMMON_FLAGS, ...(command?.flags ?? [])];
  const valued = flags.filter(({ value }) => value !== undefined).find((flag) => `--${flag.name}` === before.at(-1));
  if (command?.handsOn && before.includes("--")) return [FILES];
  if (valued !== undefined) return named(valued.names, current, context);
  if (current.startsWith("-")) return flagsLeft(flags, before, name === undefined);
  if (command !== undefined) return named(kindsAt(command, flags, rest), current, context);
  const isOfHelp = name === "help" && rest.length === 0;
  return name === undefined || isOfHelp ? commandNames(context, name === undefined) : [];
}

function commandOf(name: string, { commands }: Context): CommandEntry | undefined {
  return commands.find((one) => one.name === name || one.aliases.includes(name));
}

function flagsLeft(flags: readonly Flag[], before: readonly string[], isFirst: boolean): string[] {
  const all = flags.map(({ name }) => `--${name}`).filter((flag) => !before.includes(flag));
  return isFirst ? [...all, "--version"] : all;
}

function commandNames({ commands }: Context, withHelp: boolean): string[] {
  return [...commands.flatMap(({ name, aliases }) => [name, ...aliases]), ...(withHelp ? ["help"] : [])];
}

/** What stands at the place of the next word, for a command that takes words there. */
function kindsAt({ takes = [], takesMore }: Command, flags: readonly Flag[], rest: readonly string[]) {
  const takesValue = (word: string | undefined) =>
    flags.some((flag) => flag.value !== undefined && word === `--${flag.name}`);
  const place = rest.filter((word, i) => !word.startsWith("-") && !takesValue(rest[i - 1])).length;
  return takes[place] ?? (takesMore ? takes.at(-1) : undefined);
}

async function named(
  wanted: NameKind | readonly NameKind[] | undefined,
  current: string,
  context: Context,
): Promise<readonly string[]> {
  const kinds = [wanted ?? []].flat();
  const names = kinds.some((kind) => kind === "role" || kind === "server" || kind === "tool")
    ? (builtNames(context.dir) ?? (await compiledNames(context)))
    : undefined;
  const lists = await Promise.all(kinds.map((kind) => namesOf(kind, current, names)));
  return lists.flat();
}

/** Without a build there is no quicker way. */
async function compiledNames({ dir, engine }: Context): Promise<BuiltNames> {
  const { plan } = await engine.compile(dir);
  return {
    roles: plan.roles.map(({ name }) => name),
    servers: new Map(plan.servers.map(({ name, tools }) => [name, tools.map((tool) => tool.name)])),
  };
}

async function namesOf(kind: NameKind, current: string, names: BuiltNames | undefined): Promise<readonly string[]> {
  switch (kind) {
    case "role":
      return names?.roles ?? [];
    case "server":
      return [...(names?.servers.keys() ?? [])];
    case "tool":
      return toolNames(current, names?.servers ?? new Map());
    case "host":
      return hostIds();
    case "preset":
      return presetNames();
    case "shell":
      return SHELLS;
    case "code":
      return codeNames(current);
    case "file":
      return [FILES];
  }
}

async function hostIds(): Promise<readonly string[]> {
  const { allHosts } = await import("../../5-artifacts/hosts/all-hosts.ts");
  return allHosts([]).map(({ id }) => id);
}

async function presetNames(): Promise<readonly string[]> {
  return (await import("../../io/read/shipped-presets.ts")).shippedNames();
}

/** First the server and its dot: a list of all tools would be too long to read. */
function toolNames(current: string, servers: BuiltNames["servers"]): string[] {
  const dot = current.indexOf(".");
  if (dot < 0) return [...servers.keys()].map((server) => `${server}.`);
  const server = current.slice(0, dot);
  return (servers.get(server) ?? []).map((tool) => `${server}.${tool}`);
}

/** First the subject and its slash, then whole codes. None before a letter is typed: there are too many. */
async function codeNames(current: string): Promise<readonly string[]> {
  if (current === "") return [];
  const { catalogue } = await import("../../diagnostics/catalogue.ts");
  const codes = Object.keys(catalogue);
  return current.includes("/") ? codes : [...new Set(codes.map((code) => code.slice(0, code.indexOf("/") + 1)))];
}
