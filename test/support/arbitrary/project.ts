// Projects for property tests: mostly valid, since most random ones aren't and a project with errors grants nothing.
import type { fc } from "../generated.ts";
import {
  escaped,
  globAround,
  matched,
  matchedAcross,
  someName,
  someRestriction,
  someSelector,
  someWideSelector,
} from "./selectors.ts";
import { argumentsOf, someCondition, someTools } from "./tools.ts";
import { diceOf, tapes, type Dice } from "../dice.ts";
import type { ReferenceProject } from "../reference/files.ts";
import { brokenInvariants } from "../reference/invariants.ts";
import { anyMatches, pinned } from "../reference/servers.ts";
import { asList, isExact, letters, meaning } from "../reference/shapes.ts";
import type {
  Conditions,
  Entry,
  Hint,
  Invariant,
  Item,
  Policy,
  Preset,
  Role,
  Server,
  Tool,
  WrittenEntry,
} from "../reference/shapes.ts";
import { lineage, verdict } from "../reference/reference.ts";

export type SamplePolicy = Policy & { readonly name: string };
export type SampleServer = Server & Readonly<Record<string, unknown>>;
/** A project as data; project-layout.ts makes files of it. */
export interface SampleProject {
  readonly manifests: Readonly<Record<string, readonly Tool[]>>;
  readonly presets: Readonly<Record<string, Preset & { readonly id: string }>>;
  readonly servers: Readonly<Record<string, SampleServer>>;
  readonly roles: Readonly<Record<string, Role>>;
  readonly policies: readonly SamplePolicy[];
  readonly invariants: readonly Invariant[];
  readonly guards: readonly SamplePolicy[];
  /** Prompts of roles, by file; none in a project that is as it came. */
  readonly prompts?: Readonly<Record<string, string>>;
}
type Draft = { -readonly [K in keyof SampleProject]: SampleProject[K] };

const arbitraryTape = tapes(900);
/** Projects whose invariants hold. */
export const arbitraryProject: fc.Arbitrary<SampleProject> = arbitraryTape.map((tape) =>
  withTrueInvariants(someProject(diceOf(tape))),
);
/** Projects whose invariants are as they come. */
export const arbitraryClaims: fc.Arbitrary<SampleProject> = arbitraryTape.map((tape) => someProject(diceOf(tape)));

export function referenceOf(project: SampleProject): ReferenceProject {
  const presets = Object.entries(project.presets);
  const used = presets.filter(([id]) => Object.values(project.servers).some((server) => server.preset === id));
  return {
    servers: new Map(Object.entries(project.servers)),
    roles: new Map(Object.entries(project.roles)),
    policies: [
      ...project.policies,
      ...project.guards,
      ...used.flatMap(([id, preset]) => (preset.policies ?? []).map((policy) => ({ ...policy, from: id }))),
    ],
    invariants: project.invariants,
    presets: new Map(presets),
    manifests: new Map(Object.entries(project.manifests)),
  };
}

function withTrueInvariants(project: SampleProject): SampleProject {
  const broken = new Set(brokenInvariants(referenceOf(project)).map((one) => one.name));
  return { ...project, invariants: project.invariants.filter((invariant) => !broken.has(invariant.name ?? "")) };
}

function someProject(dice: Dice): SampleProject {
  const draft: Draft = { manifests: {}, presets: {}, servers: {}, roles: {}, policies: [], invariants: [], guards: [] };
  addServers(dice, draft);
  addRoles(dice, draft);
  for (const [i, list] of dice.some(0, 4, (i) => [i, dice.chance(25)] as const))
    addPolicy(dice, draft, i, list ? "guards" : "policies");
  addQuestionsAndConditions(dice, draft);
  draft.invariants = dice.some(0, 3, (i) => someInvariant(dice, draft, `i${i}`));
  return draft;
}

// ---------------------------------------------------------------- servers

const SERVERS = ["github", "files", "azure-devops", "notion", "a"];
const LABELS = ["private-data", "untrusted-content", "external"];

function addServers(dice: Dice, draft: Draft): void {
  for (const name of dice.sample(SERVERS, 1 + dice.below(4))) {
    const others = Object.keys(draft.manifests);
    const shared = others.length > 0 && dice.chance(15) ? dice.one(others) : undefined;
    const captured = shared !== undefined || !dice.chance(12);
    if (captured && shared === undefined) draft.manifests = { ...draft.manifests, [name]: someTools(dice) };
    const tools = captured ? draft.manifests[shared ?? name]! : [];
    const own = {
      ...(dice.chance(90)
        ? { connect: [connection(dice, name)] }
        : { connect: [connection(dice, name), connection(dice, "other")] }),
      ...(shared === undefined ? {} : { manifest: shared }),
    };
    if (!captured) draft.servers = { ...draft.servers, [name]: own };
    else if (dice.chance(20)) addWithPreset(dice, draft, name, own, tools);
    else draft.servers = { ...draft.servers, [name]: { ...own, ...someRules(dice, tools, `${name}:`) } };
  }
  draft.servers = Object.fromEntries(
    Object.entries(draft.servers).map(([name, server]) => [
      name,
      dice.chance(15) ? { ...server, ...someCeiling(dice, draft, name) } : server,
    ]),
  );
}

function connection(dice: Dice, name: string): Record<string, unknown> {
  if (dice.chance(60))
    return {
      http: `https://${name}.example.com/mcp`,
      headers: { Authorization: `Bearer \${${name.toUpperCase().replace("-", "_")}_TOKEN}`, Accept: "x" },
    };
  return {
    stdio: ["serve", name],
    ...(dice.chance(50) ? { cwd: dice.one(["/srv/harbor", "/srv/other", "${HOME_DIR}"]) } : {}),
  };
}

/** Everything that a server says of its tools, but the ceiling `tools`. */
function someRules(dice: Dice, tools: readonly Tool[], scope: string): Partial<SampleServer> {
  const name = (): string => someName(dice, tools);
  const list = (): Item[] => [name(), ...dice.some(0, 2, () => someRestriction(dice, name))];
  const labels = LABELS.filter(() => dice.chance(25));
  const corrected = tools.filter((tool) => tool.name !== "__proto__" && dice.chance(12));
  const scopes = dice.chance(12)
    ? Object.fromEntries(["read", "write"].slice(dice.below(2)).map((one) => [scope + one, list()]))
    : dice.chance(5)
      ? dice.one([["read:x"], ["write:x"], ["read:x", "write:y"]])
      : undefined;
  return {
    ...(labels.length > 0 ? { labels: Object.fromEntries(labels.map((label) => [label, list()])) } : {}),
    ...(corrected.length > 0
      ? { hints: Object.fromEntries(corrected.map((tool) => [tool.name, someHints(dice)])) }
      : {}),
    ...(scopes === undefined ? {} : { scopes }),
    ...(dice.chance(35) ? { root: dice.one(["/srv/harbor", "/srv/harbor/", "${WORKSPACE_ROOT}"]) } : {}),
    ...(dice.chance(20) ? { owner: "@acme/data", limits: { timeout: "5s", concurrency: 2 } } : {}),
  };
}

function someHints(dice: Dice): Partial<Record<Hint, boolean>> {
  const said = (["readOnly", "destructive", "idempotent", "openWorld"] as const).filter(() => dice.chance(40));
  return Object.fromEntries((said.length > 0 ? said : (["readOnly"] as const)).map((hint) => [hint, dice.chance(50)]));
}

/** The preset brings some of it, the server the rest. */
function addWithPreset(dice: Dice, draft: Draft, name: string, own: SampleServer, tools: readonly Tool[]): void {
  const id = name;
  const brought = someRules(dice, tools, "p:");
  const map = brought.scopes !== undefined && !Array.isArray(brought.scopes) ? Object.keys(brought.scopes) : [];
  const { scopes: _, ...written } = someRules(dice, tools, "own:");
  const policy = (): SamplePolicy => ({
    name: `${id} asks`,
    roles: ["*"],
    tools: [`${id}.${someName(dice, tools)}`],
    effect: "ask",
  });
  draft.presets = {
    ...draft.presets,
    [id]: {
      id,
      server: { ...own, ...brought, ...(dice.chance(25) ? { tools: { exclude: [someName(dice, tools)] } } : {}) },
      ...(dice.chance(40) ? { policies: [policy()] } : {}),
    },
  };
  draft.servers = {
    ...draft.servers,
    [name]: { preset: id, ...written, ...(map.length > 0 && dice.chance(50) ? { scopes: [dice.one(map)] } : {}) },
  };
}

function someCeiling(dice: Dice, draft: Draft, server: string): Partial<SampleServer> {
  const p = referenceOf(draft);
  const tools = pinned(p, server);
  if (tools === undefined) return {};
  const entry: WrittenEntry = dice.one([
    "all",
    "read-only",
    "none",
    [someSelector(dice, p, server), "is:read-only"],
    { include: ["*"], exclude: [someRestriction(dice, () => someName(dice, tools))] },
    { exclude: [someName(dice, tools)] },
    { exclude: [someSelector(dice, p, server)] },
  ] as const);
  return { tools: entry };
}

// ---------------------------------------------------------------- roles

const ROLES = ["reader", "tester", "backend-dev", "release", "class", "web-dev"];

function addRoles(dice: Dice, draft: Draft): void {
  for (const name of dice.sample(ROLES, 1 + dice.below(6))) {
    const others = Object.keys(draft.roles);
    const parents = others.length > 0 && dice.chance(55) ? [...new Set(dice.some(1, 2, () => dice.one(others)))] : [];
    const servers = dice.sample(Object.keys(draft.servers), dice.below(4));
    const base: Role = {
      ...(parents.length === 0 ? {} : { extends: parents.length === 1 && dice.chance(50) ? parents[0]! : parents }),
      ...(others.length > 0 && dice.chance(20) ? { delegates: [dice.one(others)] } : {}),
      ...(dice.chance(15) ? { builtins: { "claude-code": dice.one([["Read", "Edit"], "none", "all"]) } } : {}),
    };
    draft.roles = { ...draft.roles, [name]: base };
    const tools = servers.map((server) => [server, someEntry(dice, draft, name, server)] as const);
    draft.roles = { ...draft.roles, [name]: tools.length === 0 ? base : { ...base, tools: Object.fromEntries(tools) } };
  }
}

function someEntry(dice: Dice, draft: Draft, role: string, server: string): WrittenEntry {
  const p = referenceOf(draft);
  if (pinned(p, server) === undefined)
    return [...new Set(dice.some(1, 2, () => dice.one(["open", "close", "read_file"])))];
  const alone = p.roles.get(role)?.extends === undefined;
  const kind = dice.below(12);
  if (kind === 9) return "all";
  if (kind === 10) return alone ? "read-only" : ["is:read-only"];
  if (kind === 11) return dice.chance(25) ? "none" : ["*"];
  const exclude =
    kind >= 5
      ? dice.some(1, 2, () =>
          someRestriction(dice, () =>
            dice.chance(25) ? someSelector(dice, p, server) : someName(dice, pinned(p, server)!),
          ),
        )
      : [];
  const inherited = lineage(p, role).flatMap((of) => excludesOf(p.roles.get(of)?.tools?.[server]));
  if (kind >= 7) return { exclude };
  const include = [...new Set(dice.some(1, 4, () => someGrant(dice, p, server, [...exclude, ...inherited])))];
  return exclude.length > 0 ? { include, exclude } : dice.chance(70) ? include : { include };
}

export function excludesOf(entry: WrittenEntry | undefined): readonly Item[] {
  if (entry === "none") return ["*"];
  return typeof entry === "object" && !Array.isArray(entry) ? asList((entry as Entry).exclude) : [];
}

/** An exact include that something takes away is an error, so it becomes a glob. */
function someGrant(dice: Dice, p: ReferenceProject, server: string, excludes: readonly Item[]): string {
  const selector = someSelector(dice, p, server);
  const gone = isExact(selector) && anyMatches(p, server, meaning(letters(selector)), excludes);
  return gone ? `${selector}*` : selector;
}

// ---------------------------------------------------------------- policies

function addPolicy(dice: Dice, draft: Draft, index: number, list: "policies" | "guards"): void {
  const p = referenceOf(draft);
  const roles = dice.some(1, 2, () => someRestriction(dice, () => someRoles(dice, draft)));
  const tools = dice.some(1, 2, () => someRestriction(dice, () => someWideSelector(dice, p), "github.nothing_here"));
  const about = { name: dice.chance(5) ? `__proto__${index || ""}` : `p${index}: asked & denied`, roles, tools };
  const where = dice.chance(40)
    ? someConditions(dice, [...new Set(tools.flatMap((item) => matchedAcross(p, item).map(({ tool }) => tool)))])
    : undefined;
  const policy: SamplePolicy =
    where === undefined ? { ...about, effect: dice.chance(35) ? "deny" : "ask" } : { ...about, where };
  draft[list] = [...draft[list], policy];
}

function someRoles(dice: Dice, draft: Draft): string {
  const role = dice.one(Object.keys(draft.roles));
  return dice.one([role, "*", role, `${role.slice(0, 1)}*`, `*${role.slice(-3)}`]);
}

/** Conditions on an argument that all of the tools have. */
function someConditions(dice: Dice, tools: readonly Tool[]): Conditions | undefined {
  const [first, ...others] = tools;
  if (first === undefined) return undefined;
  const common = Object.entries(argumentsOf(first)).filter(([path]) =>
    others.every((tool) => Object.hasOwn(argumentsOf(tool), path)),
  );
  if (common.length === 0) return undefined;
  const kinds = new Map(tools.flatMap((tool) => Object.entries(argumentsOf(tool))));
  return Object.fromEntries(
    dice.some(1, 2, () => dice.one(common)[0]).map((path) => [path, someCondition(dice, kinds.get(path)!)]),
  );
}

/** `ask` and `where` come last: an exact name there must be held. */
function addQuestionsAndConditions(dice: Dice, draft: Draft): void {
  for (const [name, role] of Object.entries(draft.roles)) {
    const tools = Object.entries(role.tools ?? {}).map(
      ([server, entry]) => [server, restricted(dice, draft, name, server, entry)] as const,
    );
    if (tools.length > 0) draft.roles = { ...draft.roles, [name]: { ...role, tools: Object.fromEntries(tools) } };
  }
}

function restricted(dice: Dice, draft: Draft, role: string, server: string, entry: WrittenEntry): WrittenEntry {
  const p = referenceOf(draft);
  const allowed = (selector: string): boolean =>
    !isExact(selector) || verdict(p, role, server, meaning(letters(selector))) !== "deny";
  const tools = pinned(p, server) ?? [{ name: "open" }];
  const asks = dice.chance(30)
    ? dice.some(1, 2, () => someRestriction(dice, () => (pinned(p, server) ? someSelector(dice, p, server) : "open")))
    : [];
  const ask = asks.filter((item) => typeof item !== "string" || allowed(item));
  const held = tools.filter(
    (tool) => verdict(p, role, server, tool.name) !== "deny" && Object.keys(argumentsOf(tool)).length > 0,
  );
  const conditioned =
    dice.chance(55) && held.length > 0 && pinned(p, server)
      ? dice.some(1, 2, () => someWhere(dice, p, server, held))
      : [];
  const where = conditioned.flatMap((one) => (one === undefined ? [] : [one, ...saidAgain(dice, p, server, one)]));
  if ((ask.length === 0 && where.length === 0) || entry === "none") return entry;
  const long: Entry =
    entry === "all"
      ? { include: ["*"] }
      : entry === "read-only"
        ? { include: ["is:read-only"] }
        : Array.isArray(entry)
          ? { include: entry }
          : (entry as Entry);
  return {
    ...long,
    ...(ask.length > 0 ? { ask } : {}),
    ...(where.length > 0 ? { where: Object.fromEntries(where) } : {}),
  };
}

/** The same conditions under another selector: written twice is as good as once. */
function saidAgain(
  dice: Dice,
  p: ReferenceProject,
  server: string,
  [selector, conditions]: readonly [string, Conditions],
): [string, Conditions][] {
  const other = `${selector}*`;
  const fits = matched(p, server, other).every((tool) =>
    Object.keys(conditions).every((path) => Object.hasOwn(argumentsOf(tool), path)),
  );
  return fits && dice.chance(30) ? [[other, conditions]] : [];
}

function someWhere(
  dice: Dice,
  p: ReferenceProject,
  server: string,
  held: readonly Tool[],
): [string, Conditions] | undefined {
  const tool = dice.one(held);
  const glob = globAround(dice, tool.name);
  const selector = dice.chance(50) ? glob : escaped(tool.name);
  const conditions = someConditions(dice, matched(p, server, selector));
  return conditions === undefined ? undefined : [selector, conditions];
}

// ---------------------------------------------------------------- invariants

function someInvariant(dice: Dice, draft: Draft, name: string): Invariant {
  const p = referenceOf(draft);
  const roles = dice.some(1, 2, () => someRoles(dice, draft));
  const selector = (): string => someWideSelector(dice, p);
  const item = (): Item => someRestriction(dice, selector, "github.nothing_here");
  const kind = dice.below(5);
  if (kind === 0) return { name, never: { roles, tools: dice.some(1, 2, item) } };
  if (kind === 1)
    return { name, always: { roles, tools: dice.some(1, 2, item), effect: dice.one(["ask", "allow"] as const) } };
  if (kind === 2) return { name, can: { roles, tools: dice.some(1, 2, selector) } };
  const asked = dice.chance(50) ? { asked: dice.one(["count", "ignore"]) } : {};
  return { name, never: { roles, together: dice.some(2, 3, item), ...asked } };
}
