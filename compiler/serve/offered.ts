import { nearest } from "../base/nearest.ts";
import { projectWord } from "../base/project-word.ts";
import { visible } from "../base/visible.ts";
import { sorted } from "../base/order.ts";
import type { Hello, Refused } from "./hello.ts";
import type { Served, ServedRole, ServedTool } from "./types.ts";

export interface OfferedRole {
  readonly role: ServedRole;
  readonly tools: ReadonlyMap<string, ServedTool>;
  /** Servers whose resources it may read. */
  readonly reads: readonly string[];
}

export type Offered = OfferedRole | { readonly refused: Refused };

/** What a client of this role is offered, by the names that it sees, in their order; or why it can't come in. */
export function offeredTo(
  { project, roles, hosts, servers }: Served,
  { role: name, server, host, project: entryOf }: Pick<Hello, "role" | "server" | "host"> & Partial<Hello>,
): Offered {
  const ofAnother = refusedHere(project, entryOf);
  if (ofAnother !== undefined) return { refused: ofAnother };
  const role = roles.get(name);
  if (role === undefined) {
    const near = nearest(name, [...roles.keys()]);
    const says = `project \`${visible(project)}\` has no role \`${visible(name)}\`${nearestWords(near)}`;
    return { refused: { exit: 64, says, next: "`rolecall report` shows its roles" } };
  }
  const through = host === undefined ? undefined : hosts.get(host)?.get(name);
  if (host !== undefined && through === undefined) return { refused: withoutRole(host, name, [...hosts.keys()]) };
  const there = role.tools.filter((tool) => through?.tools.has(tool.name) ?? true);
  const readThere = role.reads.filter((one) => through?.reads.includes(one) ?? true);
  if (server === undefined) return { role, tools: new Map(there.map((tool) => [tool.name, tool])), reads: readThere };
  const own = there.filter((tool) => tool.server === server);
  const reads = readThere.filter((one) => one === server);
  if (own.length + reads.length === 0) {
    const held = [...there.map((tool) => tool.server), ...readThere];
    const near = servers.has(server) ? undefined : nearest(server, held);
    const says = `role \`${name}\` holds nothing of a server \`${visible(server)}\`${nearestWords(near)}`;
    return { refused: { exit: 64, says, next: "`rolecall report` shows what each role holds" } };
  }
  const byName = new Map(own.map((tool) => [tool.tool, tool]));
  return { role, tools: new Map(sorted(byName.keys()).map((tool) => [tool, byName.get(tool)!])), reads };
}

function nearestWords(near: string | undefined): string {
  return near === undefined ? "" : `; the nearest name is \`${near}\``;
}

/** Why nobody comes in as this member of the team. It opens nothing: a slip would be somebody who is never at work. */
export function refusedMember(
  { state }: Served,
  { role, member }: Pick<Hello, "role" | "member">,
): Refused | undefined {
  if (member === undefined || state?.isListed !== true) return undefined;
  const { members } = state;
  const own = members.find(({ name }) => name === member)?.role;
  if (own === role) return undefined;
  const near = nearest(
    member,
    members.map(({ name }) => name),
  );
  const says =
    own === undefined
      ? `the team has no member \`${visible(member)}\`${nearestWords(near)}`
      : `member \`${member}\` has role \`${own}\`, and not \`${role}\``;
  return { exit: 64, says, next: "`state: { members }` in rolecall.yaml names those that it has" };
}

/** An entry of another project's: undefined where it is this one's, or doesn't say. A name is no proof, and keeps slips apart. */
export function refusedHere(project: string, entryOf: string | undefined): Refused | undefined {
  const here = projectWord(project);
  if (entryOf === undefined || entryOf === here) return undefined;
  const [theirs, ours] = [visible(entryOf), here];
  return {
    exit: 64,
    says: `this entry is for project \`${theirs}\`, and here is \`${ours}\``,
    next: `start the host where \`${theirs}\` is, or with an entry of \`${ours}\`: \`rolecall hosts\` shows how`,
  };
}

function withoutRole(host: string, role: string, hosts: readonly string[]): Refused {
  if (hosts.includes(host)) {
    const says = `host \`${host}\` isn't given role \`${role}\``;
    return { exit: 64, says, next: `\`rolecall hosts ${host}\` shows whose files it has` };
  }
  const near = nearest(host, hosts);
  const says = `the project has no host \`${visible(host)}\`${nearestWords(near)}`;
  return { exit: 64, says, next: "`hosts:` in rolecall.yaml names those that it has" };
}

/** The same, but for servers that each client has for itself. */
export function offeredOverHttp(served: Served, role: string): Offered {
  const offered = offeredTo(served, { role, server: undefined, host: undefined });
  if ("refused" in offered) return offered;
  const left = serversOfClients(served);
  if (left.length === 0) return offered;
  const isOffered = (server: string): boolean => !left.includes(server);
  return {
    ...offered,
    tools: new Map([...offered.tools].filter(([, { server }]) => isOffered(server))),
    reads: offered.reads.filter(isOffered),
  };
}

/** Those with `connection: session`, sorted. */
export function serversOfClients({ servers }: Served): readonly string[] {
  const left = [...servers].filter(
    ([, data]) => (JSON.parse(data) as { readonly connection?: unknown }).connection === "session",
  );
  return sorted(left.map(([name]) => name));
}
