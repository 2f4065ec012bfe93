import { own, type JsonObject } from "../../base/json.ts";
import { readItem, readObject, type InboxItem } from "../../serve/inbox-lines.ts";
import { NOT_WAITING, OTHER_HASH } from "./inbox.ts";
import type { InboxHearer, Inboxes } from "./inboxes.ts";

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

export type Answered = { readonly done: true } | { readonly done: false; readonly why: string };

export interface WatchingWorld {
  /** As a person reads it. */
  shown(item: InboxItem): object;
  whole(item: InboxItem): readonly string[];
  answerLine(item: InboxItem, yes: boolean): string;
  /** Is there for all that serve the project. */
  attend(hearer: InboxHearer): Inboxes;
  /** Answers of a page aren't taken. */
  refused(told: JsonObject): void;
}

/** The inbox, as long as a window is there to show it: somebody who can answer, and then nobody. */
export function watchInbox(world: WatchingWorld): Watching {
  const windows = new Set<() => void>();
  const heard = createHeard(world, () => windows.forEach((show) => show()));
  let inboxes: Inboxes | undefined;
  return {
    waits: () => ({ isServed: heard.isServed, asks: [...heard.items.values()].map(world.shown) }),
    whole(id) {
      const item = heard.items.get(id);
      return item && world.whole(item);
    },
    answer: (answer) => heard.answer(answer, inboxes),
    watch(show) {
      windows.add(show);
      inboxes ??= world.attend(heard);
      return () => {
        windows.delete(show);
        if (windows.size > 0) return;
        inboxes?.leave();
        inboxes = undefined;
        heard.lost({ ids: [...heard.items.keys()], waiting: [], isLast: true });
      };
    },
  };
}

interface Heard extends InboxHearer {
  readonly items: ReadonlyMap<string, InboxItem>;
  /** Somebody has said how many wait: who calls from now on finds somebody here. */
  readonly isServed: boolean;
  answer(answer: PageAnswer, inboxes: Inboxes | undefined): Promise<Answered>;
}

/** What is said of what waits, and what is answered. */
function createHeard({ answerLine, refused }: WatchingWorld, changed: () => void): Heard {
  const items = new Map<string, InboxItem>();
  const awaited = new Map<string, (answered: Answered) => void>();
  let isServed = false;
  const settle = (id: string, answered: Answered): void => {
    awaited.get(id)?.(answered);
    awaited.delete(id);
  };
  return {
    items,
    get isServed() {
      return isServed;
    },
    heard(line) {
      const item = readItem(line);
      const told = readObject(line) ?? {};
      const [gone, id, why = NOT_WAITING] = [own(told, "gone"), own(told, "id"), own(told, "why")];
      isServed ||= typeof own(told, "waiting") === "number";
      if (item !== undefined) items.set(item.id, item);
      else if (typeof gone === "string") items.delete(gone);
      else if (own(told, "refused") === true) refused(told);
      else if (typeof id === "string")
        settle(id, own(told, "done") === true ? { done: true } : { done: false, why: String(why) });
      changed();
    },
    lost({ ids, isLast }) {
      if (isLast) isServed = false;
      const why = isLast ? "nothing serves this project any more" : "the process that asked has ended";
      for (const id of ids) {
        items.delete(id);
        settle(id, { done: false, why });
      }
      changed();
    },
    answer({ id, hash, yes }, inboxes) {
      const item = items.get(id);
      if (inboxes === undefined || item === undefined || awaited.has(id))
        return Promise.resolve({ done: false, why: NOT_WAITING });
      if (item.hash !== hash) return Promise.resolve({ done: false, why: OTHER_HASH });
      return new Promise((resolve) => {
        awaited.set(id, resolve);
        if (!inboxes.answer(answerLine(item, yes))) settle(id, { done: false, why: NOT_WAITING });
      });
    },
  };
}
