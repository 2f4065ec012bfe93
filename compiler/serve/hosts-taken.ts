import { sorted } from "../base/order.ts";
import type { HostShare, Served } from "./types.ts";

/** What a build gives hosts through the gateway: more than was accepted waits, and what is less counts at once. */

/** Of a role on a host: tools as `server.tool`, and servers whose resources it reads there. Neither is a client's name. */
export interface HostGain {
  readonly host: string;
  readonly role: string;
  readonly tools: readonly string[];
  readonly reads: readonly string[];
}

/** What a role comes to hold is told of the role; what the host had itself, and has behind the gateway now, is no more. */
export function gainsOf(host: string, accepted: Served, built: Served): HostGain[] {
  return [...built.hosts.get(host)!].flatMap(([name, { tools, reads }]) => {
    const role = accepted.roles.get(name);
    const share = accepted.hosts.get(host)?.get(name);
    const more = (role?.tools ?? []).filter((tool) => tools.has(tool.name) && share?.given.has(tool.name) !== true);
    const read = (role?.reads ?? []).filter((server) => reads.includes(server) && !share?.reads.includes(server));
    if (more.length + read.length === 0) return [];
    return [{ host, role: name, tools: more.map(({ server, tool }) => `${server}.${tool}`), reads: read }];
  });
}

/** The very same where nothing is taken: clients are told of another. */
export function withoutHostsTaken(accepted: Served, { hosts }: Served): Served {
  const left = inBoth(accepted.hosts, hosts);
  return hostsText(left) === hostsText(accepted.hosts) ? accepted : { ...accepted, hosts: left };
}

function hostsText(hosts: Served["hosts"]): string {
  return JSON.stringify(
    [...hosts].map(([host, roles]) => [
      host,
      [...roles].map(([name, { tools, given, reads }]) => [name, sorted(tools), sorted(given), reads]),
    ]),
  );
}

function inBoth(accepted: Served["hosts"], built: Served["hosts"]): Served["hosts"] {
  const shared = [...accepted].map(([host, roles]) => {
    const shares = [...roles].flatMap(([name, { given, reads }]): [string, HostShare][] => {
      const other = built.get(host)?.get(name);
      if (other === undefined) return [];
      return [
        [
          name,
          {
            tools: both(given, other.tools),
            given: both(given, other.given),
            reads: reads.filter((server) => other.reads.includes(server)),
          },
        ],
      ];
    });
    return [host, new Map(shares)] as const;
  });
  return new Map(shared.filter(([host]) => built.has(host)));
}

function both(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...some].filter((one) => others.has(one)));
}
