const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** `30s` to milliseconds; the schema has checked the form. */
export function milliseconds(duration: string): number {
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(duration) ?? [];
  return Math.min(Number(amount) * UNITS[unit ?? "ms"]!, Number.MAX_SAFE_INTEGER);
}
