import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";

const hosts = allHosts([]);

/** Every host, sorted. */
export const HOSTS: readonly string[] = hosts.map(({ id }) => id);

/** Those with tools of their own, which a role can name under `builtins`. */
export const HOSTS_WITH_TOOLS: readonly string[] = hosts.filter(({ isData }) => !isData).map(({ id }) => id);
