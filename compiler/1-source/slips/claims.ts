import type { KeyPath } from "../../base/place.ts";
import type * as z from "zod/mini";
import { globMatcher } from "../../base/glob.ts";
import type { Writing } from "../../base/flow-yaml.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { firstOf } from "../../base/list-words.ts";
import { acceptedKeys } from "../schema-walk.ts";
import { valueFound } from "../shape-words.ts";
import { conditionMeant, whereWithoutTools, whereWithTools, isConditions } from "./conditions.ts";
import { entryOfTools } from "./lists.ts";
import { wordOfOthers } from "./keys.ts";
import { fits, itemMeant } from "./mend.ts";
import { connectOf, isPastedServer } from "./pasted.ts";

/** One mistake that shows as several: it is said once, where it was made, and what is wrong below it isn't said again. */
export interface Claim {
  readonly at: KeyPath;
  /** The key that isn't one here; without it the form as a whole is another. */
  readonly key?: string | undefined;
  readonly expected?: string;
  readonly found?: string;
  readonly help: string;
  /** Parts of the line that aren't shown. */
  readonly hide?: readonly string[];
}

export interface Difference {
  readonly schema: z.ZodMiniType;
  readonly path: KeyPath;
  /** The whole document. */
  readonly value: JsonValue;
  /** Those that the place doesn't know, where that is the difference. */
  readonly keys: readonly string[];
  readonly writing: Writing;
}

/** The mistake that a difference at this path belongs to, if it is one of several that belong together. */
export function claimOf(difference: Difference): Claim | undefined {
  return (
    pastedFile(difference) ??
    pastedServer(difference) ??
    whereOfTools(difference) ??
    whereOfPolicy(difference) ??
    serversInRole(difference) ??
    toolsInEntry(difference) ??
    mapInList(difference)
  );
}

function at(root: JsonValue, path: KeyPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((held, step) => {
    if (Array.isArray(held)) return (held as readonly JsonValue[])[Number(step)];
    return isObject(held) && Object.hasOwn(held, step) ? held[step] : undefined;
  }, root);
}

/** `mcpServers: { ... }` as a whole, and `mcp: { ... }` of others. */
function pastedFile({ path, value: root, keys, writing }: Difference): Claim | undefined {
  const key = ["mcpServers", "mcp_servers", "mcp"].find((one) => keys.includes(one));
  const map = key === undefined || path.length > 0 ? undefined : at(root, [key]);
  if (key === undefined || !isObject(map)) return undefined;
  const servers = Object.entries(map).flatMap(([name, server]) => {
    const pasted = isPastedServer(server) ? connectOf(name, server) : undefined;
    return pasted ? [{ name: serverName(name), ...pasted }] : [];
  });
  if (servers.length === 0) return undefined;
  const all = Object.fromEntries(servers.map(({ name, connect }) => [name, { connect }]));
  const [first] = servers;
  const whole = writing.entry("servers", all);
  const help =
    whole.length <= LONGEST
      ? `write \`${whole}\``
      : `write each as in \`${writing.entry("servers", { [first!.name]: { connect: first!.connect } })}\``;
  return {
    at: [],
    key,
    help,
    hide: hidden(
      servers.flatMap(({ secrets }) => secrets),
      help,
    ),
  };
}

/** Short ones are words that stand elsewhere too. */
function hidden(secrets: readonly string[], help: string): string[] {
  return secrets.filter((secret) => secret.length >= 6 && !help.includes(secret));
}

const LONGEST = 400;

function serverName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, "-")
      .replace(/^[^a-z]+/, "") || "server"
  );
}

function pastedServer({ schema, path, value: root, writing }: Difference): Claim | undefined {
  const whole =
    path[0] === "server" ? path.slice(0, 1) : path[0] === "servers" && path.length >= 2 ? path.slice(0, 2) : undefined;
  if (whole === undefined) return undefined;
  const name = path[0] === "server" ? String(at(root, ["id"]) ?? "server") : String(path[1]);
  const transport = path.slice(0, whole.length + 2);
  const isTransport = path[whole.length] === "connect" && transport.length === whole.length + 2;
  const place = isTransport ? transport : whole;
  const written = at(root, place);
  const found = isTransport ? unfolded(written) : written;
  if (!isPastedServer(found)) return undefined;
  const pasted = connectOf(name, found);
  if (pasted === undefined || !fits(schema, [...whole, "connect"], pasted.connect)) return undefined;
  const key = isObject(written) ? keyOfOthers(written, acceptedKeys(schema, place, undefined)) : undefined;
  const line = isTransport ? writing.value(pasted.connect[0]!) : writing.entry("connect", pasted.connect);
  return {
    at: place,
    key,
    expected: "a text for `http:` and `sse:`, a list for `stdio:`",
    found: "a map",
    help: `write \`${line}\``,
    hide: hidden(pasted.secrets, line),
  };
}

function keyOfOthers(written: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(written).find((key) => !known.includes(key));
}

/** `http: { url, headers }` and `stdio: { command, args }` as if they stood one level higher. */
function unfolded(transport: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(transport)) return transport;
  const inner = [transport["http"], transport["sse"], transport["stdio"]].find(isObject);
  return inner === undefined
    ? transport
    : { ...transport, ...inner, ...(isObject(transport["sse"]) && { type: "sse" }) };
}

function whereOfTools({ schema, path, value: root, writing }: Difference): Claim | undefined {
  if (path[0] !== "roles" || path[2] !== "tools" || path[4] !== "where") return undefined;
  const place = path.slice(0, 5);
  const where = at(root, place);
  const tools = textsOf(at(root, [...path.slice(0, 4), "include"]));
  const isTool = (key: string): boolean => tools.some((one) => globMatcher(one)(key) || one === key);
  if (!isConditions(where)) {
    const key = path[5];
    const value = key === undefined ? undefined : at(where ?? null, [key]);
    if (typeof key !== "string" || value === undefined || isObject(value) || isTool(key)) return undefined;
    const mayInherit = at(root, [...path.slice(0, 2), "extends"]) !== undefined;
    const isArgument = tools.length > 0 && !mayInherit && !tools.some((one) => one.includes(":"));
    return plainInWhere([...place, key], value, isArgument ? tools : [], writing);
  }
  const tool = Object.keys(where).find(isTool);
  if (tool !== undefined) return argumentMissing(place, tool, where[tool]!, writing);
  const meant = whereWithTools(where, at(root, [...path.slice(0, 4), "include"]));
  const text = meant && fits(schema, place, meant) ? writing.entry("where", meant) : undefined;
  const argument = Object.keys(where)[0]!;
  const help =
    text !== undefined && text.length <= LONGEST
      ? `write \`${text}\``
      : `put the name of the tool above \`${argument}\`: \`where\` holds tools, and each tool its arguments`;
  return {
    at: place,
    expected: "a map from tool to its arguments",
    found: `the argument \`${argument}\` without a tool`,
    help,
  };
}

/** `where: { path: "docs/**" }`. Without tools it is open whether the key is one: manifests aren't read yet. */
function plainInWhere(place: KeyPath, value: JsonValue, tools: readonly string[], writing: Writing): Claim {
  const argument = String(place.at(-1));
  const condition = conditionMeant(value) ?? { glob: "tests/**" };
  const [first] = tools;
  if (first === undefined)
    return {
      at: place,
      expected: "a map from argument to condition",
      found: valueFound(value),
      help: `write the tool, below it its argument, and below that the condition, such as \`${writing.value(condition)}\``,
    };
  const line = writing.entry(first, { [argument]: condition });
  const choice = firstOf(tools.map((tool) => `\`${tool}\``));
  return {
    at: place,
    expected: "a map below the name of a tool",
    found: `the argument \`${argument}\` without a tool`,
    help:
      tools.length === 1
        ? `write it as in \`${line}\``
        : `put the tool that has \`${argument}\` above it, one of ${choice}, as in \`${line}\``,
  };
}

/** `where: { write_file: { glob: ... } }`: the condition stands where the arguments do. */
function argumentMissing(where: KeyPath, tool: string, condition: JsonValue, writing: Writing): Claim {
  return {
    at: where,
    expected: "a map from tool to its arguments",
    found: `\`${tool}\` with a condition and no argument`,
    help: `put the argument before the condition, as in \`${writing.entry(tool, { path: condition })}\``,
  };
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter((one) => typeof one === "string") : [];
}

function whereOfPolicy({ schema, path, value: root, writing }: Difference): Claim | undefined {
  if (path[0] !== "policies" || path[2] !== "where") return undefined;
  const place = path.slice(0, 3);
  const where = at(root, place);
  const meant = whereWithoutTools(where);
  if (meant === undefined || !fits(schema, place, meant)) return undefined;
  return {
    at: place,
    expected: "a map from argument to condition",
    found: `the tool \`${Object.keys(where as JsonObject)[0]!}\``,
    help: `write \`${writing.entry("where", meant)}\`: it holds for each of its \`tools\``,
  };
}

/** `reader: { github: [list_issues] }`: the servers stand where `tools` does. */
function serversInRole({ schema, path, value: root, keys, writing }: Difference): Claim | undefined {
  if (path[0] !== "roles" || path.length !== 2 || keys.length === 0) return undefined;
  const role = at(root, path);
  if (!isObject(role) || role["tools"] !== undefined) return undefined;
  const declared = at(root, ["servers"]);
  const isDeclared = (key: string) => isObject(declared) && Object.hasOwn(declared, key);
  const servers = keys.filter(
    (key) => isDeclared(key) || (isSelectors(role[key]) && wordOfOthers(path, key) === undefined),
  );
  const tools = Object.fromEntries(servers.map((key) => [key, role[key]!]));
  if (servers.length !== keys.length || !fits(schema, [...path, "tools"], tools)) return undefined;
  const text = writing.entry("tools", tools);
  return {
    at: path,
    key: keys[0],
    help: text.length <= LONGEST ? `write \`${text}\`` : "put the servers under `tools`",
  };
}

function isSelectors(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).every((item) => typeof item === "string");
  if (isObject(value)) return ["include", "exclude", "ask", "where"].some((key) => Object.hasOwn(value, key));
  return value === "all" || value === "none" || value === "read-only";
}

/** `github: { create_issue: ask, list_issues: allow }`. */
function toolsInEntry({ schema, path, value: root, writing }: Difference): Claim | undefined {
  if (path[0] !== "roles" || path[2] !== "tools" || path.length !== 4) return undefined;
  const entry = at(root, path);
  const known = acceptedKeys(schema, path, undefined);
  if (!isObject(entry) || Object.keys(entry).some((key) => known.includes(key))) return undefined;
  const meant = entryOfTools(entry);
  if (meant === undefined || !fits(schema, path, meant)) return undefined;
  return { at: path, key: Object.keys(entry)[0], help: `write \`${writing.entry(String(path[3]), meant)}\`` };
}

/** `is: read-only` with a space in a list that restricts, where a map has a meaning of its own. */
function mapInList({ schema, path, value: root, writing }: Difference): Claim | undefined {
  const place = path.slice(0, path.findLastIndex((step) => typeof step === "number") + 1);
  if (place.length < 4 || path.length - place.length > 1) return undefined;
  const meant = itemMeant(at(root, place) ?? null, place);
  if (meant === undefined || !fits(schema, place, meant)) return undefined;
  return { at: place, expected: "text", found: "a map", help: `write \`${writing.value(meant)}\`` };
}
