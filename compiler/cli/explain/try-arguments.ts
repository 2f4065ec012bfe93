import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonValue } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import type { Plan, PlannedRole, Tool } from "../../3-plan/types.ts";
import { tryArguments } from "../../3-plan/try-arguments.ts";
import { runtimeJudges } from "../../io/ask/runtime-judges.ts";
import type { Context } from "../command.ts";
import type { NotFound } from "../find-tool.ts";
import { standingOf } from "../access-words.ts";
import type { TriedArguments } from "./arguments-page.ts";

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
  const { env } = context.terminal;
  const server = plan.servers.find(({ name }) => name === tool.server)!;
  const judges = await runtimeJudges(
    server,
    (variable) => (Object.hasOwn(env, variable) ? env[variable] : undefined),
    context.dir,
  );
  const { decision } = standingOf(role, tool);
  const { inputSchema: schema } = tool.definition();
  const trial = tryArguments({ decision, schema, args, root: judges.root, check: judges.check });
  const rootless = trial.lacksRoot ? judges.rootless : undefined;
  return { ...trial, rootless, needsRoot: trial.lacksRoot && rootless === undefined ? server.name : undefined };
}
