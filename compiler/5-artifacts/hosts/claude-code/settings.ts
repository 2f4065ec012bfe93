import { sorted } from "../../../base/order.ts";
import { namesOf } from "../../../4-fit/own-tools.ts";
import type { FittedRole, HostFacts } from "../../../4-fit/types.ts";
import { CLAUDE_TOOLS, RESOURCE_TOOLS } from "../claude-tools.ts";

/**
 * What hides a tool is the agent's own list; allow only saves the question for what the role holds. Deny is the wall behind
 * it: agents are known by their `name:`, so a file of another's can take the role's place, with no list at all, and these
 * settings are in force all the same.
 */
export function settings(roles: readonly FittedRole[], host: Pick<HostFacts, "joinedName">): object {
  const tools = roles.flatMap(({ servers }) => servers.flatMap((server) => server.tools));
  const named = (effect: "allow" | "ask") =>
    sorted(new Set(tools.filter((tool) => tool.effect === effect).map(({ joined }) => joined)));
  // One role's own entry is all that there is to read of: what it may read is judged behind it.
  const mayRead = roles.length === 1 && roles[0]!.readsThroughGateway === true;
  const allow = [...named("allow"), ...(mayRead ? RESOURCE_TOOLS : [])];
  const deny = [...(mayRead ? [] : RESOURCE_TOOLS), ...closedOwn(roles), ...notHeld(roles, host)];
  return { permissions: { allow, ask: named("ask"), deny } };
}

/** Tools of the servers that are given, of which no role here is given them. */
function notHeld(roles: readonly FittedRole[], { joinedName }: Pick<HostFacts, "joinedName">): string[] {
  const given = roles.flatMap(({ servers }) => servers);
  const held = new Set(given.flatMap(({ tools }) => tools.map(({ joined }) => joined)));
  const all = given.flatMap(({ server }) => server.tools.map(({ name }) => joinedName(server.name, name)));
  return sorted(new Set(all.filter((name) => !held.has(name))));
}

/**
 * The host's own tools: those that hand work on, but for the one that the agent's list opens to its delegates; and where all
 * roles are governed and none has a shell, what does more than read.
 */
function closedOwn(roles: readonly FittedRole[]): string[] {
  const opened = roles.some(({ delegates }) => delegates.length > 0) ? ["Agent", "Task"] : [];
  const handing = namesOf(CLAUDE_TOOLS, (can) => can === "hands work on").filter((name) => !opened.includes(name));
  const held = roles.flatMap(({ builtins }) => builtins ?? ["*"]);
  const isOpen = held.some((name) => name === "*" || CLAUDE_TOOLS.shells?.includes(name.toLowerCase()));
  const others = isOpen
    ? []
    : namesOf(CLAUDE_TOOLS, (can) => can === "runs" || can === "writes" || can === "reaches out");
  return [...handing, ...others.filter((name) => !held.includes(name))];
}
