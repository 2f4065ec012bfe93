import { MOST_ROUNDS } from "../base/ask-rounds.ts";
import { sorted, sortedBy } from "../base/order.ts";
import type { RoleName } from "../base/names.ts";
import { held, holdsAny } from "../3-plan/held.ts";
import type { Decision, HostChoice, Plan, Server, Template, TemplatePart, Tool, Transport } from "../3-plan/types.ts";
import { joinedName } from "../base/joined-name.ts";
import { projectWord } from "../base/project-word.ts";
import { gatewayServer, gatewayTool } from "./gateway-server.ts";
import { nameRefusal, type Kept } from "./kept-names.ts";
import type { Behind, FittedRole, FittedServer, FittedTool, HostFacts, LeftOut } from "./types.ts";

/** What a host reaches through `rolecall serve`: one entry a role, whose tools are those of servers that it isn't told of. */

/** What entries are called; one that may stand beside others' has its role behind it. */
const ENTRY = "rolecall";

/** Longer than anything that is waited for: the host isn't to give up first. */
const SPARE_MS = 10_000;

export function isThroughGateway({ via, whenUnenforceable }: HostChoice): boolean {
  return via === "serve" || whenUnenforceable === "gateway";
}

/**
 * Servers that the host isn't told of at all: with `via: serve` every one; else those that could be taken for an entry, and
 * where no tool can be hidden every one, since what a server adds later would be there at once.
 */
export function isServed({ name }: Pick<Server, "name">, { host, choice }: Pick<Asked, "host" | "choice">): boolean {
  if (host.gateway === undefined || choice.without.includes(name) || !isThroughGateway(choice)) return false;
  return choice.via === "serve" || host.abilities.hide.holds === "none" || name.startsWith(ENTRY);
}

interface Asked {
  readonly host: HostFacts;
  readonly choice: HostChoice;
  readonly kept: Kept;
}

/** The roles with the entry that each is given. What can't go through it either stays left out. */
export function throughGateway(roles: readonly FittedRole[], plan: Plan, asked: Asked): FittedRole[] {
  const { host, choice } = asked;
  if (host.gateway === undefined || !isThroughGateway(choice)) return [...roles];
  const wanted = roles.map((role) => wantedOf(role, asked));
  const names = new Map(roles.map(({ name }) => [name, entryName(name, roles, asked)]));
  const entries = entriesOf(wanted, names, plan, asked);
  return wanted.map(({ role, tools, stays }) => {
    const told = host.tell(wayTo(role.name, plan, asked), choice);
    const unspelt =
      told.problem === undefined ? undefined : ({ because: "references", why: `it ${told.problem}` } as const);
    const entry = entries.get(names.get(role.name)!)!;
    const leftOut = [...stays];
    const given: FittedTool[] = [];
    for (const one of tools) {
      const fitted = entry.tools.get(servedName(one))!;
      const refusal = unspelt === undefined ? refusalOf(fitted, entry, asked) : { ...unspelt, rules: [], declared: [] };
      if (refusal === undefined)
        given.push({ ...fitted, effect: "allow", decision: one.decision, behind: behindOf(one) });
      else leftOut.push({ server: one.server, tools: [one.tool], wholeServer: false, ...refusal });
    }
    const reads = readsOf(role, choice);
    if (given.length + reads.length === 0 || told.problem !== undefined) return { ...role, leftOut };
    const server: FittedServer = {
      server: entry.server,
      transport: wayTo(role.name, plan, asked),
      told: told.value,
      tools: sortedBy(given, ({ tool }) => tool.name),
      ...(reads.length > 0 && { reads }),
      omitted: [],
    };
    return {
      ...role,
      servers: sortedBy([...role.servers, server], (one) => one.server.name),
      leftOut,
      readsThroughGateway: reads.length > 0 && role.delegates.length === 0,
    };
  });
}

/** Servers whose resources a role reads through the gateway: where the host has servers of its own it reads none. */
export function readsOf({ role }: Pick<FittedRole, "role">, { via, without }: HostChoice): Server[] {
  if (via !== "serve") return [];
  return role.grants.flatMap(({ server, resources }) =>
    resources === undefined || without.includes(server.name) ? [] : server,
  );
}

/** A tool that the host isn't given by a server of its own. */
interface Wanted {
  readonly server: Server;
  readonly tool: Tool;
  readonly decision: Decision;
  readonly instead: Behind["instead"] | undefined;
}

interface WantedOfRole {
  readonly role: FittedRole;
  readonly tools: readonly Wanted[];
  readonly stays: readonly LeftOut[];
}

function wantedOf(role: FittedRole, asked: Asked): WantedOfRole {
  const grants = role.role.grants.filter(holdsAny);
  const whole = grants
    .filter(({ server }) => isServed(server, asked))
    .flatMap((grant) =>
      held(grant).map(([tool, decision]) => ({
        server: grant.server,
        tool,
        decision,
        instead: reasonFor(grant.server, asked),
      })),
    );
  const moved = role.leftOut.filter(({ because }) => because !== "chosen");
  const parts = moved.flatMap(({ server, tools, because, why }) => {
    const { decisions } = grants.find((grant) => grant.server === server)!;
    return tools.map((tool) => ({ server, tool, decision: decisions[tool.index]!, instead: { because, why } }));
  });
  return { role, tools: [...whole, ...parts], stays: role.leftOut.filter((one) => !moved.includes(one)) };
}

function reasonFor({ name }: Server, { choice }: Asked): Behind["instead"] {
  if (choice.via === "serve") return undefined;
  return name.startsWith(ENTRY) ? NAMED_AS_OURS : MAY_GROW;
}

const MAY_GROW = {
  because: "hide",
  why: "a tool can't be hidden there, and the server may come to have others",
} as const;
const NAMED_AS_OURS = { because: "name", why: "an entry of `rolecall serve` has such a name there" } as const;

function behindOf({ server, tool, instead }: Wanted): Behind {
  return { server, tool, ...(instead && { instead }) };
}

function servedName({ server, tool }: Wanted): string {
  return joinedName(server.name, tool.name);
}

/** A session has its role's entry and those of the roles that it hands work to; nobody hands work to the first. */
function entryName(name: RoleName, roles: readonly FittedRole[], { host, choice }: Asked): string {
  const isHandedWork = host.handsOver === true && roles.some(({ delegates }) => delegates.includes(name));
  const isTogether = host.served?.together === true || choice.into !== undefined;
  return isHandedWork || (isTogether && choice.role === undefined) ? `${ENTRY}-${name}` : ENTRY;
}

/** An entry as if it were a server: with all tools of the roles that have it, each one thing, whoever holds it. */
interface Entry {
  readonly server: Server;
  readonly tools: ReadonlyMap<string, Pick<FittedTool, "tool" | "joined">>;
  /** Names there that more than one tool would have. */
  readonly shared: ReadonlySet<string>;
}

function entriesOf(
  wanted: readonly WantedOfRole[],
  names: ReadonlyMap<RoleName, string>,
  { project }: Plan,
  { host, choice }: Asked,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  const waits = host.served?.comesAgain === true ? 1 + MOST_ROUNDS : 1;
  for (const name of new Set(names.values())) {
    const behind = wanted.filter(({ role }) => names.get(role.name) === name).flatMap(({ tools }) => tools);
    const tools = sorted(new Set(behind.map(servedName))).map((tool, index) => gatewayTool(name, tool, index));
    const joined = tools.map((tool) => host.joinedName(name, tool.name));
    const read = wanted.flatMap(({ role }) => (names.get(role.name) === name ? readsOf(role, choice) : []));
    const longest = Math.max(
      0,
      ...[...behind.map(({ server }) => server), ...read].map(({ limits }) => limits.timeoutMs),
    );
    entries.set(name, {
      server: gatewayServer(name, tools, {
        place: choice.place,
        timeoutMs: longest + waits * project.serve.askHoldMs + SPARE_MS,
      }),
      tools: new Map(tools.map((tool, i) => [tool.name, { tool, joined: joined[i]! }])),
      shared: new Set(joined.filter((one, i) => joined.indexOf(one) !== i)),
    });
  }
  return entries;
}

function refusalOf(
  { tool, joined }: Pick<FittedTool, "tool" | "joined">,
  { server, shared }: Entry,
  { host, kept }: Asked,
): Pick<LeftOut, "because" | "why" | "rules" | "declared"> | undefined {
  if (shared.has(joined))
    return { because: "clash", why: `another tool is called \`${joined}\` there as well`, rules: [], declared: [] };
  return nameRefusal(tool, joined, host, kept, server);
}

/** How the host starts it. It says whose it is: an entry may come to lie where the host starts it in any folder. */
function wayTo(role: RoleName, { project }: Plan, { host, choice }: Asked): Transport {
  const { roleVariable } = host.served ?? {};
  const said: TemplatePart = roleVariable === undefined ? role : { name: roleVariable, form: "plain", word: [] };
  const own: TemplatePart[] = ["serve", "--role", said, "--host", choice.id, "--of", projectWord(project.name)];
  return {
    kind: "stdio",
    place: choice.place,
    command: [...project.serve.command, ...own].map(template),
    env: [],
    cwd: undefined,
  };
}

function template(part: TemplatePart): Template {
  return { written: typeof part === "string" ? part : `\${${part.name}}`, parts: [part] } as Template;
}
