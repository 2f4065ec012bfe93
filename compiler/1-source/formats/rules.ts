import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { KeyPath } from "../../base/place.ts";
import { byBeginning } from "./by-beginning.ts";
import type { FoundSettings, Narrowing } from "./narrowing.ts";
import { deniedIn, NOT_HELD, restrictionsIn } from "./passed-by.ts";

/** Texts of a list in such settings, each with its way. What stands there and is no such list is told. */
export function textsAt(
  { file, value }: FoundSettings,
  path: readonly string[],
  made: Narrowing,
): readonly (readonly [text: string, path: KeyPath])[] {
  const held = path.reduce<JsonValue | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
  if (held === undefined || held === null) return [];
  const items = Array.isArray(held) ? held : [null];
  if (items.some((one) => typeof one !== "string")) made.leave({ file, path }, `\`${path.join(".")}\``, NOT_HELD);
  return items.flatMap((one, i) => (typeof one === "string" ? [[one, [...path, i]] as const] : []));
}

/** Of all other keys those whose words say that they take servers away, or deny what may be a server's. */
export function leaveOthers({ file, value }: FoundSettings, known: readonly string[], made: Narrowing): void {
  const others: JsonObject = Object.fromEntries(Object.entries(value).filter(([key]) => !known.includes(key)));
  const narrowed = restrictionsIn(others).filter((path) => /mcp|server/i.test(path.join(".")));
  const said = new Set(narrowed.map((path) => JSON.stringify(path)));
  const isSaid = (path: readonly string[]): boolean =>
    path.some((_, i) => said.has(JSON.stringify(path.slice(0, i + 1))));
  const denied = deniedIn(others).filter((one) => !isSaid(one.path) && !isOwn(one.value, made.servers));
  for (const path of [...narrowed, ...denied.map((one) => one.path)])
    made.leave({ file, path }, `\`${path.join(".")}\``, NOT_HELD);
}

/** Rules about the program's own tools, such as `shell(rm)`. */
function isOwn(value: JsonValue, servers: readonly string[]): boolean {
  const kinds = (Array.isArray(value) ? value : [null]).map((one) =>
    typeof one === "string" ? OWN_RULE.exec(one)?.[1] : undefined,
  );
  return kinds.every((kind) => kind !== undefined && !servers.includes(kind));
}

const OWN_RULE = /^(shell|bash|write|edit|read|view|url|fetch|memory)(?:\(|$)/i;

/**
 * Whether a hook may be about a tool of one of these servers. Its pattern is a stranger's and never run: it may match
 * anything, but for alternatives that each begin with a program's own tool, with another server's, or with what no tool's
 * name holds. `heads`: what names of the servers' tools begin with; `own`: the program's tools in capitals. `namesBegin`:
 * each of a server's tools begins with its server there, and words alone, with `|` or commas between them, are whole names.
 */
export function readingHooks(
  heads: readonly string[],
  { own, namesBegin = false }: { readonly own: readonly string[]; readonly namesBegin?: boolean },
): (matcher: JsonValue | undefined) => boolean {
  const known = byBeginning(heads);
  const held = new Map<string, boolean>();
  const isHeld = (word: string): boolean => {
    const found = held.get(word) ?? heads.some((head) => head.includes(word));
    held.set(word, found);
    return found;
  };
  return (matcher) => {
    if (typeof matcher !== "string" || NEEDS_NONE.test(matcher)) return true;
    const isList = namesBegin && /^[\w\s,|]*$/.test(matcher);
    return matcher.split(/[|,]/).some((one) => {
      const [, begins = "", rest = ""] = /^(?:\^|\((?:\?:)?)*([A-Za-z]\w*(?:-\w+)*)(.*)$/s.exec(one.trim()) ?? [];
      const word = /^[?*{]/.test(rest) ? begins.slice(0, -1) : begins;
      if (/^(?:mcp_?)?$/i.test(word)) return true;
      if (word.startsWith("mcp__")) return known.isBeginning(word) || known.beginningsOf(word).length > 0;
      if (/^[A-Z]/.test(word)) {
        const isElsewhere = isList || (namesBegin && one.trim().startsWith("^"));
        const isOwnTool = own.includes(word) || (word.length > 2 && own.some((tool) => tool.startsWith(word)));
        return !isElsewhere && (!isOwnTool || (word !== matcher && isHeld(word)));
      }
      return !OWN_RULE.test(word) || !(isList || (NO_TOOL_HAS.test(rest) && !/[[\\]/.test(rest)));
    });
  };
}

/** A group that may be left out, or only looks: what is in it needn't be there. */
const NEEDS_NONE = /\)[?*{]|\(\?(?!:)/;
/** A blank or a colon that has to be there. */
const NO_TOOL_HAS = /[\s:](?![?*{])/;

/** Rules of an agent's own. */
const OF_AGENTS = "it is about one agent: write who may what in roles and policies";

/** An agent's list that names tools of these servers. */
export function leaveAgentsList(
  { file, value }: FoundSettings,
  isOurs: (name: string) => boolean,
  made: Narrowing,
  key = "tools",
): void {
  const held = value[key];
  const list = typeof held === "string" ? held.split(",") : Array.isArray(held) ? held.map(String) : [];
  const names = list.map((name) => name.trim());
  if (names.some(isOurs)) made.leave({ file, path: [key] }, `\`${key}\``, OF_AGENTS);
}
