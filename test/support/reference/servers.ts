// What the second opinion says of servers and of the selectors that choose their tools: docs/language.md
// page. The readings taken are listed at the top of reference.ts.
import type { ReferenceProject as Project } from "./files.ts";
import {
  anyName,
  asList,
  classOf,
  granting,
  isObject,
  joined,
  letters,
  longForm,
  meaning,
  nameMatches,
  own,
  textOf,
} from "./shapes.ts";
import type { Entry, Hint, Hints, Item, Items, ScopeMap, Selector, Server, Tool } from "./shapes.ts";

// ---------------------------------------------------------------- servers

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
export function pinned(p: Project, server: string): readonly Tool[] | undefined {
  const [written, preset] = places(p, server);
  return p.manifests.get(written.manifest ?? preset.manifest ?? server);
}

export function pinnedTool(p: Project, server: string, tool: string): Tool | undefined {
  return pinned(p, server)?.find((one) => one.name === tool);
}

/** What relative paths in conditions are relative to; default cwd. */
export function root(p: Project, server: string): string | undefined {
  const [written, preset] = places(p, server);
  const folders = asList(written.connect ?? preset.connect).map((entry) => entry.cwd);
  const shared = folders.every((folder) => folder === folders[0]) ? folders[0] : undefined;
  const folder = written.root ?? preset.root ?? shared;
  return folder?.startsWith("/") && !folder.includes("$") ? folder : undefined;
}

/** An absent annotation has MCP's default. Each is also the cautious value. */
const DEFAULTS: Readonly<Record<Hint, boolean>> = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
};

/** The author's hints win over the server's annotations. */
function said(p: Project, server: string, tool: string, hint: Hint): boolean | undefined {
  const pin = pinnedTool(p, server, tool);
  if (pin === undefined) return undefined;
  const [written, preset] = places(p, server);
  const annotation = own(pin.annotations, `${hint}Hint`);
  const announced = typeof annotation === "boolean" ? annotation : undefined;
  if (p.judging === "server") return announced;
  const projects = p.judging === "preset" ? undefined : authorSays(written.hints, tool, hint);
  return projects ?? authorSays(preset.hints, tool, hint) ?? announced;
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

/** In guards, and policies of presets, a class matches when anybody says so; in `can` of a guard, when all do. */
export function guarding(p: Project, claim?: "can" | "another"): Project {
  return { ...p, judging: claim === "can" ? "everybody" : "anybody" };
}

function isClass(p: Project, server: string, tool: string, name: string): boolean {
  if (p.judging !== "anybody" && p.judging !== "everybody") return isClassFor(p, server, tool, name);
  const words = WORDS.map((judging) => isClassFor({ ...p, judging }, server, tool, name));
  return p.judging === "anybody" ? words.includes(true) : !words.includes(false);
}

const WORDS = ["server", "preset", "author"] as const;

function isClassFor(p: Project, server: string, tool: string, name: string): boolean {
  if (name === "read-only") return isReadOnly(p, server, tool);
  if (name === "write") return !isReadOnly(p, server, tool);
  if (name === "destructive") return isDestructive(p, server, tool);
  if (name === "idempotent") return said(p, server, tool, "idempotent") ?? DEFAULTS.idempotent;
  return name === "open-world" && (said(p, server, tool, "openWorld") ?? DEFAULTS.openWorld);
}

/** Labels of the server and its preset are united. */
function hasLabel(p: Project, server: string, tool: string, label: string): boolean {
  return places(p, server).some((place) => anyName(own(place.labels, label), tool));
}

/** For guards what the preset says of a scope and what the project says of it are together. */
function isInScope(p: Project, server: string, scope: string, tool: string): boolean {
  if (p.judging !== "anybody") return covers({ ...p, judging: "author" }, server, scope, tool);
  const { scopes: _, ...rest } = writtenServer(p, server);
  const alone: Project = { ...p, servers: new Map([...p.servers, [server, rest]]) };
  return [p, alone].some((one) => WORDS.some((judging) => covers({ ...one, judging }, server, scope, tool)));
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
export function withinCeilings(p: Project, server: string, tool: string): boolean {
  const [written, preset] = places(p, server);
  const hasScopes = (written.scopes ?? preset.scopes) !== undefined;
  return (
    places(p, server).every(
      (place) => place.tools === undefined || withinTools(p, server, tool, longForm(place.tools)),
    ) &&
    (!hasScopes || listedScopes(p, server).some((scope) => covers(p, server, scope, tool)))
  );
}

function withinTools(p: Project, server: string, tool: string, ceiling: Entry): boolean {
  const included = ceiling.include === undefined || anyMatches(p, server, tool, granting(ceiling.include));
  return included && !anyMatches(p, server, tool, ceiling.exclude);
}

// ---------------------------------------------------------------- selectors

export function anyMatches(p: Project, server: string, tool: string, items: Items | undefined): boolean {
  return asList(items).some((item) => matches(p, server, tool, letters(textOf(item))));
}

/** Several joined by ` & ` must all match. */
export function matches(p: Project, server: string, tool: string, selector: Selector): boolean {
  return joined(selector).every((part) => partMatches(p, server, tool, part));
}

function partMatches(p: Project, server: string, tool: string, part: Selector): boolean {
  const word = classOf(part);
  const text = meaning(part);
  if (word === "is") return isClass(p, server, tool, text.slice("is:".length));
  if (word === "scope") return isInScope(p, server, text.slice("scope:".length), tool);
  if (word === "label") return hasLabel(p, server, tool, text.slice("label:".length));
  return nameMatches(part, tool);
}

/** In policies and invariants the server part comes first and may be a glob; a bare class is about every server. */
export function matchesAcross(p: Project, server: string, tool: string, item: Item, preset?: string): boolean {
  const selector = letters(textOf(item));
  const dot = selector.findIndex((letter) => letter.text === "." && !letter.escaped);
  if (dot < 0 || classOf(selector) !== undefined) return matches(p, server, tool, selector);
  const first = selector.slice(0, dot);
  const byPreset = preset !== undefined && writtenServer(p, server).preset === preset && meaning(first) === preset;
  return (nameMatches(first, server) || byPreset) && matches(p, server, tool, selector.slice(dot + 1));
}
