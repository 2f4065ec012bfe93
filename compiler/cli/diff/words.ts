import type { JsonValue } from "../../base/json.ts";
import { isObject, own } from "../../base/json.ts";
import { stableText } from "../../base/stable-text.ts";
import { bounded, visible } from "../../base/visible.ts";
import type { Locate } from "../../base/place.ts";
import type { Described } from "../../diff/describe.ts";
import type { AccessChanged, ChangeKind, AccessDifference, Direction } from "../../diff/types.ts";
import type { DifferenceAside } from "../../questions/aside.ts";
import type { Plan } from "../../3-plan/types.ts";
import { placeWords } from "../page.ts";

/** What the pages of a difference are made of. */
export interface ShownDifference {
  readonly difference: AccessDifference;
  readonly described: readonly Described[];
  readonly aside: DifferenceAside;
  /** What it is compared with. */
  readonly base: string;
  readonly plan: Plan;
  readonly locate: Locate;
}

export const SIGNS: Readonly<Record<Direction, string>> = { widens: "+", narrows: "-", changed: "~" };

/** `2 roles gain, 1 loses`: who, and not how much. */
export function headline({ changes, verdict }: AccessDifference): string {
  if (verdict === "same") return "no change in access";
  const roles = (direction: Direction): number =>
    new Set(changes.flatMap((one) => (one.direction === direction ? (one.role ?? []) : []))).size;
  const said = [
    ...countOf(roles("widens"), "gains", "gain"),
    ...countOf(roles("narrows"), "loses", "lose"),
    ...countOf(roles("changed"), "has tools that changed", "have tools that changed"),
  ];
  const others = changes.filter(({ role }) => role === undefined).length;
  if (others > 0) said.push(`${others} change${others === 1 ? "" : "s"} of servers and rules`);
  return said.join(", ");
}

function countOf(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [`${count} role${count === 1 ? ` ${one}` : `s ${several}`}`];
}

/** The change in a few words, without its role. */
export function changeWords(change: AccessChanged): string {
  const { server, tool } = change;
  const name = visible([server, tool].filter((part) => part !== undefined).join("."));
  return WORDS[change.kind](change, name);
}

type Words = (change: AccessChanged, name: string) => string;

const WORDS: Readonly<Record<ChangeKind, Words>> = {
  tool: ({ before, after }, name) => name + heldWords(after ?? before),
  effect: ({ after }, name) => (after === "ask" ? `${name} is asked now` : `${name} isn't asked any more`),
  condition: (_, name) => `${name} on other conditions`,
  definition: (_, name) => `${name} isn't what it was`,
  instructions: (_, name) => `${name}: its instructions changed`,
  destination: ({ before, after }, name) => `${name} ${destinationWords(before, after)}`,
  root: ({ before, after }, name) =>
    `${name}: paths are relative to ${text(after ?? "nothing")}, not ${text(before ?? "nothing")}`,
  guard: (change) =>
    byPresence(change, {
      new: (after) => `the rule ${after} is new`,
      gone: (before) => `the rule ${before} is gone`,
      other: (_, after) => `the rule ${after} says something else`,
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

function destinationWords(before: JsonValue, after: JsonValue): string {
  if (after === null) return `isn't reached any more by ${wayWords(before)}`;
  return before === null
    ? `is reached by ${wayWords(after)}`
    : `is reached by ${wayWords(after)}, not ${wayWords(before)}`;
}

/** Where, or with which command; what else is another stands in the JSON. */
function wayWords(way: JsonValue): string {
  if (!isObject(way)) return text(way);
  const stdio = own(way, "stdio");
  const words = Array.isArray(stdio) ? stdio.join(" ") : String(own(way, "http") ?? own(way, "sse") ?? "");
  const variables = own(way, "variables");
  const named = Array.isArray(variables) && variables.length > 0 ? ` with ${variables.join(", ")}` : "";
  return bounded(visible(`\`${words}\`${named}`));
}

function text(value: JsonValue): string {
  return bounded(visible(typeof value === "string" ? `\`${value}\`` : stableText(value)));
}

/** Why, in a line each: the rule, the call that passes now, what of the tool is another. */
export function becauseLines({ change, from, at, example, parts }: Described, locate: Locate): string[] {
  const rules = from.map((reason) => `by ${visible(`\`${reason.written}\``)} at ${placeWords(reason.from, locate)}`);
  const call =
    example === undefined ? [] : [`passes now: ${visible(change.tool ?? "")} ${bounded(visible(stableText(example)))}`];
  return [
    ...rules,
    ...(at === undefined ? [] : [`at ${placeWords(at, locate)}`]),
    ...change.openings.map(openingWords),
    ...call,
    ...parts.map(({ part, says }) => `${part}: ${bounded(visible(says))}`),
  ];
}

function openingWords({ argument, by }: AccessChanged["openings"][number]): string {
  const name = `\`${visible(argument)}\``;
  if (by === "left out") return `${name} may be left out now`;
  return by === undefined ? `more may pass for ${name}: it can't be told` : `${name} may be ${text(by.value)} now`;
}
