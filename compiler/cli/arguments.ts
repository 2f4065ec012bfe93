import { parseArgs } from "node:util";
import { nearest } from "../base/nearest.ts";
import { visible } from "../base/visible.ts";
import type { Args, Flag } from "./command.ts";

/** Every command takes these. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: "json" },
  { name: "quiet" },
  { name: "project", value: "DIR", names: "file" },
  { name: "no-color" },
  { name: "help" },
];

export interface WrongArguments {
  readonly problem: string;
}

/**
 * Reads arguments without throwing. `parseArgs` finds the tokens; what is wrong with them is judged here,
 * so that the answer can name the nearest flag.
 */
export function readArguments(
  argv: readonly string[],
  own: readonly Flag[],
  handsOn: boolean = false,
): Args | WrongArguments {
  const flags = [...COMMON_FLAGS, ...own];
  const words: string[] = [];
  const behind: string[] = [];
  let isBehind = false;
  const on = new Set<string>();
  const values = new Map<string, string>();
  const all = new Map<string, (readonly string[])[]>();
  for (const token of withSeconds(tokensOf(argv, flags), flags)) {
    if (token.kind === "option-terminator") isBehind = handsOn;
    if (token.kind === "positional") (isBehind ? behind : words).push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.find((f) => f.name === token.name);
    const problem =
      problemOf(token, flag, flags, handsOn) ?? (values.has(token.name) ? `--${token.name} is given twice` : undefined);
    if (problem !== undefined) return { problem };
    if (flag?.value === undefined) on.add(token.name);
    else if (flag.isRepeated) all.set(flag.name, [...(all.get(flag.name) ?? []), given(token)]);
    else values.set(token.name, token.value!);
  }
  return { words, behind, on, values, all };
}

type Token = ReturnType<typeof tokensOf>[number];

/** The second value of a flag goes with its first. */
function withSeconds(tokens: readonly Token[], flags: readonly Flag[]): (Token & { readonly second?: string })[] {
  const paired: (Token & { readonly second?: string })[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const [token, next] = [tokens[i]!, tokens[i + 1]];
    const takesTwo = token.kind === "option" && flags.some(({ name, and }) => name === token.name && and !== undefined);
    const isPair = takesTwo && next?.kind === "positional";
    paired.push(isPair ? { ...token, second: next.value } : token);
    if (isPair) i++;
  }
  return paired;
}

function given({ value, second }: OptionToken): string[] {
  return [value!, ...(second === undefined ? [] : [second])];
}

/** The first word that is no flag and no flag's value, and the arguments without it. */
export function takeCommand(argv: readonly string[]): {
  readonly name: string | undefined;
  readonly rest: readonly string[];
} {
  const first = tokensOf(argv, COMMON_FLAGS).find((token) => token.kind === "positional");
  if (first === undefined) return { name: undefined, rest: argv };
  return { name: argv[first.index]!, rest: argv.filter((_, i) => i !== first.index) };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
  readonly second?: string;
}

function tokensOf(argv: readonly string[], flags: readonly Flag[]) {
  const options: Record<string, { type: "string" | "boolean"; short?: string }> = {};
  for (const flag of flags) options[flag.name] = { type: flag.value === undefined ? "boolean" : "string" };
  options["help"] = { type: "boolean", short: "h" };
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function problemOf(
  token: OptionToken,
  flag: Flag | undefined,
  flags: readonly Flag[],
  handsOn: boolean,
): string | undefined {
  if (flag === undefined) return unknownFlag(token, flags, handsOn);
  if (flag.value === undefined) return token.value === undefined ? undefined : `--${flag.name} takes no value`;
  if (!token.value || (token.inlineValue === false && token.value.startsWith("-")))
    return `--${flag.name} needs a value: --${flag.name} ${flag.value}`;
  if (flag.and !== undefined && token.second === undefined)
    return `--${flag.name} needs two values: --${flag.name} ${flag.value} ${flag.and}`;
  return undefined;
}

function unknownFlag({ name, rawName }: OptionToken, flags: readonly Flag[], handsOn: boolean): string {
  const near = nearest(
    name,
    flags.map((flag) => flag.name),
  );
  const behind = handsOn ? "what is handed on stands behind `--`" : "";
  const more = near === undefined ? behind : `did you mean \`--${near}\`? ${behind}`.trimEnd();
  return `there is no flag \`${visible(rawName)}\`${more === "" ? "" : `; ${more}`}`;
}

const TIME_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
/** A day: a timer can't be set for much longer. */
const LONGEST_MS = 86_400_000;

/** Milliseconds of a flag that takes a time, written as the language writes one: 500ms, 30s, 2m. */
export function readTime(args: Args, flag: string): number | undefined | WrongArguments {
  const written = args.values.get(flag);
  if (written === undefined) return undefined;
  const [, amount, unit] = /^([1-9]\d{0,8})(ms|s|m)$/.exec(written) ?? [];
  const ms = Number(amount) * TIME_UNITS[unit ?? "ms"]!;
  if (amount !== undefined && ms <= LONGEST_MS) return ms;
  return { problem: `--${flag} takes a time like 500ms, 30s or 2m, and \`${visible(written)}\` isn't one` };
}
