import { addressReached, processReached } from "../base/destinations.ts";
import { groupBy } from "../base/group-by.ts";
import { isObject } from "../base/json.ts";
import { firstOf } from "../base/list-words.ts";
import type { ServerName } from "../base/names.ts";
import { within } from "../base/place.ts";
import { stableText } from "../base/stable-text.ts";
import type { Policy, Server } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** Two servers that reach the same tools, and a policy that names one of them, and no other does the same for the other: that door stays open. */
export const checkTwins: Check = ({ model }, report) => {
  const groupsOf = twinsOf(model.servers);
  for (const alike of groupBy(model.policies, doneBy)) {
    const held = toolsNamed(alike);
    for (const policy of alike) {
      const named = toolsNamed([policy]);
      const groups = new Set([...named.keys()].flatMap((server) => groupsOf.get(server) ?? []));
      const missed = new Map([...groups].flatMap((group) => [...missedIn(group, named, held)]));
      for (const twins of groupBy([...missed.keys()], (twin) => missed.get(twin)!.name)) {
        const owner = `policy \`${policy.name}\``;
        const server = missed.get(twins[0]!)!.name;
        const params = { owner, server, twins: firstOf(twins.map(({ name }) => `\`${name}\``)) };
        report.add("policy/misses-twin", within(policy.place, "tools"), params);
      }
    }
  }
};

/** What a policy does, whatever the tools: several may do it for the names of one server. */
function doneBy({ guard, roles, effect, text }: Policy): string {
  return stableText({ guard, roles: [...roles], effect, where: (isObject(text) ? text["where"] : undefined) ?? null });
}

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

type ToolsNamed = ReadonlyMap<ServerName, ReadonlySet<number>>;

/** Those that have a tool that is named on another of the group and isn't held there, and that other one. */
function missedIn(group: readonly Server[], named: ToolsNamed, held: ToolsNamed): Map<Server, Server> {
  const matching = new Map<string, Server>();
  for (const server of group)
    for (const index of named.get(server.name) ?? []) {
      const { name } = server.tools[index]!;
      if (!matching.has(name)) matching.set(name, server);
    }
  const missed = new Map<Server, Server>();
  if (matching.size === 0) return missed;
  for (const twin of group) {
    const isOpen = (index: number): boolean =>
      held.get(twin.name)?.has(index) !== true && twin.ceilings.every(({ tools }) => tools.includes(index));
    const tool = twin.tools.find(({ name }, index) => matching.has(name) && isOpen(index));
    if (tool !== undefined) missed.set(twin, matching.get(tool.name)!);
  }
  return missed;
}

function toolsNamed(policies: readonly Policy[]): ToolsNamed {
  const named = new Map<ServerName, Set<number>>();
  for (const [server, indexes] of policies.flatMap(({ selections }) => selections.flatMap(({ tools }) => [...tools]))) {
    const known = named.get(server) ?? new Set();
    named.set(server, known);
    for (const index of indexes) known.add(index);
  }
  return named;
}
