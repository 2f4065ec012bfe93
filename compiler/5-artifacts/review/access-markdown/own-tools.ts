import type { FittedPlan, OpenTools } from "../../../4-fit/types.ts";
import { codes } from "./code.ts";

/** For the first lines of the page: roles that have every tool of a host's own, said or not. */
export function openToolsLines(hosts: readonly FittedPlan[]): string[] {
  const unsaid = hosts.flatMap((fitted) => lines(fitted, (open) => open.unsaid));
  const meant = hosts.flatMap((fitted) => lines(fitted, (open) => open.meant));
  return [
    ...section(
      "**Hosts' own tools aren't governed here.** These roles have all of them, beside what the table says:",
      unsaid,
    ),
    ...section("**All of a host's own tools are given on purpose**, beside what the table says:", meant),
  ];
}

function section(title: string, found: readonly string[]): string[] {
  return found.length === 0 ? [] : [`${title}\n\n${found.join("\n")}\n`];
}

function lines({ host, roles, openTools }: FittedPlan, whose: (open: OpenTools) => readonly string[]): string[] {
  const open = openTools === undefined ? [] : whose(openTools);
  if (openTools === undefined || open.length === 0) return [];
  const who = open.length === roles.length && open.length > 1 ? "every role" : codes(open);
  const dangers = openTools.dangers.map(({ can, names }) => `${codes(names)} (${can})`);
  return [`- ${host.title}, ${who}: ${dangers.join("; ")}`];
}
