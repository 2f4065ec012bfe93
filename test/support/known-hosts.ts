import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";

const hosts = allHosts([]);

/** Every host, sorted. */
export const HOSTS: readonly string[] = hosts.map(({ id }) => id);

/** Those with tools of their own, which a role can name under `builtins`. */
export const HOSTS_WITH_TOOLS: readonly string[] = hosts.filter(({ isData }) => !isData).map(({ id }) => id);

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
