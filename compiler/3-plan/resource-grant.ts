import type { RoleName, ServerName } from "../base/names.ts";
import type { AddressEntry, AddressRule, Policy, Server } from "../2-model/types.ts";
import { mayClose } from "../../runtime/closed-address.ts";
import type { ResourceGrant } from "./types.ts";

/** What a role reads of one server: all that it or an ancestor includes, without what any of them, the server or a policy takes away. */
export function resourceGrant(
  entries: readonly AddressEntry[],
  { name, addresses }: Server,
  role: RoleName,
  policies: readonly Policy[],
): ResourceGrant | undefined {
  const include = entries.flatMap((entry) => entry.include);
  if (include.length === 0 || entries.some(({ isClosed }) => isClosed)) return undefined;
  if (addresses.within.some((list) => list.length === 0)) return undefined;
  const denied = policies.flatMap((policy) => (policy.roles.includes(role) ? deniedBy(policy, name) : []));
  const exclude = [...entries.flatMap((entry) => entry.exclude), ...addresses.exclude, ...denied];
  // What fits no address that is included takes nothing away.
  const felt = exclude.filter((rule) => include.some((one) => mayClose(rule.written, one.written)));
  return { include, exclude: felt, within: addresses.within };
}

function deniedBy({ addresses }: Policy, server: ServerName): readonly AddressRule[] {
  return addresses.get(server) ?? [];
}
