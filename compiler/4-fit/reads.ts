import { startOf } from "./start.ts";
import { readsOf } from "./through-gateway.ts";
import type { Server } from "../3-plan/types.ts";
import type { FittedPlan } from "./types.ts";

/** Servers whose resources a role may read: whether it does there, and how. */
export interface ReadOnHost {
  readonly role: string;
  /** Never empty. */
  readonly servers: readonly string[];
  readonly how: HowRead;
}

/** `served`: not as the host is told now, and by `via: serve`. `chosen`: the project keeps the server away. */
export type HowRead = "gateway" | "program" | "served" | "closed" | "chosen";
const HOW: readonly HowRead[] = ["gateway", "program", "served", "closed", "chosen"];

/** Whoever calls servers by itself knows no globs of addresses: it reads none. */
export function readsOn(fitted: FittedPlan): ReadOnHost[] {
  const { roles, choice, host } = fitted;
  return roles.flatMap((role) => {
    const through = readsOf(role, choice);
    const isProgram = startOf(fitted, role.name).code !== undefined;
    const howOf = (server: Server): HowRead => {
      if (through.includes(server)) return "gateway";
      if (choice.without.includes(server.name)) return "chosen";
      return isProgram ? "program" : host.gateway === undefined ? "closed" : "served";
    };
    const reading = role.role.grants.flatMap(({ server, resources }) => (resources === undefined ? [] : server));
    return HOW.flatMap((how) => {
      const servers = reading.filter((server) => howOf(server) === how).map(({ name }) => name);
      return servers.length === 0 ? [] : [{ role: role.name, servers, how }];
    });
  });
}

/** Files of the project's that are looked at for the user's own servers, and never written. */
export function filesLookedAt({ host, choice }: Pick<FittedPlan, "host" | "choice">): readonly string[] {
  const isWritten = (file: string): boolean =>
    file === choice.into ||
    (host.places?.keyed ?? []).some((place) => place.holdsServers === true && place.file.test(file));
  const all = (host.merges ?? []).flatMap((place) =>
    "names" in place && typeof place.in === "string" && place.names.some(({ of }) => of === "servers")
      ? [place.file]
      : [],
  );
  return [...new Set(all)].filter((file) => !isWritten(file));
}
