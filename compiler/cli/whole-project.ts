import { renderJson } from "../diagnostics/render-json.ts";
import { renderText } from "../diagnostics/render-text.ts";
import type { Diagnostic } from "../diagnostics/types.ts";
import type { Plan } from "../3-plan/types.ts";
import { styleOf, type Compiled, type Context, type Outcome } from "./command.ts";

/**
 * The compiled project, for commands that answer questions. A project with errors has no trustworthy answer:
 * then the errors are shown and nothing else.
 */
export async function wholeProject(context: Context): Promise<Compiled | undefined> {
  const compiled = await context.engine.compile(context.dir);
  return isSound(context, compiled.diagnostics) ? compiled : undefined;
}

/** The same, compared with what an earlier build wrote. Who asks looks itself at what hosts would join with it. */
export async function comparedProject(
  context: Context,
): Promise<{ readonly plan: Plan; readonly outcome: Outcome } | undefined> {
  const { plan, outcome, diagnostics } = await context.engine.build(context.dir, { check: true, cache: false });
  const others = diagnostics.filter(({ code }) => code !== "output/joined");
  return isSound(context, others) && plan && outcome ? { plan, outcome } : undefined;
}

/**
 * The same where nothing is wrong but what is said of hosts: the errors, which were shown, stand beside the answer for all
 * other hosts. Undefined: something else is wrong too.
 */
export async function projectForHosts(
  context: Context,
): Promise<{ readonly plan: Plan; readonly errors: readonly Diagnostic[] } | undefined> {
  const { plan, diagnostics } = await context.engine.compile(context.dir);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.some((error) => !isAboutHosts(error))) {
    showErrors(context, errors, "");
    return undefined;
  }
  if (errors.length > 0 && !context.json) showErrors(context, errors, "\n");
  return { plan, errors };
}

/** It changes no decision of the plan: what it names is left out of what hosts get. */
function isAboutHosts({ code }: Diagnostic): boolean {
  return code.startsWith("host/") || code === "role/unknown-builtin" || code === "role/unknown-host";
}

function isSound(context: Context, diagnostics: readonly Diagnostic[]): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) showErrors(context, errors, "");
  return errors.length === 0;
}

/**
 * For commands that bring what is missing, a manifest or a preset: errors about access may come from that very lack; only
 * those about what was written are in the way. `undone` is what these keep from happening, `mended` what it ends itself.
 */
export async function connectableProject(
  context: Context,
  undone: string,
  mended: readonly string[] = [],
): Promise<Compiled | undefined> {
  const compiled = await context.engine.compile(context.dir);
  const errors = compiled.diagnostics.filter(
    ({ code, severity }) => severity === "error" && /^(?:source|reference)\//.test(code) && !mended.includes(code),
  );
  if (errors.length === 0) return compiled;
  showErrors(context, errors, `${undone}: mend these first\n`);
  return undefined;
}

function showErrors(context: Context, errors: readonly Diagnostic[], after: string): void {
  const { out, err } = context.terminal;
  if (context.json) out.write(renderJson(errors));
  else err.write(renderText(errors, styleOf(context, err)) + after);
}
