import { visible } from "../../base/visible.ts";
import { openAccepted, type Accepted } from "../../io/serve/accepted.ts";
import { openVariables } from "../../io/serve/variables.ts";
import type { AcceptedWays } from "../../serve/ways.ts";
import { isTrouble } from "../../io/login/types.ts";
import { order } from "../../io/serve/orders.ts";
import { servePlace } from "../../io/serve/place.ts";
import { hostShellMark } from "../asks/host-shell.ts";
import { EXIT, say, tell, type Context } from "../command.ts";
import { acceptedNow } from "./builds.ts";
import { readBuilt } from "./built.ts";
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
    const built = await readBuilt(context);
    if (typeof built === "number") return built;
    const accepted = openAccepted(dir, terminal.env);
    const waysOf = waysIn(context, openVariables(dir, terminal.env));
    accepted.keep(await acceptedNow(built.served, knownWays(accepted), waysOf));
    const told = await order(servePlace(dir, terminal.env), "accept");
    tell(context, `what is built now counts${told === undefined ? ", from the next client on" : ""}\n`);
    return EXIT.fine;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    say(terminal, visible(problem.says), visible(problem.next));
    return EXIT.errors;
  }
}

/** Of what can't be understood none: it is taken over. */
function knownWays(accepted: Accepted): AcceptedWays | undefined {
  try {
    return accepted.read()?.ways;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    return undefined;
  }
}
