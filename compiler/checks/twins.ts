import { addressReached, processReached } from "../base/destinations.ts";
import { groupBy } from "../base/group-by.ts";
import { firstOf } from "../base/list-words.ts";
import { within } from "../base/place.ts";
import type { Policy, Server } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** Two servers that reach the same tools, and a policy that names one of them: the other door stays open. */
export const checkTwins: Check = ({ model }, report) => {
  const groupsOf = twinsOf(model.servers);
  for (const policy of model.policies) {
    const named = policy.selections.flatMap(({ tools }) => [...tools.keys()]);
    const groups = new Set(named.flatMap((server) => groupsOf.get(server) ?? []));
    const missed = new Map([...groups].flatMap((group) => [...missedIn(group, policy)]));
    for (const twins of groupBy([...missed.keys()], (twin) => missed.get(twin)!.name)) {
      const owner = `policy \`${policy.name}\``;
      const server = missed.get(twins[0]!)!.name;
      const params = { owner, server, twins: firstOf(twins.map(({ name }) => `\`${name}\``)) };
      report.add("policy/misses-twin", within(policy.place, "tools"), params);
    }
  }
};

/**
 * Servers that share a manifest or a destination, by the name of each. A group may have thousands: what is asked of it is
 * asked of each once.
 */
function twinsOf(servers: readonly Server[]): ReadonlyMap<string, readonly (readonly Server[])[]> {
  const sharing = new Map<string, Server[]>();
  const groupsOf = new Map<string, Server[][]>();
  for (const server of servers) {
    const groups = [...new Set([`pin ${server.pin}`, ...destinations(server)])].map((key) => {
      const group = sharing.get(key) ?? [];
      sharing.set(key, group);
      group.push(server);
      return group;
    });
    groupsOf.set(server.name, groups);
  }
  return groupsOf;
}

function destinations(server: Server): string[] {
  return server.connect.map((transport) =>
    transport.kind === "stdio"
      ? processReached(transport.command.map((word) => word.written))
      : addressReached(transport.url.written),
  );
}

/** Those of which the policy leaves a tool that it matches on another of the group, and that other one. */
function missedIn(group: readonly Server[], policy: Policy): Map<Server, Server> {
  const matched = new Map(group.map((server) => [server, namesMatched(policy, server)]));
  const matching = new Map<string, Server>();
  for (const [server, names] of matched) for (const name of names) if (!matching.has(name)) matching.set(name, server);
  const missed = new Map<Server, Server>();
  if (matching.size === 0) return missed;
  for (const [twin, names] of matched) {
    const tool = twin.tools.find(({ name }) => matching.has(name) && !names.has(name));
    if (tool !== undefined) missed.set(twin, matching.get(tool.name)!);
  }
  return missed;
}

function namesMatched(policy: Policy, server: Server): ReadonlySet<string> {
  const indexes = policy.selections.flatMap((selection) => selection.tools.get(server.name) ?? []);
  return indexes.length === 0 ? NONE : new Set(indexes.map((index) => server.tools[index]!.name));
}

const NONE: ReadonlySet<string> = new Set();
