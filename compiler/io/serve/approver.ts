import type { Socket } from "node:net";
import { readAnswer, type InboxItem } from "../../serve/inbox-lines.ts";
import type { Answering } from "./answering.ts";
import type { Gateway } from "./gateway.ts";
import type { Attendant, Inbox } from "./inbox.ts";
import { lineCutter, writeLine } from "./lines.ts";
import type { ApproverKind, Attending } from "./orders.ts";

export interface ApproverWorld {
  readonly inbox: Pick<Inbox, "waiting">;
  readonly answering: Answering;
  readonly gateway: Gateway;
  /** Called with the address at which its user finds it from then on, until the returned function is. */
  whenMoved(tell: (inbox: string) => void): () => void;
  said(line: string): void;
}

/** Somebody at the inbox: told what waits and, where it stays, what comes; each line of his is an answer. */
export async function hearAnswers(
  socket: Socket,
  { inbox, answering, gateway, whenMoved, said }: ApproverWorld,
  { as, stays }: Attending,
): Promise<void> {
  const say = (value: object): void => void writeLine(socket, JSON.stringify(value));
  const mayAnswer = (): boolean => gateway.served.settings.approvers.includes(as);
  const dismiss = (): void => {
    // At once: a line that waits its turn would come after the end.
    socket.end(`${JSON.stringify({ done: false, refused: true, ...refusalOf(as, { inbox, gateway }) })}\n`);
    socket.resume();
  };
  if (!mayAnswer()) return dismiss();
  const { begin, answers, ...heard } = telling(as, say);
  const leaves = stays ? [answering.attend(heard), whenMoved((address) => say({ inbox: address }))] : [];
  const forget = gateway.whenChanged(() => {
    if (mayAnswer()) return;
    end();
    dismiss();
  });
  const end = (): void => {
    for (const leave of leaves) leave();
    forget();
  };
  socket.once("close", end);
  const waiting = await answering.waiting();
  if (socket.destroyed || !mayAnswer()) return;
  begin(waiting);
  const answer = async (line: string): Promise<void> => {
    if (!mayAnswer()) return;
    const given = readAnswer(line);
    if (given === undefined) return say({ done: false, why: 'an answer is {"id","hash","yes","by"}' });
    const answered = answers(given.id);
    const why = await answering.answer({ ...given, by: given.by === "" ? as : given.by });
    answered();
    if (why === undefined) said(`${given.yes ? "yes" : "no"} to ${given.id}, by ${as} ${JSON.stringify(given.by)}`);
    say({ id: given.id, done: why === undefined, ...(why !== undefined && { why }) });
  };
  let turn = Promise.resolve();
  const failed = (problem: unknown): void => {
    said(`an answer couldn't be taken: ${problem instanceof Error ? problem.message : String(problem)}`);
    say({ done: false, why: "it couldn't be taken: the log says why" });
  };
  const inTurn = (line: string): void => void (turn = turn.then(() => answer(line)).catch(failed));
  socket.on(
    "data",
    lineCutter(inTurn, () => socket.destroy()),
  );
  socket.resume();
}

interface Telling extends Attendant {
  begin(waiting: readonly InboxItem[]): void;
  /** An answer of this connection's own is under way, and a program is told what becomes of it alone. Called when it is known. */
  answers(id: string): () => void;
}

/** How many wait, then each of them, then what came meanwhile and what comes: each once. */
function telling(as: ApproverKind, say: (value: object) => void): Telling {
  const told = new Set<string>();
  const answered = new Set<string>();
  const meanwhile: (() => void)[] = [];
  let isBegun = false;
  const inTime = (tell: () => void): void => void (isBegun ? tell() : meanwhile.push(tell));
  const tell = (item: InboxItem): void => {
    if (!told.has(item.id)) say(item);
    told.add(item.id);
  };
  const forget = (id: string): void => {
    if (told.delete(id) && !answered.has(id)) say({ gone: id });
  };
  const remind = (id: string): void => {
    if (told.has(id)) say({ again: id });
  };
  return {
    begin(waiting) {
      say({ waiting: waiting.length });
      waiting.forEach(tell);
      isBegun = true;
      for (const one of meanwhile.splice(0)) one();
    },
    hear: (item) => inTime(() => tell(item)),
    gone: (id) => inTime(() => forget(id)),
    again: (id) => inTime(() => remind(id)),
    answers(id) {
      // A page has several windows.
      if (as === "program") answered.add(id);
      return () => void answered.delete(id);
    },
  };
}

/** Why nobody answers from there, and what would let him. */
function refusalOf(as: ApproverKind, { inbox, gateway }: Pick<ApproverWorld, "inbox" | "gateway">) {
  const { approvers } = gateway.served.settings;
  const isBuilt = inbox.waiting().some((item) => item.kind === "build" && item.approvers.includes(as));
  const yes = approvers.some((one) => one !== "program")
    ? `a yes in \`rolecall asks${approvers.includes("terminal") ? "" : " --page"}\`, or for `
    : approvers.includes("program")
      ? "a yes of your program, or for "
      : "";
  return {
    why: `\`serve: { approvers }\` doesn't name \`${as}\`, in what is served now`,
    next: `${isBuilt ? "a build names it and waits" : NAME_IT} for ${yes}\`rolecall serve --accept\``,
  };
}

const NAME_IT = "name it under `serve: { approvers }` in rolecall.yaml and run `rolecall build`; that waits";
