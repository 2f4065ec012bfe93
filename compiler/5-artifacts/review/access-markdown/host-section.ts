import { visibleMarkdown } from "../../../base/visible.ts";
import { sorted } from "../../../base/order.ts";
import { COLUMNS, hostCells, cellWords, type HostCell } from "../../../4-fit/host-table.ts";
import { givenTools, otherCommand } from "../../../4-fit/given.ts";
import { shellRoles } from "../../../4-fit/shells.ts";
import type { FittedPlan, OpenTools } from "../../../4-fit/types.ts";
import { code, codes } from "./code.ts";

/** What each chosen host holds of this plan, and what it therefore doesn't get. */
export function hostSection(hosts: readonly FittedPlan[]): string[] {
  if (hosts.length === 0) return [];
  const rows = hosts.map((fitted) => `| ${[fitted.host.title, ...hostCells(fitted).map(shownCell)].join(" | ")} |`);
  const table = [`| host | ${COLUMNS.join(" | ")} |`, `|${" --- |".repeat(COLUMNS.length + 1)}`, ...rows];
  const open = hosts.flatMap(openBesideLines);
  const isBehind = hosts.some((fitted) => hostCells(fitted).some(({ word }) => word === "gateway"));
  const behind = isBehind
    ? " `gateway`: `rolecall serve` holds it, where the host reaches its tools through that."
    : "";
  const sentence = `\`left out 3\`: the host can't hold the restriction, so three tools stay away from it.${behind}${open.length > 0 ? " `but`: what stands below the table is more open there than the roles hold." : ""}`;
  const lists = [
    open,
    [...hosts.flatMap(choiceLines), ...pinLines(hosts)],
    [...commandLines(hosts), ...hosts.flatMap(throughLines), ...hosts.flatMap(shellLines)],
    [...hosts.flatMap(awayLines), ...hosts.flatMap(closedLines), ...hosts.flatMap(omittedLines)],
  ];
  return [
    "## Hosts\n",
    `${sentence}\n\n${table.join("\n")}\n`,
    ...lists.filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`),
  ];
}

function shownCell(cell: HostCell): string {
  return cell.isOpen ? `${cellWords(cell)}, but` : cellWords(cell);
}

function openBesideLines(fitted: FittedPlan): string[] {
  const { title } = fitted.host;
  const { openToOthers: servers } = fitted;
  return hostCells(fitted).flatMap(({ column, isOpen, but }) => {
    if (!isOpen || but === undefined) return [];
    const which = column === "hide" && servers.length > 0 ? `: ${codes(servers)}` : "";
    return [`- ${title}, ${column}: ${withCode(but)}${which}`];
  });
}

/** What the project chose for a host besides the host itself: each a line, so that a diff shows it. */
function choiceLines({ host, choice }: FittedPlan): string[] {
  const { role, via, whenUnenforceable, isChosen, assumed, without, into } = choice;
  const taken = (wanted: string) =>
    sorted([...assumed].flatMap(([name, state]) => (state === wanted ? [code(name)] : []))).join(", ");
  const says = [
    ...(role === undefined ? [] : [`its files are for ${code(role)} alone`]),
    ...(via === "serve" ? ["it is told of `rolecall serve` alone, which holds every rule"] : []),
    ...(whenUnenforceable === "error" ? ["the build fails where it can't hold a restriction"] : []),
    ...(whenUnenforceable === "leave-out" && isChosen
      ? ["what it can't hold stays away from it, without a warning"]
      : []),
    ...(taken("set") === "" ? [] : [`its files are written as if these were set: ${taken("set")}`]),
    ...(taken("unset") === "" ? [] : [`its files are written as if these weren't set: ${taken("unset")}`]),
    ...(without.length === 0 ? [] : [`these servers stay away from it: ${codes(without)}`]),
    ...(into === undefined ? [] : [`its keys are in ${code(into)} too`]),
  ];
  return says.map((words) => `- ${host.title}: ${words}`);
}

function pinLines(hosts: readonly FittedPlan[]): string[] {
  const isTold = ({ host, choice }: FittedPlan) => host.abilities.pins.holds === "none" && choice.via === "files";
  const titles = hosts.filter(isTold).map(({ host }) => host.title);
  if (titles.length === 0) return [];
  return [`- a changed tool isn't noticed by ${titles.join(", ")}: run \`rolecall capture --check\``];
}

/** What stands in place of rolecall runs on every machine where one of these does. */
function commandLines(hosts: readonly FittedPlan[]): string[] {
  const served = hosts.flatMap((fitted) => {
    const command = otherCommand(fitted);
    return command === undefined ? [] : [{ title: fitted.host.title, command }];
  });
  if (served.length === 0) return [];
  const titles = served.map(({ title }) => title).join(", ");
  return [
    `- ${titles}: ${served[0]!.command.map(code).join(" ")} starts \`rolecall serve\` there, in place of \`rolecall\``,
  ];
}

/** What the host can't hold itself, and reaches all the same. */
function throughLines({ host, roles }: FittedPlan): string[] {
  return roles.flatMap((role) => {
    const byWhy = new Map<string, string[]>();
    for (const { server, tool, through } of givenTools(role)) {
      if (through?.instead === undefined) continue;
      const { why } = through.instead;
      byWhy.set(why, [...(byWhy.get(why) ?? []), code(`${server.name}.${tool.name}`)]);
    }
    return [...byWhy].map(
      ([why, names]) =>
        `- ${host.title}, ${visibleMarkdown(role.name)}: ${names.join(", ")} through \`rolecall serve\`, since ${withCode(why)}`,
    );
  });
}

/** A role is chosen by whoever starts the command, so the gateway is no wall against commands of the user's. */
function shellLines(fitted: FittedPlan): string[] {
  return shellRoles(fitted).map(({ roles, shells }) => {
    const has =
      shells === undefined
        ? "its own tools aren't known here: one that runs commands"
        : `${codes(shells)} ${shells.length === 1 ? "runs" : "run"} commands, and a command`;
    return `- ${fitted.host.title}, ${codes(roles)}: ${has} can start \`rolecall serve\` as another role, or say yes in \`rolecall asks\``;
  });
}

function awayLines({ host, roles }: FittedPlan): string[] {
  return roles.flatMap(({ name, leftOut }) =>
    leftOut.map(({ server, tools, wholeServer, why }) => {
      const what = wholeServer
        ? `all of ${code(server.name)}`
        : tools.map((tool) => code(`${server.name}.${tool.name}`)).join(", ");
      return `- ${host.title}, ${visibleMarkdown(name)}: without ${what}, since ${withCode(why)}`;
    }),
  );
}

function closedLines({ host, roles }: FittedPlan): string[] {
  return roles.flatMap(({ name, closedDelegation }) => {
    if (closedDelegation === undefined) return [];
    const { delegates, why } = closedDelegation;
    return [
      `- ${host.title}, ${visibleMarkdown(name)}: hands no work to ${delegates.map(code).join(", ")}, since ${withCode(why)}`,
    ];
  });
}

/** What is left of a connection without the texts behind a `:+`. */
function omittedLines({ host, roles }: FittedPlan): string[] {
  const lines = roles.flatMap(({ servers }) =>
    servers.flatMap(({ server, omitted }) =>
      omitted.map(
        ({ what, variable }) =>
          `- ${host.title}: ${code(server.name)} without ${withCode(what)}, since ${code(variable)} counts as unset`,
      ),
    ),
  );
  return [...new Set(lines)];
}

/** What stands between backticks is a name, and nothing else is markup. */
function withCode(words: string): string {
  const parts = words.split("`");
  if (parts.length % 2 === 0) return visibleMarkdown(words);
  return parts.map((part, i) => (i % 2 === 1 ? code(part) : visibleMarkdown(part))).join("");
}

/** For the first lines of the page: roles that have every tool of a host's own, said or not. */
export function openToolsLines(hosts: readonly FittedPlan[]): string[] {
  const unsaid = hosts.flatMap((fitted) => openLines(fitted, (open) => open.unsaid));
  const meant = hosts.flatMap((fitted) => openLines(fitted, (open) => open.meant));
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

function openLines({ host, roles, openTools }: FittedPlan, whose: (open: OpenTools) => readonly string[]): string[] {
  const open = openTools === undefined ? [] : whose(openTools);
  if (openTools === undefined || open.length === 0) return [];
  const who = open.length === roles.length && open.length > 1 ? "every role" : codes(open);
  const dangers = openTools.dangers.map(({ can, names }) => `${codes(names)} (${can})`);
  return [`- ${host.title}, ${who}: ${dangers.join("; ")}`];
}
