import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";

const hosts = allHosts([]);

/** Every host, sorted. */
export const HOSTS: readonly string[] = hosts.map(({ id }) => id);

/** Those with tools of their own, which a role can name under `builtins`. */
export const HOSTS_WITH_TOOLS: readonly string[] = hosts.filter(({ isData }) => !isData).map(({ id }) => id);

/** Those that can be given some tools of a server and not the others. */
export const HOSTS_THAT_HIDE: readonly string[] = hosts
  .filter(({ abilities, isData }) => abilities.hide.holds !== "none" && !isData)
  .map(({ id }) => id);

/** The program of each host that is started as one. */
export const PROGRAMS: ReadonlyMap<string, string> = new Map(
  hosts.flatMap(({ id, program }) => (program === undefined ? [] : [[id, program] as const])),
);

/** A host as it stands under `hosts`: one that knows no roles has to be told which one its files are for, and a table that it takes http. */
export function entryFor(id: string, role: string): string {
  const { abilities, takes } = hosts.find((host) => host.id === id) ?? {};
  const transports = takes?.includes("transports") ? ", transports: [stdio, sse, http]" : "";
  return abilities?.roles === false ? `{ id: ${id}, role: ${role}${transports} }` : id;
}
