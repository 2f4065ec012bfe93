import type { Context } from "./command.ts";

/** Only a person at a terminal is asked; undefined: nobody can be, and a flag is the yes. */
export async function saysYes({ terminal, json }: Context, question: string): Promise<boolean | undefined> {
  if (json || terminal.answer === undefined || !terminal.out.isTerminal || terminal.env.CI) return undefined;
  terminal.out.write(`${question} [y/N] `);
  const answer = await terminal.answer();
  if (answer === undefined) terminal.out.write("\n");
  return /^\s*y(?:es)?\s*$/i.test(answer ?? "");
}
