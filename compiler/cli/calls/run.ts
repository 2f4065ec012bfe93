import { EXIT, printJson, styleOf, type Context } from "../command.ts";
import { readCalls, type CallsQuestion } from "./read.ts";
import { auditPage } from "./audit-page.ts";
import { callsJson } from "./json.ts";
import { callsPage } from "./page.ts";

export async function showCalls(context: Context, question: CallsQuestion): Promise<number> {
  const { out, err } = context.terminal;
  const reading = await readCalls(context, question);
  if ("problem" in reading) {
    err.write(`rolecall: ${reading.problem}\n  ${reading.next}\n`);
    return EXIT.couldNotCheck;
  }
  if (context.json) printJson(context, callsJson(reading));
  else if (question.audit) out.write(auditPage(reading, styleOf(context, out)));
  else out.write(callsPage(reading, styleOf(context, out)));
  return EXIT.fine;
}
