import { madeOnce } from "../base/made-once.ts";
import { held } from "../3-plan/held.ts";
import type { PlannedRole, Server, Tool } from "../3-plan/types.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** What definitions of tools cost a model in every request that has them: an estimate. */
export interface Weight {
  readonly tokens: number;
  /** Tools without a manifest, which weigh something that nobody knows. */
  readonly unknown: number;
}

export interface RoleWeight {
  readonly held: Weight;
  /** With every tool of the servers of which it holds one. */
  readonly all: Weight;
  /** In the order of the plan; servers of which it holds nothing aren't there. */
  readonly servers: readonly { readonly server: Server; readonly held: Weight; readonly all: Weight }[];
}

/** Weighs each tool and each server once, however many roles hold it: texts have to be read for it. */
export function createScales(): (role: PlannedRole) => RoleWeight {
  const weigh = madeOnce(toolWeight);
  const weighAll = madeOnce((server: Server) => sum(server.tools.map(weigh)));
  return ({ grants }) => {
    const servers = grants.flatMap((grant) => {
      const tools = held(grant);
      if (tools.length === 0) return [];
      return [{ server: grant.server, held: sum(tools.map(([tool]) => weigh(tool))), all: weighAll(grant.server) }];
    });
    return { held: sum(servers.map((one) => one.held)), all: sum(servers.map((one) => one.all)), servers };
  };
}

function toolWeight(tool: Tool): Weight {
  return tool.digest === null
    ? { tokens: 0, unknown: 1 }
    : { tokens: estimateTokens(definitionText(tool)), unknown: 0 };
}

/** As hosts send it, but for what each puts before the name. */
export function definitionText(tool: Pick<Tool, "name" | "texts">): string {
  const { description, inputSchema } = tool.texts();
  const said = description === undefined ? "" : `"description":${JSON.stringify(description)},`;
  return `{"name":${JSON.stringify(tool.name)},${said}"inputSchema":${inputSchema}}`;
}

function sum(weights: readonly Weight[]): Weight {
  return weights.reduce((all, one) => ({ tokens: all.tokens + one.tokens, unknown: all.unknown + one.unknown }), {
    tokens: 0,
    unknown: 0,
  });
}
