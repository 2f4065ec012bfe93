import { otherKeys } from "../../base/other-keys.ts";
import { firstOf } from "../../base/list-words.ts";
import { boundedTo } from "../../base/visible.ts";
import type { Clause } from "../../diff/clauses.ts";
import type { DifferenceSummary } from "../../diff/summary.ts";
import type { ChangedText, ToldTool } from "../../diff/told.ts";
import type { AccessDifference, Direction } from "../../diff/types.ts";
import { suspicionWords } from "../capture/words.ts";
import { destinationHead } from "./destination-words.ts";
import { GRADE_WORDS, holdsNothing, ownToolsWords, ruleKind, type Quote } from "./piece-words.ts";
import { keyName, settingsOwner, settingWords } from "./setting-words.ts";
import { CONDITION_WORDS, partWords, resourceWords } from "./words.ts";

/** The first line of a page: which way, the gravest by name, and how much more. */
export interface HeadlineWords {
  /** Undefined: what is left of it when names are taken for what they are is the same access. */
  readonly direction: Direction | undefined;
  /** The gravest of it is a text that may be aimed at the model. */
  readonly isSuspicious: boolean;
  readonly says: string;
}

/** Clauses that a first line holds; the rest is counted. */
const MOST_CLAUSES = 2;

export function headline(difference: AccessDifference, summary: DifferenceSummary, quote: Quote): HeadlineWords {
  if (difference.verdict === "same") return { direction: undefined, isSuspicious: false, says: "no change" };
  if (summary.isRenaming)
    return {
      direction: undefined,
      isSuspicious: false,
      says: `${renamedCount(difference)}, access the same (counts as widening: rules and code may know the old name)`,
    };
  const { clauses } = summary;
  const direction = clauses[0]?.first.change.direction;
  const first = clauses.filter((one) => one.first.change.direction === direction).slice(0, MOST_CLAUSES);
  const text = clauses.filter((one) => one.about === "text" && !first.includes(one));
  const said = [...first, ...text];
  const more = clauses.length - said.length;
  const counts = direction === "widens" ? "" : " (counts as widening)";
  const rest = [
    ...(more === 0 ? [] : [`${more} more change${more === 1 ? "" : "s"}`]),
    ...(difference.renamed.length === 0 ? [] : [renamedCount(difference) + counts]),
  ];
  const isSuspicious = direction === "changed" && suspiciousIn(first[0]!).length > 0;
  const says = [...said.map((one) => clauseWords(one, quote)), ...rest].join("; ");
  return { direction, isSuspicious, says: isSuspicious ? says.slice(SUSPICIOUS.length) : says };
}

/** All that widens, where the first line doesn't hold it. */
export function gainLines({ clauses }: DifferenceSummary, quote: Quote): string[] {
  const gains = clauses.filter(({ first }) => first.change.direction === "widens");
  return gains.length <= MOST_CLAUSES ? [] : gains.map((one) => clauseWords(one, quote));
}

/** What has another name, a line each. */
export function renamedWords({ renamed }: DifferenceSummary, quote: Quote): string[] {
  return renamed.map(({ kind, before, after, isSame }) => {
    const access = isSame
      ? `the same access, but what names ${quote(before)} elsewhere (rules, code, whoever starts it) doesn't hold for it`
      : "what differs stands below";
    return `${kind} ${quote(before)} is called ${quote(after)} now: ${access}`;
  });
}

function renamedCount({ renamed }: AccessDifference): string {
  const of = (kind: "role" | "server"): string[] => {
    const count = renamed.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}${count === 1 ? "" : "s"}`];
  };
  return `${[...of("role"), ...of("server")].join(" and ")} renamed`;
}

function clauseWords(clause: Clause, quote: Quote): string {
  return CLAUSES[clause.about](clause, whoWords(clause.roles, quote), quote);
}

type ClauseWords = (clause: Clause, who: string, quote: Quote) => string;

const CLAUSES: Readonly<Record<Clause["about"], ClauseWords>> = {
  tool: (clause, who, quote) =>
    clause.first.change.direction === "widens"
      ? gainClause(clause, who, quote)
      : `${who} ${verb("lose", clause)} ${namesOf(clause.tools, quote)}`,
  effect: (clause, who, quote) =>
    clause.first.change.direction === "widens"
      ? `${who} may now call ${namesOf(clause.tools, quote)} without a person's yes (before: each call needed one)`
      : `${who} now ${verb("need", clause)} a person's yes for each call of ${namesOf(clause.tools, quote)}`,
  condition: ({ first, tools }, who, quote) =>
    `${CONDITION_WORDS[first.change.direction]} condition${tools.length === 1 ? "" : "s"} on ${namesWithYes(tools, quote)} for ${who}`,
  text: textClause,
  definition: definitionClause,
  destination: ({ first: { change, isNewServer } }, who, quote) =>
    isNewServer
      ? `server ${quote(change.server!)} is new (for ${who})`
      : `server ${quote(change.server!)}: ${destinationHead(change.before, change.after, quote)} (for ${who})`,
  root: ({ first }, who, quote) => `server ${quote(first.change.server!)}: paths start in another folder (for ${who})`,
  instructions: ({ first }, who, quote) =>
    `server ${quote(first.change.server!)}: its instructions changed (for ${who})`,
  guard: guardClause,
  delegate: delegateClause,
  builtin: ({ first: { change } }, who, quote) =>
    change.direction === "widens"
      ? `${who} may use ${ownToolsWords(change.after, quote)}`
      : `${who} may not use ${ownToolsWords(change.before, quote)} any more`,
  resource: ({ first: { change } }, who, quote) =>
    `${who}, server ${quote(change.server!)}: ${resourceWords(change.before, change.after, quote)}`,
  host: ({ first: { change } }, _, quote) => hostWords(change, quote),
  role: ({ first }, who) => `role ${who} is ${first.change.after === null ? "gone" : "new, and holds nothing"}`,
};

/** The gravest of its keys, before and after; the others by name. */
function hostWords(change: Clause["first"]["change"], quote: Quote): string {
  const { server, before, after } = change;
  const whose = settingsOwner(server!, quote);
  if (before === null || after === null) return `${whose} gets ${before === null ? "files now" : "no files any more"}`;
  const [first = "", ...others] = otherKeys(before, after);
  const also = others.length === 0 ? "" : ` (and ${firstOf(others.map((key) => keyName(server!, key)))})`;
  return `${whose}, ${settingWords(change, first, (text) => quote(boundedTo(MOST_OF_SETTING, text)))}${also}`;
}

/** As much of a value as a line that is read in seconds holds. */
const MOST_OF_SETTING = 80;

function verb(word: string, { roles }: Clause): string {
  return roles.length === 1 ? `${word}s` : word;
}

function textClause({ texts }: Clause, who: string, quote: Quote): string {
  const nameOf = ({ server, tool }: ChangedText): string =>
    tool === undefined ? `instructions of ${quote(server)}` : quote(`${server}.${tool}`);
  const suspicious = suspiciousIn({ texts });
  const told = [...new Set((suspicious.length > 0 ? suspicious : texts).map(nameOf))];
  const more = told.length - MOST_NAMED;
  const names = told.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const rest = texts.length - suspicious.length;
  const others = rest === 0 ? "" : ` and ${rest} more text${rest === 1 ? "" : "s"}`;
  const signs = new Set(suspicious.flatMap((one) => one.signs.suspicions));
  const gravest = GRAVEST_SIGNS.find((one) => signs.has(one));
  if (gravest === undefined) return `texts for your agents changed: ${names} (for ${who})`;
  const moreSigns = signs.size === 1 ? "" : `, and ${signs.size - 1} more sign${signs.size === 2 ? "" : "s"}`;
  return `${SUSPICIOUS}text for your agents: ${names} (${suspicionWords(gravest)}${moreSigns}; for ${who})${others}`;
}

const SUSPICIOUS = "SUSPICIOUS ";
/** What would be stolen, before how. */
const GRAVEST_SIGNS = [
  "secrets",
  "conversation",
  "secrecy",
  "overrides",
  "steers",
  "detour",
  "imitates",
  "hidden",
  "token",
] as const;

function suspiciousIn({ texts }: Pick<Clause, "texts">): readonly ChangedText[] {
  return texts.filter(({ signs }) => signs.suspicions.length > 0);
}

function definitionClause({ first, tools }: Clause, who: string, quote: Quote): string {
  const parts = first.parts().filter(({ part }) => part !== "text");
  const what = tools.length === 1 ? partWords(parts, first.change) : "changed";
  return `${namesOf(tools, quote)} ${what} (for ${who})`;
}

function guardClause({ first, felt }: Clause, _: string, quote: Quote): string {
  const { before, after, direction } = first.change;
  const did = after === null ? "removed" : before === null ? "added" : "changed";
  const later = after === null ? `, but it ${holdsNothing(first.rule)}` : "";
  const today =
    felt === 0
      ? `: no role gains a tool by this today${later}`
      : `: ${felt} tool${felt === 1 ? "" : "s"} gained by this today`;
  return `${ruleKind(first.rule)} "${quote(String(after ?? before))}" ${did}${direction === "widens" ? today : ""}`;
}

function delegateClause({ first: { change, reach: reachOf } }: Clause, who: string, quote: Quote): string {
  if (change.after === null) return `${who} can't hand work to ${quote(String(change.before))} any more`;
  const { tools, builtins } = reachOf() ?? { tools: [], builtins: [] };
  const reached = [
    ...tools.map(({ tool, isAsked }) => ({ server: tool.server, name: tool.name, isAsked })),
    ...builtins.map((name) => ({ name, isAsked: false })),
  ];
  const more = reached.length === 0 ? "reaches nothing new by it" : `so reaches ${namesWithYes(reached, quote)}`;
  return `${who} can hand work to ${quote(String(change.after))}, and ${more}`;
}

/** More roles or tools than these are counted. */
const MOST_NAMED = 3;

function whoWords(roles: readonly string[], quote: Quote): string {
  if (roles.length === 0) return "no role";
  return roles.length > MOST_NAMED ? `${roles.length} roles` : roles.map(quote).join(", ");
}

function firstNames(names: readonly string[], quote: Quote): string {
  return firstOf(names.map(quote));
}

/** Without a server: a tool of a host's own. */
type NamedTool = Pick<ToldTool, "name" | "isAsked"> & Partial<Pick<ToldTool, "server">>;

function namesWithYes(tools: readonly NamedTool[], quote: Quote): string {
  const named = ({ server, name, isAsked }: NamedTool): string =>
    quote(server === undefined ? name : `${server}.${name}`) + (isAsked ? ` (${yesWords(true)})` : "");
  return firstOf(tools.map(named));
}

function namesOf(tools: readonly ToldTool[], quote: Quote): string {
  const names = tools.map(({ server, name }) => `${server}.${name}`);
  return firstNames(names, quote);
}

function gainClause(clause: Clause, who: string, quote: Quote): string {
  return clause.tools.length > MOST_NAMED ? manyGained(clause, who, quote) : fewGained(clause.tools, who, quote);
}

function fewGained(tools: readonly ToldTool[], who: string, quote: Quote): string {
  const areConditioned = tools.every(({ isConditioned }) => isConditioned);
  const isOneKind = tools.every(({ isAsked }) => isAsked === tools[0]!.isAsked);
  const named = tools.map(({ server, name, grade, isAsked, isConditioned }) => {
    const said = [
      ...(grade === "destructive" ? ["destructive"] : []),
      ...(isOneKind ? [] : [yesWords(isAsked)]),
      ...(isConditioned && !areConditioned ? ["on conditions"] : []),
    ];
    return quote(`${server}.${name}`) + (said.length === 0 ? "" : ` (${said.join(", ")})`);
  });
  const yes = isOneKind ? (tools[0]!.isAsked ? ", each call with a person's yes" : " without a person's yes") : "";
  return `${who} may now call ${named.join(", ")}${yes}${areConditioned ? ", on conditions" : ""}`;
}

export function yesWords(isAsked: boolean): string {
  return isAsked ? "needs a yes" : "without a yes";
}

/** The gravest stand with those that they are counted among: without a yes, or with one. */
function manyGained({ tools, isOpen }: Clause, who: string, quote: Quote): string {
  const { grade } = tools[0]!;
  const part = (isAsked: boolean): string[] => {
    const some = tools.filter((one) => one.isAsked === isAsked);
    if (some.length === 0) return [];
    const worst = some.filter((one) => one.grade === grade);
    const named = worst.length === 0 || grade === "reads" ? "" : ` (${GRADE_WORDS[grade]}: ${namesOf(worst, quote)})`;
    const yes = isAsked && some.length < tools.length ? "with one" : `${isAsked ? "with" : "without"} a person's yes`;
    return [`${some.length === tools.length ? "all" : some.length} ${yes}${named}`];
  };
  const more = `${tools.length} more ${grade === "reads" ? "tools, all read-only" : "tools"}`;
  const later = isOpen ? ", and new ones that match when they come" : "";
  return `${who} may now call ${more}${later}: ${[false, true].flatMap(part).join(", ")}`;
}
