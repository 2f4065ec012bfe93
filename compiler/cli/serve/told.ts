import { visible } from "../../base/visible.ts";
import { isTrouble } from "../../io/login/types.ts";
import { orderAll, SHORT_ANSWER_MS } from "../../io/serve/orders.ts";
import { keptAt, servePlace, type ServePlace } from "../../io/serve/place.ts";
import { EXIT, printJson, say, styleOf, tell, type Context } from "../command.ts";
import { endedPage, statusPage } from "./page.ts";

export function showStatus(context: Context): Promise<number> {
  return atPlace(context, async (place) => {
    const answers = await orderAll(place, "status");
    const [first, ...others] = answers.filter(({ pid }) => pid !== undefined);
    if (answers.length === 0) return nobody(context, EXIT.couldNotCheck);
    if (first === undefined) {
      say(context.terminal, "what serves this project gives no answer", SUSPENDED);
      return EXIT.couldNotCheck;
    }
    if (context.json) printJson(context, { ...first, others: [...others] });
    else context.terminal.out.write(statusPage([first, ...others], styleOf(context, context.terminal.out)));
    return EXIT.fine;
  });
}

/** Ends all of them, those too that have handed over. */
export function stop(context: Context): Promise<number> {
  return atPlace(context, async (place) => {
    const there = await orderAll(place, "status", SHORT_ANSWER_MS);
    const answers = await orderAll(place, "stop");
    if (answers.length === 0) return nobody(context, EXIT.fine);
    if (answers.every(({ done }) => done === true)) {
      tell(context, endedPage(there, keptAt(context.dir, context.terminal.env)));
      return EXIT.fine;
    }
    say(context.terminal, "what serves this project hasn't ended", SUSPENDED);
    return EXIT.errors;
  });
}

const SUSPENDED = "it may be busy, or suspended: rolecall serve --status";

async function atPlace({ dir, terminal }: Context, act: (place: ServePlace) => Promise<number>): Promise<number> {
  try {
    return await act(servePlace(dir, terminal.env));
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    say(terminal, visible(problem.says), visible(problem.next));
    return EXIT.errors;
  }
}

function nobody({ terminal }: Context, exit: number): number {
  say(terminal, "nothing serves this project", "a client of `rolecall serve --role R` starts it");
  return exit;
}
