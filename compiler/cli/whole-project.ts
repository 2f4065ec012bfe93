import { renderJson } from "../diagnostics/render-json.ts";
import { renderText } from "../diagnostics/render-text.ts";
import type { Diagnostic } from "../diagnostics/types.ts";
import { styleOf, type Compiled, type Context } from "./command.ts";

/**
 * The compiled project, for commands that answer questions. A project with errors has no trustworthy answer:
 * then the errors are shown and nothing else.
 */
export async function wholeProject(context: Context): Promise<Compiled | undefined> {
  return withoutErrors(context, ({ severity }) => severity === "error", "");
}

/**
 * For commands that connect to servers. Errors about access may come from the very manifests that are missing; only
 * those about what is to be connected to are in the way. `sadly` says what wasn't done for them.
 */
export async function connectableProject(context: Context, sadly: string): Promise<Compiled | undefined> {
  const isInTheWay = ({ code, severity }: Diagnostic) => severity === "error" && /^(?:source|reference)\//.test(code);
  return withoutErrors(context, isInTheWay, `${sadly}: mend these first\n`);
}

async function withoutErrors(
  context: Context,
  isInTheWay: (diagnostic: Diagnostic) => boolean,
  ending: string,
): Promise<Compiled | undefined> {
  const compiled = await context.engine.compile(context.dir);
  const errors = compiled.diagnostics.filter(isInTheWay);
  if (errors.length === 0) return compiled;
  const { out, err } = context.terminal;
  if (context.json) out.write(renderJson(errors));
  else err.write(renderText(errors, styleOf(context, err)) + ending);
  return undefined;
}
