import { visible } from "../../base/visible.ts";
import type { JsonObject } from "../../base/json.ts";
import { isTrouble } from "../../io/login/types.ts";
import { order, type Order } from "../../io/serve/orders.ts";
import { servePlace } from "../../io/serve/place.ts";
import { EXIT, printJson, styleOf, tell, type Context } from "../command.ts";
import { statusPage } from "./page.ts";

export async function showStatus(context: Context): Promise<number> {
  const status = await told(context, "status");
  if (typeof status === "number") return status;
  if (context.json) printJson(context, status);
  else context.terminal.out.write(statusPage(status, styleOf(context, context.terminal.out)));
  return EXIT.fine;
}

export async function stop(context: Context): Promise<number> {
  const done = await told(context, "stop");
  if (typeof done === "number") return done === EXIT.couldNotCheck ? EXIT.fine : done;
  tell(context, "it has ended, and its servers with it\n");
  return EXIT.fine;
}

/** The daemon's answer, or an exit code where there is none. */
async function told(context: Context, what: Order): Promise<JsonObject | number> {
  const { dir, terminal } = context;
  try {
    const answer = await order(servePlace(dir, terminal.env), what);
    if (answer !== undefined) return answer;
    terminal.err.write("rolecall: nothing serves this project\n  a client of `rolecall serve --role R` starts it\n");
    return EXIT.couldNotCheck;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    terminal.err.write(`rolecall: ${visible(problem.says)}\n  ${visible(problem.next)}\n`);
    return EXIT.errors;
  }
}
