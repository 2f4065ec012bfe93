import type { Replaced } from "../../../4-fit/types.ts";

/** In a file of its context `@name` at the beginning of a word stands for the file of that name, but not in back-ticks. It is told no description. */
export function replacedIn(prompt: string, of: "prompt" | "description"): Replaced | undefined {
  if (of === "description") return undefined;
  // Of longer rows of back-ticks it isn't said which belong together: then nothing counts as code.
  const outsideOfCode = /`{101}/.test(prompt)
    ? prompt
    : prompt.replace(/(`{1,100})[^]*?\1/g, (code) => "`".repeat(code.length));
  const part = /(?<![^ \t\n\r])@[A-Za-z./][^ \t\n\r]*/.exec(outsideOfCode)?.[0];
  return part === undefined ? undefined : { part, help: "put it in back-ticks, or write it without the `@`" };
}
