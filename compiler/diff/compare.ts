import { digestOf } from "../base/digest.ts";
import type { JsonValue } from "../base/json.ts";
import { madeOnce } from "../base/made-once.ts";
import { byName } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Access, RoleAccess, ServerAccess, ToolAccess } from "../3-plan/access.ts";
import type { AuthorsWords } from "./authors-words.ts";
import { guardChanges, type RuleTexts } from "./compare-guards.ts";
import { resourceChanges } from "./compare-resources.ts";
import { opensBy, rulesJson, type Opens } from "./compare-rules.ts";
import { definitionChanges } from "./definition-changes.ts";
import { givenBetween, hostDirection, noLongerAway, type HostSettings } from "./host-direction.ts";
import type { Satisfies } from "./implies.ts";
import { asFarAsKnown } from "./own-settings.ts";
import type { MoreNamed } from "./more-named.ts";
import { byNameOf, paired } from "./paired.ts";
import { renamings } from "./renamings.ts";
import type { AccessChanged, AccessDifference, Direction } from "./types.ts";

/**
 * `hosts`: what rolecall.yaml says of each; `words`: what of each tool no digest has; `rules`: what each rule
 * says, whatever it is called. Undefined: nobody knows.
 */
export type ComparedAccess = Access & {
  readonly hosts?: readonly HostSettings[];
  readonly words?: AuthorsWords;
  readonly rules?: RuleTexts;
};

/**
 * How access isn't what it was: every change, each with its direction. What can't be told widens. `moreNamed`: of tools
 * whose definitions changed.
 */
export function compare(
  before: ComparedAccess,
  after: ComparedAccess,
  satisfies: Satisfies,
  moreNamed: MoreNamed,
): AccessDifference {
  const judged = serversWithJudgedPaths(before);
  const opens = opensBy(satisfies);
  const changes = [
    ...guardChanges(NOWHERE, before, after),
    ...paired(before.servers, after.servers).flatMap(([was, is]) => serverChanges(was, is, judged)),
    ...paired(before.roles, after.roles).flatMap(([was, is]) =>
      is === undefined || was === undefined
        ? roleChanges(withOpen(was, before.hosts), withOpen(is, after.hosts), opens)
        : roleChanges(was, is, opens),
    ),
    ...definitionChanges(before, after, moreNamed),
    ...hostChanges(before.hosts, after.hosts),
  ];
  const inOrder = changes.sort(byPlace);
  const gravest = (["widens", "changed", "narrows"] as const).find((one) =>
    inOrder.some(({ direction }) => direction === one),
  );
  return {
    verdict: gravest ?? "same",
    changes: inOrder,
    renamed: renamings(before, after),
    digest: digestOf(inOrder.map(essencesIn(before, after)).join("\n")),
  };
}

/** The same happens to two projects of one repository: a yes to the one is none to the other. Of nothing there is one digest. */
export function ofProjectIn(folder: string, difference: AccessDifference): AccessDifference {
  if (folder === "" || difference.verdict === "same") return difference;
  return { ...difference, digest: digestOf(JSON.stringify([folder, difference.digest])) };
}

const NOWHERE = { role: undefined, server: undefined, tool: undefined, openings: [] } as const;

function byPlace(one: AccessChanged, other: AccessChanged): number {
  return (
    byName(one.role ?? "", other.role ?? "") ||
    byName(one.server ?? "", other.server ?? "") ||
    byName(one.tool ?? "", other.tool ?? "") ||
    byName(one.kind, other.kind)
  );
}

/** Servers of which some role holds a tool on a condition about a path. */
function serversWithJudgedPaths({ roles }: Access): ReadonlySet<string> {
  const judgesPaths = ({ where }: ToolAccess): boolean =>
    where.some(({ conditions }) => conditions.some(({ glob }) => glob !== undefined));
  const servers = roles.flatMap((role) => role.servers.filter(({ tools }) => tools.some(judgesPaths)));
  return new Set(servers.map(({ name }) => name));
}

/** Where paths start, as it counts: the runtime takes the folder of the first command where no root is written. */
function rootOf({ root, connect }: ServerAccess): JsonValue {
  return root ?? connect.find(({ stdio }) => stdio !== undefined)?.["cwd"] ?? null;
}

/** Only of servers that somebody held and holds: one that comes with a grant is told with the grant. */
function serverChanges(
  was: ServerAccess | undefined,
  is: ServerAccess | undefined,
  judged: ReadonlySet<string>,
): AccessChanged[] {
  const server = (is ?? was)!.name;
  if (is === undefined) return [];
  const about = { ...NOWHERE, server };
  const known = new Set(was?.connect.map((one) => stableText(one)));
  const still = new Set(is.connect.map((one) => stableText(one)));
  const added = is.connect.filter((one) => !known.has(stableText(one)));
  const kept = is.connect.filter((one) => known.has(stableText(one)));
  const gone = (was?.connect ?? []).filter((one) => !still.has(stableText(one)));
  const changes: AccessChanged[] = added.map((one, i) => ({
    ...about,
    direction: "widens",
    kind: "destination",
    before: gone[i] ?? null,
    after: one,
  }));
  for (const one of gone.slice(added.length))
    changes.push({ ...about, direction: "narrows", kind: "destination", before: one, after: null });
  if (was === undefined) return changes;
  if (stableText(was.connect.filter((one) => still.has(stableText(one)))) !== stableText(kept))
    changes.push({
      ...about,
      direction: "changed",
      kind: "destination",
      before: [...was.connect],
      after: [...is.connect],
    });
  const [before, after] = [rootOf(was), rootOf(is)];
  if (before !== after && (was.root !== is.root || judged.has(server)))
    changes.push({ ...about, direction: "widens", kind: "root", before, after });
  if (was.instructions !== is.instructions)
    changes.push({
      ...about,
      direction: "changed",
      kind: "instructions",
      before: was.instructions ?? null,
      after: is.instructions ?? null,
    });
  return changes;
}

const NO_ROLE: Omit<RoleAccess, "name"> = { servers: [], builtins: [], delegates: [] };

function roleChanges(was: RoleAccess | undefined, is: RoleAccess | undefined, opens: Opens): AccessChanged[] {
  const role = (is ?? was)!.name;
  const [before, after] = [was ?? NO_ROLE, is ?? NO_ROLE];
  const tools = paired(before.servers, after.servers).flatMap(([one, other]) => {
    const server = (other ?? one)!.name;
    return [
      ...paired(one?.tools ?? [], other?.tools ?? []).flatMap(([held, holds]) =>
        isAsItWas(held, holds)
          ? NOTHING
          : toolChanges({ ...NOWHERE, role, server, tool: (holds ?? held)!.name }, held, holds, opens),
      ),
      ...resourceChanges({ ...NOWHERE, role, server }, one, other),
    ];
  });
  const about = { ...NOWHERE, role };
  const comesOrGoes = was === undefined || is === undefined;
  const ofHosts = builtinChanges(about, before.builtins, after.builtins, comesOrGoes ? [] : ["*"]);
  const alone: AccessChanged[] =
    comesOrGoes && tools.length + ofHosts.length === 0
      ? [{ ...about, direction: "changed", kind: "role", before: was?.name ?? null, after: is?.name ?? null }]
      : [];
  return [...alone, ...tools, ...listed("delegate", about, before.delegates, after.delegates), ...ofHosts];
}

/** Of a role that comes or goes: with all of the own tools of the hosts of which it says nothing. */
function withOpen(role: RoleAccess | undefined, hosts: readonly HostSettings[] = []): RoleAccess | undefined {
  if (role === undefined) return undefined;
  const open = hosts.filter((host) => host.unsaid.has(role.name)).map(({ name }) => ({ host: name, names: ["*"] }));
  return { ...role, builtins: [...role.builtins, ...open] };
}

/** What is set of them says what reaches whom: more than the plan has changed may come of it. */
function hostChanges(
  before: readonly HostSettings[] | undefined,
  after: readonly HostSettings[] | undefined,
): AccessChanged[] {
  if (before === undefined || after === undefined) return [];
  return paired(before, after).flatMap((pair): AccessChanged[] => {
    const [was, is] = asFarAsKnown(...pair);
    const [one, other] = [was?.settings ?? null, is?.settings ?? null];
    const about = { ...NOWHERE, server: (is ?? was)!.name, kind: "host" } as const;
    if (stableText(one) !== stableText(other))
      return [{ ...about, direction: hostDirection(was, is), before: one, after: other, given: givenBetween(was, is) }];
    const keptAway = noLongerAway(was!, is!);
    if (keptAway.length === 0) return [];
    const given = { more: keptAway, less: [] };
    return [{ ...about, direction: "widens", before: { keptAway }, after: { keptAway: [] }, given }];
  });
}

const NOTHING: AccessChanged[] = [];

/** As nearly all are. */
function isAsItWas(was: ToolAccess | undefined, is: ToolAccess | undefined): boolean {
  return was?.effect === is?.effect && was?.where.length === 0 && is?.where.length === 0;
}

type About = Pick<AccessChanged, "role" | "server" | "tool" | "openings">;

function toolChanges(
  about: About,
  was: ToolAccess | undefined,
  is: ToolAccess | undefined,
  opens: Opens,
): AccessChanged[] {
  if (was === undefined || is === undefined) {
    const direction = was === undefined ? "widens" : "narrows";
    return [{ ...about, direction, kind: "tool", before: standing(was), after: standing(is) }];
  }
  const changes: AccessChanged[] = [];
  if (was.effect !== is.effect) {
    const direction = is.effect === "allow" ? "widens" : "narrows";
    changes.push({ ...about, direction, kind: "effect", before: was.effect, after: is.effect });
  }
  const [one, other] = [rulesJson(was.where), rulesJson(is.where)];
  if (stableText(one) === stableText(other)) return changes;
  const opened = opens(was.where, is.where);
  const closed = opens(is.where, was.where);
  const direction: Direction = opened.length > 0 ? "widens" : closed.length > 0 ? "narrows" : "changed";
  return [...changes, { ...about, direction, kind: "condition", before: one, after: other, openings: opened }];
}

function standing(tool: ToolAccess | undefined): JsonValue {
  if (tool === undefined) return null;
  return tool.where.length === 0 ? tool.effect : { effect: tool.effect, where: rulesJson(tool.where) };
}

function listed(
  kind: "delegate" | "builtin",
  about: About,
  was: readonly string[],
  is: readonly string[],
): AccessChanged[] {
  const added = is.filter((name) => !was.includes(name));
  const gone = was.filter((name) => !is.includes(name));
  return [
    ...added.map((name): AccessChanged => ({ ...about, direction: "widens", kind, before: null, after: name })),
    ...gone.map((name): AccessChanged => ({ ...about, direction: "narrows", kind, before: name, after: null })),
  ];
}

type OwnTools = RoleAccess["builtins"];

/** `unsaid`: what a role has on a host of which it says nothing: all, since nothing is governed there; none, where there is no such role. */
function builtinChanges(about: About, before: OwnTools, after: OwnTools, unsaid: readonly string[]): AccessChanged[] {
  const pairs = paired(
    before.map(({ host, names }) => ({ name: host, names })),
    after.map(({ host, names }) => ({ name: host, names })),
  );
  return pairs.flatMap(([was, is]): AccessChanged[] => {
    const of = (name: string): string => `${(is ?? was)!.name}: ${name}`;
    const [had, has] = [was?.names ?? unsaid, is?.names ?? unsaid];
    if (has.includes("*") && had.includes("*")) return [];
    if (has.includes("*") || had.includes("*")) {
      const direction = has.includes("*") ? "widens" : "narrows";
      return [{ ...about, direction, kind: "builtin", before: had.map(of), after: has.map(of) }];
    }
    return listed("builtin", about, had.map(of), has.map(of));
  });
}

/**
 * What an approval is of, not how it came about: with what a tool or a server is that comes, and what a rule says, so that
 * nobody can give it another definition or text after the yes.
 */
function essencesIn(before: Access, after: Access): (change: AccessChanged) => string {
  const servers = byNameOf(after.servers);
  const known = new Set(before.servers.map(({ name }) => name));
  const [hadRules, rules] = [byNameOf(before.guards), byNameOf(after.guards)];
  const textsOf = (name: JsonValue): JsonValue[] =>
    [hadRules, rules].map((all) => (typeof name === "string" ? (all.get(name)?.digest ?? null) : null));
  const pinsOf = madeOnce((server: ServerAccess) => new Map(server.tools.map(({ name, digest }) => [name, digest])));
  return ({ direction, kind, role, server, tool, before: was, after: is }) => {
    const about = server === undefined ? undefined : servers.get(server);
    const isNew = tool === undefined && about !== undefined && !known.has(about.name);
    const pin = about === undefined || tool === undefined ? null : (pinsOf(about).get(tool) ?? null);
    const more = isNew ? [about.root ?? null, about.instructions ?? null] : [];
    const rule = kind === "guard" ? textsOf(is ?? was) : [];
    const texts = [was, is].map((one) => (typeof one === "object" ? stableText(one) : one));
    return JSON.stringify([
      direction,
      kind,
      role ?? null,
      server ?? null,
      tool ?? null,
      ...texts,
      pin,
      ...more,
      ...rule,
    ]);
  };
}
