import { isObject, own, type JsonValue } from "../../base/json.ts";
import { otherKeys } from "../../base/other-keys.ts";
import { stableText } from "../../base/stable-text.ts";
import { bounded, visible } from "../../base/visible.ts";
import type { Locate, Place } from "../../base/place.ts";
import type { Reason } from "../../3-plan/types.ts";
import type { ApprovalDecision } from "../../diff/approval.ts";
import type { FormerRule } from "../../diff/deciding-rules.ts";
import type { Described } from "../../diff/describe.ts";
import type { Gate } from "../../diff/gate.ts";
import type { SettingsChange } from "../../diff/settings-changes.ts";
import type { DifferenceSummary } from "../../diff/summary.ts";
import type { DifferenceAside } from "../../questions/aside.ts";
import type { AccessChanged, ChangeKind, AccessDifference, Direction } from "../../diff/types.ts";
import { placeWords } from "../page.ts";
import { destinationHead, destinationLines } from "./destination-words.ts";
import {
  demandsOf,
  GRADE_WORDS,
  ownToolsWords,
  pastSentence,
  ruleKind,
  ruleSentence,
  valueWords,
} from "./piece-words.ts";
import { keyName, settingLines, settingsOwner } from "./setting-words.ts";

/** What the pages of a difference are made of. */
export interface ShownDifference {
  readonly difference: AccessDifference;
  readonly described: readonly Described[];
  readonly aside: DifferenceAside;
  /** Put together for whoever shows it. */
  readonly summary: () => DifferenceSummary;
  /** Of the check itself. */
  readonly settings: readonly SettingsChange[];
  /** `failOn`: as it was written; undefined: nobody asked for a gate. */
  readonly gate: Gate & { readonly failOn: string | undefined };
  /** Whether what lies in files says yes to it already, gate or no gate; undefined: nothing has to. */
  readonly standing: ApprovalDecision | undefined;
  /** Whether anything of the project says that somebody approves its changes of access. */
  readonly isGated: boolean;
  /** What it is compared with. */
  readonly base: string;
  /** Where access is the same: sources that aren't. */
  readonly sourcesChanged: readonly string[];
  /** How much was compared. */
  readonly compared: { readonly roles: number; readonly servers: number };
  /** What stands before the project's paths in its repository. */
  readonly folder: string;
  /** Where the project's sources lie. */
  readonly sources: string;
  readonly locate: Locate;
  readonly today: string;
}

/** More of one kind than a person reads on a page; the JSON has all. */
const MOST_ON_PAGE = 50;

export function firstOf<T>(
  list: readonly T[],
  what: string,
): { readonly shown: readonly T[]; readonly more: string[] } {
  const left = list.length - MOST_ON_PAGE;
  const more = left <= 0 ? [] : [`${left} more ${what}: rolecall diff --json has all`];
  return { shown: left <= 0 ? list : list.slice(0, MOST_ON_PAGE), more };
}

/** Names on one line, some of many. */
export function nameList(names: readonly string[]): string {
  const left = names.length - MOST_ON_PAGE;
  const shown = names.slice(0, MOST_ON_PAGE).map(visible).join(", ");
  return left > 0 ? `${shown} and ${left} more` : shown;
}

export const SIGNS: Readonly<Record<Direction, string>> = { widens: "+", narrows: "-", changed: "~" };

/** The change in a few words, without its role. */
export function changeWords({
  change,
  parts,
  rule,
  isNewServer,
  isAsked,
}: Pick<Described, "change" | "parts"> & Partial<Described>): string {
  const { server, tool } = change;
  const name = visible([server, tool].filter((part) => part !== undefined).join("."));
  if (change.kind === "definition") return `${name} ${partWords(parts(), change)}`;
  if (isNewServer === true) return `${name}: a server that no role used before`;
  const yes = change.kind === "condition" && isAsked === true ? " (needs a yes)" : "";
  return WORDS[change.kind](change, name, rule) + yes;
}

const PART_WORDS = {
  hints: "its hints or labels",
  schema: "its arguments or result",
  text: "its texts",
} as const;

export function partWords(parts: ReturnType<Described["parts"]>, { before, after }: AccessChanged): string {
  if (before === null) return "is pinned now, and wasn't";
  if (after === null) return "isn't pinned any more";
  const names = (["hints", "schema", "text"] as const).filter((one) => parts.some(({ part }) => part === one));
  return names.length === 0 ? "isn't what it was" : `changed: ${names.map((one) => PART_WORDS[one]).join(", ")}`;
}

type Words = (change: AccessChanged, name: string, rule: Described["rule"]) => string;

const WORDS: Readonly<Record<Exclude<ChangeKind, "definition">, Words>> = {
  tool: ({ before, after }, name) =>
    name + (after === null ? ": can't be called any more" : heldWords(after ?? before)),
  effect: ({ after }, name) =>
    after === "ask"
      ? `${name}: each call needs a yes now`
      : `${name}: without a yes now (before: each call needed one)`,
  condition: ({ direction }, name) => `${name}: ${CONDITION_WORDS[direction]} condition`,
  instructions: (_, name) => `${name}: its instructions changed`,
  destination: ({ before, after }, name) => `${name}: ${destinationHead(before, after, codeWords)}`,
  root: (_, name) => `${name}: paths start in another folder`,
  guard: ({ before, after }, _, rule) =>
    `${ruleKind(rule)} ${valueWords(after ?? before)} ${after === null ? "removed" : before === null ? "added" : "changed"}`,
  delegate: ({ before, after }) =>
    after === null ? `can't hand work to ${valueWords(before)} any more` : `can hand work to ${valueWords(after)}`,
  builtin: ({ direction, before, after }) =>
    direction === "widens"
      ? `may use ${ownToolsWords(after, valueWords)}`
      : `may not use ${ownToolsWords(before, valueWords)} any more`,
  resource: ({ before, after }, name) => `${name}: ${resourceWords(before, after)}`,
  host: ({ before, after }, name) =>
    before === null
      ? `host ${name}: it gets files now`
      : after === null
        ? `host ${name}: it gets no files any more`
        : `${settingsOwner(name, (text) => text)}: ${otherKeys(before, after)
            .map((key) => keyName(name, key))
            .join(", ")} changed`,
  role: ({ before, after }) =>
    before === null ? "is new, and holds nothing" : after === null ? "is gone, and held nothing" : "is another one",
};

export function resourceWords(
  before: JsonValue,
  after: JsonValue,
  quote: (text: string) => string = (text) => bounded(visible(text)),
): string {
  const value = after ?? before;
  const [[kind, globs] = ["include", null]] = isObject(value) ? Object.entries(value) : [];
  const named = quote((Array.isArray(globs) ? globs : [globs]).join(", "));
  if (kind === "include") return after === null ? `may not read ${named} any more` : `may read ${named}`;
  if (kind === "exclude") return after === null ? `${named} isn't kept from it any more` : `may not read ${named}`;
  return after === null ? `isn't kept within ${named} any more` : `reads within ${named} alone`;
}

export const CONDITION_WORDS: Readonly<Record<Direction, string>> = {
  widens: "looser",
  narrows: "stricter",
  changed: "another",
};

function heldWords(held: JsonValue): string {
  const effect = isObject(held) ? own(held, "effect") : held;
  const said = [...(effect === "ask" ? ["needs a yes"] : []), ...(isObject(held) ? ["on conditions"] : [])];
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

/** What of it is another, before and then now, and the call that is allowed now. */
export function whatLines(described: Described, withExample = true): string[] {
  const { change, parts, rule } = described;
  return [
    ...detailLines(change),
    ...ruleLines(rule),
    ...reachLines(described),
    ...(withExample ? exampleLines(described) : []),
    ...(change.kind === "instructions" ? [] : parts().map(({ says }) => bounded(visible(says)))),
  ];
}

function exampleLines({ change, example: exampleOf, isAsked }: Described): string[] {
  const example = exampleOf();
  if (example === undefined) return change.openings.map(openingWords);
  const yes = isAsked ? " with a yes" : "";
  return [`allowed now${yes}, for example: ${visible(change.tool ?? "")} ${bounded(visible(stableText(example)))}`];
}

function detailLines(change: AccessChanged): string[] {
  const { kind, before, after } = change;
  switch (kind) {
    case "destination":
      return destinationLines(before, after);
    case "root":
      return [`before: ${rootWords(before)}`, `now: ${rootWords(after)}`];
    case "host":
      return settingLines(change);
    case "tool":
      return isObject(after) ? demandsOf(own(after, "where")).map((one) => `only when ${bounded(one)}`) : [];
    case "condition":
      return conditionLines(before, after);
    default:
      return [];
  }
}

function rootWords(root: JsonValue): string {
  return root === null ? "nothing said" : valueWords(root);
}

function codeWords(name: string): string {
  return bounded(visible(`\`${name}\``));
}

function conditionLines(before: JsonValue, after: JsonValue): string[] {
  const [was, is] = [demandsOf(before), demandsOf(after)];
  const [gone, come] = [was.filter((one) => !is.includes(one)), is.filter((one) => !was.includes(one))];
  const said = (word: string, list: readonly string[], kept: readonly string[]): string =>
    `${word}: ${bounded(list.join(", and ") || (kept.length === 0 ? "any call" : "nothing more"))}`;
  return [said("before", gone, was), said("now", come, is)];
}

function ruleLines(rule: Described["rule"]): string[] {
  if (rule === undefined) return [];
  const [was, is] = [ruleSentence(rule.before), ruleSentence(rule.after)];
  if (is === undefined) return was === undefined ? [] : [`it ${pastSentence(rule.before)}`];
  const others = was === is ? [...matchLines(rule), ...nameLines(rule)] : [];
  if (others.length > 0) return others;
  return was === undefined ? [`it ${is}`] : [`before: it ${pastSentence(rule.before)}`, `now: it ${is}`];
}

/** Of a guard's that says the same of other tools. */
function matchLines({ matched, matches }: NonNullable<Described["rule"]>): string[] {
  if (matched === undefined || matches === undefined) return [];
  const [were, are] = [matched, matches].map((all) =>
    Object.entries(all).flatMap(([server, tools]) => (tools as readonly string[]).map((tool) => `${server}.${tool}`)),
  );
  return differenceLines("matches", were!, are!);
}

/** Of a long one, whose sentence doesn't hold all that it names. */
function nameLines({ before, after }: NonNullable<Described["rule"]>): string[] {
  const [were, are] = [before, after].map((text) => (isObject(text) ? textsIn({ ...text, name: null }) : []));
  return differenceLines("names", were!, are!);
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [bounded(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function differenceLines(verb: string, were: readonly string[], are: readonly string[]): string[] {
  const [had, has] = [new Set(were), new Set(are)];
  const [gone, come] = [were.filter((one) => !has.has(one)), are.filter((one) => !had.has(one))];
  return [
    ...(gone.length === 0 ? [] : [`it ${verb} ${nameList(gone)} no more`]),
    ...(come.length === 0 ? [] : [`it ${verb} ${nameList(come)} now`]),
  ];
}

function reachLines({ change, reach: reachOf }: Described): string[] {
  const reach = reachOf();
  if (reach === undefined) return [];
  if (reach.tools.length + reach.builtins.length === 0) return ["reaches nothing by it that it couldn't reach before"];
  const marked = (wanted: boolean): string[] =>
    reach.tools
      .filter(({ isAsked }) => isAsked === wanted)
      .map(({ tool, isConditioned, grade }) => {
        const said = [
          ...(grade === "destructive" ? [GRADE_WORDS[grade]] : []),
          ...(isConditioned ? [`on the conditions of ${visible(String(change.after))}`] : []),
        ];
        return `${tool.server}.${tool.name}${said.length === 0 ? "" : ` (${said.join(", ")})`}`;
      });
  const [free, asked] = [[...marked(false), ...reach.builtins], marked(true)];
  return [
    ...(free.length === 0 ? [] : [`so it reaches, without a yes: ${nameList(free)}`]),
    ...(asked.length === 0 ? [] : [`so it reaches, with a yes: ${nameList(asked)}`]),
  ];
}

function openingWords({ argument, by }: AccessChanged["openings"][number]): string {
  const name = `\`${visible(argument)}\``;
  if (by === "left out") return `${name} may be left out now`;
  return by === undefined
    ? `more may pass for ${name}: it can't be told`
    : `${name} may be ${valueWords(by.value)} now`;
}

/** Of what the places in the sources are told. */
export interface SourceLines {
  readonly locate: Locate;
  readonly folder?: string;
}

/** The lines of the sources that did it, and whom it concerns. What said the same before did it with what is gone. */
export function whereLines(
  { from, asBefore, noLonger, at, heldBy, change }: Told & Pick<Described, "at" | "heldBy">,
  lines: SourceLines,
): string[] {
  const where = (place: Place): string => atWords(place, lines);
  const isKnown = noLonger.length > 0;
  const now = from.filter((reason) => !asBefore.has(reason) && !(isKnown && reason.rule === "nothing"));
  return [
    ...now.map((reason) => byWords(reason, where)),
    ...noLonger.map((one) => noLongerWords(change, one, where)),
    ...[...asBefore].map((reason) => `as before, ${byWords(reason, where)}`),
    ...(at === undefined ? [] : [where(at)]),
    ...(heldBy.length === 0 ? [] : [`held by ${nameList(heldBy)}`]),
  ];
}

/** Where it stands in the repository. */
export function atWords(place: Place, { locate, folder = "" }: SourceLines): string {
  return `at ${visible(folder)}${placeWords(place, locate)}`;
}

type Told = Pick<Described, "change" | "from" | "asBefore" | "noLonger">;

function byWords({ rule, written, from }: Reason, where: (place: Place) => string): string {
  return rule === "nothing" ? `nothing ${where(from)} grants it` : `by ${ruleWords({ rule, written })} ${where(from)}`;
}

function ruleWords({ rule, written }: Pick<Reason, "rule" | "written">): string {
  const by = rule === "where" ? "the condition on" : rule;
  const what = rule === "include" && written === "exclude" ? "all tools but those in" : by;
  return `${what} ${visible(`\`${written}\``)}`;
}

function noLongerWords(
  { kind, direction, role }: AccessChanged,
  { reason, at }: FormerRule,
  where: (place: Place) => string,
): string {
  const did =
    kind === "condition" ? "held" : kind === "effect" ? "asked" : direction === "widens" ? "kept away" : "granted";
  const whose =
    reason.rule === "policy" || reason.by === undefined || reason.by === role ? "" : ` of ${visible(reason.by)}`;
  return `${did} no longer ${kind === "condition" ? "to" : "by"} ${ruleWords(reason)}${whose}${at === undefined ? "" : ` ${where(at)}`}`;
}
