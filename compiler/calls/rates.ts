import type { Figures } from "./types.ts";

/** Below it a server counts as hardly available. */
export const LOW_AVAILABILITY = 0.95;

/** Share of errors, three decimals; none where nothing was called. */
export function errorRate({ calls, errors }: Figures): number {
  return calls === 0 ? 0 : rounded(errors / calls);
}

/** Share of the calls to a server that got an answer. Refusals, limits and cancelled calls say nothing about it. */
export function availability({ reaching, unavailable }: Figures): number | undefined {
  return reaching === 0 ? undefined : (reaching - unavailable) / reaching;
}

export interface ErrorsByKind {
  readonly refused: number;
  readonly rateLimited: number;
  readonly unavailable: number;
  readonly failed: number;
  readonly stopped: number;
}

export function errorsByKind({ calls, errors, reaching, refused, rateLimited, unavailable }: Figures): ErrorsByKind {
  const failed = reaching - unavailable - (calls - errors);
  return { refused, rateLimited, unavailable, failed, stopped: errors - refused - rateLimited - unavailable - failed };
}

/** Three decimals. */
export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
