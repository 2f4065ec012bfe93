import { consequencesOf, verdictOf } from "../../capture/consequences.ts";
import type { Captured, Consequences, GoodAnswer, Settled } from "../../capture/types.ts";
import { createReport } from "../../diagnostics/report.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { askOptions } from "../../io/ask/planned-server.ts";
import { captureServer } from "../../io/ask/capture-server.ts";
import { writeOneFile } from "../../io/write/write-files.ts";
import { EXIT, heard, printJson, styleOf, tell, wrongUsage, type Compiled, type Context } from "../command.ts";
import { oneForEachPin, switchedOff, switchedOffWords } from "../find-tool.ts";
import { inParallel } from "../in-parallel.ts";
import { connectableProject } from "../whole-project.ts";
import { canAsk, saysYes } from "../yes.ts";
import { capturedJson } from "./json.ts";
import { contradictionQuestion } from "./words.ts";
import { changePage, failureLines, overviewLines, sameLine, summaryLines } from "./page.ts";

/** Everything heavy of `rolecall capture`, loaded when something is really captured. */
export interface CaptureOptions {
  /** None: every server. */
  readonly names: readonly string[];
  readonly check: boolean;
  readonly accept: boolean;
  readonly timeoutMs: number | undefined;
}

export async function captureServers(context: Context, options: CaptureOptions): Promise<number> {
  const settled = await settleServers(context, options);
  if (typeof settled === "number") return settled;
  if (context.json) printJson(context, { format: 1, check: options.check, servers: settled.map(capturedJson) });
  else showSummary(context, settled, options.check);
  return exitCode(settled, options.check);
}

/** Asks, shows and writes; what is to be said at the end is left to the caller. A number: it was said why nothing could be asked. */
export async function settleServers(context: Context, options: CaptureOptions): Promise<readonly Settled[] | number> {
  const compiled = await connectableProject(context, "nothing was captured");
  if (compiled === undefined) return EXIT.errors;
  const chosen = oneForEachPin(compiled.plan, options.names);
  if ("problem" in chosen) return wrongUsage(context.terminal, chosen.problem, chosen.next);
  const off = switchedOff(compiled.plan, options.names);
  if (off.length > 0 && !context.json) tell(context, `${switchedOffWords(off)}\n`);
  const found = await inParallel(
    context,
    "asking",
    chosen,
    ({ name }) => name,
    (server) =>
      captureServer(compiled.plan, server, askOptions(context.dir, context.terminal.env, server, options.timeoutMs)),
  );
  if (found.length > 1 && found.some(({ state }) => state === "changed") && isShown(context, options))
    context.terminal.out.write(overviewLines(found, styleOf(context, context.terminal.out)));
  return settle(context, compiled, found, options);
}

function showSummary(context: Context, settled: readonly Settled[], check: boolean): void {
  const { out, err } = context.terminal;
  if (!context.quiet) return out.write(summaryLines(settled, check, styleOf(context, out)));
  const problems = settled.flatMap((one) => one.problems);
  err.write(renderText(heard(context, problems), styleOf(context, err)));
}

/** One server after the other: what is accepted counts for the next. */
async function settle(
  context: Context,
  compiled: Compiled,
  found: readonly Captured[],
  options: CaptureOptions,
): Promise<Settled[]> {
  const settled: Settled[] = [];
  const accepted = new Map<string, string>();
  let before = compiled;
  for (const captured of found) {
    if (captured.state !== "changed") {
      showUnchanged(context, captured);
      settled.push({ captured, consequences: undefined, written: false, problems: [] });
      continue;
    }
    const after = await context.engine.compile(context.dir, new Map([...accepted, [captured.file, captured.text]]));
    const consequences = consequencesOf(before, after, captured);
    if (isShown(context, options)) showChange(context, captured, consequences, options);
    const wanted = await isWanted(context, captured, consequences, options);
    const report = createReport(() => undefined);
    const written = wanted && writeOneFile(context.dir, captured.file, captured.text, report);
    settled.push({ captured, consequences, written, problems: report.sorted() });
    if (written) {
      accepted.set(captured.file, captured.text);
      before = after;
    }
  }
  return settled;
}

function showUnchanged(context: Context, captured: Captured): void {
  if (context.json) return;
  const { out, err } = context.terminal;
  if ("changes" in captured) tell(context, sameLine(captured, styleOf(context, out)));
  else err.write(failureLines(captured, styleOf(context, err)));
}

/** What is accepted without a question is as good as done. */
function showChange(
  context: Context,
  captured: Captured & GoodAnswer,
  consequences: Consequences,
  { accept, check }: CaptureOptions,
): void {
  const { out } = context.terminal;
  out.write(changePage(captured, consequences, styleOf(context, out), accept && !check ? "done" : "proposed"));
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

function exitCode(settled: readonly Settled[], check: boolean): number {
  const verdict = verdictOf(settled, check);
  if (verdict === "failed") return check ? EXIT.couldNotCheck : EXIT.errors;
  return verdict === "changed" ? EXIT.difference : EXIT.fine;
}
