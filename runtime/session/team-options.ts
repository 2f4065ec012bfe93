import type { TeamOptions } from "../api.ts";

/** What an app hands in may come from its configuration, past every type: a slip must not be taken for another choice. */

const CHOICES = {
  recordArguments: ["full", "hash", "none"],
  start: ["lazy", "eager"],
} as const satisfies { readonly [Key in keyof TeamOptions]?: readonly string[] };

export function refuseUnsoundOptions(options: TeamOptions): void {
  const { askTimeoutMs } = options;
  if (askTimeoutMs !== undefined && (typeof askTimeoutMs !== "number" || Number.isNaN(askTimeoutMs)))
    throw new TypeError("`askTimeoutMs` of a team is a number of milliseconds; leave it out for five minutes");
  for (const [key, choices] of Object.entries(CHOICES)) {
    const given: unknown = options[key as keyof typeof CHOICES];
    if (given !== undefined && !(choices as readonly unknown[]).includes(given))
      throw new TypeError(`\`${key}\` of a team is ${choices.map((choice) => `"${choice}"`).join(" or ")}`);
  }
}
