import { contradictionsIn } from "../../capture/contradictions.ts";
import { createReport } from "../../diagnostics/report.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import { compareAccess, holdersOf } from "../../capture/compare-access.ts";
import { changesPin, weighs } from "../../capture/compare-manifests.ts";
import type { Captured, Consequences, GoodAnswer } from "../../capture/types.ts";
import { writeManifest } from "../../io/write/write-manifest.ts";
import { askServers, chooseServers } from "../ask-servers.ts";
import { EXIT, heard, printJson, styleOf, tell, wrongUsage, type Compiled, type Context } from "../command.ts";
import { capturedJson } from "./json.ts";
import { contradictionQuestion } from "./words.ts";
import { changePage, failureLines, overviewLines, sameLine, summaryLines, type Outcome } from "./page.ts";
import { connectableProject } from "../whole-project.ts";
import { canAsk, saysYes } from "../yes.ts";

/** Everything heavy of `rolecall capture`, loaded when something is really captured. */
export interface CaptureOptions {
  /** None: every server. */
  readonly names: readonly string[];
  readonly check: boolean;
  readonly accept: boolean;
  readonly timeoutMs: number | undefined;
}

export async function captureServers(context: Context, options: CaptureOptions): Promise<number> {
  const compiled = await connectableProject(context, "nothing was captured");
  if (compiled === undefined) return EXIT.errors;
  const chosen = chooseServers(compiled.plan, options.names);
  if ("problem" in chosen) return wrongUsage(context.terminal, chosen.problem, chosen.next);
  const found = await askServers(context, compiled.plan, chosen, options.timeoutMs);
  if (found.length > 1 && found.some(({ state }) => state === "changed") && isShown(context, options))
    context.terminal.out.write(overviewLines(found, styleOf(context, context.terminal.out)));
  const outcomes = await settle(context, compiled, found, options);
  if (context.json) printJson(context, { format: 1, check: options.check, servers: outcomes.map(capturedJson) });
  else showSummary(context, outcomes, options.check);
  return exitCode(outcomes, options.check);
}

function showSummary(context: Context, outcomes: readonly Outcome[], check: boolean): void {
  const { out, err } = context.terminal;
  if (!context.quiet) return out.write(summaryLines(outcomes, check, styleOf(context, out)));
  const problems = outcomes.flatMap((outcome) => outcome.problems);
  err.write(renderText(heard(context, problems), styleOf(context, err)));
}

/** One server after the other: what is accepted counts for the next. */
async function settle(
  context: Context,
  compiled: Compiled,
  found: readonly Captured[],
  options: CaptureOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const accepted = new Map<string, string>();
  let before = compiled;
  for (const captured of found) {
    if (captured.state !== "changed") {
      showUnchanged(context, captured);
      outcomes.push({ captured, consequences: undefined, written: false, problems: [] });
      continue;
    }
    const after = await context.engine.compile(context.dir, new Map([...accepted, [captured.file, captured.text]]));
    const consequences = consequencesOf(before, after, captured);
    if (isShown(context, options)) showChange(context, captured, consequences);
    const wanted = await isWanted(context, captured, consequences, options);
    const report = createReport(() => undefined);
    const written = wanted && writeManifest(context.dir, captured.file, captured.text, report);
    outcomes.push({ captured, consequences, written, problems: report.sorted() });
    if (written) {
      accepted.set(captured.file, captured.text);
      before = after;
    }
  }
  return outcomes;
}

function showUnchanged(context: Context, captured: Captured): void {
  if (context.json) return;
  const { out, err } = context.terminal;
  if ("changes" in captured) tell(context, sameLine(captured, styleOf(context, out)));
  else err.write(failureLines(captured, styleOf(context, err)));
}

function showChange(context: Context, captured: Captured & GoodAnswer, consequences: Consequences): void {
  const { out } = context.terminal;
  out.write(changePage(captured, consequences, styleOf(context, out)));
}

/** Nobody is asked about what wasn't shown. */
function isShown(context: Context, { check, accept }: CaptureOptions): boolean {
  return !context.json && (!context.quiet || (!check && !accept && canAsk(context)));
}

async function isWanted(
  context: Context,
  captured: Captured,
  consequences: Consequences,
  options: CaptureOptions,
): Promise<boolean> {
  if (options.check) return false;
  if (options.accept) return true;
  const { contradictions } = consequences;
  if (contradictions.length > 0 && (await saysYes(context, contradictionQuestion(contradictions, captured))) !== true)
    return false;
  return (await saysYes(context, `write ${captured.file}?`)) === true;
}

function consequencesOf(before: Compiled, after: Compiled, captured: Captured & GoodAnswer): Consequences {
  const old = new Set(before.diagnostics.filter(isError).map(wordsOf));
  const now = new Set(after.diagnostics.filter(isError).map(wordsOf));
  const changed = captured.changes.changed.filter(changesPin);
  return {
    access: compareAccess(before.plan, after.plan, captured.pin),
    contradictions: contradictionsIn(after.plan, captured),
    holders: new Map(changed.map(({ name }) => [name, holdersOf(after.plan, captured.pin, name)])),
    errors: after.diagnostics.filter((diagnostic) => isError(diagnostic) && !old.has(wordsOf(diagnostic))),
    mended: [...old].filter((words) => !now.has(words)).length,
  };
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error";
}

function wordsOf({ code, says, at }: Diagnostic): string {
  return JSON.stringify([code, says, at?.file, at?.line, at?.column]);
}

/** A difference that is certain outweighs a server that is silent: a flaky network must not hide drift. */
function exitCode(outcomes: readonly Outcome[], check: boolean): number {
  const left = outcomes.some(
    ({ captured, written }) => captured.state === "changed" && !written && weighs(captured.changes),
  );
  const failed = outcomes.some(
    ({ captured, problems }) => captured.state === "failed" || captured.state === "refused" || problems.length > 0,
  );
  if (check) return left ? EXIT.difference : failed ? EXIT.couldNotCheck : EXIT.fine;
  return failed ? EXIT.errors : left ? EXIT.difference : EXIT.fine;
}
