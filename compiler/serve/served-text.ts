import { digestOf } from "../base/digest.ts";
import type { HostShare, Served, ServedRole, ServedTool } from "./types.ts";

/**
 * What is served, as text that outlives the process: it is what a person has said yes to. Its first key is a digest of
 * the others, so that what was cut off or edited, in whatever shape, isn't taken for it.
 */

const FORMAT = 3;

export function servedText({ roles, servers, hosts, shells, left, ...others }: Served): string {
  const { project, out, state, variables, access, rules, settings } = others;
  const numbers = new Map<ServedTool, number>();
  const numberOf = (tool: ServedTool): number => {
    const number = numbers.get(tool) ?? numbers.size;
    numbers.set(tool, number);
    return number;
  };
  // `tools` of a role are put together when they are read.
  const whole = [...roles.values()].map(({ name, data, instructions, tools, reads }): WrittenRole => ({
    name,
    data,
    instructions,
    tools: tools.map(numberOf),
    reads,
  }));
  const beside = left === undefined ? {} : { left: writtenLeft(left, access, numberOf) };
  const told = { tools: [...numbers.keys()], roles: whole, hosts: writtenHosts(hosts) };
  const about = { format: FORMAT, project, out, state, variables, access, rules: rules && [...rules], settings };
  return sealed(JSON.stringify({ ...about, ...told, shells: [...shells], servers: [...servers], ...beside }));
}

function writtenHosts(hosts: Served["hosts"]): Written["hosts"] {
  return [...hosts].map(([host, byRole]) => [
    host,
    [...byRole].map(([role, { tools, given, reads }]): WrittenShare => [role, [...tools], reads, [...given]]),
  ]);
}

/** Servers and the data of roles are those of what was accepted. */
function writtenLeft(
  { project, settings, state, access, words, roles, hosts }: Served,
  accepted: Served["access"],
  numberOf: (tool: ServedTool) => number,
): WrittenLeft {
  return {
    project,
    settings,
    state,
    ...(access !== accepted && { access }),
    ...(words && { words: [...words].map(([server, tools]) => [server, [...tools]] as const) }),
    roles: [...roles.values()].map(({ name, tools, reads }) => ({ name, tools: tools.map(numberOf), reads })),
    hosts: writtenHosts(hosts),
  };
}

function sealed(text: string): string {
  return `{"digest":"${digestOf(text)}",${text.slice(1)}\n`;
}

/** Undefined: it isn't as it was written. */
function unsealed(text: string): string | undefined {
  const [begin, digest] = /^\{"digest":"(sha256:[0-9a-f]{64})",/.exec(text) ?? [];
  if (begin === undefined || !text.endsWith("}\n")) return undefined;
  const told = `{${text.slice(begin.length, -1)}`;
  return digestOf(told) === digest ? told : undefined;
}

/** What `servedText` writes, in that order or another. */
interface Written extends Omit<
  Served,
  "roles" | "hosts" | "shells" | "servers" | "rules" | "left" | "words" | "waits" | "isUnread"
> {
  readonly format: number;
  readonly tools: readonly ServedTool[];
  readonly roles: readonly WrittenRole[];
  readonly hosts: readonly (readonly [host: string, roles: readonly WrittenShare[]])[];
  readonly shells: readonly (readonly [role: string, tools: readonly string[]])[];
  readonly servers: readonly (readonly [server: string, data: string])[];
  readonly rules?: readonly (readonly [rule: string, digest: string])[];
  readonly left?: WrittenLeft;
}

interface WrittenLeft extends Pick<Served, "project" | "settings" | "state"> {
  readonly access?: Served["access"];
  readonly words?: readonly (readonly [server: string, tools: readonly (readonly [tool: string, words: string])[]])[];
  readonly roles: readonly Pick<WrittenRole, "name" | "tools" | "reads">[];
  readonly hosts: Written["hosts"];
}

interface WrittenRole extends Omit<ServedRole, "tools"> {
  /** Numbers in the list of all, which many roles share. */
  readonly tools: readonly number[];
}

type WrittenShare = readonly [
  role: string,
  tools: readonly string[],
  reads: readonly string[],
  given: readonly string[],
];

/** Undefined: it isn't such a text, or one of another version. */
export function readServed(text: string): Served | undefined {
  const told = unsealed(text);
  if (told === undefined) return undefined;
  const { format, tools, roles, hosts, shells, servers, rules, left, ...others } = JSON.parse(told) as Written;
  if (format !== FORMAT) return undefined;
  const served: Served = {
    ...others,
    roles: new Map(roles.map((role) => [role.name, { ...role, tools: role.tools.map((tool) => tools[tool]!) }])),
    hosts: hostsIn(hosts),
    shells: new Map(shells),
    servers: new Map(servers),
    rules: rules && new Map(rules),
    waits: new Set(),
  };
  return left === undefined ? served : { ...served, left: readLeft(left, served, tools) };
}

/** A newer rolecall may have written more than is read here. */
export function isWhollyKnown(text: string): boolean {
  const served = readServed(text);
  return served !== undefined && servedText(served) === text;
}

function readLeft({ roles, hosts, words, ...others }: WrittenLeft, served: Served, tools: Written["tools"]): Served {
  const left = roles.flatMap(({ name, ...role }): [string, ServedRole][] => {
    const known = served.roles.get(name);
    return known === undefined ? [] : [[name, { ...known, ...role, tools: role.tools.map((tool) => tools[tool]!) }]];
  });
  const wordsLeft = words && new Map(words.map(([server, tools]) => [server, new Map(tools)]));
  return { ...served, ...others, words: wordsLeft, roles: new Map(left), hosts: hostsIn(hosts) };
}

function hostsIn(hosts: Written["hosts"]): Served["hosts"] {
  return new Map(hosts.map(([host, shares]) => [host, new Map(shares.map(shareOf))]));
}

function shareOf([role, tools, reads, given]: WrittenShare): [string, HostShare] {
  return [role, { tools: new Set(tools), given: new Set(given), reads }];
}
