import type { JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { wrap } from "../../base/wrap.ts";
import { diagnosticsJson } from "../../diagnostics/render-json.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import type { Plan } from "../../3-plan/types.ts";
import { COLUMNS, hostCells, cellWords, type HostCell } from "../../4-fit/host-table.ts";
import { shellLine, shownRole, startOf } from "../../4-fit/start.ts";
import { givenTools, otherCommand } from "../../4-fit/given.ts";
import { filesLookedAt, readsOn, type HowRead } from "../../4-fit/reads.ts";
import { shellRoles } from "../../4-fit/shells.ts";
import { shellSentence } from "../shell-words.ts";
import type { Can, ClosedDelegation, FittedPlan, LeftOut, Omitted } from "../../4-fit/types.ts";
import { tableLines, text, type TableCell } from "../table.ts";
import { factLines, page } from "../page.ts";

/** `rolecall hosts claude-code`: those that are named, with all there is to know of them. */
export function namedHostsPage(plan: Plan, fitted: readonly FittedPlan[], style: Style): string {
  return page([
    hostTable(fitted, style),
    ...fitted.map((one) =>
      isChosen(plan, one)
        ? chosenLines(one, style)
        : [
            visible(one.host.title),
            ...wrap(`  not chosen: add \`${one.host.id}\` to \`hosts\` in rolecall.yaml`, style.width, "    "),
            ...factLines(factsToKnow(one), style),
          ],
    ),
  ]);
}

/** `rolecall hosts`. Chosen hosts first, each with how it is started and what to know of it. */
export function hostPage(plan: Plan, fitted: readonly FittedPlan[], style: Style): string {
  const chosen = fitted.filter((one) => isChosen(plan, one));
  const others = fitted.filter((one) => !isChosen(plan, one));
  const next =
    plan.project.hosts.length === 0 ? [["no host is chosen: write `hosts: [claude-code]` in rolecall.yaml"]] : [];
  return page([
    ...(chosen.length > 0 ? [hostTable(chosen, style)] : []),
    ...chosen.map((one) => chosenLines(one, style)),
    ...next,
    ...(others.length > 0
      ? [[chosen.length > 0 ? "not chosen" : "what each would hold", ...hostTable(others, style)]]
      : []),
  ]);
}

function chosenLines(one: FittedPlan, style: Style): string[] {
  return [visible(one.host.title), ...startLines(one), ...factLines(factsToKnow(one), style)];
}

export function hostsJson(plan: Plan, fitted: readonly FittedPlan[], errors: readonly Diagnostic[]): JsonObject {
  return {
    format: 1,
    project: plan.project.name,
    diagnostics: diagnosticsJson(errors),
    hosts: fitted.map((one) => ({
      id: one.host.id,
      title: one.host.title,
      chosen: isChosen(plan, one),
      start: startText(one),
      abilities: Object.fromEntries(
        hostCells(one).map(({ column, word, away, but }) => [column, { word, leftOut: away, but: but ?? null }]),
      ),
      leftOut: one.roles.flatMap(({ name, leftOut }) =>
        leftOut.map(({ server, tools, wholeServer, because, why }) => ({
          role: name,
          server: server.name,
          tools: tools.map((tool) => tool.name),
          wholeServer,
          because,
          why,
        })),
      ),
      through: one.roles.flatMap((role) =>
        givenTools(role).flatMap(({ server, tool, through }) =>
          through === undefined
            ? []
            : [
                {
                  role: role.name,
                  server: server.name,
                  tool: tool.name,
                  because: through.instead?.because ?? null,
                  why: through.instead?.why ?? null,
                },
              ],
        ),
      ),
      command: otherCommand(one) ?? null,
      reads: readsOn(one).map(({ role, servers, how }) => ({ role, servers: [...servers], how })),
      onlyRead: [...filesLookedAt(one)],
      shells: shellRoles(one).map(({ roles, shells }) => ({ roles: [...roles], tools: shells ? [...shells] : null })),
      closedDelegation: closedOf(one).map(({ role, delegates, why }) => ({ role, delegates: [...delegates], why })),
      omitted: omittedOf(one).map(({ server, what, variable }) => ({ server, what, variable })),
      entry: one.mended ?? null,
      ownTools: ownToolsJson(one),
    })),
  };
}

function isChosen(plan: Plan, { host }: FittedPlan): boolean {
  return plan.project.hosts.some(({ id }) => id === host.id);
}

function hostTable(fitted: readonly FittedPlan[], style: Style): string[] {
  const columns = [{ title: "host" }, ...COLUMNS.map((title) => ({ title }))];
  return tableLines({ columns, rows: fitted.map((one) => [text(one.host.id), ...hostCells(one).map(cell)]) }, style);
}

function cell(fact: HostCell): TableCell {
  const look =
    fact.word === "left out" || fact.word === "not held" ? "warning" : fact.word === "unused" ? "quiet" : undefined;
  return text(cellWords(fact), look);
}

function factsToKnow(fitted: FittedPlan): (readonly [string, readonly string[]])[] {
  const { pins, limits } = fitted.host.abilities;
  const isBehind = fitted.choice.via === "serve";
  return [
    ["through", throughWords(fitted)],
    ["command", commandWords(otherCommand(fitted))],
    ["reads", readWords(fitted)],
    ...hostCells(fitted).flatMap(({ column, word, but }) =>
      but === undefined || word === "unused" ? [] : [[column, [but]] as const],
    ),
    ["only read", lookedAtWords(fitted)],
    ["pins", pins.but === undefined || isBehind ? [] : [pins.but]],
    ["limits", limits.but === undefined || isBehind ? [] : [limits.but]],
    ["shells", shellWords(fitted)],
    ["left out", fitted.roles.flatMap(({ name, leftOut }) => leftOut.map((left) => `${name}: ${awayWords(left)}`))],
    ...ownToolFacts(fitted),
    [
      "unset",
      omittedOf(fitted).map(
        ({ server, what, variable }) => `${server} without ${what} (\`${variable}\` counts as unset)`,
      ),
    ],
    ["instead", fitted.mended === undefined ? [] : [`under \`hosts\`: ${fitted.mended}`]],
    [
      "closed",
      closedOf(fitted).map(({ role, delegates, why }) => `${role}: handing work to ${delegates.join(", ")} (${why})`),
    ],
  ];
}

/** What is reached by `rolecall serve`. */
function throughWords({ choice, roles }: FittedPlan): string[] {
  const named = roles.flatMap((role) =>
    givenTools(role).flatMap(({ server, tool, through }) =>
      through?.instead === undefined
        ? []
        : [`${role.name}: ${server.name}.${visible(tool.name)} (${visible(through.instead.why)})`],
    ),
  );
  if (choice.via === "serve") return ["`rolecall serve`: every tool, with every rule held behind it"];
  return named.length === 0 ? [] : [...named, "limits of what goes through and of what doesn't are counted apart"];
}

/** What stands in place of rolecall runs on every machine where the host does. */
function commandWords(command: readonly string[] | undefined): string[] {
  if (command === undefined) return [];
  return [`${visible(command.map((word) => `\`${word}\``).join(" "))} starts it, in place of \`rolecall\``];
}

/** Of servers' resources, also by a role that holds no tool. */
function readWords(fitted: FittedPlan): string[] {
  return readsOn(fitted).map(({ role, servers, how }) => `${role}: ${READ_WORDS[how](servers.join(", "))}`);
}

const READ_WORDS: Readonly<Record<HowRead, (servers: string) => string>> = {
  gateway: (servers) => `resources of ${servers}, through \`rolecall serve\``,
  program: (servers) => `resources of ${servers}, by \`$read\` in your program`,
  served: (servers) => `nothing of ${servers}: addresses are judged there with \`via: serve\` alone`,
  closed: (servers) => `nothing of ${servers}: addresses can't be judged there`,
  chosen: (servers) => `nothing of ${servers} (the project keeps it away from there)`,
};

/** Of a host's own files. */
function lookedAtWords(fitted: FittedPlan): string[] {
  const files = filesLookedAt(fitted);
  return files.length === 0
    ? []
    : [`${files.join(", ")}: yours, and never written; servers there stand beside the role's, under other names`];
}

function shellWords(fitted: FittedPlan): string[] {
  return shellRoles(fitted).map(({ roles, shells }) => `${roles.join(", ")}: ${shellSentence(shells)}`);
}

function closedOf({ roles }: FittedPlan): (ClosedDelegation & { readonly role: string })[] {
  return roles.flatMap(({ name, closedDelegation }) =>
    closedDelegation === undefined ? [] : [{ role: name, ...closedDelegation }],
  );
}

/** What the host brings, and which roles aren't held to a list of it. */
function ownToolFacts({ host, openTools }: FittedPlan): (readonly [string, readonly string[]])[] {
  if (openTools === undefined || host.ownTools === undefined) return [];
  const { unsaid, meant } = openTools;
  const { seenIn, varies, tools } = host.ownTools;
  const kinds = KINDS.map((can) => [can, [...tools].flatMap(([name, does]) => (does === can ? [name] : []))] as const);
  return [
    [
      "own tools",
      [
        ...kinds
          .filter(([, names]) => names.length > 0)
          .map(([can, names]) => `${can === "keeps" ? "for itself" : can}: ${names.join(", ")}`),
        `as seen in ${seenIn}${varies === undefined ? "" : `; others ${varies}`}`,
      ],
    ],
    ["not governed", unsaid.length === 0 ? [] : [unsaid.join(", ")]],
    ["all of them", meant.length === 0 ? [] : [meant.join(", ")]],
  ];
}

/** Those that `builtins` may name, the gravest first. */
const KINDS: readonly Can[] = ["runs", "writes", "reaches out", "reads", "keeps"];

function ownToolsJson({ host, openTools }: FittedPlan): JsonObject | null {
  if (openTools === undefined || host.ownTools === undefined) return null;
  const { seenIn, varies, tools } = host.ownTools;
  return {
    seenIn,
    varies: varies ?? null,
    tools: [...tools].map(([name, can]) => ({ name, can })),
    notGoverned: openTools.unsaid,
    all: openTools.meant,
  };
}

interface OmittedOfServer extends Omitted {
  readonly server: string;
}

function omittedOf({ roles }: FittedPlan): OmittedOfServer[] {
  const found = roles.flatMap(({ servers }) =>
    servers.flatMap(({ server, omitted }) => omitted.map((one) => ({ server: server.name as string, ...one }))),
  );
  return [...new Map(found.map((one) => [`${one.server} ${one.what} ${one.variable}`, one])).values()];
}

function awayWords({ server, tools, wholeServer, why }: LeftOut): string {
  const what = wholeServer
    ? `all of ${server.name}`
    : tools.map((tool) => `${server.name}.${visible(tool.name)}`).join(", ");
  return `${what} (${visible(why)})`;
}

/** Each command on a line of its own, never wrapped: what is copied from a terminal has to run. */
function startLines(fitted: FittedPlan): string[] {
  const role = shownRole(fitted);
  const { run, byHand, code, entry } = startOf(fitted, role);
  if (code !== undefined) return ["  in your program", `    ${visible(code)}`];
  if (entry !== undefined) return ["  start", `    ${appLine(fitted, role)}`, `    then ${visible(entry.then)}`];
  const alone = run === undefined ? [] : ["  start", `    rolecall start ${role} --host ${fitted.host.id}`];
  const line = `    ${visible(handLine(fitted, role))}`;
  if (byHand !== undefined)
    return [...alone, run === undefined ? "  start" : "  or", line, `    then ${visible(byHand)}`];
  return run === undefined ? [] : [...alone, "  which runs", line];
}

/** One text for `--json`: the line for a shell, and what a person or a program does where there is none. */
function startText(fitted: FittedPlan): string {
  const role = shownRole(fitted);
  const { run, byHand, code = "", entry } = startOf(fitted, role);
  if (entry !== undefined) return `\`${appLine(fitted, role)}\`; then ${entry.then}`;
  if (byHand === undefined) return run === undefined ? code : handLine(fitted, role);
  const orRun = run === undefined ? "" : `, or run \`${shellLine(fitted.host.program ?? "", run)}\``;
  return `\`${checkLine(fitted, role)}\`; then ${byHand}${orRun}`;
}

/** It puts an entry into the program's own file. */
function appLine({ host }: FittedPlan, role: string): string {
  return `rolecall start ${role} --host ${host.id}`;
}

function handLine(fitted: FittedPlan, role: string): string {
  const { run, byHand } = startOf(fitted, role);
  const check = checkLine(fitted, role);
  return run === undefined || byHand !== undefined ? check : `${check} && ${shellLine(fitted.host.program ?? "", run)}`;
}

function checkLine({ host }: FittedPlan, role: string): string {
  return `rolecall doctor --host ${host.id} --role ${role}`;
}
