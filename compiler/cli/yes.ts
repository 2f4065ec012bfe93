import { wrapWithin } from "../base/wrap.ts";
import type { Context } from "./command.ts";

/** Only a person at a terminal is asked; undefined: nobody can be, and a flag is the yes. */
export async function saysYes(context: Context, question: string): Promise<boolean | undefined> {
  if (!canAsk(context)) return undefined;
  const { terminal } = context;
  terminal.out.write(`${wrapWithin(`${question} [y/N]`, terminal.out.width, "  ").join("\n")} `);
  const answer = await terminal.answer?.();
  if (answer === undefined) terminal.out.write("\n");
  return /^\s*y(?:es)?\s*$/i.test(answer ?? "");
}

export function canAsk({ terminal, json }: Context): boolean {
  return !json && terminal.answer !== undefined && terminal.out.isTerminal && !terminal.env.CI;
}
