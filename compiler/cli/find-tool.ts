import type { Plan, Server, Tool } from "../3-plan/types.ts";
import { visible } from "../base/visible.ts";
import { nameThem, notFound } from "./words.ts";

/** A thing of the plan, or the sentence that says it isn't there and the next step. */
export type Found = { readonly tool: Tool } | NotFound;
export interface NotFound {
  readonly problem: string;
  readonly next: string;
}

/** `server.tool`: the first dot divides, whatever the tool is called. */
export function findTool(plan: Plan, written: string): Found {
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

export function findToolOf(server: Server, name: string): Found {
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
