import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
import { readItem, readObject, type InboxItem } from "../../serve/inbox-lines.ts";
import { lineCutter, writeLine } from "./lines.ts";

/** What a page shows, and where its answers go. */
export interface Watching {
  waits(): object;
  /** Everything of an ask that is shown folded; undefined: it doesn't wait. */
  whole(id: string): readonly string[] | undefined;
  answer(answer: PageAnswer): Promise<Answered>;
  /** A window is open until the returned function is called. */
  watch(show: () => void): () => void;
}

export interface PageAnswer {
  readonly id: string;
  readonly hash: string;
  readonly yes: boolean;
}

export interface Answered {
  readonly done: boolean;
  readonly why: string;
}

export interface WatchingWorld {
  /** As a person reads it. */
  shown(item: InboxItem): object;
  whole(item: InboxItem): readonly string[];
  answerLine(item: InboxItem, yes: boolean): string;
  /** Meets one daemon after the other, until nobody looks any more. */
  attend(left: Promise<void>, meet: (socket: Socket) => Promise<undefined>): void;
  /** The daemon takes no answers of a page. */
  refused(told: JsonObject): void;
}

/** The inbox, as long as a window is there to show it: somebody who can answer, and then nobody. */
export function watchInbox(world: WatchingWorld): Watching {
  const windows = new Set<() => void>();
  const heard = createHeard(world, () => windows.forEach((show) => show()));
  let leave = (): void => {};
  return {
    waits: () => ({ isServed: heard.isServed, asks: [...heard.items.values()].map(world.shown) }),
    whole(id) {
      const item = heard.items.get(id);
      return item && world.whole(item);
    },
    answer: heard.answer,
    watch(show) {
      windows.add(show);
      if (windows.size === 1) world.attend(new Promise((resolve) => (leave = resolve)), heard.meet);
      return () => {
        windows.delete(show);
        if (windows.size === 0) leave();
      };
    },
  };
}

interface Heard {
  readonly items: ReadonlyMap<string, InboxItem>;
  /** It has said how many wait: who calls from now on finds somebody here. */
  readonly isServed: boolean;
  meet(socket: Socket): Promise<undefined>;
  answer(answer: PageAnswer): Promise<Answered>;
}

const NOT_WAITING = "nothing with this id waits";

/** What daemons say, and what they are answered. */
function createHeard({ answerLine, refused }: WatchingWorld, changed: () => void): Heard {
  const items = new Map<string, InboxItem>();
  const awaited = new Map<string, (answered: Answered) => void>();
  let daemon: Socket | undefined;
  let isServed = false;
  const settle = (id: string, answered: Answered): void => {
    awaited.get(id)?.(answered);
    awaited.delete(id);
  };
  const hear = (line: string): void => {
    const item = readItem(line);
    const told = readObject(line) ?? {};
    const [gone, id, why = NOT_WAITING] = [own(told, "gone"), own(told, "id"), own(told, "why")];
    isServed ||= typeof own(told, "waiting") === "number";
    if (item !== undefined) items.set(item.id, item);
    else if (typeof gone === "string") items.delete(gone);
    else if (own(told, "refused") === true) refused(told);
    else if (typeof id === "string") settle(id, { done: own(told, "done") === true, why: String(why) });
    changed();
  };
  return {
    items,
    get isServed() {
      return isServed;
    },
    async meet(socket) {
      daemon = socket;
      const cut = lineCutter(hear, () => socket.destroy());
      await new Promise((resolve) => socket.on("data", cut).once("close", resolve));
      daemon = undefined;
      isServed = false;
      items.clear();
      for (const id of awaited.keys()) settle(id, { done: false, why: "nothing serves this project any more" });
      changed();
      return undefined;
    },
    answer({ id, hash, yes }) {
      const item = items.get(id);
      if (daemon === undefined || item?.hash !== hash || awaited.has(id))
        return Promise.resolve({ done: false, why: NOT_WAITING });
      writeLine(daemon, answerLine(item, yes));
      return new Promise((resolve) => awaited.set(id, resolve));
    },
  };
}
