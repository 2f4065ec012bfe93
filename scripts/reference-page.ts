import { catalogue } from "../compiler/diagnostics/catalogue.ts";
import type { CatalogueEntry } from "../compiler/diagnostics/types.ts";
import { genericSchemas } from "./generic-schemas.ts";
import { keyWords } from "./reference-words.ts";

/** docs/reference.md: every key from the schemas, every code from the catalogue. */

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
}

/** A table: one object of the language with its keys. */
interface Section {
  readonly title: string;
  readonly schema: Schema;
}

export function referencePage(): string {
  const sections = allSections();
  return [
    "<!-- Made by scripts/write-reference.ts from schemas/ and compiler/diagnostics/catalogue. Don't edit. -->",
    "",
    "# Reference",
    "",
    "Every key that rolecall reads, and every code that it says. [language.md](language.md) tells what it all means, with examples.",
    "",
    "## Keys",
    "",
    "A key in bold must be written. A key that isn't here is an error, and so is an empty list, an empty map or a null in the blocks.",
    "",
    ...sections.flatMap((section) => ["### " + section.title, "", ...keyTable(section), ""]),
    "## Codes",
    "",
    "`rolecall explain CODE` says why one matters. A severity with `*` can be changed under `severities` in `rolecall.yaml`; an error stops the build.",
    "",
    ...codeTables(),
  ].join("\n");
}

/** What the page can't say, or says of nothing: it must be empty. */
export function referenceGaps(): string[] {
  const sections = allSections();
  const keys = sections.flatMap(({ title, schema }) =>
    Object.entries(schema.properties!).map(([key, value]) => ({ id: `${title}.${key}`, value })),
  );
  const silent = keys
    .filter(({ id, value }) => value.description === undefined && keyWords[id]?.means === undefined)
    .map(({ id }) => `nothing is said of ${id}`);
  const twice = keys
    .filter(({ id, value }) => value.description !== undefined && keyWords[id]?.means !== undefined)
    .map(({ id }) => `${id} is described in its schema too`);
  const stale = Object.keys(keyWords)
    .filter((id) => !keys.some((key) => key.id === id))
    .map((id) => `${id} is no key`);
  const shown = new Set(sections.map(({ schema }) => keysOf(schema)));
  const missing = Object.values(genericSchemas())
    .flatMap((document) => objectsIn(document))
    // Keys of a map are names, not keys of the language.
    .filter(
      (schema) =>
        schema.propertyNames === undefined && !shown.has(keysOf(schema)) && !shown.has(`preset,${keysOf(schema)}`),
    );
  return [...silent, ...twice, ...stale, ...missing.map((schema) => `no section shows ${keysOf(schema)}`)];
}

function allSections(): Section[] {
  const {
    "project.json": project,
    "source.json": source,
    "preset.json": preset,
  } = genericSchemas() as Record<string, Schema>;
  const defs = source!.$defs!;
  const at = (schema: Schema | undefined, ...keys: string[]): Schema =>
    keys.reduce((here, key) => here!.properties![key]!, schema)!;
  const connections = defs["transport"]!.anyOf!.map((schema) => ({
    title: `A connection over ${Object.keys(schema.properties!)[0]}`,
    schema,
  }));
  return [
    { title: "rolecall.yaml", schema: project! },
    { title: "A host", schema: objectForm(at(project, "hosts").items!) },
    { title: "The project of rows", schema: objectForm(at(objectForm(at(project, "hosts").items!), "project")) },
    { title: "How it is served", schema: at(project, "serve") },
    { title: "Tokens of roles", schema: at(at(project, "serve"), "auth").anyOf![0]! },
    { title: "Tokens of an issuer", schema: at(at(project, "serve"), "auth").anyOf![1]! },
    { title: "The team's state", schema: at(project, "state") },
    { title: "A member of the team", schema: at(project, "state", "members").additionalProperties as Schema },
    { title: "A file of another system", schema: objectForm(at(project, "imports").items!) },
    { title: "What diff is told", schema: at(project, "diff") },
    { title: "An exception", schema: at(at(project, "diff"), "exceptions").items! },
    { title: "An approval", schema: at(source, "approved").items! },
    { title: "A source file", schema: source! },
    { title: "A server", schema: defs["server"]! },
    { title: "The product of a server", schema: objectForm(at(defs["server"], "product")) },
    ...connections,
    { title: "Text that is meant", schema: objectForm(defs["written"]!) },
    { title: "Limits", schema: at(defs["server"], "limits") },
    { title: "Breaker", schema: at(defs["server"], "breaker") },
    { title: "Hints of a tool", schema: defs["hints"]! },
    { title: "A ceiling", schema: objectForm(defs["ceiling"]!) },
    { title: "A role", schema: defs["role"]! },
    { title: "What a role takes of a server", schema: objectForm(defs["roleEntry"]!) },
    { title: "A selector that restricts", schema: oneOfTheForms(defs["restriction"]!) },
    { title: "A condition", schema: defs["condition"]! },
    { title: "A policy", schema: defs["policy"]! },
    { title: "An invariant", schema: defs["invariant"]! },
    ...["never", "always", "can"].map((title) => ({ title, schema: at(defs["invariant"], title) })),
    { title: "A preset", schema: preset! },
    { title: "A variable of a preset", schema: at(preset, "variables").items! },
    { title: "verified", schema: at(preset, "verified") },
  ];
}

function objectForm(schema: Schema): Schema {
  return schema.anyOf!.find((form) => form.properties !== undefined)!;
}

/** `{ optional }` and `{ absent }` are shown as one table. */
function oneOfTheForms(schema: Schema): Schema {
  return { type: "object", properties: Object.assign({}, ...schema.anyOf!.map((form) => form.properties)) };
}

function keyTable({ title, schema }: Section): string[] {
  const rows = Object.entries(schema.properties!).map(([key, value]) => {
    const words = keyWords[`${title}.${key}`];
    const name = schema.required?.includes(key) ? `**\`${key}\`**` : `\`${key}\``;
    return row([name, taken(value), value.description ?? words?.means ?? "", words?.without ?? ""]);
  });
  return [row(["key", "takes", "meaning", "left out"]), "|---|---|---|---|", ...rows];
}

const NAMED: Readonly<Record<string, string>> = {
  name: "a name",
  toolName: "a tool",
  hostName: "a host",
  hostWithTools: "a host",
  roleName: "a role",
  serverName: "a server",
  selector: "a selector",
  grants: "a list of selectors",
  restrictions: "a list of [selectors that restrict](#a-selector-that-restricts)",
  roleRestrictions: "a list of roles, by name or glob, that [restricts](#a-selector-that-restricts)",
  wideSelector: "a selector with its server",
  wideRestriction: "a selector with its server, that [restricts](#a-selector-that-restricts)",
  wideRestrictions: "a list of selectors with their server, that [restricts](#a-selector-that-restricts)",
  written: "text, or [text that is meant](#text-that-is-meant)",
  transport: "[connection](#a-connection-over-http)",
  ceiling: "`all`, `none`, `read-only`, a list of selectors, or a [ceiling](#a-ceiling)",
  hints: "[hints](#hints-of-a-tool)",
  server: "[server](#a-server)",
  servers: "a map from name to [server](#a-server)",
  role: "[role](#a-role)",
  roles: "a map from name to [role](#a-role)",
  roleBuiltins:
    "a map from host to `all`, `none`, or a list of the host's own tools, `{ optional: name }` where rolecall may not know one",
  roleTools:
    "a map from server to `all`, `none`, `read-only`, a list of selectors, or [more](#what-a-role-takes-of-a-server)",
  condition: "[condition](#a-condition)",
  conditions: "a map from argument to [condition](#a-condition)",
  where: "a map from selector to a map from argument to [condition](#a-condition)",
  policy: "[policies](#a-policy)",
  invariant: "[invariants](#an-invariant)",
};

function taken(schema: Schema): string {
  const ref = schema.$ref?.replace("#/$defs/", "");
  if (ref !== undefined) return NAMED[ref] ?? taken(genericDefinition(ref));
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  if (schema.anyOf)
    return schema.anyOf
      .map(taken)
      .filter((words, i, all) => all.indexOf(words) === i)
      .join(", or ");
  if (schema.type === "array")
    return `${(schema.minItems ?? 0) > 1 ? `at least ${schema.minItems}: ` : ""}a list of ${plural(taken(schema.items ?? {}))}`;
  if (schema.properties) return mapOfKeys(Object.keys(schema.properties));
  if (schema.type === "object") return mapWords(schema);
  if (schema.type === "boolean") return "`true` or `false`";
  if (schema.type === "integer") return "a whole number above 0";
  if (schema.type === "string") return textWords(schema.pattern);
  return "anything";
}

/** Too many keys to name have a section of their own. */
function mapOfKeys(keys: readonly string[]): string {
  return keys.length > 6 ? "a map" : `a map: ${keys.map((key) => `\`${key}\``).join(", ")}`;
}

/** A map of anything is a JSON Schema: nothing else in the language is that open. */
function mapWords({ propertyNames, additionalProperties }: Schema): string {
  if (typeof additionalProperties !== "object" || Object.keys(additionalProperties).length === 0)
    return "a JSON Schema";
  return `a map from ${taken(propertyNames ?? { type: "string" }).replace(/^a /, "")} to ${taken(additionalProperties)}`;
}

function textWords(pattern: string | undefined): string {
  if (pattern === undefined) return "text";
  if (pattern.includes("ms|s|m")) return "a duration: a whole number and `ms`, `s` or `m`";
  if (/^\^(?:\(\?:)?http/.test(pattern)) return "a URL";
  if (pattern.startsWith("^(?!scope")) return "the name of a claim";
  if (pattern.includes("{0,61}")) return "a name";
  if (pattern.startsWith("^(?!")) return "a path relative to the project";
  if (pattern.startsWith("^[^")) return "text";
  return pattern.includes("_") ? "a name" : "a label";
}

function plural(words: string): string {
  const known: Readonly<Record<string, string>> = {
    text: "texts",
    "a role": "roles",
    anything: "anything",
    "[connection](#a-connection-over-http)": "[connections](#a-connection-over-http)",
  };
  return (
    known[words] ??
    words
      .replace(/^text, or/, "texts, or")
      .replace(/^a selector with its server/, "selectors with their server")
      .replace(/^a host, or a map$/, "hosts, or [maps](#a-host)")
      .replace("that [restricts]", "that [restrict]")
      .replace(/^a map: /, "maps: ")
  );
}

function genericDefinition(name: string): Schema {
  return (genericSchemas() as Record<string, Schema>)["source.json"]!.$defs![name]!;
}

function codeTables(): string[] {
  const entries = Object.entries<CatalogueEntry>(catalogue).sort(([a], [b]) => (a < b ? -1 : 1));
  const subjects = [...new Set(entries.map(([code]) => code.split("/")[0]!))];
  return subjects.flatMap((subject) => {
    const rows = entries
      .filter(([code]) => code.startsWith(`${subject}/`))
      .map(([code, entry]) => row([`\`${code}\``, entry.severity + (entry.adjustable ? " `*`" : ""), entry.says]));
    return [`### ${subject}`, "", row(["code", "severity", "sentence"]), "|---|---|---|", ...rows, ""];
  });
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => outsideCode(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

/** `<name>` would be an element of HTML where it isn't code. */
function outsideCode(cell: string): string {
  return cell
    .split("`")
    .map((part, i) => (i % 2 === 0 ? part.replaceAll("<", "&lt;") : part))
    .join("`");
}

function keysOf(schema: Schema): string {
  return Object.keys(schema.properties ?? {}).join();
}

/** Every object with keys of its own, at any level; the two small forms of a restriction are one section. */
function objectsIn(value: unknown): Schema[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "properties" in value && "type" in value ? [value as Schema] : [];
  const small = ["optional", "absent"];
  return [...own.filter((schema) => !small.includes(keysOf(schema))), ...Object.values(value).flatMap(objectsIn)];
}
