import { visible } from "../base/visible.ts";
import type { WrongArguments } from "./arguments.ts";
import type { Args } from "./command.ts";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Milliseconds since 1970: so long ago, or a moment, in UTC unless it says otherwise. */
export function readSince(args: Args, now: number): number | undefined | WrongArguments {
  const written = args.values.get("since");
  if (written === undefined) return undefined;
  const [, amount, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(written) ?? [];
  if (amount !== undefined) return now - Number(amount) * UNITS[unit!]!;
  const [, time, , , zone] = MOMENT.exec(written) ?? [];
  const moment = MOMENT.test(written)
    ? Date.parse(time !== undefined && zone === undefined ? `${written}Z` : written)
    : NaN;
  if (!Number.isNaN(moment)) return moment;
  return {
    problem: `--since takes 30m, 24h, 7d or a time like 2026-03-01T09:30, and \`${visible(written)}\` isn't one`,
  };
}
