import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import type { HostShare, Served, ServedRole } from "./types.ts";

/** What is served, as text that outlives the process: it is what a person has said yes to. */

const FORMAT = 1;

export function servedText({ roles, servers, hosts, shells, waits: _, ...others }: Served): string {
  // `tools` of a role are put together when they are read.
  const whole = [...roles.values()].map(({ name, data, instructions, tools, reads }) => ({
    name,
    data,
    instructions,
    tools,
    reads,
  }));
  const through = [...hosts].map(([host, byRole]) => [
    host,
    [...byRole].map(([role, { tools, given, reads }]) => [role, [...tools], reads, [...given]]),
  ]);
  return `${JSON.stringify({ format: FORMAT, ...others, roles: whole, hosts: through, shells: [...shells], servers: [...servers] })}\n`;
}

/** Undefined: it isn't such a text, or one of another version. */
export function readServed(text: string): Served | undefined {
  const told = parsed(text);
  if (told === undefined || own(told, "format") !== FORMAT) return undefined;
  const { format: _, ways: __, roles, servers, hosts, shells, ...others } = told;
  const isWhole = [others["access"], others["settings"]].every((one) => isObject(one ?? null));
  const settings = others["settings"];
  // Of a version that knew no door over HTTP.
  if (!isObject(settings ?? null) || !isObject(own(settings as JsonObject, "http") ?? null)) return undefined;
  if (!Array.isArray(roles) || !Array.isArray(servers) || !isWhole) return undefined;
  const known = roles as unknown as readonly (Omit<ServedRole, "reads"> & Partial<ServedRole>)[];
  return {
    ...(others as unknown as Omit<Served, "roles" | "servers" | "hosts" | "shells">),
    // A text of an older version has none.
    roles: new Map(known.map((role) => [role.name, { ...role, reads: role.reads ?? [] }])),
    hosts: readHosts(hosts),
    shells: new Map(
      Array.isArray(shells) ? (shells as unknown as readonly (readonly [string, readonly string[]])[]) : [],
    ),
    servers: new Map(servers as unknown as readonly (readonly [string, string])[]),
    waits: NOTHING,
  };
}

const NOTHING: ReadonlySet<string> = new Set();

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
