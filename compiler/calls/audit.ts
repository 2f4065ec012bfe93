import { byName } from "../base/order.ts";
import type { JsonValue } from "../base/json.ts";
import { wordsOf, writingWord } from "../base/verbs.ts";
import type { Audit, Call, Changing, Climbing, Events } from "./types.ts";

/** Gathers what an audit looks at: who was asked and who said yes, what was refused, paths that climb, tools that change. */
export interface Auditor {
  add(call: Call): void;
  audit(): Audit;
}

/** Of each kind; the count goes on. */
const KEPT = 1_000;
const MOST_CHANGING = 2_000;
const LONGEST = 200;
/** No honest call nests its arguments deeper: deeper ones are made to break a reader, and aren't followed. */
const DEEPEST = 500;
/** Where no hints tell: what a name says by a whole word. */
const RUNS: ReadonlySet<string> = new Set(["execute", "exec", "run"]);
/** A segment `..`, also as addresses spell it. Three dots in a sentence are none. */
const CLIMBS = /(?:^|[\\/]|%2f|%5c)(?:\.|%2e){2}(?:$|[\\/]|%2f|%5c)/i;

/** Whether a tool changes something, by its pinned hints; undefined where they don't say, or there are none. */
export type SaidToChange = (server: string, tool: string) => boolean | undefined;

export function createAuditor(saidToChange: SaidToChange = () => undefined): Auditor {
  const asked = createEvents<Call>();
  const refused = createEvents<Call>();
  const climbing = createEvents<Climbing>();
  const changing = createChanging(saidToChange);
  return {
    add(call) {
      if (call.ask !== undefined) asked.add(withoutArguments(call));
      if (call.ending === "refused") refused.add(withoutArguments(call));
      const found = climbingIn(call.args, "", 0);
      if (found !== undefined) climbing.add({ ...found, call: withoutArguments(call) });
      changing.add(call);
    },
    audit: () => ({
      asked: asked.events(),
      refused: refused.events(),
      climbing: climbing.events(),
      changing: changing.all(),
    }),
  };
}

function withoutArguments(call: Call): Call {
  return { ...call, args: null, error: call.error.slice(0, LONGEST) };
}

function createEvents<Event>(): { add(event: Event): void; events(): Events<Event> } {
  let kept: Event[] = [];
  let count = 0;
  return {
    add(event) {
      count++;
      kept.push(event);
      if (kept.length >= 2 * KEPT) kept = kept.slice(-KEPT);
    },
    events: () => ({ count, newest: kept.slice(-KEPT) }),
  };
}

/** The first of them; its argument as a path: `edits[2].path`. */
function climbingIn(value: JsonValue, at: string, depth: number): Omit<Climbing, "call"> | undefined {
  if (typeof value === "string")
    return CLIMBS.test(value) ? { argument: at, value: value.slice(0, LONGEST) } : undefined;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return undefined;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const place = isList ? `${at}[${key}]` : at === "" ? key : `${at}.${key}`;
    const found = climbingIn(inner as JsonValue, place.slice(0, LONGEST), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function saysToChange(tool: string): boolean {
  return writingWord(tool) !== undefined || wordsOf(tool).some((word) => RUNS.has(word));
}

function createChanging(saidToChange: SaidToChange): { add(call: Call): void; all(): readonly Changing[] } {
  const found = new Map<string, { -readonly [Key in keyof Changing]: Changing[Key] }>();
  return {
    add({ role, server, tool, ending }) {
      const said = saidToChange(server, tool);
      if (!(said ?? saysToChange(tool))) return;
      const key = JSON.stringify([role, server, tool]);
      const known = found.get(key) ?? {
        role,
        server,
        tool,
        by: said === undefined ? "name" : "hints",
        calls: 0,
        errors: 0,
      };
      if (found.size < MOST_CHANGING) found.set(key, known);
      known.calls++;
      if (ending !== "ok") known.errors++;
    },
    all: () => [...found].sort(([a, one], [b, other]) => other.calls - one.calls || byName(a, b)).map(([, one]) => one),
  };
}
