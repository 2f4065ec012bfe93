import type { JsonValue } from "../../base/json.ts";
import { isObject, own } from "../../base/json.ts";
import { stableText } from "../../base/stable-text.ts";
import { bounded, visible } from "../../base/visible.ts";
import type { Locate } from "../../base/place.ts";
import { conditionDemands } from "../../3-plan/condition-words.ts";
import type { Described } from "../../diff/describe.ts";
import type { Gate } from "../../diff/gate.ts";
import type { SettingsChange } from "../../diff/settings-changes.ts";
import type { DifferenceSummary } from "../../diff/summary.ts";
import type { DifferenceAside } from "../../questions/aside.ts";
import type { AccessChanged, ChangeKind, AccessDifference, Direction } from "../../diff/types.ts";
import type { ArgumentRule } from "../../../runtime/contract.ts";
import { placeWords } from "../page.ts";
import { destinationWords } from "./destination-words.ts";

/** What the pages of a difference are made of. */
export interface ShownDifference {
  readonly difference: AccessDifference;
  readonly described: readonly Described[];
  readonly aside: DifferenceAside;
  readonly summary: DifferenceSummary;
  /** Of the check itself. */
  readonly settings: readonly SettingsChange[];
  /** `failOn`: as it was written; undefined: nobody asked for a gate. */
  readonly gate: Gate & { readonly failOn: string | undefined };
  /** What it is compared with. */
  readonly base: string;
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

/** `2 roles gain, 1 loses`: who, and not how much. */
export function headline({ changes, verdict, renamed }: AccessDifference): string {
  if (verdict === "same") return "no change in access";
  const roles = (direction: Direction): number =>
    new Set(changes.flatMap((one) => (one.direction === direction ? (one.role ?? []) : []))).size;
  const said = [
    ...countOf(roles("widens"), "gains", "gain"),
    ...countOf(roles("narrows"), "loses", "lose"),
    ...countOf(roles("changed"), "has tools that changed", "have tools that changed"),
  ];
  if (renamed.length > 0) said.push(`${renamed.length} renamed`);
  const others = changes.filter(({ role }) => role === undefined).length;
  if (others > 0) said.push(`${others} change${others === 1 ? "" : "s"} of servers and rules`);
  return said.join(", ");
}

function countOf(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [`${count} role${count === 1 ? ` ${one}` : `s ${several}`}`];
}

export function renamedWords({ renamed }: AccessDifference): string[] {
  return renamed.map(({ kind, before, after }) => `${kind} ${visible(before)} is called ${visible(after)} now`);
}

/** `3 tools (1 asked), 1 question less`. */
export function gainWords(gain: DifferenceSummary["gains"][number]): string {
  const { tools, asked, unasked, loosened, builtins, delegates } = gain;
  const s = (count: number): string => (count === 1 ? "" : "s");
  return [
    tools > 0 ? `${tools} tool${s(tools)}${asked > 0 ? ` (${asked} asked)` : ""}` : "",
    unasked > 0 ? `${unasked} tool${s(unasked)} that ${unasked === 1 ? "isn't" : "aren't"} asked any more` : "",
    loosened > 0 ? `${loosened} looser condition${s(loosened)}` : "",
    builtins > 0 ? "tools of its host" : "",
    delegates > 0 ? `${delegates} delegate${s(delegates)}` : "",
  ]
    .filter((words) => words !== "")
    .join(", ");
}

/** The change in a few words, without its role. `tools`: those of which it is said, where they are several. */
export function changeWords(
  { change, parts: partsOf }: Pick<Described, "change" | "parts">,
  tools: readonly string[] = [],
): string {
  const { server, tool } = change;
  const name = visible([server, tool].filter((part) => part !== undefined).join("."));
  if (change.kind === "definition") return `${name} ${partWords(partsOf(), change)}`;
  return WORDS[change.kind](
    change,
    tools.length > 1 ? `${visible(server ?? "")}: ${tools.length} tools` : name,
    tools.length > 1,
  );
}

function partWords(parts: ReturnType<Described["parts"]>, { before, after }: AccessChanged): string {
  if (before === null) return "is pinned now, and wasn't";
  if (after === null) return "isn't pinned any more";
  const names = (["schema", "hints", "text"] as const).filter((one) => parts.some(({ part }) => part === one));
  return names.length === 0 ? "isn't what it was" : `changed: ${names.join(", ")}`;
}

type Words = (change: AccessChanged, name: string, several: boolean) => string;

const WORDS: Readonly<Record<Exclude<ChangeKind, "definition">, Words>> = {
  tool: ({ before, after }, name) => name + heldWords(after ?? before),
  effect: ({ after }, name, several) =>
    after === "ask"
      ? `${name} ${several ? "are" : "is"} asked now`
      : `${name} ${several ? "aren't" : "isn't"} asked any more`,
  condition: ({ direction }, name) =>
    direction === "changed"
      ? `${name} on other conditions`
      : `${name} may be called with ${direction === "widens" ? "more" : "less"}`,
  instructions: (_, name) => `${name}: its instructions changed`,
  destination: ({ before, after }, name) => `${name} ${destinationWords(before, after)}`,
  root: ({ before, after }, name) =>
    `${name}: paths are relative to ${text(after ?? "nothing")}, not ${text(before ?? "nothing")}`,
  guard: (change) =>
    byPresence(change, {
      new: (after) => `narrowed: the rule ${after} is new`,
      gone: (before) => `widened: the rule ${before} is gone`,
      other: (_, after) => `may be widened: the rule ${after} says something else`,
    }),
  delegate: (change) =>
    byPresence(change, {
      new: (after) => `hands work to ${after}`,
      gone: (before) => `hands no work to ${before} any more`,
      other: (before, after) => `hands work to ${after}, not ${before}`,
    }),
  builtin: (change) =>
    byPresence(change, {
      new: (after) => `with the host's own ${after}`,
      gone: (before) => `without the host's own ${before}`,
      other: (before, after) => `the host's own tools: ${after}, not ${before}`,
    }),
  host: ({ before, after }, name) =>
    before === null
      ? `the host ${name} gets files`
      : after === null
        ? `the host ${name} gets no files any more`
        : `the host ${name} is set otherwise: ${text(after)}, not ${text(before)}`,
  role: (change) =>
    byPresence(change, {
      new: () => "is new, and holds nothing",
      gone: () => "is gone, and held nothing",
      other: () => "is another one",
    }),
};

function byPresence(
  { before, after }: AccessChanged,
  say: {
    readonly new: (after: string) => string;
    readonly gone: (before: string) => string;
    readonly other: (before: string, after: string) => string;
  },
): string {
  if (before === null) return say.new(text(after));
  return after === null ? say.gone(text(before)) : say.other(text(before), text(after));
}

function heldWords(held: JsonValue): string {
  const effect = isObject(held) ? own(held, "effect") : held;
  const asked = effect === "ask" ? " (asked)" : "";
  return isObject(held) ? `${asked} on conditions` : asked;
}

function text(value: JsonValue): string {
  return bounded(visible(typeof value === "string" ? `\`${value}\`` : stableText(value)));
}

/** Why, in a line each: the rule, the conditions, the call that passes now, what of the tool is another. */
export function becauseLines(
  { change, from, at, example: exampleOf, parts, heldBy, rule }: Described,
  { locate, folder = "" }: { readonly locate: Locate; readonly folder?: string },
): string[] {
  const where = (place: NonNullable<typeof at>): string => visible(folder) + placeWords(place, locate);
  const rules = from.map(
    ({ rule, written, from: place }) => `by ${rule} ${visible(`\`${written}\``)} at ${where(place)}`,
  );
  const example = exampleOf();
  const call =
    example === undefined ? [] : [`passes now: ${visible(change.tool ?? "")} ${bounded(visible(stableText(example)))}`];
  return [
    ...rules,
    ...(at === undefined ? [] : [`at ${where(at)}`]),
    ...(heldBy.length === 0 ? [] : [`for ${nameList(heldBy)}`]),
    ...ruleLines(rule),
    ...conditionLines(change),
    ...change.openings.map(openingWords),
    ...call,
    ...(change.kind === "instructions" ? [] : parts().map(({ part, says }) => `${part}: ${bounded(visible(says))}`)),
  ];
}

function ruleLines(rule: Described["rule"]): string[] {
  const line = (word: string, value: JsonValue | undefined): string[] =>
    value === undefined ? [] : [`${word}: ${bounded(visible(stableText(value)))}`];
  return rule === undefined ? [] : [...line("now", rule.after), ...line("before", rule.before)];
}

function conditionLines({ kind, before, after }: AccessChanged): string[] {
  if (kind === "tool" && isObject(after))
    return demandsOf(own(after, "where")).map((one) => `only when ${bounded(one)}`);
  if (kind !== "condition") return [];
  const [was, is] = [demandsOf(before), demandsOf(after)];
  return [
    ...is.filter((one) => !was.includes(one)).map((one) => `now: ${bounded(one)}`),
    ...was.filter((one) => !is.includes(one)).map((one) => `before: ${bounded(one)}`),
  ];
}

function demandsOf(where: JsonValue | undefined): string[] {
  if (!isObject(where)) return [];
  const rules = Object.entries(where).map(([argument, conditions]) => ({ argument, conditions }));
  return conditionDemands(rules as unknown as readonly ArgumentRule[]);
}

function openingWords({ argument, by }: AccessChanged["openings"][number]): string {
  const name = `\`${visible(argument)}\``;
  if (by === "left out") return `${name} may be left out now`;
  return by === undefined ? `more may pass for ${name}: it can't be told` : `${name} may be ${text(by.value)} now`;
}

/** `+ exception: tester may widen github.* until 2027-01-31 (reason)`. */
export function settingWords(change: SettingsChange): string {
  const sign = change.direction === "added" ? "+" : "-";
  if (change.kind === "exception") {
    const { roles, tools, direction, until, reason } = change.exception;
    return visible(
      `${sign} exception until ${until}: ${roles.join(", ")} ${direction} on ${tools.join(", ")} (${reason})`,
    );
  }
  if (change.kind === "approval")
    return visible(
      `${sign} approval of ${change.approval.digest} by ${change.approval.by} (${change.approval.reason})`,
    );
  return visible(`${sign} ${change.kind} ${change.name}`);
}

/** What the gate says, in lines; none where nobody asked for one and no exception spoke. */
export function gateLines({ gate, today }: ShownDifference): string[] {
  const { failOn, findings, passedBy, expired, unused, approval } = gate;
  const count = (list: readonly unknown[], one: string): string =>
    `${list.length} ${one}${list.length === 1 ? "" : "s"}`;
  const reasons = passedBy.map(({ exception }) => exception);
  const verdict =
    failOn === undefined || findings.length === 0
      ? []
      : approval?.accepted === true
        ? [
            visible(
              `approved by ${approval.by} (${approval.how}${approval.file === undefined ? "" : ` in ${approval.file}`})`,
            ),
          ]
        : [
            visible(`refused by --fail-on ${failOn}: ${count(findings, "finding")}`),
            ...(approval?.refused ?? []).map(({ by, how, why }) =>
              visible(`the ${how} of ${by} doesn't count: ${why}`),
            ),
          ];
  return [
    ...verdict,
    ...[...new Set(reasons)].map((one) =>
      visible(
        `${count(
          reasons.filter((other) => other === one),
          "change",
        )} passed by until ${one.until}: ${one.reason}`,
      ),
    ),
    ...expired.map(({ until, reason }) => visible(`an exception ended on ${until}, and it is ${today}: ${reason}`)),
    ...unused.map(({ until, reason }) => visible(`an exception until ${until} matches nothing here: ${reason}`)),
  ];
}
