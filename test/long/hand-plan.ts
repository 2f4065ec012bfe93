import { definedBy } from "../../compiler/2-model/definition.ts";
import { stableText } from "../../compiler/base/stable-text.ts";
import type { JsonObject, JsonValue } from "../../compiler/base/json.ts";
import type { Digest, RoleName, ServerName, ToolName } from "../../compiler/base/names.ts";
import { sortedBy } from "../../compiler/base/order.ts";
import type { Decision, Grant, Plan, PlannedRole, ProjectSettings, Server, Tool } from "../../compiler/3-plan/types.ts";

/** Plans made by hand, for schemas and texts that a build refuses: servers are tools, roles are decisions. */

export interface ToolFacts {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: JsonValue | undefined;
  readonly outputSchema?: JsonValue | undefined;
}

export function serverOf(name: string, facts: readonly ToolFacts[]): Server {
  const tools = sortedBy(facts, (fact) => fact.name).map((fact, index) => toolOf(name, fact, index));
  return {
    name: name as ServerName,
    place,
    preset: undefined,
    title: undefined,
    description: undefined,
    product: { id: undefined, name: undefined },
    connect: [],
    root: undefined,
    limits: { timeoutMs: 30_000, ratePerMinute: undefined, concurrency: undefined },
    breaker: { failures: 3, cooldownMs: 60_000 },
    cacheMs: undefined,
    connection: "project",
    mustConnect: false,
    whenDown: undefined,
    owner: undefined,
    pin: name,
    manifest: undefined,
    tools,
    ceilings: [],
    scopes: undefined,
    knownScopes: [],
    labels: [],
    variables: [],
    notes: [],
  };
}

/** `holds` decides for each tool; what it leaves undefined is denied. */
export function roleOf(
  name: string,
  servers: readonly Server[],
  holds: (tool: Tool) => Partial<Decision> | undefined,
  more: Partial<PlannedRole> = {},
): PlannedRole {
  const grants = servers.map((server): Grant => ({
    server,
    decisions: server.tools.map((tool) => decisionOf(holds(tool))),
  }));
  return {
    name: name as RoleName,
    place,
    description: undefined,
    owner: undefined,
    prompt: undefined,
    lineage: [name as RoleName],
    grants,
    builtins: [],
    delegates: [],
    reaches: [],
    ...more,
  };
}

export function planOf(
  servers: readonly Server[],
  roles: readonly PlannedRole[],
  settings: Partial<ProjectSettings> = {},
): Plan {
  const project = {
    name: "harbor",
    out: "src/mcp",
    folder: "mcp",
    importExtension: "js",
    runtime: "files",
    envExample: undefined,
    hosts: [],
    ...settings,
  } as const;
  return {
    project,
    servers: sortedBy(servers, (server) => server.name),
    roles: sortedBy(roles, (role) => role.name),
    guards: [],
  };
}

export const allowed = (): Partial<Decision> => ({ effect: "allow" });

const place = { file: "rolecall.yaml", path: [] };

function toolOf(server: string, fact: ToolFacts, index: number): Tool {
  return {
    server: server as ServerName,
    name: fact.name as ToolName,
    index,
    digest: "sha256:0" as Digest,
    ...definedBy(() => ({
      title: fact.title,
      description: fact.description,
      inputSchema: stableText((fact.inputSchema ?? { type: "object" }) as JsonObject),
      outputSchema: fact.outputSchema === undefined ? undefined : stableText(fact.outputSchema as JsonObject),
    })),
    resultFrom: fact.outputSchema === undefined ? undefined : "server",
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    hintsSaid: [{ readOnly: false, destructive: true, idempotent: false, openWorld: true }],
    labels: [],
    choice: undefined,
    contradiction: undefined,
    slow: undefined,
  };
}

function decisionOf(part: Partial<Decision> | undefined): Decision {
  return { effect: part === undefined ? "deny" : "allow", where: [], because: [], ...part };
}
