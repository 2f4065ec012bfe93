import type { JsonObject, JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import type { Locate, Place } from "../base/place.ts";
import type { ArgumentRule } from "../../runtime/contract.ts";
import type {
  AddressRule,
  Decision,
  Grant,
  HostChoice,
  Plan,
  PlannedRole,
  Reason,
  ResourceGrant,
  Server,
  Tool,
  Transport,
  Variable,
} from "./types.ts";

/**
 * The whole plan as JSON, with the reason and the line of every decision: `rolecall plan`.
 *
 * Format 1. Lists of things with a `name` instead of objects with names as keys, since tools may be called anything.
 * Every key is always there; null says that nothing was written. Places are `{ file, line, column }`, or null when
 * the line can't be found again. References stand as written; values of headers and env are left out.
 * Schemas and descriptions are in the server's manifest, under the digest given here.
 */
export function planJson(plan: Plan, locate: Locate): JsonObject {
  return {
    ...planHead(plan),
    servers: plan.servers.map((server) => serverJson(server, locate)),
    roles: [...roleJsons(plan, locate)],
  };
}

/** Everything but servers and roles. */
export function planHead(plan: Plan): JsonObject {
  const { name, out, folder, importExtension, runtime, envExample, hosts } = plan.project;
  return {
    format: 1,
    project: { name, out, folder, importExtension, runtime, envExample: envExample ?? null },
    hosts: hosts.map(hostJson),
    guards: plan.guards.map(({ name, text, matches }) => ({ name, text, ...(matches && { matches }) })),
  };
}

function hostJson({ id, role, via, whenUnenforceable, assumed, without, into, stored }: HostChoice): JsonObject {
  const taken = (wanted: string) => sorted([...assumed].flatMap(([name, state]) => (state === wanted ? [name] : [])));
  return {
    id,
    role: role ?? null,
    via,
    whenUnenforceable,
    assumedSet: taken("set"),
    assumedUnset: taken("unset"),
    without,
    into: into ?? null,
    project: stored.project ?? null,
    product: stored.product ?? null,
    transports: stored.transports ?? null,
  };
}

/** One role after the other: the decisions of a large project don't fit into memory as text. */
export function* roleJsons(plan: Plan, locate: Locate): Generator<JsonObject> {
  const places = rememberPlaces(locate);
  for (const role of plan.roles) yield roleJson(role, places);
}

export function serverJson(server: Server, locate: Locate): JsonObject {
  return {
    name: server.name,
    from: placeJson(server.place, locate),
    preset: server.preset ?? null,
    title: server.title ?? null,
    version: server.version ?? null,
    description: server.description ?? null,
    notes: [...server.notes],
    product: server.product.id ?? null,
    owner: server.owner ?? null,
    connect: server.connect.map(transportJson),
    root: server.root?.written ?? null,
    limits: {
      timeoutMs: server.limits.timeoutMs,
      ratePerMinute: server.limits.ratePerMinute ?? null,
      concurrency: server.limits.concurrency ?? null,
    },
    breaker: { failures: server.breaker.failures, cooldownMs: server.breaker.cooldownMs },
    cacheMs: server.cacheMs ?? null,
    connection: server.connection,
    mustConnect: server.mustConnect,
    whenDown: server.whenDown ?? null,
    pin: server.pin,
    manifest: manifestJson(server),
    scopes:
      server.scopes?.map((scope) => ({
        name: scope.name,
        tools: namesOf(server, scope.tools),
        from: placeJson(scope.place, locate),
      })) ?? null,
    ceilings: server.ceilings.map((ceiling) => ({
      kind: ceiling.kind,
      tools: namesOf(server, ceiling.tools),
      from: placeJson(ceiling.place, locate),
    })),
    variables: server.variables.map(variableJson),
    tools: server.tools.map(toolJson),
  };
}

/** Conditions as they are written: one argument, all conditions on it. */
export function whereJson(where: readonly ArgumentRule[]): JsonValue[] {
  return where.map((rule) => ({
    argument: rule.argument,
    conditions: rule.conditions.map((condition) => ({ ...condition })),
  }));
}

export function reasonJson(reason: Reason, locate: Locate): JsonObject {
  return { rule: reason.rule, written: reason.written, by: reason.by ?? null, from: placeJson(reason.from, locate) };
}

export function addressRuleJson({ rule, written, by, from }: AddressRule, locate: Locate): JsonObject {
  return { rule, written, by: by ?? null, from: placeJson(from, locate) };
}

function manifestJson(server: Server): JsonObject | null {
  if (server.manifest === undefined) return null;
  return {
    file: server.manifest.file,
    serverVersion: server.manifest.serverVersion ?? null,
    instructions: server.manifest.instructionsDigest ?? null,
    capabilities: server.manifest.capabilities,
  };
}

function transportJson(transport: Transport): JsonObject {
  if (transport.kind !== "stdio") {
    return {
      kind: transport.kind,
      url: transport.url.written,
      headers: transport.headers.map((header) => header.name),
    };
  }
  return {
    kind: transport.kind,
    command: transport.command.map((word) => word.written),
    env: transport.env.map((entry) => entry.name),
    cwd: transport.cwd?.written ?? null,
  };
}

function variableJson(variable: Variable): JsonObject {
  return {
    name: variable.name,
    required: variable.required,
    acceptedNames: variable.acceptedNames,
    purpose: variable.purpose ?? null,
    url: variable.url ?? null,
  };
}

function toolJson(tool: Tool): JsonObject {
  return {
    name: tool.name,
    digest: tool.digest,
    title: tool.texts().title ?? null,
    hints: {
      readOnly: tool.hints.readOnly,
      destructive: tool.hints.destructive,
      idempotent: tool.hints.idempotent,
      openWorld: tool.hints.openWorld,
    },
    labels: tool.labels,
    resultFrom: tool.resultFrom ?? null,
  };
}

function roleJson(role: PlannedRole, locate: Locate): JsonObject {
  return {
    name: role.name,
    from: placeJson(role.place, locate),
    description: role.description ?? null,
    owner: role.owner ?? null,
    prompt: role.prompt?.file ?? null,
    lineage: role.lineage,
    servers: role.grants.map((grant) => grantJson(grant, locate)),
    builtins: role.builtins.map((builtins) => ({ host: builtins.host, names: builtins.names })),
    delegates: role.delegates,
    reaches: role.reaches,
  };
}

function grantJson(grant: Grant, locate: Locate): JsonObject {
  const known = new Map<Decision, JsonObject>();
  const tools = grant.server.tools.map((tool) => {
    const decision = grant.decisions[tool.index]!;
    let json = known.get(decision);
    if (json === undefined) known.set(decision, (json = decisionJson(decision, locate)));
    return { name: tool.name, ...json };
  });
  const resources = grant.resources === undefined ? null : resourcesJson(grant.resources, locate);
  return { name: grant.server.name, tools, resources };
}

function resourcesJson({ include, exclude, within }: ResourceGrant, locate: Locate): JsonObject {
  const rules = (list: readonly AddressRule[]) => list.map((rule) => addressRuleJson(rule, locate));
  return { include: rules(include), exclude: rules(exclude), within: within.map(rules) };
}

function decisionJson(decision: Decision, locate: Locate): JsonObject {
  return {
    effect: decision.effect,
    where: whereJson(decision.where),
    because: decision.because.map((reason) => reasonJson(reason, locate)),
  };
}

function namesOf(server: Server, indexes: readonly number[]): string[] {
  return indexes.map((index) => server.tools[index]!.name);
}

export function placeJson(place: Place, locate: Locate): JsonObject | null {
  const span = locate(place);
  return span === undefined ? null : { file: span.file, line: span.line, column: span.column };
}

/** The same few lines decide thousands of tools; finding one means reading its document again. */
function rememberPlaces(locate: Locate): Locate {
  const known = new Map<Place, ReturnType<Locate>>();
  return (place) => {
    if (!known.has(place)) known.set(place, locate(place));
    return known.get(place);
  };
}
