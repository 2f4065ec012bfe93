import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonValue } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import type { Plan, PlannedRole, Tool } from "../../3-plan/types.ts";
import { tryArguments, type Trial } from "../../3-plan/try-arguments.ts";
import { transportData } from "../../5-artifacts/typed-module/server-data.ts";
import { runtimeJudges } from "../../io/ask/runtime-judges.ts";
import type { Context } from "../command.ts";
import type { NotFound } from "../find-tool.ts";
import { standingOf } from "../access-words.ts";

export interface TriedArguments extends Trial {
  /** Why the server's root isn't known here; undefined where that refused nothing. */
  readonly rootless: string | undefined;
}

/** `--args`: JSON, or `@` and a file that holds it. */
export function readCallArguments(written: string, context: Context): { readonly args: JsonValue } | NotFound {
  const file = written.startsWith("@") ? written.slice(1) : undefined;
  try {
    const text = file === undefined ? written : readFileSync(path.resolve(context.terminal.cwd, file), "utf8");
    return { args: JSON.parse(text.replace(/^\ufeff/, "")) as JsonValue };
  } catch (problem) {
    const why = visible(problem instanceof Error ? problem.message : String(problem));
    if (file !== undefined && !(problem instanceof SyntaxError))
      return { problem: `\`${visible(file)}\` can't be read: ${why}`, next: "--args @FILE, or the JSON itself" };
    return { problem: `--args isn't JSON: ${why}`, next: `--args '{ "path": "tests/a.ts" }', or @FILE` };
  }
}

export async function tryOnRole(
  context: Context,
  plan: Plan,
  role: PlannedRole,
  tool: Tool,
  args: JsonValue,
): Promise<TriedArguments> {
  const { decision } = standingOf(role, tool);
  const { name, connect, root, variables } = plan.servers.find((server) => server.name === tool.server)!;
  const { env } = context.terminal;
  const judges = await runtimeJudges(
    {
      server: name,
      connect: connect.map(transportData),
      ...(root && { root: root.parts }),
      acceptedNames: variables.map((variable) => [variable.name, variable.acceptedNames] as const),
    },
    (variable) => (Object.hasOwn(env, variable) ? env[variable] : undefined),
    context.dir,
  );
  const { inputSchema: schema } = tool.definition();
  const trial = tryArguments({ decision, schema, args, root: judges.root, check: judges.check });
  const asksRoot = trial.refusedBy.some(({ why }) => why.endsWith("the root isn't known"));
  return { ...trial, rootless: asksRoot ? judges.rootless : undefined };
}
