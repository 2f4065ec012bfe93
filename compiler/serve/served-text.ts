import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import type { HostShare, Served, ServedRole, ServedTool } from "./types.ts";

/** What is served, as text that outlives the process: it is what a person has said yes to. */

const FORMAT = 2;
/** Each role had its tools with it: of hundreds of roles no text held them. */
const WITH_TOOLS = 1;

export function servedText({ roles, servers, hosts, shells, ...others }: Served): string {
  const { project, out, variables, access, settings } = others;
  const numbers = new Map<ServedTool, number>();
  const numberOf = (tool: ServedTool): number => {
    const number = numbers.get(tool) ?? numbers.size;
    numbers.set(tool, number);
    return number;
  };
  // `tools` of a role are put together when they are read.
  const whole = [...roles.values()].map(({ name, data, instructions, tools, reads }): WrittenRole => ({
    name,
    data,
    instructions,
    tools: tools.map(numberOf),
    reads,
  }));
  const through = [...hosts].map(([host, byRole]) => [
    host,
    [...byRole].map(([role, { tools, given, reads }]) => [role, [...tools], reads, [...given]]),
  ]);
  const told = { tools: [...numbers.keys()], roles: whole, hosts: through };
  return `${JSON.stringify({ format: FORMAT, project, out, variables, access, settings, ...told, shells: [...shells], servers: [...servers] })}\n`;
}

interface WrittenRole extends Omit<ServedRole, "tools" | "reads"> {
  /** Numbers in the list of all, which many roles share. */
  readonly tools: readonly (number | ServedTool)[];
  /** A text of an older version has none. */
  readonly reads?: readonly string[];
}

/** Undefined: it isn't such a text, or one of another version. */
export function readServed(text: string): Served | undefined {
  const told = parsed(text);
  if (told === undefined || (told["format"] !== FORMAT && told["format"] !== WITH_TOOLS)) return undefined;
  const { format: _, roles, tools, servers, hosts, shells, ...others } = told;
  const isWhole = [others["access"], others["settings"]].every((one) => isObject(one ?? null));
  const settings = others["settings"];
  // Of a version that knew no door over HTTP.
  if (!isObject(settings ?? null) || !isObject(own(settings as JsonObject, "http") ?? null)) return undefined;
  if (!Array.isArray(roles) || !Array.isArray(servers) || !isWhole) return undefined;
  const all = (Array.isArray(tools) ? tools : []) as unknown as readonly ServedTool[];
  const known = (roles as unknown as readonly WrittenRole[]).map((role) => readRole(role, all));
  if (!known.every((role) => role !== undefined)) return undefined;
  return {
    ...(others as unknown as Omit<Served, "roles" | "servers" | "hosts" | "shells">),
    roles: new Map(known.map((role) => [role.name, role])),
    hosts: readHosts(hosts),
    shells: new Map(
      Array.isArray(shells) ? (shells as unknown as readonly (readonly [string, readonly string[]])[]) : [],
    ),
    servers: new Map(servers as unknown as readonly (readonly [string, string])[]),
    waits: new Set(),
  };
}

/** Undefined: it names a tool that the text doesn't have. */
function readRole({ tools, reads = [], ...role }: WrittenRole, all: readonly ServedTool[]): ServedRole | undefined {
  const held = tools.map((tool) => (typeof tool === "number" ? all[tool] : tool));
  return held.every((tool) => tool !== undefined) ? { ...role, tools: held, reads } : undefined;
}

type WrittenHosts = readonly (readonly [host: string, roles: readonly WrittenShare[]])[];
/** A text of an older version says nothing of what is read, nor of what a host is told of itself. */
type WrittenShare = readonly [
  role: string,
  tools: readonly string[],
  reads?: readonly string[],
  given?: readonly string[],
];

/** A text of an older version has none. */
function readHosts(written: JsonValue | undefined): Served["hosts"] {
  if (!Array.isArray(written)) return new Map();
  const hosts = written as unknown as WrittenHosts;
  return new Map(hosts.map(([host, roles]) => [host, new Map(roles.map(shareOf))]));
}

function shareOf([role, tools, reads = [], given = tools]: WrittenShare): [string, HostShare] {
  return [role, { tools: new Set(tools), given: new Set(given), reads }];
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
