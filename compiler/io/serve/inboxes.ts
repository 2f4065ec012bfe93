import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
import { answeredAs, readAnswer, readItem, readObject, type InboxItem } from "../../serve/inbox-lines.ts";
import { lineCutter, writeLine } from "./lines.ts";
import { attendAt, type ApproverKind } from "./orders.ts";
import { knownAddresses, knownInboxes, type ServePlace } from "./place.ts";

/**
 * Being there for whoever serves a project, however many do: one that handed over goes on for the clients that it has,
 * and asks about their calls. Processes may end and come.
 */
export interface Inboxes {
  /** To who asked; what nobody did goes to the one that new clients come to. False: nobody is there. */
  answer(line: string): boolean;
  /** Nothing is heard any more. */
  leave(): void;
}

export interface InboxHearer {
  /** A line of one of them. What waits is told once, and a refusal where no other takes an answer. */
  heard(line: string): void;
  lost(process: LostProcess): void;
}

/** One of them is gone, and what it asked with it. */
export interface LostProcess {
  /** Of all that it ever asked. */
  readonly ids: readonly string[];
  readonly waiting: readonly string[];
  /** Nobody serves the project any more. */
  readonly isLast: boolean;
}

/** How soon one that has come, or come again, is found. */
const LOOK_EVERY_MS = 300;

interface Attended {
  /** Where it is found. */
  address: string;
  readonly socket: Socket;
  readonly waiting: Map<string, InboxItem>;
  /** Of all that it ever asked. */
  readonly ids: Set<string>;
}

export function attendInboxes(place: ServePlace, as: ApproverKind, { heard, lost }: InboxHearer): Inboxes {
  const attended = new Set<Attended>();
  let isOver = false;
  let isLooking = false;
  let refusal: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const sayRefusal = (): void => {
    if (refusal !== undefined && !isLooking && !isOver && attended.size === 0) heard(refusal);
  };
  const hear = (one: Attended, line: string): void => {
    const told = readObject(line) ?? {};
    // Who refuses ends the connection; another may serve a build that names this way to answer.
    if (own(told, "refused") === true) return void (refusal = line);
    if (isNews(attended, one, line, told)) heard(line);
  };
  const meet = (address: string, socket: Socket): void => {
    const one: Attended = { address, socket, waiting: new Map(), ids: new Set() };
    attended.add(one);
    const end = (): void => void socket.destroy();
    socket.on(
      "data",
      lineCutter((line) => !isOver && hear(one, line), end),
    );
    socket.once("close", () => {
      attended.delete(one);
      if (!isOver) lost({ ids: [...one.ids], waiting: [...one.waiting.keys()], isLast: attended.size === 0 });
      sayRefusal();
    });
  };
  const look = async (): Promise<void> => {
    [isLooking, refusal] = [true, undefined];
    for (const address of knownInboxes(place)) {
      if ([...attended].some((one) => one.address === address)) continue;
      const socket = await attendAt(address, { as, stays: true });
      if (isOver) socket?.destroy();
      else if (socket !== undefined) meet(address, socket);
    }
    isLooking = false;
    sayRefusal();
    if (!isOver) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  };
  void look();
  return {
    answer(line) {
      const given = readAnswer(line);
      const asker = [...attended].find(({ waiting }) => given !== undefined && waiting.has(given.id));
      const first = knownAddresses(place)?.inbox;
      const one = asker ?? [...attended].find(({ address }) => address === first) ?? [...attended][0];
      if (one === undefined) return false;
      writeLine(one.socket, line);
      const item = given && asker?.waiting.get(given.id);
      if (given !== undefined && item !== undefined && item.hash === given.hash)
        for (const other of sameElsewhere(attended, one, item)) {
          writeLine(other.socket, JSON.stringify({ ...given, id: other.id }));
          if (as !== "program") heard(JSON.stringify({ gone: other.id }));
        }
      return true;
    },
    leave() {
      isOver = true;
      clearTimeout(timer);
      for (const { socket } of attended) socket.destroy();
    },
  };
}

/** What is noted of a line of one of them; false: nobody else needs to hear it. */
function isNews(attended: ReadonlySet<Attended>, one: Attended, line: string, told: JsonObject): boolean {
  const [inbox, gone, id] = [own(told, "inbox"), own(told, "gone"), own(told, "id")];
  // It hands over: where it was is the next one.
  if (typeof inbox === "string") {
    one.address = inbox;
    return false;
  }
  const item = readItem(line);
  if (item !== undefined) {
    if ([...attended].some(({ waiting }) => waiting.has(item.id))) return false;
    one.waiting.set(item.id, item);
    one.ids.add(item.id);
  } else if (typeof gone === "string") one.waiting.delete(gone);
  else if (own(told, "done") === true) one.waiting.delete(String(id));
  return true;
}

/** The same build waits at each of them, and one answer is an answer to it. */
function sameElsewhere(attended: ReadonlySet<Attended>, asker: Attended, item: InboxItem) {
  return [...attended].flatMap((one) =>
    one === asker
      ? []
      : [...one.waiting.values()]
          .filter((other) => answeredAs(other, item))
          .map(({ id }) => ({ id, socket: one.socket })),
  );
}
