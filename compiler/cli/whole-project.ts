import { renderJson } from "../diagnostics/render-json.ts";
import { renderText } from "../diagnostics/render-text.ts";
import { styleOf, type Compiled, type Context } from "./command.ts";

/**
 * The compiled project, for commands that answer questions. A project with errors has no trustworthy answer:
 * then the errors are shown and nothing else.
 */
export async function wholeProject(context: Context): Promise<Compiled | undefined> {
  const compiled = await context.engine.compile(context.dir);
  const errors = compiled.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  if (errors.length === 0) return compiled;
  if (context.json) context.terminal.out.write(renderJson(errors));
  else context.terminal.err.write(renderText(errors, styleOf(context, context.terminal.err)));
  return undefined;
}
