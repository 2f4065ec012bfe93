import { visible } from "../base/visible.ts";
import type { WrongArguments } from "./arguments.ts";
import type { Args } from "./command.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
/** A day: a timer can't be set for much longer. */
const LONGEST_MS = 86_400_000;

/** Milliseconds of a flag that takes a time, written as the language writes one: 500ms, 30s, 2m. */
export function readTime(args: Args, flag: string): number | undefined | WrongArguments {
  const written = args.values.get(flag);
  if (written === undefined) return undefined;
  const [, amount, unit] = /^([1-9]\d{0,8})(ms|s|m)$/.exec(written) ?? [];
  const ms = Number(amount) * UNITS[unit ?? "ms"]!;
  if (amount !== undefined && ms <= LONGEST_MS) return ms;
  return { problem: `--${flag} takes a time like 500ms, 30s or 2m, and \`${visible(written)}\` isn't one` };
}
