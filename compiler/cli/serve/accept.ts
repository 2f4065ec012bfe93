import type { JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { noWays, openAccepted, type Accepted } from "../../io/serve/accepted.ts";
import { isTrouble } from "../../io/login/types.ts";
import { orderAll, SHORT_ANSWER_MS } from "../../io/serve/orders.ts";
import { servePlace } from "../../io/serve/place.ts";
import { openVariables } from "../../io/serve/variables.ts";
import { withYes, type AcceptedWays } from "../../serve/ways.ts";
import { hostShellMark } from "../asks/host-shell.ts";
import { standingWords } from "../build-standing.ts";
import { EXIT, say, tell, type Context } from "../command.ts";
import { page } from "../page.ts";
import { buildId } from "../version.ts";
import { waysIn } from "./ways.ts";

/** `rolecall serve --accept`: what is built now counts, in the process that serves and for those that come. */
export async function accept(context: Context): Promise<number> {
  const { dir, terminal } = context;
  const mark = hostShellMark(terminal.env);
  if (mark !== undefined) {
    const sentence = `this is the shell of an agent host (${mark} is set), and no agent accepts for its user`;
    say(terminal, sentence, "run it in a terminal of your own");
    return EXIT.errors;
  }
  try {
    const { readBuilt } = await import("./built.ts");
    const built = await readBuilt(context);
    if ("exit" in built) return built.exit;
    const accepted = openAccepted(dir, terminal.env, buildId);
    accepted.keep(built);
    const ways = knownWays(accepted);
    accepted.keepWays(withYes(ways, await waysIn(context, openVariables(dir, terminal.env))(built.served, ways.key)));
    const place = servePlace(dir, terminal.env);
    const told = await orderAll(place, "accept");
    const unjudged = told.length === 0 ? [] : (await orderAll(place, "status", SHORT_ANSWER_MS)).filter(isUnjudged);
    tell(context, page([acceptedLines(told.length > 0, unjudged)]));
    return EXIT.fine;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    say(terminal, visible(problem.says), visible(problem.next));
    return EXIT.errors;
  }
}

/** A process may not be able to look, whatever was accepted: what it has loaded of rolecall is there no more, or is older. */
function isUnjudged({ build }: JsonObject): boolean {
  return build === "unjudged";
}

function acceptedLines(isServed: boolean, unjudged: readonly JsonObject[]): string[] {
  if (unjudged.length === 0) return [`what is built now counts${isServed ? "" : ", from the next client on"}`];
  return [
    "what is built now is accepted, and counts where it can be judged",
    ...unjudged.map(({ pid, build }) => `process ${JSON.stringify(pid ?? null)}: ${standingWords(build)}`),
  ];
}

/** What can't be understood is taken over. */
function knownWays(accepted: Accepted): AcceptedWays {
  try {
    return accepted.ways() ?? noWays();
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    return noWays();
  }
}
