import { canonicalText } from "../../base/canonical.ts";
import type { BuildItem, CallItem, InboxAnswer, InboxItem } from "../../serve/inbox-lines.ts";
import type { AskRequest } from "../../../runtime/index.ts";

/**
 * What waits for a person. Only whoever holds this object can answer: the doors of clients are handed `ask` and `left`,
 * and nothing that answers.
 */
export interface Inbox {
  /** Resolves when it is answered, when the call has waited long enough, or at once where nobody could answer. */
  ask(request: AskRequest, call: AskingCall): Promise<AskOutcome>;
  /** A client is gone, and what it asked with it. */
  left(door: string): void;
  /** One build at a time: the next one takes its place, and undefined takes it away. */
  propose(build: ProposedBuild | undefined): void;
  /** Why it doesn't count; undefined: it does. */
  answer(answer: InboxAnswer): string | undefined;
  /** Without an answer yet, oldest first. */
  waiting(): readonly InboxItem[];
  /** Somebody who can answer is there until the returned function is called, and hears what comes. */
  attend(hear: (item: InboxItem) => void): () => void;
  readonly approvers: number;
  close(): void;
}

/** One call of one client's. */
export interface AskingCall {
  /** Of the client's connection: an ask is its client's alone. */
  readonly door: string;
  readonly client: string | undefined;
  readonly signal: AbortSignal;
  /** It is being waited for. */
  waits(): void;
}

export type AskOutcome =
  | { readonly kind: "yes" | "no"; readonly by: string }
  /** Nobody has answered yet; the ask goes on. `late`: nor will anybody. */
  | { readonly kind: "held" | "late" | "given-up" }
  | { readonly kind: "nobody" | "too-many" };

export interface ProposedBuild {
  readonly item: BuildItem;
  decided(yes: boolean, by: string): void;
}

export interface InboxTimes {
  readonly holdMs: number;
  now(): number;
}

/** Of one role, answered ones that nobody came for among them. */
export const MOST_WAITING = 20;

/** Node fires a timer of more milliseconds at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface Ask {
  readonly key: string;
  readonly door: string;
  readonly item: CallItem;
  readonly timer: NodeJS.Timeout;
  answered: { readonly yes: boolean; readonly by: string } | undefined;
  /** Calls that are there now, in the order in which they came. */
  readonly calls: Set<WaitingCall>;
}

interface WaitingCall {
  readonly request: AskRequest;
  readonly asking: AskingCall;
  tell(outcome: AskOutcome): void;
}

export function openInbox({ holdMs, now }: InboxTimes): Inbox {
  const asks = new Map<string, Ask>();
  const attending = new Set<(item: InboxItem) => void>();
  let build: ProposedBuild | undefined;
  const announce = (item: InboxItem): void => attending.forEach((hear) => hear(item));

  const remove = (ask: Ask, outcome: AskOutcome): void => {
    clearTimeout(ask.timer);
    asks.delete(ask.key);
    for (const call of ask.calls) call.tell(outcome);
  };
  const begin = (key: string, call: WaitingCall): Ask => {
    const { request, asking } = call;
    const { id, role, server, tool, title, args, plan, hash, expires } = request;
    const about = { id, role, server, tool, title, args, plan, hash, expires };
    const item: CallItem = { kind: "call", ...about, client: asking.client ?? null };
    const timer = setTimeout(() => remove(ask, { kind: "late" }), Math.max(0, expires - now()));
    timer.unref();
    const ask: Ask = { key, door: asking.door, item, timer, answered: undefined, calls: new Set([call]) };
    asks.set(key, ask);
    announce(item);
    return ask;
  };
  /** One answer is for one call. A yes that somebody else waited for as well is asked again for him. */
  const give = (ask: Ask, { yes, by }: NonNullable<Ask["answered"]>): void => {
    const [first, ...others] = ask.calls;
    if (first === undefined) return;
    ask.calls.clear();
    remove(ask, { kind: "late" });
    first.tell({ kind: yes ? "yes" : "no", by });
    if (!yes) for (const call of others) call.tell({ kind: "no", by });
    else if (others.length > 0) {
      const next = begin(ask.key, others[0]!);
      for (const call of others.slice(1)) next.calls.add(call);
    }
  };
  const join = (key: string, call: WaitingCall): void => {
    const known = asks.get(key);
    known?.calls.add(call);
    if (known?.answered !== undefined) return give(known, known.answered);
    if (attending.size === 0) {
      known?.calls.delete(call);
      return call.tell({ kind: "nobody" });
    }
    if (known !== undefined) return call.asking.waits();
    const ofRole = [...asks.values()].filter(({ item }) => item.role === call.request.role);
    if (ofRole.length >= MOST_WAITING) return call.tell({ kind: "too-many" });
    begin(key, call);
    call.asking.waits();
  };

  return {
    ask: (request, asking) =>
      new Promise((resolve) => {
        const key = keyOf(request, asking.door);
        const call: WaitingCall = {
          request,
          asking,
          tell(outcome) {
            clearTimeout(timer);
            asking.signal.removeEventListener("abort", giveUp);
            asks.get(key)?.calls.delete(call);
            resolve(outcome);
          },
        };
        const giveUp = (): void => call.tell({ kind: "given-up" });
        const timer = setTimeout(() => call.tell({ kind: "held" }), Math.min(holdMs, LONGEST_TIMER));
        if (asking.signal.aborted) return giveUp();
        asking.signal.addEventListener("abort", giveUp);
        join(key, call);
      }),
    left(door) {
      for (const ask of asks.values()) if (ask.door === door) remove(ask, { kind: "given-up" });
    },
    propose(proposed) {
      if (proposed !== undefined && proposed.item.hash === build?.item.hash) return;
      build = proposed;
      if (proposed !== undefined) announce(proposed.item);
    },
    answer({ id, hash, yes, by }) {
      if (build?.item.id === id) {
        if (build.item.hash !== hash) return OTHER_HASH;
        const { decided } = build;
        build = undefined;
        return void decided(yes, by);
      }
      const ask = [...asks.values()].find(({ item }) => item.id === id);
      if (ask === undefined || ask.answered !== undefined || now() > ask.item.expires) return NOT_WAITING;
      if (ask.item.hash !== hash) return OTHER_HASH;
      ask.answered = { yes, by };
      give(ask, ask.answered);
      return undefined;
    },
    waiting() {
      const calls = [...asks.values()].filter(({ answered }) => answered === undefined).map(({ item }) => item);
      return build === undefined ? calls : [...calls, build.item];
    },
    attend(hear) {
      const own = (item: InboxItem): void => hear(item);
      attending.add(own);
      return () => void attending.delete(own);
    },
    get approvers() {
      return attending.size;
    },
    close() {
      for (const ask of asks.values()) remove(ask, { kind: "given-up" });
    },
  };
}

const NOT_WAITING = "nothing with this id waits: it was answered, its time is over, or it never was";
const OTHER_HASH = "the hash isn't that of what waits";

function keyOf({ role, server, tool, args, plan }: AskRequest, door: string): string {
  return canonicalText({ role, door, server, tool, args, plan });
}
