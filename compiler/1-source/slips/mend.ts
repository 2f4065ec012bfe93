import type { KeyPath } from "../../base/place.ts";
import type * as z from "zod/mini";
import { commandWords } from "../../base/command-words.ts";
import type { Writing } from "../../base/flow-yaml.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { nearest } from "../../base/nearest.ts";
import { schemaAt } from "../schema-walk.ts";
import { conditionMeant } from "./conditions.ts";
import { ANY_WORD, byOwnName, byServer, fullNamesIn, namesIn, withOwnName } from "./lists.ts";
import { connectMeant, pairsMeant, serverMeant, stdioMeant, transportOf } from "./connections.ts";
import { EXAMPLES, spotOf, type KindOfPlace } from "./spots.ts";

export interface Mistaken {
  readonly schema: z.ZodMiniType;
  readonly path: KeyPath;
  readonly found: JsonValue;
  /** The map or list that it stands in. */
  readonly around: JsonValue | undefined;
  readonly writing: Writing;
}

/**
 * The line to write for a value of another form, or undefined. What is shown fits the schema of its place: advice that is
 * followed doesn't lead to the next error of the same kind.
 */
export function mend(mistaken: Mistaken): string | undefined {
  const { schema, path, found, writing } = mistaken;
  const spot = spotOf(path);
  if (spot === undefined) return undefined;
  const meant = SPOTS[spot](found, path);
  if (meant === undefined || !fits(schema, path, meant)) return exampleOf(spot, mistaken);
  const text = lineOf(path, meant, writing);
  if (text.length <= LONGEST) return `write \`${text}\`${wholeEntry(spot, mistaken)}`;
  return exampleOf(spot, mistaken) ?? shortened(path, meant, writing);
}

function lineOf(path: KeyPath, value: JsonValue, writing: Writing): string {
  const key = path.at(-1)!;
  return typeof key === "number" ? writing.value(value) : writing.entry(key, value);
}

function exampleOf(spot: KindOfPlace, { path, found, writing }: Mistaken): string | undefined {
  const example = EXAMPLES[spot]?.(path, found);
  return example === undefined ? undefined : `write it as in \`${lineOf(path, example, writing)}\``;
}

/** Longer ones are no line that one reads. */
const LONGEST = 300;

function shortened(path: KeyPath, meant: JsonValue, writing: Writing): string | undefined {
  const first = Array.isArray(meant)
    ? [meant[0] as JsonValue]
    : isObject(meant)
      ? Object.fromEntries(Object.entries(meant).slice(0, 1))
      : undefined;
  const text = first && lineOf(path, first, writing);
  return text !== undefined && text.length <= LONGEST ? `write it as in \`${text}\`` : undefined;
}

/** Whether a value may stand at a place, whatever stands around it. */
export function fits(schema: z.ZodMiniType, path: KeyPath, value: JsonValue): boolean {
  return (schemaAt(schema, path) as z.ZodMiniType | undefined)?.safeParse(value).success === true;
}

/** `include: all` can be said with one word in place of the entry, where the entry says nothing else. */
function wholeEntry(spot: KindOfPlace, { found, around, path, writing }: Mistaken): string {
  const isAll = spot === "selectors" && path.at(-1) === "include" && typeof found === "string" && ANY_WORD.test(found);
  return isAll && isObject(around) && Object.keys(around).length === 1
    ? `, or \`${writing.value("all")}\` in place of the whole entry`
    : "";
}

type Meant = (found: JsonValue, path: KeyPath) => JsonValue | undefined;

const readOnlyWord = (found: JsonValue): boolean => typeof found === "string" && /^read[-_ ]?only$/i.test(found);
const selectors: Meant = (found) => (readOnlyWord(found) ? ["is:read-only"] : namesIn(found, "*"));
const asList: Meant = (found) => (typeof found === "string" ? [found] : undefined);
const names: Meant = (found) => namesIn(found, "*") ?? (isObject(found) ? Object.keys(found) : undefined);

/** What each kind of place makes of a value that has another form. */
const SPOTS: Readonly<Record<KindOfPlace, Meant>> = {
  selectors,
  ruleTools: fullNamesIn,
  ruleRoles: names,
  roleNames: (found) =>
    found === true || (typeof found === "string" && ANY_WORD.test(found)) ? undefined : names(found, []),
  item: (found, path) => itemMeant(found, path),
  named: namedMeant,
  rules: (found) => (isObject(found) ? (withOwnName(found) ?? [found]) : undefined),
  roleTools: byServer,
  entry: entryMeant,
  where: (found) => (Array.isArray(found) ? byOwnKeys(found as readonly JsonValue[]) : undefined),
  condition: conditionMeant,
  oneText: (found) => onlyItem(found),
  enum: (found) => (found === null || isObject(found) ? undefined : [found]),
  arguments: () => undefined,
  claim: claimMeant,
  together: () => undefined,
  hint: (found) => (typeof found === "string" ? { [found.replace(/Hint$/, "")]: true } : undefined),
  role: (found) => (Array.isArray(found) ? wrapped(byServer(found as readonly JsonValue[])) : undefined),
  version: (found) => (typeof found === "number" && found > 1 ? undefined : 1),
  connect: (found, path) => connectMeant(found, String(path.at(-2))),
  transport: (found, path) => (typeof found === "string" ? transportOf(found, String(path.at(-3))) : undefined),
  stdio: (found, path) => stdioMeant(found, String(path.at(-4))),
  command: (found) => (typeof found === "string" ? commandWords(found) : undefined),
  pairs: (found, path) => pairsMeant(found, path),
  hosts: (found) => hostsMeant(found),
  builtinNames: (found) => (typeof found === "boolean" ? (found ? "all" : "none") : namesIn(found, "all")),
  texts: asList,
  labels: (found) => (Array.isArray(found) ? byOwnKeys(found as readonly JsonValue[]) : undefined),
  limits: () => undefined,
  breaker: () => undefined,
  builtins: () => undefined,
};

function namedMeant(found: JsonValue, [block]: KeyPath): JsonValue | undefined {
  const map = Array.isArray(found) ? byOwnName(found as readonly JsonValue[]) : undefined;
  if (map === undefined || block === "roles") return map;
  return Object.fromEntries(Object.entries(map).map(([name, server]) => [name, serverMeant(name, server)]));
}

/** `true` may mean every tool, or that there are some: it isn't taken for either, and neither is another word for it. */
function entryMeant(found: JsonValue): JsonValue | undefined {
  if (found === false) return "none";
  if (typeof found !== "string") return undefined;
  if (ANY_WORD.test(found)) return "all";
  if (/^(?:yes|on|true)$/i.test(found)) return undefined;
  return nearest(found, ["all", "none", "read-only"]) ?? namesIn(found, "*");
}

/** A map where a text is meant: `is: read-only` with a space behind the colon, `github: merge_pr`, `name: x`. */
export function itemMeant(found: JsonValue, path: KeyPath): JsonValue | undefined {
  const entries = isObject(found) ? Object.entries(found) : [];
  const [key, value] = entries[0] ?? [];
  if (entries.length !== 1 || key === "optional" || key === "absent") return undefined;
  if (value === true || value === null) return key;
  if (typeof value !== "string") return undefined;
  if (/^(?:is|scope|label)$/.test(key!)) return `${key}:${value}`;
  if (/^(?:name|tool|role|id)$/.test(key!)) return value;
  const ofRule = path[0] === "policies" || path[0] === "invariants";
  if (ofRule && /^[\w*?-]+\.(?:is|scope|label)$/.test(key!)) return `${key}:${value}`;
  return ofRule ? `${key}.${value}` : undefined;
}

/** Lists of maps with one key each, as the one map that they are here. */
function byOwnKeys(found: readonly JsonValue[]): JsonObject | undefined {
  const entries = found.flatMap((item) => (isObject(item) ? Object.entries(item) : [undefined]));
  if (!entries.every((entry) => entry !== undefined)) return undefined;
  const map = Object.fromEntries(entries) as JsonObject;
  return entries.length > 0 && Object.keys(map).length === entries.length ? map : undefined;
}

function onlyItem(found: JsonValue): JsonValue | undefined {
  return Array.isArray(found) && found.length === 1 ? (found as readonly JsonValue[])[0] : undefined;
}

function claimMeant(found: JsonValue, path: KeyPath): JsonValue | undefined {
  const tools = path.at(-1) === "never" ? (Array.isArray(found) ? found : fullNamesIn(found)) : undefined;
  return tools && { roles: ["*"], tools };
}

function wrapped(tools: JsonObject | undefined): JsonObject | undefined {
  return tools && { tools };
}

function hostsMeant(found: JsonValue): JsonValue | undefined {
  if (typeof found === "string") return namesIn(found, "");
  if (!isObject(found)) return undefined;
  return Object.entries(found).map(([id, says]) => (isObject(says) ? { id, ...says } : id));
}
