import type { Socket } from "node:net";
import { readAnswer, type InboxItem } from "../../serve/inbox-lines.ts";
import type { Gateway } from "./gateway.ts";
import type { Answering } from "./answering.ts";
import { lineCutter, writeLine } from "./lines.ts";
import type { Attending } from "./orders.ts";

interface ApproverWorld {
  readonly answering: Answering;
  readonly gateway: Gateway;
  said(line: string): void;
}

/** Somebody at the inbox: told what waits and, where it stays, what comes; each line of his is an answer. */
export async function hearAnswers(
  socket: Socket,
  { answering, gateway, said }: ApproverWorld,
  { as, stays }: Attending,
): Promise<void> {
  const say = (value: object): void => void writeLine(socket, JSON.stringify(value));
  if (!gateway.served.settings.approvers.includes(as)) {
    const why = `\`serve: { approvers }\` doesn't name \`${as}\`, in what is served now`;
    // At once: a line that waits its turn would come after the end.
    socket.end(`${JSON.stringify({ done: false, refused: true, why })}\n`);
    return void socket.resume();
  }
  await tellWhatWaits(socket, answering, stays, say);
  const answer = async (line: string): Promise<void> => {
    const given = readAnswer(line);
    if (given === undefined) return say({ done: false, why: 'an answer is {"id","hash","yes","by"}' });
    const why = await answering.answer({ ...given, by: given.by === "" ? as : given.by });
    if (why === undefined) said(`${given.yes ? "yes" : "no"} to ${given.id}, by ${as} ${JSON.stringify(given.by)}`);
    say({ id: given.id, done: why === undefined, ...(why !== undefined && { why }) });
  };
  let turn = Promise.resolve();
  socket.on(
    "data",
    lineCutter(
      (line) => void (turn = turn.then(() => answer(line))),
      () => socket.destroy(),
    ),
  );
  socket.resume();
}

/** How many first, then each of them, then each that comes: once. */
async function tellWhatWaits(
  socket: Socket,
  answering: Answering,
  stays: boolean,
  say: (value: object) => void,
): Promise<void> {
  const told = new Set<string>();
  const come: InboxItem[] = [];
  let hear = (item: InboxItem): void => void come.push(item);
  if (stays)
    socket.once(
      "close",
      answering.attend((item) => hear(item)),
    );
  const waiting = await answering.waiting();
  say({ waiting: waiting.length });
  hear = (item) => {
    if (!told.has(item.id)) say(item);
    told.add(item.id);
  };
  for (const item of [...waiting, ...come]) hear(item);
}
