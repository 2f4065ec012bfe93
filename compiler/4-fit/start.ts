import { plainWord } from "../base/project-word.ts";
import { shellWord } from "../base/shell-word.ts";
import type { FittedPlan, Start, StartCommand, StartText } from "./types.ts";

/** How a role of a project is started on a host, as data, and the same as a line for a shell. */

export function startOf({ host, plan }: FittedPlan, role: string): Start {
  const { folder, name } = plan.project;
  return host.start({ role, folder: folder.startsWith("-") ? `./${folder}` : folder, project: plainWord(name) });
}

/** A role for lines that show how: the one that the files are for, else the first that is given a server. */
export function shownRole({ choice, roles }: FittedPlan): string {
  return choice.role ?? (roles.find(({ servers }) => servers.length > 0) ?? roles[0])?.name ?? "ROLE";
}

/** For the shells of POSIX, to be run in the project's folder. `more`: what the user adds. */
export function shellLine(
  program: string,
  { copied, env = [], args }: StartCommand,
  more: readonly string[] = [],
): string {
  const start = [
    ...env.map(([name, value]) => `${name}=${shellText(value)}`),
    program,
    ...[...args, ...more].map(shellText),
  ].join(" ");
  if (copied === undefined) return start;
  const home = `\${${copied.variable}:-$HOME/${copied.folder}}`;
  return `mkdir -p "${home}" && cp ${shellWord(copied.file)} "${home}/${copied.as}" && ${start}`;
}

function shellText(text: StartText): string {
  return typeof text === "string" ? shellWord(text) : `"$(cat ${shellWord(text.textOf)})"`;
}
