import { bearsHeader, HEADER_WITHIN } from "../base/bears-header.ts";
import { type FileList, LIST_NAME, newListOf } from "../base/file-list.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { HostData } from "../base/host-data.ts";
import { formatAt, mayHaveBeenOurs } from "../base/keyed-places.ts";
import { ownPlaces } from "../base/own-places.ts";
import { pathOfText } from "../base/path-text.ts";
import { generatedFolders } from "../base/project-layout.ts";
import type { SourceReading } from "./read-shaped.ts";
import type { SourceSettings } from "./types.ts";

/** Which files, and which keys of files that others edit too, this project's own builds wrote. */
export interface OwnOutput {
  isWhole(file: string, text: string): boolean;
  keysOf(file: string): readonly (readonly string[])[];
  /** Of these keys those that the project's next build writes anew: they are about its roles, at its hosts. */
  rulesOf(file: string): readonly (readonly string[])[];
  /** Without the project's own servers in lists that are its builds' too: these keep them out of the sessions of others. */
  withoutOwnServers(file: string, value: JsonObject): JsonObject;
}

/** What the project's builds write rules for. */
export interface BuiltFor {
  readonly roles: ReadonlySet<string>;
  readonly servers: ReadonlySet<string>;
  /** Those that the project chose. */
  readonly hosts: readonly HostData[];
  /** The team's files that these get keys in. */
  readonly into: ReadonlySet<string>;
}

const NOTHING: BuiltFor = { roles: new Set(), servers: new Set(), hosts: [], into: new Set() };

/**
 * The list lies in `out` and is committed, so that it says the same in a fresh clone, where no cache is. Anybody can write it:
 * it is believed of places where a host keeps keys, and there of servers' entries alone (`withoutKeys`).
 */
export function ownOutput(
  { out, folder }: Pick<SourceSettings, "out" | "folder">,
  { files, hosts }: Pick<SourceReading, "files" | "hosts">,
  built = NOTHING,
): OwnOutput {
  let known: FileList | undefined;
  const list = (): FileList => {
    const answer = files.read(`${out}/${LIST_NAME}`);
    return (known ??= newListOf(answer.problem === undefined ? answer.text : ""));
  };
  const isOwnPlace = ownPlaces(hosts);
  const keysAmong = (file: string, some: readonly HostData[]): (readonly string[])[] => {
    if (formatAt(file, some) === undefined) return [];
    return [...(list().keys.get(file) ?? [])].map(pathOfText).filter((at) => mayHaveBeenOurs(file, at, some));
  };
  return {
    isWhole: (file, text) => {
      if (bearsHeader(text.slice(0, HEADER_WITHIN)) || isOwnPlace(file, folder)) return true;
      if (generatedFolders(folder).some((one) => file.startsWith(`${one}/`))) return true;
      return hosts.some(({ places }) => places?.listed?.test(file)) && list().files.has(file);
    },
    keysOf: (file) => keysAmong(file, hosts),
    rulesOf: (file) => keysAmong(file, built.hosts).filter((at) => isBuiltFor(file, at, built)),
    withoutOwnServers: (file, value) => {
      const keys = keysAmong(file, built.hosts);
      const own = new Set(
        keys.flatMap(([key, name = ""]) => (SERVERS.has(key!) && built.servers.has(name) ? name : [])),
      );
      return keys.reduce((left, at) => withoutNames(left, at, own), value);
    },
  };
}

/** Of a list; anything else stays as it is. */
function withoutNames(value: JsonObject, [key, ...more]: readonly string[], names: ReadonlySet<string>): JsonObject {
  const inner = key === undefined || !Object.hasOwn(value, key) ? undefined : value[key];
  if (Array.isArray(inner) && more.length === 0)
    return { ...value, [key!]: inner.filter((one: JsonValue) => typeof one !== "string" || !names.has(one)) };
  return isObject(inner) ? { ...value, [key!]: withoutNames(inner, more, names) } : value;
}

/** By the name of an agent's file, or by the key in a file that holds several and rules for all of them. */
function isBuiltFor(file: string, [key, name = ""]: readonly string[], { roles, servers, into }: BuiltFor): boolean {
  if (/\.md$/i.test(file)) return roles.has(file.slice(file.lastIndexOf("/") + 1).split(".", 1)[0]!);
  if (!into.has(file)) return false;
  return key === "agent" ? roles.has(name) : key === "permission" && servers.has(name.replace(/_\*$/, ""));
}

/** The keys under which hosts keep their servers; of `mcp-servers` a build writes the whole. */
const SERVERS = new Set(["mcpServers", "servers", "mcp", "mcp-servers"]);

export interface WithoutKeys {
  readonly rest: JsonObject;
  /** What was there and is gone. */
  readonly gone: readonly (readonly string[])[];
}

/**
 * The document without those of these keys that hold a server. Whose server that is makes no tool of another's more open: a
 * key that is named falsely brings nothing, and the build that takes it over says so. What a file restricts (lists of tools
 * and servers, rules) is read whatever the list says: of the build's own it is about the build's own servers.
 */
export function withoutKeys(value: JsonObject, keys: readonly (readonly string[])[]): WithoutKeys {
  const gone = keys.filter((at) => SERVERS.has(at[0]!) && isObject(valueAt(value, at)));
  return { rest: gone.reduce<JsonObject>((left, at) => withoutKey(left, at), value), gone };
}

function valueAt(value: JsonObject, at: readonly string[]): JsonValue | undefined {
  return at.reduce<JsonValue | undefined>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

export function withoutKey(value: JsonObject, [key, ...more]: readonly string[]): JsonObject {
  if (key === undefined || !Object.hasOwn(value, key)) return value;
  const inner: JsonValue = value[key]!;
  if (more.length === 0) return Object.fromEntries(Object.entries(value).filter(([one]) => one !== key));
  const less = isObject(inner) ? withoutKey(inner, more) : inner;
  return less === inner
    ? value
    : Object.fromEntries(Object.entries(value).map(([one, was]) => [one, one === key ? less : was]));
}
