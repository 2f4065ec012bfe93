// A second opinion on what a project grants: the language page read sentence by sentence, slowly and without cleverness,
// so that property tests can compare the compiler with it. It assumes that the project is valid.
//
// Readings taken (where the text leaves room: the one that widens least)
//  1. Guards globs follow the rules of path globs: `*` within a segment, a leading dot only where it is written.
//  2. A preset's `policies` hold once a server uses it; its id as server part there also stands for every server that uses it.
//  3. `manifest: x` is the file mcp/manifests/x.json; it isn't followed through server x's own `manifest`.
//  4. `tools` of the preset and `tools` of the server both hold: only connection, limits and scopes are replaced.
//  5. A written `scopes` replaces the preset's whole: a map stands alone, a list picks from the preset's map.
//  6. Where there is a map, a listed scope that it lacks covers nothing, `read:x` and `write:x` too.
//  7. `scope:x` looks in the whole map, also at what the list leaves out; without a map only listed scopes exist.
//  8. Scope maps, labels and hints hold names or globs, never classes.
//  9. Hints correct annotations one by one, the server's before the preset's; of two that match, the cautious value wins.
// 10. What is said to be read-only and destructive, by whomever, is destructive and not read-only.
// 11. An annotation that isn't a boolean is absent; without a manifest all annotations and hints are.
// 12. A `tools` ceiling with `exclude` alone starts from everything.
// 13. A backslash escapes in exact names too; `\is:x` is a name; a last lone backslash is itself.
// 14. In policies and invariants the server part stands once, before the first plain dot of the whole selector, and governs
//     every part of ` & `; a selector that begins with a class, or has no dot, is about every server.
// 15. `{ absent: x }` restricts like x where it restricts, and grants nothing in an include.
// 16. Characters are code points; only path globs normalise to NFC.
// 17. "`exclude` alone" is an entry without `include`, whatever `ask` and `where` say; those two alone include nothing.
// 18. A written `extends`, even an empty one, is an extends.
// 19. Without a manifest only exact includes grant; excludes, ceilings, labels and policies still restrict by name.
// 20. A policy's `where` on a tool without a pin refuses every argument: no schema names one.
// 21. Arguments that JSON can't carry (NaN, lone surrogates, class instances, holes) are refused for every tool; a member
//     that is undefined is left out; no arguments are `{}`; with a `where` they must be an object.
// 22. "Arguments that its pinned schema names" holds at every depth: `properties`, through items, $ref, allOf, anyOf, oneOf;
//     a free-form object is taken only empty; additionalProperties and patternProperties name nothing.
// 23. A dot in an argument path always goes into an object, `[]` only into an array.
// 24. An array at the end of a path is judged element by element, with `[]` written or not, by `enum` and `schema` too.
// 25. An empty array is refused even with `optional`; only an element of an array that is an array is an "array in an array".
// 26. `optional` speaks for its own condition: an argument left out needs it from every condition on it.
// 27. `pattern`: the value has at most 4,096 UTF-16 units.
// 28. `root` is known only as a literal absolute POSIX path without `$`; not written, it is the cwd that all of `connect` share.
// 29. Where the root isn't known all absolute paths are refused; relative ones are judged.
// 30. "Below the root" is by text: `/x/../root/a` isn't below `/root`, and the root isn't below itself.
// 31. `$`, `%xx` and `:` are refused anywhere; quotes are Unicode's and the backtick; control characters are category Cc.
// 32. The segment `.` ends in a dot: refused. Empty segments (`a//b`, `a/`, the empty text): refused.
// 33. `..` within the root is resolved; what resolves to the root itself is refused.
// 34. `**` is a whole segment, stands for none too (`tests/**` holds for `tests`), and never for one with a leading dot.
// 35. Path globs have no escapes, classes or braces; `**` beside other letters is `*`.
// 36. "Holds for the roles that extend it" is about policies; an invariant is about the roles that it names.
// 37. A tool held asked and, through a delegate, unasked is both: it breaks `always ... ask`, and satisfies `can`.
// 38. `can` with a glob wants every tool that matches; an exact name that no manifest has is broken.
// 39. `asked: ignore` is for `together` alone.
import { parse } from "yaml";
import {
  allHold, anyName, asList, canonicalCopy, classOf, granting, isExact, isObject, joined, letters, longForm, meaning, nameMatches,
  own, pathMatches, takesOnlyNamed, textOf,
} from "./reference-conditions.ts";
import type {
  Always, Conditions, Entry, Hint, Hints, Invariant, Item, Items, Never, Policy, Preset, Role, ScopeMap, Selector, Server, Source,
  Statement, Tool, Verdict,
} from "./reference-conditions.ts";

export type { Verdict };

export interface ReferenceProject {
  readonly servers: ReadonlyMap<string, Server>;
  readonly roles: ReadonlyMap<string, Role>;
  readonly policies: readonly Policy[];
  readonly invariants: readonly Invariant[];
  readonly presets: ReadonlyMap<string, Preset>;
  readonly manifests: ReadonlyMap<string, readonly Tool[]>;
}
type Project = ReferenceProject;
type Files = Readonly<Record<string, string>>;

// ---------------------------------------------------------------- section 2: files

export function readReference(files: Files): ReferenceProject {
  const main = readSource(files, "rolecall.yaml");
  const folder = (main.folder ?? "mcp").replace(/^\.\//, "").replace(/\/$/, "");
  // All source files together are one program.
  const paths = new Set(["rolecall.yaml", ...Object.keys(files).filter((path) => isSource(folder, path))]);
  const sources = [...paths].sort().map((path) => readSource(files, path));
  // Guards: policies and invariants only.
  const guards = Object.keys(files).filter((path) => !paths.has(path) && isGuard(asList(main.guards), path));
  const binding = [...sources, ...guards.sort().map((path) => readSource(files, path))];
  const presets = readFolder<Preset>(files, `${folder}/presets`, /\.ya?ml$/, (text) => parse(text) as Preset);
  const servers = new Map(sources.flatMap((source) => Object.entries(source.servers ?? {})));
  const used = [...presets].filter(([id]) => [...servers.values()].some((server) => server.preset === id));
  return {
    servers,
    roles: new Map(sources.flatMap((source) => Object.entries(source.roles ?? {}))),
    policies: [
      ...binding.flatMap((source) => source.policies ?? []),
      ...used.flatMap(([id, preset]) => (preset.policies ?? []).map((policy) => ({ ...policy, from: id }))),
    ],
    invariants: binding.flatMap((source) => source.invariants ?? []),
    presets,
    manifests: readFolder(files, `${folder}/manifests`, /\.json$/, (text) => (JSON.parse(text) as { tools: Tool[] }).tools),
  };
}

/** YAML 1.2 core and JSON. */
function readSource(files: Files, path: string): Source {
  const text = own(files, path) ?? "{}";
  return ((path.endsWith(".json") ? JSON.parse(text) : parse(text, { schema: "core" })) ?? {}) as Source;
}

/** Sources are mcp/**\/*.{yaml,yml,json}; manifests, presets, hosts and schema lie there too and aren't sources. */
function isSource(folder: string, path: string): boolean {
  const inside = folder === "." ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
  if (inside === undefined || !/\.(yaml|yml|json)$/.test(inside)) return false;
  return !/^(manifests|presets|hosts|schema)\//.test(inside);
}

function isGuard(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => pathMatches(glob.replaceAll("\\", "/").replace(/^\.\//, "").split("/"), path.split("/")));
}

/** File name without its ending -> what it holds. */
function readFolder<T>(files: Files, folder: string, ending: RegExp, read: (text: string) => T): Map<string, T> {
  const inside = folder.replace(/^\.\//, "");
  const names = Object.keys(files).filter((path) => path.startsWith(`${inside}/`) && ending.test(path));
  return new Map(names.map((path) => [path.slice(inside.length + 1).replace(ending, ""), read(files[path] ?? "")]));
}

// ---------------------------------------------------------------- section 3: servers

function writtenServer(p: Project, server: string): Server {
  return p.servers.get(server) ?? {};
}

function presetServer(p: Project, server: string): Server {
  return p.presets.get(writtenServer(p, server).preset ?? "")?.server ?? {};
}

/** The server as written, then what its preset says of it. */
function places(p: Project, server: string): [Server, Server] {
  return [writtenServer(p, server), presetServer(p, server)];
}

/** The pinned tools; undefined without a manifest. `manifest:` shares a pin. */
function pinned(p: Project, server: string): readonly Tool[] | undefined {
  const [written, preset] = places(p, server);
  return p.manifests.get(written.manifest ?? preset.manifest ?? server);
}

function pinnedTool(p: Project, server: string, tool: string): Tool | undefined {
  return pinned(p, server)?.find((one) => one.name === tool);
}

/** What relative paths in conditions are relative to; default cwd. */
function root(p: Project, server: string): string | undefined {
  const [written, preset] = places(p, server);
  const folders = asList(written.connect ?? preset.connect).map((entry) => entry.cwd);
  const shared = folders.every((folder) => folder === folders[0]) ? folders[0] : undefined;
  const folder = written.root ?? preset.root ?? shared;
  return folder?.startsWith("/") && !folder.includes("$") ? folder : undefined;
}

/** An absent annotation has MCP's default. Each is also the cautious value. */
const DEFAULTS: Readonly<Record<Hint, boolean>> = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

/** The author's hints win over the server's annotations. */
function said(p: Project, server: string, tool: string, hint: Hint): boolean | undefined {
  const pin = pinnedTool(p, server, tool);
  if (pin === undefined) return undefined;
  const [written, preset] = places(p, server);
  const annotation = own(pin.annotations, `${hint}Hint`);
  const announced = typeof annotation === "boolean" ? annotation : undefined;
  return authorSays(written.hints, tool, hint) ?? authorSays(preset.hints, tool, hint) ?? announced;
}

function authorSays(hints: Hints | undefined, tool: string, hint: Hint): boolean | undefined {
  const matching = Object.entries(hints ?? {}).filter(([name]) => nameMatches(letters(name), tool));
  const values = matching.map(([, entry]) => entry[hint]).filter((value) => value !== undefined);
  return values.includes(DEFAULTS[hint]) ? DEFAULTS[hint] : values[0];
}

/** Read-only together with destructive counts as destructive. */
function isReadOnly(p: Project, server: string, tool: string): boolean {
  return said(p, server, tool, "readOnly") === true && said(p, server, tool, "destructive") !== true;
}

/** Otherwise a read-only tool isn't destructive. */
function isDestructive(p: Project, server: string, tool: string): boolean {
  return said(p, server, tool, "destructive") ?? !isReadOnly(p, server, tool);
}

function isClass(p: Project, server: string, tool: string, name: string): boolean {
  if (name === "read-only") return isReadOnly(p, server, tool);
  if (name === "destructive") return isDestructive(p, server, tool);
  if (name === "idempotent") return said(p, server, tool, "idempotent") ?? DEFAULTS.idempotent;
  return name === "open-world" && (said(p, server, tool, "openWorld") ?? DEFAULTS.openWorld);
}

/** Labels of the server and its preset are united. */
function hasLabel(p: Project, server: string, tool: string, label: string): boolean {
  return places(p, server).some((place) => anyName(own(place.labels, label), tool));
}

/** A scope with a map covers what the map says; without a map `read:` covers the read-only tools, `write:` the others. */
function covers(p: Project, server: string, scope: string, tool: string): boolean {
  const [written, preset] = places(p, server);
  const map = [written.scopes ?? preset.scopes, preset.scopes].find(isObject) as ScopeMap | undefined;
  if (map !== undefined) return anyName(own(map, scope), tool);
  if (!listedScopes(p, server).includes(scope)) return false;
  if (scope.startsWith("read:")) return isReadOnly(p, server, tool);
  return scope.startsWith("write:") && !isReadOnly(p, server, tool);
}

function listedScopes(p: Project, server: string): readonly string[] {
  const [written, preset] = places(p, server);
  const scopes = written.scopes ?? preset.scopes ?? [];
  return isObject(scopes) ? Object.keys(scopes) : (scopes as readonly Item[]).map(textOf);
}

/** `tools` and `scopes` are ceilings for all roles; a tool that no scope covers is out. */
function withinCeilings(p: Project, server: string, tool: string): boolean {
  const [written, preset] = places(p, server);
  const hasScopes = (written.scopes ?? preset.scopes) !== undefined;
  return (
    places(p, server).every((place) => place.tools === undefined || withinTools(p, server, tool, longForm(place.tools))) &&
    (!hasScopes || listedScopes(p, server).some((scope) => covers(p, server, scope, tool)))
  );
}

function withinTools(p: Project, server: string, tool: string, ceiling: Entry): boolean {
  const included = ceiling.include === undefined || anyMatches(p, server, tool, granting(ceiling.include));
  return included && !anyMatches(p, server, tool, ceiling.exclude);
}

// ---------------------------------------------------------------- section 4: selectors

function anyMatches(p: Project, server: string, tool: string, items: Items | undefined): boolean {
  return asList(items).some((item) => matches(p, server, tool, letters(textOf(item))));
}

/** Several joined by ` & ` must all match. */
function matches(p: Project, server: string, tool: string, selector: Selector): boolean {
  return joined(selector).every((part) => partMatches(p, server, tool, part));
}

function partMatches(p: Project, server: string, tool: string, part: Selector): boolean {
  const word = classOf(part);
  const text = meaning(part);
  if (word === "is") return isClass(p, server, tool, text.slice("is:".length));
  if (word === "scope") return covers(p, server, text.slice("scope:".length), tool);
  if (word === "label") return hasLabel(p, server, tool, text.slice("label:".length));
  return nameMatches(part, tool);
}

/** In policies and invariants the server part comes first and may be a glob; a bare class is about every server. */
function matchesAcross(p: Project, server: string, tool: string, item: Item, preset?: string): boolean {
  const selector = letters(textOf(item));
  const dot = selector.findIndex((letter) => letter.text === "." && !letter.escaped);
  if (dot < 0 || classOf(selector) !== undefined) return matches(p, server, tool, selector);
  const first = selector.slice(0, dot);
  const byPreset = preset !== undefined && writtenServer(p, server).preset === preset && meaning(first) === preset;
  return (nameMatches(first, server) || byPreset) && matches(p, server, tool, selector.slice(dot + 1));
}

// ---------------------------------------------------------------- section 4: roles

/** The role and all its ancestors. */
function lineage(p: Project, role: string, seen: readonly string[] = []): readonly string[] {
  if (seen.includes(role) || !p.roles.has(role)) return seen;
  return asList(p.roles.get(role)?.extends).reduce<readonly string[]>((all, parent) => lineage(p, parent, all), [...seen, role]);
}

/** What the role and its ancestors write about a server. */
function entries(p: Project, role: string, server: string): { of: string; entry: Entry }[] {
  return lineage(p, role).flatMap((of) => {
    const entry = own(p.roles.get(of)?.tools, server);
    return entry === undefined ? [] : [{ of, entry: longForm(entry) }];
  });
}

function includes(p: Project, of: string, entry: Entry, server: string, tool: string): boolean {
  // An exact include without a manifest compiles; nothing else grants there.
  if (pinned(p, server) === undefined) return anyName(granting(entry.include).filter((item) => isExact(textOf(item))), tool);
  if (entry.include !== undefined) return anyMatches(p, server, tool, granting(entry.include));
  // `exclude` alone starts from the whole manifest only in a role without `extends`.
  return entry.exclude !== undefined && p.roles.get(of)?.extends === undefined;
}

/** Union of every include, minus union of every exclude, within the ceilings, minus what policies deny. */
function isHeld(p: Project, role: string, server: string, tool: string): boolean {
  const written = entries(p, role, server);
  return (
    exists(p, server, tool) &&
    written.some(({ of, entry }) => includes(p, of, entry, server, tool)) &&
    !written.some(({ entry }) => anyMatches(p, server, tool, entry.exclude)) &&
    withinCeilings(p, server, tool) &&
    !policiesAbout(p, role, server, tool).some((policy) => policy.effect === "deny")
  );
}

function exists(p: Project, server: string, tool: string): boolean {
  if (!p.servers.has(server)) return false;
  return pinned(p, server) === undefined || pinnedTool(p, server, tool) !== undefined;
}

/** A tool that anyone wants asked is asked. */
function isAsked(p: Project, role: string, server: string, tool: string): boolean {
  return (
    entries(p, role, server).some(({ entry }) => anyMatches(p, server, tool, entry.ask)) ||
    policiesAbout(p, role, server, tool).some((policy) => policy.effect === "ask")
  );
}

/** Every `where` written for a tool holds, all at once. */
function conditionsOn(p: Project, role: string, server: string, tool: string): Conditions[] {
  const written = entries(p, role, server).flatMap(({ entry }) => Object.entries(entry.where ?? {}));
  const matching = written.filter(([selector]) => matches(p, server, tool, letters(selector)));
  return [
    ...matching.map(([, conditions]) => conditions),
    ...policiesAbout(p, role, server, tool).flatMap(({ where }) => (where === undefined ? [] : [where])),
  ];
}

/** deny > ask > allow. */
export function verdict(p: ReferenceProject, role: string, server: string, tool: string): Verdict {
  if (!isHeld(p, role, server, tool)) return "deny";
  return isAsked(p, role, server, tool) ? "ask" : "allow";
}

/** The verdict on one call: conditions judge the one canonical copy of its arguments. */
export function may(p: ReferenceProject, role: string, server: string, tool: string, args: unknown): Verdict {
  const copy = canonicalCopy(args);
  if (copy === undefined) return "deny";
  const conditions = conditionsOn(p, role, server, tool);
  if (conditions.length > 0) {
    if (!isObject(copy.args) || !takesOnlyNamed(pinnedTool(p, server, tool)?.inputSchema, copy.args)) return "deny";
    if (!conditions.every((each) => allHold(each, copy.args, root(p, server)))) return "deny";
  }
  return verdict(p, role, server, tool);
}

export function roles(p: ReferenceProject): string[] {
  return [...p.roles.keys()].sort();
}

/** Every pinned tool; of a server without a manifest, what some role includes by name. */
export function tools(p: ReferenceProject): { server: string; tool: string }[] {
  return [...p.servers.keys()].sort().flatMap((server) => {
    const names = pinned(p, server)?.map((tool) => tool.name) ?? exactIncludes(p, server);
    return [...new Set(names)].sort().map((tool) => ({ server, tool }));
  });
}

function exactIncludes(p: Project, server: string): string[] {
  const items = roles(p).flatMap((role) => entries(p, role, server).flatMap(({ entry }) => granting(entry.include)));
  return items.map(textOf).filter(isExact).map((name) => meaning(letters(name)));
}

// ---------------------------------------------------------------- section 5: policies

/** A policy about a role holds for the roles that extend it. */
function policiesAbout(p: Project, role: string, server: string, tool: string): readonly Policy[] {
  return p.policies.filter(
    (policy) =>
      lineage(p, role).some((one) => anyName(policy.roles, one)) &&
      asList(policy.tools).some((item) => matchesAcross(p, server, tool, item, policy.from)),
  );
}

// ---------------------------------------------------------------- section 6: invariants

interface Held {
  readonly server: string;
  readonly tool: string;
  readonly verdict: Verdict;
}
export interface Broken {
  name: string;
  role: string;
  tool: string;
}
type Judge<S> = (p: Project, role: string, statement: S) => string[];

/** Delegates are inherited and united, and count transitively. */
function reachable(p: Project, role: string, seen: readonly string[] = []): readonly string[] {
  if (seen.includes(role)) return seen;
  const delegates = lineage(p, role).flatMap((one) => asList(p.roles.get(one)?.delegates));
  return delegates.reduce<readonly string[]>((all, delegate) => reachable(p, delegate, all), [...seen, role]);
}

/** A tool reached through `delegates` counts as the role's own. */
function holdings(p: Project, role: string): Held[] {
  const all = reachable(p, role).flatMap((one) =>
    tools(p).map(({ server, tool }) => ({ server, tool, verdict: verdict(p, one, server, tool) })),
  );
  return all.filter((held) => held.verdict !== "deny");
}

function chosen<T extends { server: string; tool: string }>(p: Project, among: readonly T[], item: Item): T[] {
  return among.filter(({ server, tool }) => matchesAcross(p, server, tool, item));
}

function fullName({ server, tool }: { server: string; tool: string }): string {
  return `${server}.${tool}`;
}

/** One entry per invariant, role and tool (`server.tool`); for `together` the tools of one role joined by " + ". */
export function brokenInvariants(p: ReferenceProject): Broken[] {
  return p.invariants.flatMap(({ name = "", never, always, can }) => [
    ...broken(p, name, never, brokenNever),
    ...broken(p, name, never, brokenTogether),
    ...broken(p, name, always, brokenAlways),
    ...broken(p, name, can, brokenCan),
  ]);
}

/** A statement is about the roles that it names. */
function broken<S extends Statement>(p: Project, name: string, statement: S | undefined, by: Judge<S>): Broken[] {
  if (statement === undefined) return [];
  const named = roles(p).filter((role) => anyName(statement.roles, role));
  return named.flatMap((role) => [...new Set(by(p, role, statement))].map((tool) => ({ name, role, tool })));
}

/** `never`: no named role holds a matched tool, asked or not. */
function brokenNever(p: Project, role: string, never: Never): string[] {
  return asList(never.tools).flatMap((item) => chosen(p, holdings(p, role), item).map(fullName));
}

/** `together`: no role holds a tool for each selector; tools that ask count, unless `asked: ignore`. */
function brokenTogether(p: Project, role: string, never: Never): string[] {
  if (never.together === undefined) return [];
  const counting = holdings(p, role).filter((held) => never.asked !== "ignore" || held.verdict === "allow");
  const answers = asList(never.together).map((item) => chosen(p, counting, item).map(fullName)[0]);
  return answers.includes(undefined) ? [] : [[...new Set(answers)].join(" + ")];
}

/** `always`: a named role that holds a matched tool holds it with that effect. */
function brokenAlways(p: Project, role: string, always: Always): string[] {
  const wrong = holdings(p, role).filter((held) => held.verdict !== always.effect);
  return asList(always.tools).flatMap((item) => chosen(p, wrong, item).map(fullName));
}

/** `can`: each named role holds each named tool, unasked. */
function brokenCan(p: Project, role: string, can: Statement): string[] {
  const unasked = holdings(p, role).filter((held) => held.verdict === "allow").map(fullName);
  return asList(can.tools).flatMap((item) => {
    const named = chosen(p, tools(p), item).map(fullName);
    const wanted = typeof item === "string" && named.length === 0 ? [item] : named;
    return wanted.filter((name) => !unasked.includes(name));
  });
}
