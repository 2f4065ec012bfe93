import { digestOf } from "../../base/digest.ts";
import { canonicalText } from "../../base/canonical.ts";
import { isObject, type JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import type { BuildItem, CallItem, InboxItem } from "../../serve/inbox-lines.ts";

/** What is asked, as a person sees it. All of it comes from strangers: each line is one harmless line. */

/** Longer than this a value is folded: its beginning, its length, its digest. */
const MOST_OF_A_VALUE = 1000;
const MOST_ARGUMENTS = 40;
const MOST_CHANGES = 30;

export function askPage(item: InboxItem, now: number, isWhole: boolean): string {
  const { heading, lines } = askLines(item, isWhole);
  const left = item.kind === "call" ? `, ${secondsLeft(item, now)} s left` : "; `rolecall diff` says more";
  return `\n${[heading, ...lines.map((one) => `  ${one}`), `  ${item.id}, ${item.hash}${left}`].join("\n")}\n`;
}

export interface AskLines {
  readonly heading: string;
  readonly lines: readonly string[];
}

export function askLines(item: InboxItem, isWhole: boolean): AskLines {
  return item.kind === "call" ? callLines(item, isWhole) : buildLines(item, isWhole);
}

/** Something isn't shown: `askPage` shows it when asked for the whole. */
export function isFolded(item: InboxItem): boolean {
  if (item.kind === "build")
    return item.changes.length > MOST_CHANGES || item.changes.some((change) => valuesOf(change).some(isLong));
  const args = argumentsOf(item);
  return args.length > MOST_ARGUMENTS || args.some(([, text]) => isLong(text));
}

function callLines(item: CallItem, isWhole: boolean): AskLines {
  const { role, server, tool, title, client } = item;
  const args = argumentsOf(item);
  const shownArgs = isWhole ? args : args.slice(0, MOST_ARGUMENTS);
  return {
    heading: `${line(role)} wants to call ${line(server)}.${line(tool)}${title === tool ? "" : ` (${line(title)})`}`,
    lines: [
      ...(shownArgs.length === 0 ? ["without arguments"] : shownArgs.map((one) => argumentLine(one, isWhole))),
      ...(shownArgs.length < args.length ? [`... and ${args.length - shownArgs.length} more`] : []),
      ...(client === null ? [] : [`its client calls itself ${line(client)}`]),
    ],
  };
}

function secondsLeft({ expires }: CallItem, now: number): number {
  return Math.max(0, Math.round((expires - now) / 1000));
}

function argumentsOf({ args }: CallItem): readonly (readonly [name: string, text: string])[] {
  if (!isObject(args)) return args === null ? [] : [["arguments", canonicalText(args)]];
  return Object.entries(args).map(([name, value]) => [name, canonicalText(value)]);
}

function argumentLine([name, text]: readonly [string, string], isWhole: boolean): string {
  return `${line(name)}: ${isWhole ? visible(text) : folded(text)}`;
}

function buildLines({ changes, reconnected, moved, approvers, door, hosts }: BuildItem, isWhole: boolean): AskLines {
  const shownChanges = isWhole ? changes : changes.slice(0, MOST_CHANGES);
  return {
    heading: "a build opens something; until your yes only what it takes away counts",
    lines: [
      ...shownChanges.map((change) => changeLine(change, isWhole)),
      ...(shownChanges.length < changes.length ? [`... and ${changes.length - shownChanges.length} more`] : []),
      ...reconnected.map((server) => `server ${line(server)} is reached in another way`),
      ...moved.map(movedLine),
      ...door.map((key) => `who comes in over HTTP is said in another way: serve.${line(key)}, from the next start on`),
      ...hosts.map((host) => `host ${line(host)} is given more of what its roles hold`),
      ...approvers.map((one) => `asks may be answered by a ${line(one)}`),
    ],
  };
}

/** Never a value: it may be a secret. */
function movedLine({ server, variables }: BuildItem["moved"][number]): string {
  const named = (Array.isArray(variables) ? variables : []).filter(isObject).map(({ name, from }) => {
    const where = from === "file" ? "the file of variables" : from === null ? "nowhere" : "the environment";
    return `${line(String(name))} (from ${where})`;
  });
  return `server ${line(String(server))} would be reached in another way, by what ${named.join(" and ")} ${named.length === 1 ? "holds" : "hold"} now; nothing goes to it until your yes`;
}

function changeLine({ kind, role, server, tool, ...values }: JsonObject, isWhole: boolean): string {
  const of = [role, server, tool].filter((one) => typeof one === "string").map((one) => line(one as string));
  const [before, after, more] = valuesOf(values).map((text) => (isWhole ? visible(text) : folded(text)));
  const opened = values["more"] === undefined ? "" : `; more may pass for ${more}`;
  return `${of.join(" ")}: ${line(String(kind))} ${before} becomes ${after}${opened}`;
}

function valuesOf({ before, after, more }: JsonObject): readonly string[] {
  return [before, after, more].map((value) => {
    if (value === null || value === undefined) return "nothing";
    return typeof value === "string" ? value : canonicalText(value);
  });
}

function isLong(text: string): boolean {
  return text.length > MOST_OF_A_VALUE;
}

function folded(text: string): string {
  return isLong(text)
    ? `${visible(text.slice(0, 200))} ... (${text.length} characters, ${digestOf(text)})`
    : visible(text);
}

/** Names that go on for pages would push what matters out of sight. */
function line(text: string): string {
  return visible(text.length > 200 ? `${text.slice(0, 200)} ... (${text.length} characters)` : text);
}
