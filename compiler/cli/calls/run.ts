import { visible } from "../../base/visible.ts";
import type { CallFilter } from "../../calls/filter.ts";
import { pinnedHints, readRecord, type CallsRead } from "../../calls/read-record.ts";
import type { SaidToChange } from "../../calls/audit.ts";
import { hasProject } from "../../io/read/find-project.ts";
import { HOW_TO_RECORD, openRecords, type NoRecord } from "../../io/read/open-records.ts";
import { EXIT, printJson, say, styleOf, type Context } from "../command.ts";
import { createProgress } from "../progress.ts";
import { auditPage } from "./audit-page.ts";
import { callsJson } from "./json.ts";
import { callsPage } from "./page.ts";

/** Everything heavy of `rolecall calls`. */
export interface CallsQuestion {
  /** None: the newest record of the project. */
  readonly files: readonly string[];
  readonly audit: boolean;
  readonly filter: CallFilter;
}

export async function showCalls(context: Context, question: CallsQuestion): Promise<number> {
  const { out } = context.terminal;
  const read = await readCalls(context, question);
  if ("problem" in read) {
    say(context.terminal, read.problem, read.next);
    return EXIT.couldNotCheck;
  }
  if (context.json) printJson(context, callsJson(read));
  else if (question.audit) out.write(auditPage(read, styleOf(context, out)));
  else out.write(callsPage(read, styleOf(context, out)));
  return EXIT.fine;
}

async function readCalls(context: Context, { files, audit, filter }: CallsQuestion): Promise<CallsRead | NoRecord> {
  if (files.length === 0) context.opened();
  const parts = await openRecords(files, { dir: context.dir, cwd: context.terminal.cwd });
  if ("problem" in parts) return parts;
  const pinned = audit ? await hintsOf(context) : undefined;
  const progress = createProgress(context);
  try {
    const read = await readRecord(parts, filter, pinned, (doing) => progress.tell(doing));
    if (read.lines === 0 || read.unreadable.count < read.lines) return read;
    return { problem: `no line of \`${visible(read.files[0]!)}\` is the record of a call`, next: HOW_TO_RECORD };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "an error";
    return { problem: `the record can't be read to its end: the system answers ${code}`, next: "try again" };
  } finally {
    progress.done();
  }
}

/** Of the project, where there is one and it can be read so far: an audit is worth having without. */
async function hintsOf({ dir, engine }: Context): Promise<SaidToChange> {
  return hasProject(dir) ? pinnedHints((await engine.compile(dir)).plan) : () => undefined;
}
