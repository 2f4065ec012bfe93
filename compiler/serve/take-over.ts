import { accessLeft, wordsLeft } from "./access-left.ts";
import type { Access } from "../3-plan/access.ts";
import type { Tool } from "../3-plan/types.ts";
import { own, type JsonObject, type JsonValue } from "../base/json.ts";
import { madeOnce } from "../base/made-once.ts";
import { stableText } from "../base/stable-text.ts";
import { stricterOf, wordsOf, wordsWith, type AuthorsWords } from "../diff/authors-words.ts";
import { compare, type ComparedAccess } from "../diff/compare.ts";
import { opensBy, rulesOf } from "../diff/compare-rules.ts";
import type { Satisfies } from "../diff/implies.ts";
import { moreNamedBetween, type PinnedSchemas } from "../diff/more-named.ts";
import type { AccessChanged } from "../diff/types.ts";
import { gainsOf, withoutHostsTaken, type HostGain } from "./hosts-taken.ts";
import { openedSettings, withoutSettingsTaken, type OpenedSetting } from "./settings-taken.ts";
import { hintsTold } from "./told-tool.ts";
import type { Served, ServedRole } from "./types.ts";
import type { MovedServer } from "./ways.ts";

/** What becomes of a build while another one is served. */
export interface TakenOver {
  /** What is served from now on. */
  readonly served: Served;
  /** What was accepted, with what is left of it, and with what an older rolecall didn't keep; undefined: as it is known. */
  readonly kept?: Served | undefined;
  /** What of the new build waits: then all of it does, but for what it takes away. */
  readonly waiting: readonly AccessChanged[];
  /** Servers that are reached in another way than before; they wait as well. */
  readonly reconnected: readonly string[];
  /** Servers that are reached in another way by what their variables hold; nothing goes to them until then. */
  readonly moved: readonly MovedServer[];
  /** What of `serve` and `state` opens something, or can't be told not to; that waits too. */
  readonly settings: readonly OpenedSetting[];
  /** What hosts are given that their roles hold already; that waits too. */
  readonly hosts: readonly HostGain[];
}

/**
 * A build that opens nothing is served. Of any other only what it takes away counts: nobody has agreed to the rest, and
 * what it narrows must not stay open until somebody does.
 */
export function takeOver(
  known: Served,
  built: Served,
  satisfies: Satisfies,
  moved: readonly MovedServer[] = [],
): TakenOver {
  const accepted = withUnkept(known, built);
  const moreNamed = moreNamedBetween(schemasServed(accepted), schemasServed(built));
  const from = accepted.left ?? accepted;
  const [before, after] = [worded(accepted), worded(built)];
  const { changes } = compare(before, after, satisfies, moreNamed);
  const since = (one: Served): readonly AccessChanged[] =>
    one.access === accepted.access && one.words === undefined
      ? changes
      : compare(
          { ...before, ...one.access, words: wordsWith(before.words, one.words ?? new Map()) },
          after,
          satisfies,
          moreNamed,
        ).changes;
  const left = leftOf(from, built, narrowingOf(since(from), satisfies));
  const waiting = waitingOf(changes, since(left));
  const reconnected = [...built.servers.keys()].filter(
    (server) => accepted.servers.has(server) && wayTo(accepted, server) !== wayTo(built, server),
  );
  const settings = openedSettings(accepted, left, built);
  const hosts = [...built.hosts.keys()].flatMap((host) => gainsOf(host, { ...accepted, hosts: left.hosts }, built));
  const about = { waiting, reconnected, settings, moved, hosts };
  if (Object.values(about).every((list) => list.length === 0)) return { served: built, ...about };
  const kept = left === from ? accepted : { ...accepted, left };
  return {
    served: moved.length === 0 ? left : { ...left, waits: new Set(moved.map(({ server }) => server)) },
    kept: kept === known ? undefined : kept,
    ...about,
  };
}

/** The very same where the build takes nothing away. */
function leftOf(from: Served, built: Served, narrowed: readonly AccessChanged[]): Served {
  const others = withoutSettingsTaken(withoutHostsTaken(calledAs(from, built), built), built);
  return narrowedTo(others, built.access, narrowed);
}

function narrowedTo(from: Served, built: Access, narrowed: readonly AccessChanged[]): Served {
  const left = withoutTaken(from, narrowed);
  if (narrowed.length === 0) return left;
  const words = wordsLeft(from.words, narrowed);
  const access = accessLeft(from.access, built, narrowed);
  const isSame = JSON.stringify(access) === JSON.stringify(from.access);
  return isSame && words === from.words ? left : { ...left, access: isSame ? from.access : access, words };
}

/**
 * What opens something since what was accepted, and what was taken away of that since, by this build or an earlier one, and is
 * given by this one. `sinceLeft`: changes of what is left: conditions and hints are told by these, since what they lose is in
 * no other.
 */
function waitingOf(changes: readonly AccessChanged[], sinceLeft: readonly AccessChanged[]): AccessChanged[] {
  const regained = sinceLeft.filter((one) => REGAINED.has(one.kind) && isOpening(one));
  const lost = new Set(regained.flatMap((one) => (LOST_IN_PART.has(one.kind) ? placeOf(one) : [])));
  const opens = changes.filter((one) => isOpening(one) && !lost.has(placeOf(one)));
  const known = new Set(opens.map(placeOf));
  return [...opens, ...regained.filter((one) => !known.has(placeOf(one)))];
}

const LOST_IN_PART: ReadonlySet<AccessChanged["kind"]> = new Set(["condition", "definition"]);
const REGAINED: ReadonlySet<AccessChanged["kind"]> = new Set([...LOST_IN_PART, "tool", "effect", "resource"]);

/** Conditions that were proven to let the same through, such as values in another order, open nothing. */
function isOpening({ direction, kind, before, after }: AccessChanged): boolean {
  if (kind === "condition") return direction === "widens";
  if (kind === "definition") return stricterOf(before, after) !== after;
  if (kind === "role") return after !== null;
  return direction !== "narrows" || kind === "destination";
}

function placeOf({ role, server, tool, kind, before, after }: AccessChanged): string {
  return JSON.stringify([role, server, tool ?? [before, after], kind]);
}

/**
 * Of a build that can't be judged no more is known than what its access.json gives: it may take away, and opens nothing.
 * The very same where nothing is taken.
 */
export function takeAway(served: Served, access: Access, satisfies: Satisfies): Served {
  const { changes } = compare(served.access, access, satisfies, ANY_NAME);
  return narrowedTo(served, access, narrowingOf(changes, satisfies));
}

/** What was accepted, with what such a build leaves of it. The very same where nothing is taken. */
export function narrowedBy(accepted: Served, takes: (served: Served) => Served): Served {
  const from = accepted.left ?? accepted;
  const left = takes(from);
  return left === from ? accepted : { ...accepted, left };
}

/** Which arguments a definition names counts for what it opens alone. */
const ANY_NAME = (): string[] => ["*"];

/** Entries say what the project is called now: its name opens nothing. */
function calledAs(accepted: Served, { project }: Served): Served {
  return accepted.project === project ? accepted : { ...accepted, project };
}

function schemasServed({ servers }: Served): PinnedSchemas {
  type Tools = ReadonlyMap<string, JsonObject>;
  const toolsOf = madeOnce((data: string): Tools => {
    const { tools } = JSON.parse(data) as { readonly tools: Readonly<Record<string, JsonObject>> };
    return new Map(Object.entries(tools));
  });
  return (server, name) => {
    const data = servers.get(server);
    const tool = data === undefined ? undefined : toolsOf(data).get(name);
    return tool === undefined || own(tool, "digest") === null ? undefined : own(tool, "inputSchema");
  };
}

/** An older rolecall kept no keys, and nothing of the team's state: of these the build's count, as they did for it. */
function withUnkept(known: Served, built: Served): Served {
  const accepted = known.state === undefined ? { ...known, state: built.state } : known;
  const [was, now] = [accepted, built].map(({ settings }) => settings.http.auth);
  if (was === undefined || now === undefined || !("jwks" in was && "jwks" in now)) return accepted;
  if (was.keys !== undefined || now.keys === undefined || was.jwks !== now.jwks) return accepted;
  const auth = { ...was, keys: now.keys };
  return { ...accepted, settings: { ...accepted.settings, http: { ...accepted.settings.http, auth } } };
}

function worded(served: Served): ComparedAccess & { readonly words: AuthorsWords } {
  const { access, rules } = served;
  return { ...access, words: wordsServed(served), ...(rules && { rules }) };
}

type Labelled = Pick<Tool, "labels">;

/** Hints and labels as they count: what is read only is sent again, and hosts ask by what a client is told. */
function wordsServed({ roles, servers }: Served): AuthorsWords {
  const toldOf = new Map<string, JsonObject>();
  for (const { tools } of roles.values())
    for (const { server, tool, told } of tools) toldOf.set(`${server} ${tool}`, told);
  return new Map(
    [...servers].map(([server, data]) => {
      const { tools } = JSON.parse(data) as { readonly tools: Readonly<Record<string, Labelled>> };
      const words = Object.entries(tools).map(([name, { labels }]) => {
        const told = toldOf.get(`${server} ${name}`);
        return [name, wordsOf({ hints: hintsTold(told), labels })] as const;
      });
      return [server, new Map(words)];
    }),
  );
}

/** How a server is reached, and what its paths are relative to: all that is expanded when it is connected. */
function wayTo({ servers }: Served, server: string): string {
  const { connect, root, connection, acceptedNames } = JSON.parse(servers.get(server)!) as Readonly<
    Record<string, JsonValue>
  >;
  return stableText([connect ?? null, root ?? null, connection ?? null, acceptedNames ?? null]);
}

/**
 * With conditions that let more through in one place, and less in another: those widen, and take away all the same. With hints
 * that were too good, whatever others became: what was called by them isn't, until all of the build counts.
 */
function narrowingOf(changes: readonly AccessChanged[], satisfies: Satisfies): AccessChanged[] {
  const opens = opensBy(satisfies);
  return changes.filter(
    ({ direction, kind, before, after }) =>
      direction === "narrows" ||
      (kind === "definition" && (stricterOf(before, after) ?? before) !== before) ||
      (kind === "condition" && opens(rulesOf(after), rulesOf(before)).length > 0),
  );
}

function withoutTaken(accepted: Served, narrowed: readonly AccessChanged[]): Served {
  const taken = new Set(
    narrowed.flatMap(({ role, server, tool, kind }) =>
      tool !== undefined || kind === "resource" ? JSON.stringify([role, server, tool ?? null]) : [],
    ),
  );
  if (taken.size === 0) return accepted;
  const roles = [...accepted.roles].map(([name, role]): [string, ServedRole] => {
    const isTaken = ({ server, tool }: ServedRole["tools"][number]): boolean =>
      taken.has(JSON.stringify([name, server, tool]));
    // Of what may be read of a server all is closed: what is left of it can't be told from the change alone.
    const reads = role.reads.filter((server) => !taken.has(JSON.stringify([name, server, null])));
    const tools = role.tools.filter((tool) => !isTaken(tool));
    const isSame = reads.length === role.reads.length && tools.length === role.tools.length;
    return [name, isSame ? role : { ...role, reads, tools }];
  });
  return roles.every(([name, role]) => accepted.roles.get(name) === role)
    ? accepted
    : { ...accepted, roles: new Map(roles) };
}
