import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Host, ServerTool } from "./host.ts";

/** What the battery expects, from the plan that rolecall wrote for reviewers, and from the manifests. */
export interface Plan {
  readonly roles: ReadonlyMap<string, RoleOfPlan>;
  /** Every tool of every manifest. */
  readonly tools: readonly ServerTool[];
  readonly connections: ReadonlyMap<
    string,
    { readonly command: readonly string[]; readonly variables: readonly string[] }
  >;
  readonly withResources: ReadonlySet<string>;
  /** What the tester is told. */
  readonly prompt: string;
}

export interface RoleOfPlan {
  readonly held: readonly Held[];
  readonly delegates: readonly string[];
  /** Undefined for a host whose built-ins nobody wrote about. */
  readonly builtins: Readonly<Record<string, readonly string[]>>;
}

export interface Held extends ServerTool {
  readonly role: string;
  readonly effect: "allow" | "ask";
  readonly conditioned: boolean;
}

export function readPlan(project: string): Plan {
  const access = JSON.parse(readFileSync(path.join(project, "src", "mcp", "access.json"), "utf8")) as Access;
  const folder = path.join(project, "mcp", "manifests");
  const manifests = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Manifest,
  );
  return {
    roles: new Map(Object.entries(access.roles).map(([name, role]) => [name, roleOf(name, role)])),
    tools: manifests.flatMap(({ server, tools }) => tools.map(({ name }) => ({ server, tool: name }))),
    connections: new Map(
      Object.entries(access.servers).map(([name, { connect }]) => {
        const [{ stdio, variables } = { stdio: [], variables: [] }] = connect;
        return [name, { command: stdio, variables }];
      }),
    ),
    prompt: readFileSync(path.join(project, "mcp", "prompts", "tester.md"), "utf8").trim(),
    withResources: new Set(manifests.filter((one) => one.capabilities.resources).map((one) => one.server)),
  };
}

/** What a role holds and this host can enforce: exactly this has to be offered. */
export function enforceable(host: Host, plan: Plan, role: string): readonly Held[] {
  return (plan.roles.get(role)?.held ?? []).filter(
    (one) =>
      (host.asks !== "left-out" || one.effect === "allow") &&
      (host.conditions !== "left-out" || !one.conditioned) &&
      (host.resources !== "left-out" || !plan.withResources.has(one.server)) &&
      host.keeps?.includes(one.server) !== true,
  );
}

/** What counts as a role's own where it hands work on: its delegates' tools too, and theirs. */
export function reachable(
  host: Host,
  plan: Plan,
  role: string,
  seen: ReadonlySet<string> = new Set(),
): readonly Held[] {
  if (seen.has(role)) return [];
  const further = new Set([...seen, role]);
  const others = host.delegation === "closed" ? [] : (plan.roles.get(role)?.delegates ?? []);
  return [...enforceable(host, plan, role), ...others.flatMap((other) => reachable(host, plan, other, further))];
}

function roleOf(name: string, role: Access["roles"][string]): RoleOfPlan {
  const held = Object.entries(role.servers).flatMap(([server, { tools, where }]) =>
    Object.entries(tools).map(([tool, effect]) => ({
      server,
      tool,
      role: name,
      effect,
      conditioned: where?.[tool] !== undefined,
    })),
  );
  return { held, delegates: role.delegates ?? [], builtins: role.builtins ?? {} };
}

interface Access {
  readonly servers: Readonly<
    Record<
      string,
      { readonly connect: readonly { readonly stdio: readonly string[]; readonly variables: readonly string[] }[] }
    >
  >;
  readonly roles: Readonly<
    Record<
      string,
      {
        readonly servers: Readonly<
          Record<
            string,
            {
              readonly tools: Readonly<Record<string, "allow" | "ask">>;
              readonly where?: Readonly<Record<string, unknown>>;
            }
          >
        >;
        readonly builtins?: Readonly<Record<string, readonly string[]>>;
        readonly delegates?: readonly string[];
      }
    >
  >;
}

interface Manifest {
  readonly server: string;
  readonly capabilities: { readonly resources?: unknown };
  readonly tools: readonly { readonly name: string }[];
}
