import type { Socket } from "node:net";
import { readAnswer, type InboxItem } from "../../serve/inbox-lines.ts";
import type { Gateway } from "./gateway.ts";
import type { Inbox } from "./inbox.ts";
import { lineCutter, writeLine } from "./lines.ts";
import type { Attending } from "./orders.ts";

interface ApproverWorld {
  readonly inbox: Inbox;
  readonly gateway: Gateway;
  said(line: string): void;
}

/** Somebody at the inbox: told what waits and, where it stays, what comes; each line of his is an answer. */
export function hearAnswers(socket: Socket, { inbox, gateway, said }: ApproverWorld, { as, stays }: Attending): void {
  const say = (value: object): void => void writeLine(socket, JSON.stringify(value));
  if (!gateway.served.settings.approvers.includes(as)) {
    const why = `\`serve: { approvers }\` doesn't name \`${as}\`, in what is served now`;
    // At once: a line that waits its turn would come after the end.
    socket.end(`${JSON.stringify({ done: false, refused: true, why })}\n`);
    return void socket.resume();
  }
  const waiting = inbox.waiting();
  say({ waiting: waiting.length });
  const hear = (item: InboxItem): void => say(item);
  waiting.forEach(hear);
  // Only a page shows all of them at once, and for long.
  const gone = (id: string): void => void (as === "page" && say({ gone: id }));
  if (stays) socket.once("close", inbox.attend(hear, gone));
  const answer = (line: string): void => {
    const given = readAnswer(line);
    if (given === undefined) return say({ done: false, why: 'an answer is {"id","hash","yes","by"}' });
    const why = inbox.answer({ ...given, by: given.by === "" ? as : given.by });
    if (why === undefined) said(`${given.yes ? "yes" : "no"} to ${given.id}, by ${as} ${JSON.stringify(given.by)}`);
    say({ id: given.id, done: why === undefined, ...(why !== undefined && { why }) });
  };
  socket.on(
    "data",
    lineCutter(answer, () => socket.destroy()),
  );
  socket.resume();
}
