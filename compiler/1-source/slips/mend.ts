import type * as z from "zod/mini";
import { commandWords } from "../../base/command-words.ts";
import type { Writing } from "../../base/flow-yaml.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { nearest } from "../../base/nearest.ts";
import { schemaAt } from "../schema-walk.ts";
import { conditionMeant } from "./conditions.ts";
import { ANY_WORD, byOwnName, byServer, fullNamesIn, namesIn, withOwnName } from "./lists.ts";
import { connectOf, isPastedServer, maskedTransport } from "./pasted.ts";

type Path = readonly (string | number)[];

export interface Mistaken {
  readonly schema: z.ZodMiniType;
  readonly path: Path;
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
  if (meant === undefined || !fits(schema, path, meant)) return exampleOf(spot, path, writing);
  const text = lineOf(path, meant, writing);
  if (text.length <= LONGEST) return `write \`${text}\`${wholeEntry(spot, mistaken)}`;
  return exampleOf(spot, path, writing) ?? shortened(path, meant, writing);
}

function lineOf(path: Path, value: JsonValue, writing: Writing): string {
  const key = path.at(-1)!;
  return typeof key === "number" ? writing.value(value) : writing.entry(key, value);
}

function exampleOf(spot: Spot, path: Path, writing: Writing): string | undefined {
  const example = EXAMPLES[spot]?.(path);
  return example === undefined ? undefined : `write it as in \`${lineOf(path, example, writing)}\``;
}

/** Longer ones are no line that one reads. */
const LONGEST = 300;

function shortened(path: Path, meant: JsonValue, writing: Writing): string | undefined {
  const first = Array.isArray(meant)
    ? [meant[0] as JsonValue]
    : isObject(meant)
      ? Object.fromEntries(Object.entries(meant).slice(0, 1))
      : undefined;
  const text = first && lineOf(path, first, writing);
  return text !== undefined && text.length <= LONGEST ? `write it as in \`${text}\`` : undefined;
}

/** Whether a value may stand at a place, whatever stands around it. */
export function fits(schema: z.ZodMiniType, path: Path, value: JsonValue): boolean {
  return (schemaAt(schema, path) as z.ZodMiniType | undefined)?.safeParse(value).success === true;
}

/** `include: all` can be said with one word in place of the entry, where the entry says nothing else. */
function wholeEntry(spot: Spot, { found, around, path, writing }: Mistaken): string {
  const isAll = spot === "selectors" && path.at(-1) === "include" && typeof found === "string" && ANY_WORD.test(found);
  return isAll && isObject(around) && Object.keys(around).length === 1
    ? `, or \`${writing.value("all")}\` in place of the whole entry`
    : "";
}

type Spot = keyof typeof SPOTS;
type Meant = (found: JsonValue, path: Path) => JsonValue | undefined;

const readOnlyWord = (found: JsonValue): boolean => typeof found === "string" && /^read[-_ ]?only$/i.test(found);
const selectors: Meant = (found) => (readOnlyWord(found) ? ["is:read-only"] : namesIn(found, "*"));
const asList: Meant = (found) => (typeof found === "string" ? [found] : undefined);
const names: Meant = (found) => namesIn(found, "*") ?? (isObject(found) ? Object.keys(found) : undefined);

/** What each kind of place makes of a value that has another form. */
const SPOTS = {
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
  connect: (found, path) => connectMeant(found, String(path.at(-2))),
  transport: (found, path) => (typeof found === "string" ? transportOf(found, String(path.at(-3))) : undefined),
  stdio: (found) => (typeof found === "string" ? commandWords(found) : undefined),
  pairs: (found, path) => pairsMeant(found, path),
  hosts: (found) => hostsMeant(found),
  builtinNames: (found) => (typeof found === "boolean" ? (found ? "all" : "none") : namesIn(found, "all")),
  texts: asList,
  labels: (found) => (Array.isArray(found) ? byOwnKeys(found as readonly JsonValue[]) : undefined),
  limits: () => undefined,
  breaker: () => undefined,
  builtins: () => undefined,
} as const satisfies Record<string, Meant>;

/** Where what was meant is open, the form of the place is shown. */
const EXAMPLES: Partial<Record<Spot, (path: Path) => JsonValue>> = {
  named: (path) =>
    path[0] === "roles"
      ? { reader: { tools: { github: ["list_issues"] } } }
      : { github: { connect: [{ http: "https://example.com/mcp" }] } },
  rules: (path) =>
    path[0] === "policies"
      ? [{ name: "no deletes", roles: ["*"], tools: ["*.delete_*"], effect: "deny" }]
      : [{ name: "testers never merge", never: { roles: ["tester"], tools: ["github.merge_*"] } }],
  entry: () => ["list_issues", "create_issue"],
  roleTools: () => ({ github: ["list_issues"], notes: "read-only" }),
  where: () => ({ write_file: { path: { glob: "tests/**" } } }),
  condition: () => ({ glob: "tests/**" }),
  connect: () => [{ http: "https://example.com/mcp" }],
  labels: ([, , key]) =>
    key === "labels"
      ? { "private-data": ["read_file"] }
      : key === "hints"
        ? { read_file: { readOnly: true } }
        : { "read:files": ["read_file"] },
  limits: () => ({ ratePerMinute: 60, timeout: "30s" }),
  breaker: () => ({ failures: 3, cooldown: "60s" }),
  builtins: () => ({ "claude-code": ["Read", "Grep"] }),
};

const RULE_KEYS: Readonly<Record<string, Spot>> = { roles: "ruleRoles", tools: "ruleTools", together: "ruleTools" };
const SERVER_KEYS: Readonly<Record<string, Spot>> = {
  connect: "connect",
  tools: "entry",
  scopes: "labels",
  labels: "labels",
  limits: "limits",
  breaker: "breaker",
  hints: "labels",
};
const ENTRY_KEYS: Readonly<Record<string, Spot>> = {
  include: "selectors",
  exclude: "selectors",
  ask: "selectors",
  where: "where",
};

/** What kind of place a path leads to. Presets have their server and policies at the top. */
function spotOf(whole: Path): Spot | undefined {
  const path = whole[0] === "server" ? ["servers", "preset", ...whole.slice(1)] : whole;
  const [block, , key, inner, part, ...more] = path;
  if (block === "hosts") return path.length === 1 ? "hosts" : undefined;
  if (block === "guards" || block === "imports") return path.length === 1 ? "texts" : undefined;
  if (path.length === 1)
    return block === "roles" || block === "servers"
      ? "named"
      : block === "policies" || block === "invariants"
        ? "rules"
        : undefined;
  if (typeof path.at(-1) === "number" && block !== "servers") return "item";
  if (block === "policies")
    return key === "where" ? conditionSpot(path.slice(3)) : path.length === 3 ? RULE_KEYS[String(key)] : undefined;
  if (block === "invariants") return path.length === 4 ? RULE_KEYS[String(inner)] : undefined;
  if (block === "roles") {
    if (path.length === 3)
      return (
        { tools: "roleTools", extends: "roleNames", delegates: "roleNames", builtins: "builtins" } as Record<
          string,
          Spot
        >
      )[String(key)];
    if (key === "builtins") return path.length === 4 ? "builtinNames" : undefined;
    if (key !== "tools") return undefined;
    if (path.length === 4) return "entry";
    if (part === "where" && more.length > 0) return conditionSpot(more.slice(1));
    return path.length === 5 ? ENTRY_KEYS[String(part)] : undefined;
  }
  return block === "servers" ? serverSpot(path) : undefined;
}

function conditionSpot([argument, kind, ...more]: Path): Spot | undefined {
  if (argument === undefined) return "where";
  if (kind === undefined) return "condition";
  return more.length > 0
    ? undefined
    : kind === "enum"
      ? "enum"
      : kind === "glob" || kind === "pattern"
        ? "oneText"
        : undefined;
}

function serverSpot(path: Path): Spot | undefined {
  const [, , key, inner, part] = path;
  if (path.length === 3) return SERVER_KEYS[String(key)];
  if (key === "tools" && path.length === 4) return ENTRY_KEYS[String(inner)];
  if ((key === "labels" || key === "scopes") && path.length === 4) return "selectors";
  if (key !== "connect") return typeof path.at(-1) === "number" ? "item" : undefined;
  if (path.length === 4) return "transport";
  if (path.length !== 5) return undefined;
  return part === "stdio" ? "stdio" : part === "env" || part === "headers" ? "pairs" : undefined;
}

function namedMeant(found: JsonValue, [block]: Path): JsonValue | undefined {
  const map = Array.isArray(found) ? byOwnName(found as readonly JsonValue[]) : undefined;
  if (map === undefined || block === "roles") return map;
  return Object.fromEntries(Object.entries(map).map(([name, server]) => [name, serverMeant(name, server)]));
}

function serverMeant(name: string, server: JsonValue): JsonValue {
  if (!isObject(server)) return server;
  const isPasted: boolean = isPastedServer(server);
  const connect = isPasted ? connectOf(name, server)?.connect : maskedConnect(name, server);
  if (connect === undefined) return server;
  return isPasted ? { connect } : { ...server, connect };
}

function maskedConnect(name: string, server: JsonObject): JsonValue | undefined {
  const { connect } = server;
  if (!Array.isArray(connect)) return undefined;
  return (connect as readonly JsonValue[]).map((one) => (isObject(one) ? maskedTransport(name, one).connect[0]! : one));
}

/** `true` may mean every tool, or that there are some: it isn't taken for either. */
function entryMeant(found: JsonValue): JsonValue | undefined {
  if (found === false) return "none";
  if (typeof found !== "string") return undefined;
  if (ANY_WORD.test(found)) return "all";
  return nearest(found, ["all", "none", "read-only"]) ?? namesIn(found, "*");
}

/** A map where a text is meant: `is: read-only` with a space behind the colon, `github: merge_pr`, `name: x`. */
export function itemMeant(found: JsonValue, path: Path): JsonValue | undefined {
  const entries = isObject(found) ? Object.entries(found) : [];
  const [key, value] = entries[0] ?? [];
  if (entries.length !== 1 || typeof value !== "string" || key === "optional" || key === "absent") return undefined;
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

function connectMeant(found: JsonValue, server: string): JsonValue | undefined {
  if (isObject(found)) return maskedTransport(server, found).connect;
  if (typeof found !== "string") return undefined;
  const transport = transportOf(found, server);
  return transport && [transport];
}

function transportOf(found: string, server: string): JsonObject | undefined {
  const isUrl = /^https?:\/\//i.test(found) || /^\$\{[^}]*\}$/.test(found);
  const written = isUrl ? { [/\/sse\/?$/.test(found) ? "sse" : "http"]: found } : { stdio: commandWords(found) };
  return maskedTransport(server, written).connect[0];
}

/** `[KEY=value]` or `["Name: value"]` as a map. */
function pairsMeant(found: JsonValue, path: Path): JsonValue | undefined {
  if (!Array.isArray(found)) return undefined;
  const key = String(path.at(-1));
  const pairs = (found as readonly JsonValue[]).map((item): [string, JsonValue] | undefined => {
    const [, name, value] = (typeof item === "string" && /^([\w-]+)(?:=|:\s*)(.*)$/s.exec(item)) || [];
    if (name !== undefined) return [name, value!];
    if (typeof item === "string" && /^[A-Za-z_]\w*$/.test(item) && key === "env") return [item, `\${${item}}`];
    const entries = isObject(item) ? Object.entries(item) : [];
    return entries.length === 1 ? entries[0] : undefined;
  });
  if (!pairs.every((pair) => pair !== undefined)) return undefined;
  return maskedTransport(String(path[0] === "server" ? "preset" : path[1]), { [key]: Object.fromEntries(pairs) })
    .connect[0]![key];
}

function hostsMeant(found: JsonValue): JsonValue | undefined {
  if (typeof found === "string") return namesIn(found, "");
  if (!isObject(found)) return undefined;
  return Object.entries(found).map(([id, says]) => (isObject(says) ? { id, ...says } : id));
}
