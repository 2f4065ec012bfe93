import { canonicalText } from "../base/canonical.ts";
import { digestOf } from "../base/digest.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { madeOnce } from "../base/made-once.ts";
import { sorted, sortedBy } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Condition, ResourceRules } from "../../runtime/contract.ts";
import { connectionAccess } from "./access-connection.ts";
import { held, heldByServer } from "./held.ts";
import { resourceRules } from "./resource-rules.ts";
import type { Decision, Guard, Plan, PlannedRole, Server } from "./types.ts";

/**
 * Who may do what, without reasons and places: what a reviewer needs of a plan, and all that two plans are compared by.
 * `access.json` is this value, printed; `readAccess` reads it back. Every list is sorted by name. Don't look here for why
 * something is so: the plan knows.
 */
export interface Access {
  readonly project: string;
  /** Every policy and invariant, with a digest of its text; of one that nothing can switch off, of what it matches too. */
  readonly guards: readonly { readonly name: string; readonly digest: string }[];
  /** Servers of which some role holds a tool. */
  readonly servers: readonly ServerAccess[];
  readonly roles: readonly RoleAccess[];
}

export interface ServerAccess {
  readonly name: string;
  /** In order of preference, references as written. */
  readonly connect: readonly JsonObject[];
  /** What paths in conditions are relative to, as written. */
  readonly root: string | undefined;
  /** Digest of the server's instructions, where its manifest has any. */
  readonly instructions: string | undefined;
  /** Those that some role holds; null: not pinned. */
  readonly tools: readonly { readonly name: string; readonly digest: string | null }[];
}

export interface RoleAccess {
  readonly name: string;
  /** Servers of which it holds a tool, or may read something. */
  readonly servers: readonly ServerHeld[];
  /** By host; a host that isn't here isn't governed. */
  readonly builtins: readonly { readonly host: string; readonly names: readonly string[] }[];
  readonly delegates: readonly string[];
}

export interface ServerHeld {
  readonly name: string;
  readonly tools: readonly ToolAccess[];
  /** What it may read beside them; undefined: nothing. */
  readonly resources?: ResourceRules | undefined;
}

export interface ToolAccess {
  readonly name: string;
  readonly effect: "allow" | "ask";
  /** By argument, the conditions that all hold: each once, in one order. Tools with the same ones share one list. */
  readonly where: readonly { readonly argument: string; readonly conditions: readonly Condition[] }[];
}

/** All at once: of a large project these are a million values. Whoever only prints them takes server by server, role by role. */
export function accessOf(plan: Plan): Access {
  const { project, guards, roles } = plan;
  return {
    project: project.name,
    guards: guards.map(guardAccess),
    servers: [...serversAccess(plan)],
    roles: roles.map(roleAccess),
  };
}

export function guardAccess({ name, text, matches }: Guard): Access["guards"][number] {
  return { name, digest: digestOf(canonicalText(matches === undefined ? text : { text, matches })) };
}

export function* serversAccess(plan: Plan): Generator<ServerAccess> {
  const heldTools = heldByServer(plan);
  for (const server of plan.servers) {
    const ofServer = heldTools.get(server.name);
    if (ofServer !== undefined) yield serverAccess(server, ofServer);
  }
}

function serverAccess(server: Server, heldTools: readonly boolean[]): ServerAccess {
  const { name, root, manifest, tools } = server;
  return {
    name,
    connect: waysTo(server),
    root: root?.written,
    instructions: manifest?.instructionsDigest,
    tools: tools.filter(({ index }) => heldTools[index]).map((tool) => ({ name: tool.name, digest: tool.digest })),
  };
}

/** In the order in which they are written. */
export function waysTo(server: Server): JsonObject[] {
  return server.connect.map((transport) => connectionAccess(transport, server));
}

export function roleAccess({ name, grants, builtins, delegates }: PlannedRole): RoleAccess {
  const whereOf = madeOnce(({ where }: Decision) =>
    where.length === 0 ? NOWHERE : where.map((rule) => ({ ...rule, conditions: inOneOrder(rule.conditions) })),
  );
  const servers = grants.map((grant) => ({
    name: grant.server.name,
    tools: held(grant).map(([tool, decision]) => ({
      name: tool.name,
      effect: decision.effect === "ask" ? ("ask" as const) : ("allow" as const),
      where: whereOf(decision),
    })),
    ...(grant.resources !== undefined && { resources: resourceRules(grant.resources) }),
  }));
  return {
    name,
    servers: servers.filter(({ tools, resources }) => tools.length > 0 || resources !== undefined),
    builtins: builtins.map((own) => ({ host: own.host, names: sorted(own.names) })),
    delegates: sorted(delegates),
  };
}

const NOWHERE: ToolAccess["where"] = [];

/** The order in which conditions are written means nothing, nor does saying one twice. */
export function inOneOrder(conditions: readonly Condition[]): Condition[] {
  const byText = new Map(conditions.map((one) => [stableText(one as JsonValue), one]));
  return sortedBy(byText, ([text]) => text).map(([, condition]) => condition);
}
