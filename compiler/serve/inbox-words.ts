import { visible } from "../base/visible.ts";
import type { ProjectSettings } from "../3-plan/types.ts";
import { shownWord } from "../base/shell-word.ts";

/** What a client is to tell its user to do, completing "Tell the user ...", as the project starts rolecall. */

/** From where a yes is taken. A helpful agent runs what it reads, so that it holds no word that answers. */
export function inboxWords({ command, approvers }: Pick<ProjectSettings["serve"], "command" | "approvers">): string {
  const asks = commandWords([...command, "asks"]);
  if (approvers.includes("terminal")) return `to open ${asks} in a terminal of their own`;
  if (approvers.includes("page")) return `to open the page of ${asks}, from a terminal of their own`;
  if (approvers.includes("program")) return "to start the program that answers for them";
  // What waits, or was answered with no, takes the one place from which a yes was taken.
  return statusWords({ command });
}

/** Variables are read when the process starts, and not for each call. One over HTTP is started by whoever started it. */
export function setVariableWords(
  { command, env }: Pick<ProjectSettings["serve"], "command" | "env">,
  isHttp: boolean,
): string {
  const anew = isHttp
    ? `to end ${commandWords([...command, "serve", "--http"])} and start it again`
    : `to run ${commandWords([...command, "serve", "--stop"])}`;
  return `to set what is missing in \`${visible(env.file)}\`, then ${anew}`;
}

/** Where it is said what became of what was built last. */
export function statusWords({ command }: Pick<ProjectSettings["serve"], "command">): string {
  return `that ${commandWords([...command, "serve", "--status"])} says what waits or was answered with no`;
}

function commandWords(words: readonly string[]): string {
  return `\`${words.map(shownWord).join(" ")}\``;
}
