import { userInfo } from "node:os";
import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { isTrouble } from "../../io/login/types.ts";
import { lineCutter } from "../../io/serve/lines.ts";
import { attendInboxes, type InboxHearer, type Inboxes } from "../../io/serve/inboxes.ts";
import type { ApproverKind } from "../../io/serve/orders.ts";
import { servePlace, type ServePlace } from "../../io/serve/place.ts";
import type { InboxItem } from "../../serve/inbox-lines.ts";
import { EXIT, say, type Context } from "../command.ts";
import { hostShellMark } from "./host-shell.ts";

/** Being there for what waits, from wherever the answers come. */

/** Where what waits is, or why it isn't shown from here. */
export function placeFor({ dir, terminal }: Context, as: ApproverKind): ServePlace | number {
  const mark = hostShellMark(terminal.env);
  if (mark !== undefined) {
    say(terminal, `this is the shell of an agent host (${mark} is set), and no agent answers for its user`, ELSEWHERE);
    return EXIT.errors;
  }
  if (as !== "program" && (terminal.answer === undefined || !terminal.out.isTerminal)) {
    say(terminal, "nobody can be asked here: this is no terminal", ELSEWHERE);
    return EXIT.errors;
  }
  try {
    return servePlace(dir, terminal.env);
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    say(terminal, visible(problem.says), visible(problem.next));
    return EXIT.errors;
  }
}

const ELSEWHERE = "open `rolecall asks` in a terminal of your own";

/** Until it is to stop, or `answering` says an exit code. Processes may end and come: somebody who answers stays. */
export async function overInboxes(
  place: ServePlace,
  as: ApproverKind,
  { stopped, hearer, answering }: Attendance,
): Promise<number> {
  const inboxes = attendInboxes(place, as, hearer);
  const exit = await Promise.race([stopped.then(() => EXIT.fine), answering(inboxes)]);
  inboxes.leave();
  // Nobody reads on, and the process may end.
  process.stdin.unref?.();
  return exit;
}

interface Attendance {
  readonly stopped: Promise<void>;
  readonly hearer: InboxHearer;
  answering(inboxes: Inboxes): Promise<number>;
}

export function answerLine({ id, hash }: InboxItem, yes: boolean): string {
  return JSON.stringify({ id, hash, yes, by: userName() });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** What an answer that counted did. */
export function doneWords({ kind }: InboxItem, yes: boolean): string {
  if (kind === "call") return yes ? "it may go" : "it is refused";
  return yes
    ? "it counts now"
    : "it doesn't count, but for what it takes away; a change of mind: rolecall serve --accept";
}

export function whyNot(told: JsonObject): string {
  const why = own(told, "why");
  return typeof why === "string" ? visible(why) : "nothing with this id waits";
}

/** `usual`: a daemon of an older version says none. */
export function nextOf(told: JsonObject, usual: string): string {
  const next = own(told, "next");
  return typeof next === "string" ? visible(next) : usual;
}

/** Resolves when the other side is gone. */
export function linesOf(socket: Socket, line: (text: string) => void): Promise<void> {
  return new Promise((resolve) => {
    socket.on(
      "data",
      lineCutter(line, () => socket.destroy()),
    );
    socket.once("close", () => resolve());
  });
}
