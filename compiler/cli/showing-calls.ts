import { EXIT, printJson, styleOf, type Context } from "./command.ts";
import { readCalls, type CallsQuestion } from "./reading-calls.ts";
import { auditPage } from "./views/audit-page.ts";
import { callsJson } from "./views/calls-json.ts";
import { callsPage } from "./views/calls-page.ts";

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
