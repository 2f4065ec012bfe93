import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";

const hosts = allHosts([]);

/** Every host, sorted. */
export const HOSTS: readonly string[] = hosts.map(({ id }) => id);

/** Those with tools of their own, which a role can name under `builtins`. */
export const HOSTS_WITH_TOOLS: readonly string[] = hosts.filter(({ isData }) => !isData).map(({ id }) => id);

/** Those that can be given some tools of a server and not the others. */
export const HOSTS_THAT_HIDE: readonly string[] = hosts
  .filter(({ abilities, isData, gateway }) => abilities.hide.holds !== "none" && !isData && gateway !== "must")
  .map(({ id }) => id);

/** Those that can be told of `rolecall serve`, and of these the ones that are told of nothing else. */
export const HOSTS_THROUGH: readonly string[] = hosts
  .filter(({ gateway }) => gateway !== undefined)
  .map(({ id }) => id);
export const HOSTS_SERVED_ALONE: readonly string[] = hosts
  .filter(({ gateway }) => gateway === "must")
  .map(({ id }) => id);

/** The program of each host that is started as one. */
export const PROGRAMS: ReadonlyMap<string, string> = new Map(
  hosts.flatMap(({ id, program }) => (program === undefined ? [] : [[id, program] as const])),
);

/**
 * A host as it stands under `hosts`: one that knows no roles has to be told which one its files are for, a table that it
 * takes http, and a gateway whose tokens it takes. `isAlone`: every host is told the role.
 */
export function entryFor(id: string, role?: string, isAlone = false): string {
  const { abilities, gateway, takes = [] } = hosts.find((host) => host.id === id) ?? {};
  const isTold = role !== undefined && (isAlone || abilities?.roles === false);
  const keys = [
    ...(gateway === "must" ? ["via: serve"] : []),
    ...(isTold ? [`role: ${role}`] : []),
    ...(isTold && !isAlone && takes.includes("transports") ? ["transports: [stdio, sse, http]"] : []),
    ...Object.entries(doorOf(id)).map(([key, text]) => `${key}: ${text}`),
  ];
  return keys.length === 0 ? id : `{ id: ${id}, ${keys.join(", ")} }`;
}

/** What a gateway can't do without, by key. */
export function doorOf(id: string): Readonly<Record<string, string>> {
  const { needs = [] } = hosts.find((host) => host.id === id) ?? {};
  return Object.fromEntries(needs.map((key) => [key, DOOR[key]!]));
}

const DOOR: Readonly<Record<string, string>> = {
  issuer: "https://id.example.com",
  audience: "mcp",
  jwks: "https://id.example.com/keys",
  url: "https://mcp.example.com/mcp",
  gateway: "agents",
};
