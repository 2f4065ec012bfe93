import * as z from "zod/mini";
import * as parts from "../schemas/parts.ts";
import { isClosed, namesOf } from "../compiler/4-fit/own-tools.ts";
import type { Host } from "../compiler/5-artifacts/target.ts";
import { allHosts } from "../compiler/5-artifacts/hosts/all-hosts.ts";
import { invariant, policy } from "../schemas/policy.ts";
import { blocks, preset, project } from "../schemas/project.ts";
import { role, roleEntry } from "../schemas/role.ts";
import { ceiling, hints, scopes, server, transport, written } from "../schemas/server.ts";

/**
 * The documents as JSON Schema, made from the zod schemas. Pieces that a project makes more exact (who is a role, which
 * tools does a server have) are definitions of their own; the editor-schemas target puts others in their place.
 */

type Schema = Record<string, unknown>;
type Properties = Record<string, Schema>;

const PIECES = {
  name: parts.name,
  selector: parts.selector,
  restriction: parts.restriction,
  restrictions: parts.restrictions,
  grants: parts.grants,
  condition: parts.condition,
  conditions: parts.conditions,
  where: parts.where,
  written,
  transport,
  ceiling,
  scopes,
  hints,
  server,
  addressEntry: parts.addressEntry,
  roleEntry,
  role,
  policy,
  invariant,
};

/** By file name. */
export function genericSchemas(): Readonly<Record<string, unknown>> {
  for (const [id, piece] of Object.entries(PIECES)) z.globalRegistry.add(piece, { ...z.globalRegistry.get(piece), id });
  return {
    "project.json": titled("rolecall.yaml", withNames(made(project))),
    "source.json": titled("A source file of a rolecall project", withNames(made(blocks))),
    "preset.json": titled("A rolecall preset", withNames(made(preset))),
  };
}

function titled(title: string, { $schema, ...rest }: Schema): Schema {
  return { $schema, title, ...rest };
}

function made(document: z.core.$ZodType): Schema {
  return z.toJSONSchema(document, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      delete jsonSchema.id;
      if (saysNotEmpty(zodSchema)) jsonSchema.minProperties = 1;
    },
  }) as Schema;
}

/** Refinements have no JSON Schema of their own; this one does. */
function saysNotEmpty(schema: unknown): boolean {
  const checks =
    (schema as { _zod: { def: { checks?: { _zod: { def: { fn?: unknown } } }[] } } })._zod.def.checks ?? [];
  return checks.some((check) => check._zod.def.fn === parts.notEmpty);
}

/** Says of each name whose it is, and writes out the other refinements. */
function withNames(document: Schema): Schema {
  const defs = document["$defs"] as Record<string, Schema>;
  anythingMayBeMissing(defs["restriction"]!);
  const policies = properties(defs["policy"]!);
  policies["roles"] = ref("roleRestrictions");
  policies["tools"] = ref("wideRestrictions");
  defs["policy"]!["oneOf"] = [{ required: ["effect"] }, { required: ["where"] }];
  defs["policy"]!["anyOf"] = [{ required: ["tools"] }, { required: ["resources"] }];
  defs["condition"]!["anyOf"] = ["glob", "enum", "pattern", "schema"].map((key) => ({ required: [key] }));
  if (defs["invariant"]) nameInvariant(defs["invariant"]);
  if (defs["role"]) defs["roleBuiltins"] = nameRole(defs["role"]);
  const results = properties(defs["server"] ?? (properties(document)["server"] as Schema))["results"]!;
  results["propertyNames"] = ref("toolName");
  const own = properties(document);
  if (own["hosts"]) nameHost(own["hosts"]);
  if (own["state"]) nameState(own["state"]);
  for (const key of ["servers", "roles"]) {
    const block = own[key];
    if (!block) continue;
    defs[key] = block;
    own[key] = ref(key);
  }
  return { ...document, $defs: { ...defs, ...named(defs) } };
}

/** `optional` and `absent` are for what no manifest has. */
function anythingMayBeMissing(restriction: Schema): void {
  for (const form of restriction["anyOf"] as Schema[]) {
    if (form["properties"])
      for (const key of Object.keys(properties(form))) properties(form)[key] = { type: "string", minLength: 1 };
  }
}

function nameInvariant(invariants: Schema): void {
  const claims = properties(invariants);
  for (const claim of ["never", "always", "can"]) {
    const about = properties(claims[claim]!);
    about["roles"] = ref("roleRestrictions");
    about["tools"] = ref("wideRestrictions");
  }
  properties(claims["never"]!)["together"]!["items"] = ref("wideRestriction");
  properties(claims["can"]!)["tools"] = { type: "array", minItems: 1, items: ref("wideSelector") };
  claims["never"]!["oneOf"] = [{ required: ["tools"] }, { required: ["together"] }];
  invariants["oneOf"] = ["never", "always", "can"].map((key) => ({ required: [key] }));
}

/** An id alone, or a map with an id. */
function nameHost(hosts: Schema): void {
  const [, map] = (hosts["items"] as Schema)["anyOf"] as Schema[];
  (hosts["items"] as Schema)["anyOf"] = [ref("hostName"), map];
  const about = properties(map!);
  about["id"] = ref("hostName");
  about["role"] = { ...about["role"], ...ref("roleName") };
  about["without"]!["items"] = ref("serverName");
}

function nameState(state: Schema): void {
  const member = properties(state)["members"]!["additionalProperties"] as Schema;
  properties(member)["role"] = ref("roleName");
}

/** Gives what stands under `builtins`. */
function nameRole(role: Schema): Schema {
  const about = properties(role);
  const several = { type: "array", minItems: 1, items: ref("roleName") };
  about["extends"] = { anyOf: [ref("roleName"), several] };
  about["delegates"] = { ...about["delegates"], ...several };
  about["tools"] = ref("roleTools");
  about["resources"] = { description: about["resources"]!["description"], ...ref("roleResources") };
  const { description, ...any } = about["builtins"]!;
  about["builtins"] = { description, ...ref("roleBuiltins") };
  return { ...any, propertyNames: ref("hostWithTools"), properties: builtinsByHost() };
}

function builtinsByHost(): Properties {
  const known = allHosts([]).map((host) => [host.id, ownNames(host)] as const);
  return Object.fromEntries(
    known.filter(([, names]) => names.length > 0).map(([id, names]) => [id, builtinsOf(names)]),
  );
}

/** None of a host that can't be held to a list. */
function ownNames({ ownTools, abilities }: Host): string[] {
  return ownTools === undefined || abilities.builtins.holds === "none"
    ? []
    : namesOf(ownTools, (can) => !isClosed(can));
}

/** A name that was seen, or any other that is said to be of another version. */
function builtinsOf(names: readonly string[]): Schema {
  const optional = {
    type: "object",
    properties: { optional: NOT_EMPTY },
    required: ["optional"],
    additionalProperties: false,
  };
  const list = { type: "array", minItems: 1, items: { anyOf: [{ type: "string", enum: names }, optional] } };
  return { anyOf: [{ type: "string", enum: ["all", "none"] }, list] };
}

const NOT_EMPTY: Schema = { type: "string", minLength: 1 };

/** What the names stand for while no project is known. */
function named(defs: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const like = (name: string, from: string, to: string) =>
    JSON.parse(JSON.stringify(defs[name]).replaceAll(`"#/$defs/${from}"`, `"#/$defs/${to}"`)) as Schema;
  return {
    toolName: { type: "string", minLength: 1 },
    hostName: { type: "string", enum: allHosts([]).map(({ id }) => id) },
    hostWithTools: {
      type: "string",
      enum: allHosts([])
        .filter(({ isData }) => !isData)
        .map(({ id }) => id),
    },
    roleName: ref("name"),
    serverName: ref("name"),
    roleSelector: ref("selector"),
    roleRestriction: like("restriction", "selector", "roleSelector"),
    roleRestrictions: like("restrictions", "restriction", "roleRestriction"),
    wideSelector: ref("selector"),
    wideRestriction: like("restriction", "selector", "wideSelector"),
    wideRestrictions: like("restrictions", "restriction", "wideRestriction"),
    ...(defs["roleEntry"]
      ? {
          roleTools: {
            type: "object",
            minProperties: 1,
            propertyNames: ref("name"),
            additionalProperties: ref("roleEntry"),
          },
          roleResources: {
            type: "object",
            minProperties: 1,
            propertyNames: ref("name"),
            additionalProperties: ref("addressEntry"),
          },
        }
      : {}),
  };
}

function properties(schema: Schema): Properties {
  return schema["properties"] as Properties;
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}
