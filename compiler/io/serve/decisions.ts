import type { JsonValue } from "../../base/json.ts";
import { canonicalText } from "../../base/canonical.ts";
import { CALL, readPorc, toolResource } from "../../serve/porc.ts";
import type { Served } from "../../serve/types.ts";
import { judgeOf } from "../../../runtime/conditions.ts";
import { isDeeper } from "../../../runtime/connect/bounds.ts";
import type { ServerData } from "../../../runtime/server-data.ts";
import { roleTable } from "../../../runtime/session/role-table.ts";
import { rootOf } from "../../../runtime/session/root.ts";
import { loadChecks, type Checks } from "../../../runtime/session/schemas.ts";

/** May this call be made? By the runtime's judges, in the runtime's order, and nothing is connected for it. */
export interface Decisions {
  /** What can't be understood is no. */
  allows(asked: unknown): boolean;
}

export interface DecisionsWorld {
  readonly dir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The runtime's judgement of the arguments of one tool; undefined: nobody has sent any. */
type Judge = (args: JsonValue | undefined) => boolean;

export async function openDecisions(served: Served, { dir, env }: DecisionsWorld): Promise<Decisions> {
  const checks = await loadChecks();
  const servers = new Map<string, { readonly data: ServerData; readonly root: string | undefined }>();
  for (const [name, text] of served.servers) {
    const data = JSON.parse(text) as ServerData;
    // A root that isn't known refuses every path.
    const root = await rootOf(data, (variable) => env[variable], dir).catch(() => undefined);
    servers.set(name, { data, root });
  }
  const roles = new Map(
    [...served.roles.values()].map(({ name, data }) => {
      const tools = new Map<string, Judge>();
      for (const [server, held] of roleTable({ name, data }).servers)
        for (const { name: tool, effect, rules } of held.tools.values()) {
          const known = servers.get(server);
          // Nobody can be asked here.
          if (known !== undefined && effect === "allow")
            tools.set(toolResource(server, tool), judgeOfTool(known, tool, rules, checks));
        }
      return [name, tools] as const;
    }),
  );
  return {
    allows(asked) {
      const question = readPorc(asked);
      if (question === undefined || question.operation !== CALL) return false;
      const [role, second] = question.roles.filter((one) => roles.has(one));
      // Of two nobody knows which is meant, and what both hold together is no role's.
      if (role === undefined || second !== undefined) return false;
      return roles.get(role)!.get(question.resource)?.(question.args) ?? false;
    },
  };
}

function judgeOfTool(
  { data, root }: { readonly data: ServerData; readonly root: string | undefined },
  name: string,
  rules: Parameters<typeof judgeOf>[0],
  checks: Checks,
): Judge {
  const tool = Object.hasOwn(data.tools, name) ? data.tools[name] : undefined;
  if (tool === undefined) return () => false;
  const check = checks(tool.inputSchema, tool.slow === true);
  const satisfies = (schema: JsonValue, value: JsonValue): boolean => checks(schema, false)(value) === undefined;
  const judge = rules.length === 0 ? undefined : judgeOf(rules, { schema: tool.inputSchema, satisfies });
  return (given) => {
    // A gateway asks so of each tool that it lists, too: what is needed can't be missing there.
    if (given === undefined) return judge === undefined;
    const args = copied(given);
    if (args === undefined || check(args) !== undefined) return false;
    return judge === undefined || judge(args, root).ok;
  };
}

/** As the runtime copies what is sent: what is no such object isn't sent either. */
function copied(given: JsonValue): JsonValue | undefined {
  try {
    const text = canonicalText(given);
    const args = JSON.parse(text) as JsonValue;
    return text.startsWith("{") && !isDeeper(args) ? args : undefined;
  } catch {
    return undefined;
  }
}
