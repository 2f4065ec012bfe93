import type { Locate } from "../../base/place.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import type { Plan } from "../../3-plan/types.ts";
import { fitHosts } from "../../4-fit/fit.ts";
import { allHosts } from "../../5-artifacts/hosts/all-hosts.ts";
import { readResources } from "../../io/read/resources.ts";
import type { ReadBuilt } from "../../io/serve/accepted.ts";
import { servePlan } from "../../serve/serve-plan.ts";
import { outOfDate } from "../build/page.ts";
import { EXIT, heard, styleOf, type Context } from "../command.ts";

/** What a person is told by; a build that wasn't compiled has nothing to tell. */
export interface CompiledBuild {
  readonly plan?: Plan | undefined;
  readonly locate?: Locate | undefined;
}

/** That the committed output isn't what the sources make was told. */
export interface NotBuilt {
  readonly exit: number;
  /** The folder that a build would write to; undefined: that isn't known. */
  readonly out?: string | undefined;
}

/** What is served: the committed output, which is what the sources make. */
export async function readBuilt(context: Context): Promise<(ReadBuilt & CompiledBuild) | NotBuilt> {
  const { engine, dir, terminal } = context;
  const { plan, locate, outcome, diagnostics, lookedAt } = await engine.build(dir, { check: true, cache: false });
  if (plan === undefined || outcome === undefined) {
    terminal.err.write(renderText(heard({ ...context, quiet: true }, diagnostics), styleOf(context, terminal.err)));
    terminal.err.write("rolecall: nothing is served while the project has errors\n  `rolecall build` says the same\n");
    return { exit: EXIT.errors, out: plan?.project.out };
  }
  const late = outOfDate(outcome);
  if (late.length === 0)
    return {
      served: servePlan(plan, fitHosts(plan, allHosts(readResources().hosts))),
      lookedAt: lookedAt?.(),
      plan,
      locate,
    };
  const more = late.length === 1 ? "" : `, and ${late.length - 1} more`;
  const { respaced = [] } = outcome;
  const next =
    respaced.length === late.length
      ? "a formatter has changed its layout alone: keep it away (.prettierignore), run `rolecall build`, and start again"
      : "run `rolecall build`, look at what it changes, and start again";
  terminal.err.write(
    `rolecall: what was built isn't what the sources say (${late[0]!.path}${more}), so it isn't served\n  ${next}\n`,
  );
  return { exit: EXIT.difference, out: plan.project.out };
}
