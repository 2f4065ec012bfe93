import { canonicalText } from "../base/canonical.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { mayBeNear, nearest } from "../base/nearest.ts";
import { byName } from "../base/order.ts";
import { compareSchemas, equal, type SchemaChange } from "./compare-schemas.ts";

/** What changed between the pinned manifest and the one that a server would give now. Names and texts are raw. */
export interface ManifestChanges {
  /** There was no manifest, or none that could be read. */
  readonly first: boolean;
  readonly added: readonly JsonObject[];
  readonly removed: readonly JsonObject[];
  /** Of those two: the same definition under another name. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly changed: readonly ToolChange[];
  readonly about: readonly AboutChange[];
}

export interface ToolChange {
  readonly name: string;
  readonly texts: readonly TextChange[];
  readonly schema: SchemaChange | undefined;
  readonly result: SchemaChange | undefined;
  readonly hints: readonly HintChange[];
  /** Keys that a digest doesn't cover. */
  readonly other: readonly string[];
}

export interface TextChange {
  readonly which: "title" | "description";
  readonly before: string;
  readonly after: string;
}

export interface HintChange {
  readonly hint: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

export interface AboutChange {
  readonly what: "instructions" | "capabilities" | "protocolVersion" | "serverInfo" | "variables";
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Both have been looked through: their tools are objects with names, each once. */
export function compareManifests(before: JsonObject | undefined, after: JsonObject): ManifestChanges {
  const old = toolsOf(before);
  const now = toolsOf(after);
  const added = [...now.values()].filter((tool) => !old.has(nameOf(tool)));
  const removed = [...old.values()].filter((tool) => !now.has(nameOf(tool)));
  return {
    first: before === undefined,
    added,
    removed,
    renamed: renamedOf(removed, added),
    changed: [...now.values()].flatMap((tool) => {
      const earlier = old.get(nameOf(tool));
      const change = earlier && compareTools(earlier, tool);
      return change ? [change] : [];
    }),
    about: before === undefined ? [] : aboutChanges(before, after),
  };
}

/** Whether something differs that the compiler or the runtime judges by; a new version number alone does not. */
export function weighs(changes: ManifestChanges): boolean {
  return (
    changes.first ||
    changes.added.length + changes.removed.length > 0 ||
    changes.changed.some((change) => changesPin(change)) ||
    changes.about.some(({ what }) => what === "instructions" || what === "capabilities")
  );
}

export function isSame(changes: ManifestChanges): boolean {
  return !weighs(changes) && changes.changed.length + changes.about.length === 0;
}

/** The digest covers it, so a tool that is held is refused at run time until it is captured. */
export function changesPin(change: ToolChange): boolean {
  return change.texts.length + change.hints.length > 0 || change.schema !== undefined || change.result !== undefined;
}

export function nameOf(tool: JsonObject): string {
  return textOf(tool, "name");
}

function toolsOf(manifest: JsonObject | undefined): Map<string, JsonObject> {
  const tools = manifest ? own(manifest, "tools") : undefined;
  const list = Array.isArray(tools) ? (tools as readonly JsonValue[]).filter(isObject) : [];
  return new Map([...list].sort((a, b) => byName(nameOf(a), nameOf(b))).map((tool) => [nameOf(tool), tool]));
}

const COVERED = new Set(["annotations", "description", "digest", "inputSchema", "name", "outputSchema", "title"]);

function compareTools(before: JsonObject, after: JsonObject): ToolChange | undefined {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const change: ToolChange = {
    name: nameOf(after),
    texts: (["title", "description"] as const).flatMap((which) =>
      equal(own(before, which), own(after, which))
        ? []
        : [{ which, before: textOf(before, which), after: textOf(after, which) }],
    ),
    schema: compareSchemas(own(before, "inputSchema"), own(after, "inputSchema")),
    result: compareSchemas(own(before, "outputSchema"), own(after, "outputSchema")),
    hints: hintChanges(own(before, "annotations"), own(after, "annotations")),
    other: [...keys].filter((key) => !COVERED.has(key) && !equal(own(before, key), own(after, key))).sort(byName),
  };
  return changesPin(change) || change.other.length > 0 ? change : undefined;
}

function hintChanges(before: JsonValue | undefined, after: JsonValue | undefined): HintChange[] {
  if (equal(before, after)) return [];
  const one = isObject(before) ? before : {};
  const other = isObject(after) ? after : {};
  const flips = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .sort(byName)
    .filter((hint) => !equal(own(one, hint), own(other, hint)))
    .map((hint) => ({ hint, before: own(one, hint), after: own(other, hint) }));
  return flips.length > 0 ? flips : [{ hint: "annotations", before, after }];
}

function aboutChanges(before: JsonObject, after: JsonObject): AboutChange[] {
  return (["instructions", "capabilities", "serverInfo", "protocolVersion", "variables"] as const).flatMap((what) => {
    const one = meant(what, own(before, what));
    const other = meant(what, own(after, what));
    return equal(one, other) ? [] : [{ what, before: one, after: other }];
  });
}

/** For these two keys, left out means the same as empty. */
function meant(what: AboutChange["what"], value: JsonValue | undefined): JsonValue | undefined {
  if (what === "capabilities") return value ?? {};
  return what === "variables" ? (value ?? []) : value;
}

/** A tool that is gone and one that is new, with one definition: rules that name the old one don't speak of the new one. */
function renamedOf(removed: readonly JsonObject[], added: readonly JsonObject[]): { from: string; to: string }[] {
  if (removed.length === 0) return [];
  const byDefinition = groupedBy(added.toReversed(), definitionOf);
  const bySchema = groupedBy(added.filter(takesSomething), schemaOf);
  const pairing: Pairing = { taken: new Set(), pairs: MOST_PAIRS };
  const { taken } = pairing;
  return removed.flatMap((tool) => {
    const twin =
      nextFree(byDefinition.get(definitionOf(tool)), taken) ?? nearTwin(tool, bySchema.get(schemaOf(tool)), pairing);
    if (twin === undefined) return [];
    taken.add(twin);
    return [{ from: nameOf(tool), to: nameOf(twin) }];
  });
}

function groupedBy(tools: readonly JsonObject[], keyOf: (tool: JsonObject) => string): Map<string, JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const tool of tools) {
    const key = keyOf(tool);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [tool]);
    else group.push(tool);
  }
  return groups;
}

/** Of one without a description a text that no other has. */
function definitionOf(tool: JsonObject): string {
  const description = textOf(tool, "description");
  return description === "" ? `\n${nameOf(tool)}` : canonicalText([description, schemaOf(tool)]);
}

function schemaOf(tool: JsonObject): string {
  return canonicalText(own(tool, "inputSchema") ?? null);
}

/** What is taken is left out for good: each is looked at once. */
function nextFree(group: JsonObject[] = [], taken: ReadonlySet<JsonObject>): JsonObject | undefined {
  while (group.length > 0 && taken.has(group.at(-1)!)) group.pop();
  return group.at(-1);
}

interface Pairing {
  readonly taken: Set<JsonObject>;
  /** How many names may still be compared. */
  pairs: number;
}

/** Among more no name tells which one is meant. */
const MOST_ALIKE = 300;
/** Of two long names one comparison takes a twentieth of a millisecond. */
const MOST_PAIRS = 20_000;

/** The same arguments under nearly the same name. */
function nearTwin(tool: JsonObject, alike: readonly JsonObject[] = [], pairing: Pairing): JsonObject | undefined {
  if (alike.length > MOST_ALIKE || pairing.pairs <= 0) return undefined;
  const name = nameOf(tool);
  const free = alike.filter((one) => !pairing.taken.has(one) && mayBeNear(name, nameOf(one)));
  pairing.pairs -= free.length;
  const near = nearest(name, free.map(nameOf));
  return free.find((one) => nameOf(one) === near);
}

function takesSomething(tool: JsonObject): boolean {
  const schema = own(tool, "inputSchema");
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  return isObject(properties) && Object.keys(properties).length > 0;
}

function textOf(tool: JsonObject, key: string): string {
  const value = own(tool, key);
  return typeof value === "string" ? value : "";
}
