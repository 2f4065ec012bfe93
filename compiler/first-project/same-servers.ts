import { addressReached, processReached } from "../base/destinations.ts";
import { groupBy } from "../base/group-by.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { downloadedBy } from "../base/package-runner.ts";
import { stableText } from "../base/stable-text.ts";
import { withBoth } from "./restrictions.ts";

/** A server of one file, under the name that it has here. */
export interface ServerHere {
  readonly name: string;
  /** What its file calls it. */
  readonly called: string;
  readonly file: string;
  /** The ways in which it is reached. */
  readonly connect: JsonValue;
  /** What is taken away of it for every role. */
  readonly less: JsonObject;
}

/**
 * Servers of several files that are one: they reach the same with the same values, or are called the same and reach the
 * same. Two of one file are there for a reason, and one only by what a third file says.
 */
export function sameServers(all: readonly ServerHere[]): readonly (readonly ServerHere[])[] {
  const groups = new Map<string, Set<ServerHere>>();
  for (const server of all) {
    const keys = keysOf(server);
    const found = [...new Set(keys.flatMap((key) => groups.get(key) ?? []))].toSorted((a, b) => b.size - a.size);
    const [largest = new Set<ServerHere>(), ...others] = found;
    largest.add(server);
    for (const key of [...keys, ...others.flatMap((group) => [...group].flatMap(keysOf))]) groups.set(key, largest);
    for (const group of others) for (const one of group) largest.add(one);
  }
  return [...new Set(groups.values())]
    .map((group) => [...group])
    .filter((group) => group.some(({ file }) => file !== group[0]!.file));
}

function keysOf(server: ServerHere): string[] {
  return waysOf(server).flatMap(({ reached, exactly, values }) => [
    `way ${exactly} ${stableText(values)}`,
    `${server.called} ${reached}`,
  ]);
}

/** What it reaches, whatever values it hands over. */
export function destinationsOf(server: ServerHere): string[] {
  return waysOf(server).map(({ reached }) => reached);
}

interface Way {
  readonly reached: string;
  /** The same for what surely is the same, whatever it is called. */
  readonly exactly: string;
  /** What it hands over there. */
  readonly values: JsonObject;
}

function waysOf({ connect }: ServerHere): Way[] {
  return (Array.isArray(connect) ? connect : []).filter(isObject).flatMap(({ stdio, http, sse, ...values }): Way[] => {
    if (Array.isArray(stdio)) {
      const words = stdio.map(String);
      const reached = processReached(words);
      return [{ reached, exactly: isPackageAlone(words) ? reached : stableText(words), values }];
    }
    return [http, sse].flatMap((url) => {
      if (typeof url !== "string") return [];
      const reached = addressReached(url);
      const isSomebodys = /^\w+:\/\/[^/]*@/.test(url);
      return [{ reached, exactly: isSomebodys ? url : reached, values }];
    });
  });
}

/** A package that a runner downloads, and is told nothing else about that could make another server of it. */
function isPackageAlone(words: readonly string[]): boolean {
  const found = downloadedBy(words);
  if (found === undefined || found.isOption) return false;
  return words.slice(0, found.index).every((word) => /^(?:-y|--yes|[^-=][^=]*)$/.test(word));
}

/** What the other files take away of a server of this file; a tool's name may be missing where another version is reached. */
export function takenByOthers(group: readonly ServerHere[]): (file: string) => JsonObject {
  const isExact = new Set(group.map(({ connect }) => stableText(connect))).size === 1;
  const perFile = groupBy(group, ({ file }) => file).map((servers) => ({
    file: servers[0]!.file,
    less: servers.reduce<JsonObject>((both, { less }) => withBoth(both, isExact ? less : loosened(less)), {}),
  }));
  const others = new Map(
    perFile.map(({ file }) => [
      file,
      perFile.reduce<JsonObject>((both, one) => (one.file === file ? both : withBoth(both, one.less)), {}),
    ]),
  );
  return (file) => others.get(file) ?? {};
}

function loosened(less: JsonObject): JsonObject {
  const { tools } = less;
  if (!isObject(tools) || !Array.isArray(tools["exclude"])) return less;
  const exclude = tools["exclude"].map((one: JsonValue) => (typeof one === "string" ? { optional: one } : one));
  return { ...less, tools: { ...tools, exclude } };
}

/** How many names that is. */
export function sizeOf({ tools }: JsonObject): number {
  const lists = isObject(tools) ? Object.values(tools).filter(Array.isArray) : [];
  return lists.reduce((sum, { length }) => sum + length, 1);
}
