import { digestOf } from "../../base/digest.ts";
import { canonicalText } from "../../base/canonical.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { visibleBlanks } from "../../base/visible.ts";
import { wrap, wrapWithin } from "../../base/wrap.ts";
import { settingsOwner, settingWords } from "../diff/setting-words.ts";
import type { BuildItem, CallItem, InboxItem } from "../../serve/inbox-lines.ts";

/** What is asked, as a person sees it. All of it comes from strangers: each line is one harmless line. */

/** Longer than this a value is folded: its beginning, its length, its digest. */
const MOST_OF_A_VALUE = 1000;
const MOST_ARGUMENTS = 40;
const MOST_CHANGES = 30;

export function askPage(item: InboxItem, now: number, isWhole: boolean, width?: number): string {
  const { heading, lines } = askLines(item, isWhole);
  const left = item.kind === "call" ? `, ${secondsLeft(item, now)} s left` : "";
  const ours = wrap(`  ${item.id}${left}`, width, "  ");
  return `\n${[...askText(item, [heading, ...lines], width), ...ours].join("\n")}\n`;
}

/** A heading, and lines below it. What goes on from a line above stands deeper than any line begins: it is none of ours. */
export function askText({ kind }: InboxItem, [heading, ...below]: readonly string[], width?: number): string[] {
  const indent = " ".repeat(kind === "call" ? 8 : 12);
  return [heading ?? "", ...below.map((one) => `  ${one}`)].flatMap((one) => wrapWithin(one, width, indent));
}

/** The page is shown as it is, and a command of ours as it can be typed. */
export function moreAbout(item: InboxItem): string | undefined {
  return item.kind === "call" || isOnlyMoved(item) ? undefined : "`rolecall diff` says more";
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
  if (item.kind === "build") return isFoldedBuild(item);
  const args = argumentsOf(item);
  return args.length > MOST_ARGUMENTS || args.some(([, text]) => isLong(text));
}

/** What we know stands first, and what the agent says below it and deeper: no argument is taken for a line of ours. */
function callLines(item: CallItem, isWhole: boolean): AskLines {
  const { role, server, tool, title, client, caller } = item;
  const args = argumentsOf(item);
  const shownArgs = isWhole ? args : args.slice(0, MOST_ARGUMENTS);
  return {
    heading: `${line(role)} wants to call ${line(server)}.${line(tool)}${title === tool ? "" : ` (${line(title)})`}`,
    lines: [
      ...(caller === null ? [] : [`its credential: ${line(caller)}`]),
      ...(client === null ? [] : [`its client calls itself ${line(client)}`]),
      shownArgs.length === 0 ? "without arguments" : "with arguments:",
      ...shownArgs.map((one) => `  ${argumentLine(one, isWhole)}`),
      ...(shownArgs.length < args.length ? [`... and ${args.length - shownArgs.length} more`] : []),
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
  const shown = /^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name);
  return `${line(shown)}: ${isWhole ? visibleBlanks(text) : folded(text)}`;
}

function isFoldedBuild({ changes, says, settings, hosts }: BuildItem): boolean {
  return (
    settings.some((one) => valuesOf(one).some(isLong)) ||
    [says, changes].some((list) => list.length > MOST_CHANGES) ||
    says.some(isLong) ||
    changes.some((change) => valuesOf(change).some(isLong)) ||
    hosts.some(({ tools }) => namesOf(tools).length > MOST_NAMES)
  );
}

function buildLines(item: BuildItem, isWhole: boolean): AskLines {
  const { reconnected, envFile, moved, settings, approvers, door, hosts } = item;
  const told = item.changes.flatMap(({ kind, server }) => (kind === "destination" ? [server] : []));
  return {
    heading: isOnlyMoved(item)
      ? "what variables hold would lead elsewhere; nothing goes there until your yes"
      : "a build opens something; until your yes only what it takes away counts",
    lines: [
      ...changeLines(item, isWhole),
      ...reconnected.flatMap((one) => (told.includes(one) ? [] : `server ${line(one)} is reached in another way`)),
      ...(envFile === null ? [] : [envFileLine(envFile)]),
      ...moved.map(movedLine),
      ...(settings.length > 0 ? settingLines(item, isWhole) : doorLines(door)),
      ...hosts.flatMap((gain) => gainLines(gain, isWhole)),
      ...approvers.map((one) => `asks may be answered by a ${line(one)}`),
    ],
  };
}

/** Nothing was built: a variable holds something else. */
function isOnlyMoved({ changes, reconnected, envFile, settings, approvers, door, hosts }: BuildItem): boolean {
  const lists = [changes, reconnected, settings, approvers, door, hosts];
  return envFile === null && lists.every((list) => list.length === 0);
}

/** Those that have no line of their own. */
const TOLD_APART: readonly unknown[] = ["serve.env", "serve.approvers"];

/** In words of `rolecall diff`; what the process reads as it starts counts from then on. */
function settingLines({ settings, door }: BuildItem, isWhole: boolean): string[] {
  const quote = (text: string): string => (isWhole ? visibleBlanks(text) : folded(text));
  return settings
    .filter(({ key }) => !TOLD_APART.includes(key))
    .map(({ key, before = null, after = null }) => {
      const name = line(String(key));
      const [block, inBlock] = [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)];
      const later = door.some((one) => name === `serve.${one}`) || LATER.has(name) ? ", from the next start on" : "";
      const change = { server: block, before: { [inBlock]: before }, after: { [inBlock]: after } };
      return `${settingsOwner(block, quote)}, ${settingWords(change, inBlock, quote)}${later}`;
    });
}

const LATER: ReadonlySet<string> = new Set(["serve.record", "serve.askTimeout"]);

/** Of a process of an older version. */
function doorLines(door: readonly string[]): string[] {
  return door.map((key) => `who comes in over HTTP is said in another way: serve.${line(key)}, from the next start on`);
}

/** In words, and where these leave something out, as they are as well. */
function changeLines(item: BuildItem, isWhole: boolean): string[] {
  const { changes, says } = item;
  const words = isWhole ? says.map(visibleBlanks) : first(says.map(line));
  if (says.length > 0 && !(isWhole && isFoldedBuild(item))) return words;
  const bare = changes.map((change) => changeLine(change, isWhole));
  return isWhole ? [...words, ...bare] : first(bare);
}

function first(lines: readonly string[]): string[] {
  const left = lines.length - MOST_CHANGES;
  return left <= 0 ? [...lines] : [...lines.slice(0, MOST_CHANGES), `... and ${left} more`];
}

const MOST_NAMES = 50;

function gainLines({ host, role, tools, reads }: BuildItem["hosts"][number], isWhole: boolean): string[] {
  const lead = `host ${line(String(host))}: ${line(String(role))} may`;
  const said = (names: readonly string[], what: string): string[] => {
    const shown = isWhole ? names : names.slice(0, MOST_NAMES);
    const more = shown.length < names.length ? ` and ${names.length - shown.length} more` : "";
    return names.length === 0 ? [] : [`${lead} ${what} ${shown.map(line).join(", ")}${more} there`];
  };
  return [...said(namesOf(tools), "call"), ...said(namesOf(reads), "read resources of")];
}

function namesOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function envFileLine({ before, after, isMissing }: JsonObject): string {
  const [former, next] = [line(String(before)), line(String(after))];
  const missing = isMissing === true ? "; it isn't there, and nothing starts without it" : "";
  return `variables come from \`${next}\` in place of \`${former}\`, from the next start on${missing}`;
}

/** Never a value: it may be a secret. */
function movedLine({ server, variables }: BuildItem["moved"][number]): string {
  const all = (Array.isArray(variables) ? variables : []).filter(isObject);
  const named = all.map(({ name, from, file }) => {
    const where = from === "file" ? `in ${line(String(file))}` : from === null ? "not set" : "in the environment";
    return `${line(String(name))} (${where})`;
  });
  return `server ${line(String(server))} is reached elsewhere, or started otherwise, by what is said now of ${named.join(", ")}`;
}

function changeLine({ kind, role, server, tool, ...values }: JsonObject, isWhole: boolean): string {
  const of = [role, server, tool].filter((one) => typeof one === "string").map((one) => line(one as string));
  const [before, after, more] = valuesOf(values).map((text) => (isWhole ? visibleBlanks(text) : folded(text)));
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
    ? `${visibleBlanks(text.slice(0, 200))} ... (${text.length} characters, ${digestOf(text)})`
    : visibleBlanks(text);
}

/** Names that go on for pages would push what matters out of sight. */
function line(text: string): string {
  return visibleBlanks(text.length > 200 ? `${text.slice(0, 200)} ... (${text.length} characters)` : text);
}
