import { COMMAND_OF_DEPENDENTS } from "../base/project-layout.ts";
import { DEFAULTS } from "../base/project-layout.ts";
import type { Decision, Server, Tool } from "../3-plan/types.ts";
import type { Behind, FittedPlan, FittedRole, FittedServer } from "./types.ts";

/** A tool of the project that a role has on a host, whichever way it is reached. */
export interface GivenTool {
  readonly server: Server;
  readonly tool: Tool;
  readonly decision: Decision;
  /** Left out: the host is told of its server. */
  readonly through?: Behind;
}

export function givenTools({ servers }: Pick<FittedRole, "servers">): GivenTool[] {
  return servers.flatMap(({ server, tools }) =>
    tools.map(({ tool, decision, behind }) =>
      behind === undefined
        ? { server, tool, decision }
        : { server: behind.server, tool: behind.tool, decision, through: behind },
    ),
  );
}

/** Whether it is `rolecall serve`, and no server of the project. */
export function isGateway({ tools, reads }: Pick<FittedServer, "tools" | "reads">): boolean {
  return reads !== undefined || tools.some(({ behind }) => behind !== undefined);
}

/** Whether it reaches something there by `rolecall serve`. */
export function isServedRole({ servers }: Pick<FittedRole, "servers">): boolean {
  return servers.some(isGateway);
}

/** What the host starts in place of `rolecall`, word by word, where it reaches something by `rolecall serve`; undefined: rolecall itself. */
export function otherCommand({ plan, roles }: FittedPlan): readonly string[] | undefined {
  const { command } = plan.project.serve;
  const isUsual = [DEFAULTS.serve.command, COMMAND_OF_DEPENDENTS].some((one) => one.join(" ") === command.join(" "));
  return isUsual || !roles.some(isServedRole) ? undefined : command;
}
