import { stableText } from "../base/stable-text.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { restrictionsOf, withBoth } from "./restrictions.ts";
import { countNamed, otherNames, withNewRules, withNames, withOtherNames, type CalledHere } from "./rules.ts";
import { destinationsOf, sameServers, sizeOf, takenByOthers, type ServerHere } from "./same-servers.ts";
import type { FoundForeign } from "./types.ts";

/** A file of another system, with names that no other file here uses. */
export interface NamedForeign extends FoundForeign {
  /** What its servers are called here, where that isn't the name that it gives them. */
  readonly renamed: Readonly<Record<string, string>>;
}

export interface SettledNames {
  readonly foreign: readonly NamedForeign[];
  /** A source of its own: servers of files that are read as they are, held to what other files take away of the same ones. */
  readonly refined: JsonObject;
  /** Servers that are one, where what a file takes away of one was taken away of those of the others. */
  readonly same: readonly { readonly names: readonly string[]; readonly isOneEach: boolean }[];
  /** Servers of one name, or that reach the same with other values, and of which something is taken away: they aren't one. */
  readonly apart: readonly { readonly server: ServerHere; readonly other: ServerHere; readonly isAlike: boolean }[];
  /** Servers that are one, of which so much is taken away that it wasn't. */
  readonly tooMany: readonly (readonly string[])[];
}

interface KnownServer {
  readonly connect: string;
  readonly file: string;
  /** What its file calls it. */
  readonly called: string;
  readonly block: JsonObject;
  readonly isRead: boolean;
  /** Servers of the source that has it, to be held to more; undefined: its file is read as it is, and no source refines it yet. */
  source: Record<string, JsonValue> | undefined;
  /** What other files take away of it that have it just so. */
  readonly given: { readonly file: string; readonly less: JsonObject }[];
}

/** Builds write into the file, or settings beside it take something away, of which a build that reads it as it is holds nothing. */
export function isSource({ taken, heeded }: Pick<FoundForeign, "taken" | "heeded">): boolean {
  return taken.length > 0 || heeded.length > 0;
}

/**
 * Several hosts often list the same server: what is taken over is a source once, held to what each of them takes away.
 * Another server of the same name gets a name of its own. Files that are read as they are come first, since their names stay.
 */
export function settleNames(foreign: readonly FoundForeign[]): SettledNames {
  const known = new Map<string, KnownServer>();
  /** What servers are called here that their files call so. */
  const called = new Map<string, string[]>();
  const rules = new Map<string, string>();
  const inOrder = [...foreign.filter((one) => !isSource(one)), ...foreign.filter(isSource)];
  const named = inOrder.map((one): NamedForeign => {
    const renamed: Record<string, string> = {};
    const held = new Map<string, readonly string[]>();
    const kept: Record<string, JsonValue> = {};
    for (const [name, block] of Object.entries(serversOf(one.blocks))) {
      const connect = stableText((isObject(block) ? own(block, "connect") : undefined) ?? null);
      const candidates = new Set([name, ...(called.get(name) ?? [])]);
      const same = [...candidates].filter((here) => known.get(here)?.connect === connect);
      if (same.length > 0 && isSource(one)) {
        for (const here of same) holdTo(block, one.file, here, known.get(here)!, kept);
        held.set(name, same);
        continue;
      }
      const free = freeName(name, known);
      if (free !== name) renamed[theirName(name, block)] = free;
      held.set(name, [free]);
      called.set(name, [...(called.get(name) ?? []), free]);
      const isRead = !isSource(one);
      const source = isRead ? undefined : kept;
      known.set(free, {
        connect,
        file: one.file,
        called: name,
        block: isObject(block) ? block : {},
        isRead,
        source,
        given: [],
      });
      // What its file calls it: lines of other systems speak of it so.
      kept[free] = free !== name && isObject(block) ? { title: name, ...block } : block;
    }
    const blocks = withNames({ ...one.blocks, servers: kept }, held);
    return { ...one, blocks: isSource(one) ? withNewRules(blocks, rules) : blocks, renamed };
  });
  return holdSame(named, known, rules);
}

/** Names of tools that servers are held to because another file has the same one: beyond it that is a person's to write. */
const MOST_HELD = 100_000;

/** What a file takes away of a server holds for the same server of another file, whatever it is called. */
function holdSame(
  named: readonly NamedForeign[],
  known: ReadonlyMap<string, KnownServer>,
  rules: Map<string, string>,
): SettledNames {
  const servers: Record<string, JsonValue> = {};
  const asked = countNamed(named.map(({ blocks }) => blocks));
  const here = [...known].map(([name, one]): ServerHere => ({ name, ...one, ...waysAndLess(name, one) }));
  const given = here.flatMap((one) => known.get(one.name)!.given.map((taken): ServerHere => ({ ...one, ...taken })));
  const isHere = new Set(here);
  const groups = sameServers([...here, ...given]);
  const twins = new Map<string, readonly ServerHere[]>();
  const [same, tooMany]: [SettledNames["same"][number][], string[][]] = [[], []];
  let held = 0;
  for (const all of groups) {
    const group = all.filter((one) => isHere.has(one));
    if (group.length < 2) continue;
    const names = group.map(({ name }) => name);
    const said = group.reduce((sum, { name, less }) => sum + sizeOf(less) + (asked.get(name) ?? 0), 0);
    const takes = group.some(({ name, less }) => Object.keys(less).length > 0 || asked.has(name));
    if (!takes) continue;
    if (held + said * group.length > MOST_HELD) {
      tooMany.push(names);
      continue;
    }
    held += said * group.length;
    const others = takenByOthers(all);
    const more = group.filter((server) => holdMore(server, others(server.file), known.get(server.name)!, servers));
    const isAsked = names.filter((name) => asked.has(name));
    for (const name of isAsked) twins.set(name, all);
    if (more.length + isAsked.length > 0)
      same.push({ names, isOneEach: new Set(group.map(({ file }) => file)).size === group.length });
  }
  const groupOf = new Map(groups.flatMap((group) => group.map(({ name }) => [name, group] as const)));
  const isLess = ({ name, less }: ServerHere): boolean => Object.keys(less).length > 0 || asked.has(name);
  const apart = apartOf(here, isLess).filter(
    ({ server, other }) => groupOf.get(server.name)?.includes(other) !== true && (isLess(server) || isLess(other)),
  );
  const besides = (file: string): CalledHere => ({ get: (name) => otherNamesOf(name, file, twins.get(name) ?? []) });
  const foreign = named.map((one) =>
    isSource(one) ? { ...one, blocks: withOtherNames(one.blocks, besides(one.file)) } : one,
  );
  const policies = named.flatMap((one) => (isSource(one) ? [] : otherNames(one.blocks, besides(one.file))));
  const refined = withNewRules({ ...(Object.keys(servers).length > 0 && { servers }), policies }, rules);
  return { foreign, refined, same, apart, tooMany };
}

/** What a server that a file speaks of is called besides, but for others of the file itself; one that has none speaks of the first's. */
function otherNamesOf(name: string, speaking: string, group: readonly ServerHere[]): string[] {
  const files = group.filter((one) => one.name === name).map(({ file }) => file);
  const own = files.includes(speaking) ? speaking : files[0];
  return [...new Set(group.flatMap((one) => (one.file === own || one.name === name ? [] : [one.name])))];
}

/** Where it has no like in our letters it is the title. */
function theirName(name: string, block: JsonValue): string {
  const title = isObject(block) ? own(block, "title") : undefined;
  return typeof title === "string" ? title : name;
}

/** In the source that has the server; where a file is read as it is, in the one source that refines it. */
function holdTo(
  block: JsonValue,
  file: string,
  name: string,
  there: KnownServer,
  kept: Record<string, JsonValue>,
): void {
  const less = isObject(block) ? restrictionsOf(block) : {};
  there.given.push({ file, less });
  if (Object.keys(less).length === 0) return;
  const source = (there.source ??= kept);
  source[name] = withBoth((own(source, name) ?? { from: there.file }) as JsonObject, less);
}

/** Each server of a name, or of something reached, that one of another file before it has: the first of which something is taken away. */
function apartOf(here: readonly ServerHere[], isLess: (server: ServerHere) => boolean): SettledNames["apart"] {
  const byName = new Map(here.map((one) => [one.name, one]));
  const byDestination = new Map<string, ServerHere>();
  return here.flatMap((server) => {
    const reached = destinationsOf(server);
    const alike = reached.map((one) => byDestination.get(one)).find((one) => one !== undefined);
    for (const one of reached) {
      const first = byDestination.get(one);
      if (first === undefined || (isLess(server) && !isLess(first))) byDestination.set(one, server);
    }
    const named = byName.get(server.called);
    const other = named === undefined || named === server ? alike : named;
    return other === undefined || other.file === server.file ? [] : [{ server, other, isAlike: other === alike }];
  });
}

function waysAndLess(name: string, { block, isRead, source }: KnownServer): Pick<ServerHere, "connect" | "less"> {
  const written = source && own(source, name);
  const inSource = isObject(written) ? restrictionsOf(written) : {};
  const less = isRead ? withBoth(restrictionsOf(block), inSource) : inSource;
  return { connect: own(block, "connect") ?? null, less };
}

/** Whether that is more than it was held to. */
function holdMore(
  { name, file, less }: ServerHere,
  more: JsonObject,
  there: KnownServer,
  refined: Record<string, JsonValue>,
): boolean {
  if (stableText(withBoth(less, more)) === stableText(less)) return false;
  const source = there.source ?? refined;
  source[name] = withBoth((own(source, name) ?? { from: file }) as JsonObject, more);
  return true;
}

export function serversOf(blocks: JsonObject): JsonObject {
  const servers = own(blocks, "servers");
  return isObject(servers) ? servers : {};
}

/** The name itself, or the first behind it that nothing has. */
export function freeName(name: string, known: { has(name: string): boolean }): string {
  for (let i = 2, free = name; ; free = `${name}-${i++}`) if (!known.has(free)) return free;
}
