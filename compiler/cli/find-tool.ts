import { sorted } from "../base/order.ts";
import { isOff } from "../base/switched-off.ts";
import type { Plan, Server, Tool } from "../3-plan/types.ts";
import { visible } from "../base/visible.ts";
import { nameThem, notFound } from "./words.ts";

/** A thing of the plan, or the sentence that says it isn't there and the next step. */
export type FoundTool = { readonly tool: Tool } | NotFound;
export interface NotFound {
  readonly problem: string;
  readonly next: string;
}

/** `server.tool`: the first dot divides, whatever the tool is called. */
export function findTool(plan: Plan, written: string): FoundTool {
  const dot = written.indexOf(".");
  if (dot < 0) return withoutServer(plan, written);
  const server = findServer(plan, written.slice(0, dot));
  return "problem" in server ? server : findToolOf(server, written.slice(dot + 1));
}

export function findServer(plan: Plan, name: string): Server | NotFound {
  const names = plan.servers.map((server) => server.name);
  return (
    plan.servers.find((server) => server.name === name) ?? {
      problem: notFound("server", name, names),
      next: nameThem("server", names),
    }
  );
}

/** Those servers; without a name, all of them. */
export function serversNamed(plan: Plan, names: readonly string[]): readonly Server[] | NotFound {
  const known = plan.servers.map((server) => server.name as string);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return { problem: notFound("server", unknown, known), next: nameThem("server", known) };
  return plan.servers.filter((server) => names.length === 0 || names.includes(server.name));
}

/** Those that aren't asked anything, since none was named: nothing of them is called. */
export function switchedOff(plan: Plan, names: readonly string[]): readonly Server[] {
  return names.length > 0 ? [] : plan.servers.filter(isOff);
}

export function switchedOffWords(servers: readonly Server[]): string {
  return `${servers.map(({ name }) => visible(name)).join(", ")}: not asked, switched off by \`enabled: false\``;
}

/**
 * One server for each pin: of those that share one, the server named for it, else the first. One that is switched off is
 * taken where its name is given.
 */
export function oneForEachPin(plan: Plan, names: readonly string[]): readonly Server[] | NotFound {
  const named = serversNamed(plan, names);
  if ("problem" in named) return named;
  const { state } = plan.project;
  if (state.isWritten && names.includes(state.name))
    return { problem: `the build pins \`${state.name}\` itself: it is the state of your team`, next: "rolecall build" };
  const off = new Set(switchedOff(plan, names));
  const wanted = named.filter((server) => !off.has(server) && !(state.isWritten && server.pin === state.name));
  const pins = sorted(new Set(wanted.map((server) => server.pin)));
  return pins.map((pin) => {
    const sharing = wanted.filter((server) => server.pin === pin);
    return sharing.find((server) => server.name === pin) ?? sharing[0]!;
  });
}

export function findToolOf(server: Server, name: string): FoundTool {
  const tool = server.tools.find((t) => t.name === name);
  if (tool !== undefined) return { tool };
  const problem = notFound(
    `tool of ${server.name}`,
    name,
    server.tools.map((t) => t.name),
  );
  return { problem, next: `rolecall inspect ${server.name} lists its tools` };
}

function withoutServer(plan: Plan, written: string): NotFound {
  const owners = plan.servers.filter((server) => server.tools.some((tool) => tool.name === written));
  const guess =
    owners.length === 0
      ? ""
      : `; did you mean ${owners.map((server) => `\`${visible(`${server.name}.${written}`)}\``).join(" or ")}?`;
  return {
    problem: `a tool is written \`server.tool\`, and \`${visible(written)}\` has no server${guess}`,
    next: nameThem(
      "server",
      plan.servers.map((server) => server.name),
    ),
  };
}
