import { isObject, type JsonObject } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import type { Plan, Server } from "../../3-plan/types.ts";

const CLASSES = ["is:destructive", "is:idempotent", "is:open-world", "is:read-only", "is:write"];
/** `*` and `?`, an escape, or several selectors joined: what no list of names can hold. */
const GLOB_OR_JOINED = "[*?\\\\]| & ";

export type Definitions = Readonly<Record<string, JsonObject>>;

/**
 * The definitions that this project makes exact. Whatever speaks about a server's tools exists once for each server,
 * as `<definition>.<server>`; everything else is shared.
 */
export function definitionsFor(plan: Plan, generic: JsonObject): Definitions {
  const defs = generic["$defs"] as Definitions;
  const roles = plan.roles.map((role) => role.name);
  const aboutTools = dependents(defs, ["selector", "toolName"]);
  const exact: Record<string, JsonObject> = {
    roleName: oneOfNames(roles),
    serverName: oneOfNames(plan.servers.map((server) => server.name)),
    roleSelector: { anyOf: [oneOfNames(roles), { type: "string", pattern: "[*?\\\\]" }] },
    wideSelector: wideSelector(plan.servers),
    servers: { ...defs["servers"], properties: entries(plan.servers, (server) => ref(`server.${server.name}`)) },
    roleTools: {
      type: "object",
      minProperties: 1,
      properties: entries(plan.servers, (server) => ref(`roleEntry.${server.name}`)),
      additionalProperties: false,
    },
    roleResources: {
      type: "object",
      minProperties: 1,
      properties: entries(plan.servers, () => ref("addressEntry")),
      additionalProperties: false,
    },
  };
  for (const server of plan.servers) {
    exact[`toolName.${server.name}`] = toolName(server);
    exact[`selector.${server.name}`] = selector(server);
    for (const name of aboutTools)
      exact[`${name}.${server.name}`] = renamed(defs[name]!, aboutTools, server.name) as JsonObject;
  }
  return exact;
}

/** An enum must not be empty: without names, nothing is right. */
function oneOfNames(names: readonly string[]): JsonObject {
  return names.length === 0 ? { not: {} } : { type: "string", enum: names };
}

/** Without a manifest any name may be right. */
function toolName(server: Server): JsonObject {
  return server.manifest === undefined
    ? { type: "string", minLength: 1 }
    : oneOfNames(server.tools.map((tool) => tool.name));
}

function selector(server: Server): JsonObject {
  return {
    anyOf: [
      ref(`toolName.${server.name}`),
      { type: "string", enum: classesOf(server) },
      { type: "string", pattern: GLOB_OR_JOINED },
    ],
  };
}

/** Whatever begins with `is:`, `label:` or `scope:` and means something on this server. */
function classesOf(server: Server): string[] {
  return sorted([
    ...CLASSES,
    ...server.labels.map((label) => `label:${label}`),
    ...server.knownScopes.map((scope) => `scope:${scope}`),
  ]);
}

/** In policies and invariants the server stands before the tool, and may before a class; a server without a manifest may have any tool. */
function wideSelector(servers: readonly Server[]): JsonObject {
  const known = servers.flatMap((server) => [
    ...(server.manifest === undefined ? [] : server.tools.map((tool) => `${server.name}.${tool.name}`)),
    ...classesOf(server).map((written) => `${server.name}.${written}`),
  ]);
  const classes = sorted(new Set([...CLASSES, ...servers.flatMap(classesOf)]));
  const unknown = servers.filter((server) => server.manifest === undefined).map((server) => server.name);
  const open = unknown.length === 0 ? [] : [{ type: "string", pattern: `^(?:${unknown.join("|")})\\.` }];
  return {
    anyOf: [
      oneOfNames([...new Set(known)]),
      { type: "string", enum: classes },
      { type: "string", pattern: GLOB_OR_JOINED },
      ...open,
    ],
  };
}

/** Definitions that refer, however far, to one of the given ones; the given ones aren't among them. */
function dependents(defs: Definitions, given: readonly string[]): string[] {
  const reached = new Set(given);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const [name, def] of Object.entries(defs))
      if (referredBy(def).some((to) => reached.has(to))) reached.add(name);
  }
  const whole = new Set([
    "servers",
    "roles",
    "role",
    "roleTools",
    "roleResources",
    "roleSelector",
    "wideSelector",
    "policy",
    "invariant",
  ]);
  return [...reached].filter(
    (name) => !given.includes(name) && !whole.has(name) && !/^(?:role|wide)Restriction/.test(name),
  );
}

function referredBy(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referredBy);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, v]) =>
    key === "$ref" && typeof v === "string" ? [v.slice("#/$defs/".length)] : referredBy(v),
  );
}

/** The same with references to the server's own definitions. */
function renamed(value: unknown, aboutTools: readonly string[], server: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, aboutTools, server));
  if (!isObject(value)) return value;
  const to = value["$ref"];
  if (typeof to === "string") {
    const name = to.slice("#/$defs/".length);
    return name === "selector" || name === "toolName" || aboutTools.includes(name)
      ? { ...value, $ref: `${to}.${server}` }
      : value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, renamed(v, aboutTools, server)]));
}

/** Server names are the author's and plain: they are safe as keys. */
function entries(servers: readonly Server[], value: (server: Server) => JsonObject): JsonObject {
  return Object.fromEntries(servers.map((server) => [server.name, value(server)]));
}

function ref(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}
