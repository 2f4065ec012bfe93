import { canonicalText } from "../../base/canonical.ts";
import type { BuildItem, CallItem, InboxAnswer, InboxItem } from "../../serve/inbox-lines.ts";
import type { CallSignal } from "../../../runtime/contract.ts";
import { isTrouble } from "../login/types.ts";
import type { AskRequest } from "../../../runtime/index.ts";

/**
 * What waits for a person. Only whoever holds this object can answer: the doors of clients are handed what
 * asks, and nothing that answers.
 */
export interface Inbox {
  /** Resolves when it is answered, when the call has waited long enough, or at once where nobody could answer. */
  ask(request: AskRequest, call: AskingCall): Promise<AskOutcome>;
  /** Of a client that comes: what its connection asks by. */
  enter(door: string): ClientAsks;
  /** One build at a time: the next one takes its place, and undefined takes it away. */
  propose(build: ProposedBuild | undefined): void;
  /** Why it doesn't count; undefined: it does. */
  answer(answer: InboxAnswer): string | undefined;
  /** Without an answer yet, oldest first. */
  waiting(): readonly InboxItem[];
  /** How many of them are of this client's connection. */
  waitingAt(door: string): number;
  /** Somebody who can answer is there until the returned function is called. */
  attend(attendant: Attendant): () => void;
  readonly approvers: number;
  close(): void;
}

export interface ClientAsks extends Pick<Inbox, "ask"> {
  /** Its client is gone, and what it asked with it; what it has under way asks no more. */
  left(): void;
}

/** Somebody who can answer, and what he hears. */
export interface Attendant<Item extends InboxItem = InboxItem> {
  hear(item: Item): void;
  /** It needs no answer any more. Said once or twice. */
  gone?(id: string): void;
  /** The call that waits for it was made once more. */
  again?(id: string): void;
}

/** One call of one client's. */
export interface AskingCall {
  /** Of the client's connection: an ask is its client's alone. */
  readonly door: string;
  readonly client: string | undefined;
  readonly caller: string | undefined;
  readonly signal: CallSignal;
  /** It is being waited for. */
  waits(): void;
}

export type AskOutcome =
  | { readonly kind: "yes" | "no"; readonly by: string }
  /** Nobody has answered yet; the ask goes on. `late`: nor will anybody. */
  | { readonly kind: "held" | "late" | "given-up" }
  | { readonly kind: "nobody" | "too-many" | "elsewhere" | "out-of-reach" };

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
export const LONGEST_TIMER = 2 ** 31 - 1;

interface Ask {
  readonly key: string;
  readonly door: string;
  readonly item: CallItem;
  readonly timer: NodeJS.Timeout;
  remindedAt: number;
  answered: { readonly yes: boolean; readonly by: string } | undefined;
  /** Calls that are there now, in the order in which they came. */
  readonly calls: Set<WaitingCall>;
}

interface WaitingCall {
  readonly request: AskRequest;
  readonly asking: AskingCall;
  tell(outcome: AskOutcome): void;
}

interface AskQueue extends InboxTimes {
  /** By what makes calls equal. */
  readonly asks: Map<string, Ask>;
  readonly attending: Set<Attendant>;
}

export function openInbox(times: InboxTimes): Inbox {
  const queue: AskQueue = { ...times, asks: new Map(), attending: new Set() };
  const { attending } = queue;
  let build: ProposedBuild | undefined;
  const removeAll = (all: readonly Ask[]): void => all.forEach((ask) => remove(queue, ask, { kind: "given-up" }));
  const unanswered = (): Ask[] => standing(queue).filter(({ answered }) => answered === undefined);
  return {
    ask: (request, asking) => askIn(queue, request, asking),
    enter(door) {
      let isGone = false;
      return {
        ask: async (request, asking) => (isGone ? { kind: "given-up" } : askIn(queue, request, asking)),
        left() {
          isGone = true;
          removeAll(standing(queue).filter((ask) => ask.door === door));
        },
      };
    },
    propose(proposed) {
      if (proposed !== undefined && proposed.item.hash === build?.item.hash) return;
      if (build !== undefined) forget(queue, build.item);
      build = proposed;
      if (proposed !== undefined) announce(queue, proposed.item);
    },
    answer(answer) {
      if (build?.item.id !== answer.id) return answerIn(queue, answer);
      if (build.item.hash !== answer.hash) return OTHER_HASH;
      const answered = build;
      try {
        answered.decided(answer.yes, answer.by);
      } catch (problem) {
        // It goes on waiting.
        return `it couldn't be kept: ${isTrouble(problem) ? `${problem.says}; ${problem.next}` : String(problem)}`;
      }
      if (build === answered) {
        build = undefined;
        forget(queue, answered.item);
      }
      return undefined;
    },
    waiting() {
      const calls = unanswered().map(({ item }) => item);
      return build === undefined ? calls : [...calls, build.item];
    },
    waitingAt: (door) => unanswered().filter((ask) => ask.door === door).length,
    attend(attendant) {
      attending.add(attendant);
      return () => void attending.delete(attendant);
    },
    get approvers() {
      return attending.size;
    },
    close: () => removeAll(standing(queue)),
  };
}

/** Whose time isn't over: the timer of one that has ended comes late where the machine slept. */
function standing(queue: AskQueue): Ask[] {
  for (const ask of queue.asks.values()) if (queue.now() > ask.item.expires) remove(queue, ask, { kind: "late" });
  return [...queue.asks.values()];
}

function announce({ attending }: AskQueue, item: InboxItem): void {
  for (const { hear } of attending) hear(item);
}

function forget({ attending }: AskQueue, { id }: InboxItem): void {
  for (const { gone } of attending) gone?.(id);
}

function askIn(queue: AskQueue, request: AskRequest, asking: AskingCall): Promise<AskOutcome> {
  return new Promise((resolve) => {
    const key = equalCallsText(request, asking.door);
    const call: WaitingCall = {
      request,
      asking,
      tell(outcome) {
        clearTimeout(timer);
        asking.signal.removeEventListener("abort", giveUp);
        queue.asks.get(key)?.calls.delete(call);
        resolve(outcome);
      },
    };
    const giveUp = (): void => call.tell({ kind: "given-up" });
    const timer = setTimeout(() => call.tell({ kind: "held" }), Math.min(queue.holdMs, LONGEST_TIMER));
    if (asking.signal.aborted) return giveUp();
    asking.signal.addEventListener("abort", giveUp);
    join(queue, key, call);
  });
}

function join(queue: AskQueue, key: string, call: WaitingCall): void {
  const all = standing(queue);
  const known = queue.asks.get(key);
  if (known?.answered !== undefined) {
    known.calls.add(call);
    return give(queue, known, known.answered);
  }
  if (queue.attending.size === 0) return call.tell({ kind: "nobody" });
  const ofRole = all.filter(({ item }) => item.role === call.request.role);
  if (known === undefined && ofRole.length >= MOST_WAITING) return call.tell({ kind: "too-many" });
  if (known === undefined) begin(queue, key, [call]);
  else joinKnown(queue, known, call);
  call.asking.waits();
}

const REMINDED_EVERY_MS = 1_000;

function joinKnown({ attending, now }: AskQueue, ask: Ask, call: WaitingCall): void {
  const { calls, item } = ask;
  calls.add(call);
  // Who calls and cancels without end is told of now and then.
  if (now() - ask.remindedAt < REMINDED_EVERY_MS) return;
  ask.remindedAt = now();
  for (const { again } of attending) again?.(item.id);
}

/** The first call's request is what is asked. */
function begin(queue: AskQueue, key: string, calls: readonly [WaitingCall, ...WaitingCall[]]): void {
  const { request, asking } = calls[0];
  const item = callItem(request, asking);
  const timer = setTimeout(() => remove(queue, ask, { kind: "late" }), Math.max(0, item.expires - queue.now()));
  timer.unref();
  const ask: Ask = {
    key,
    door: asking.door,
    item,
    timer,
    remindedAt: -Infinity,
    answered: undefined,
    calls: new Set(calls),
  };
  queue.asks.set(key, ask);
  announce(queue, item);
}

export function callItem(request: AskRequest, { client, caller }: Pick<AskingCall, "client" | "caller">): CallItem {
  const { id, role, server, tool, title, args, plan, hash, expires } = request;
  const about = { id, role, server, tool, title, args, plan, hash, expires };
  return { kind: "call", ...about, client: client ?? null, caller: caller ?? null };
}

/** What waits for it hears why. */
function remove(queue: AskQueue, ask: Ask, outcome: AskOutcome): void {
  clearTimeout(ask.timer);
  queue.asks.delete(ask.key);
  forget(queue, ask.item);
  for (const call of ask.calls) call.tell(outcome);
}

function answerIn(queue: AskQueue, { id, hash, yes, by }: InboxAnswer): string | undefined {
  const ask = standing(queue).find(({ item }) => item.id === id);
  if (ask === undefined || ask.answered !== undefined) return NOT_WAITING;
  if (ask.item.hash !== hash) return OTHER_HASH;
  ask.answered = { yes, by };
  forget(queue, ask.item);
  give(queue, ask, ask.answered);
  return undefined;
}

/** A no is for all calls that wait, a yes for one: for the others it is asked again. Without any it stays to be taken. */
function give(queue: AskQueue, ask: Ask, { yes, by }: NonNullable<Ask["answered"]>): void {
  const [first, second, ...others] = ask.calls;
  if (first === undefined) return;
  if (!yes) return remove(queue, ask, { kind: "no", by });
  ask.calls.clear();
  remove(queue, ask, { kind: "late" });
  first.tell({ kind: "yes", by });
  if (second !== undefined) begin(queue, ask.key, [second, ...others]);
}

export const NOT_WAITING = "nothing with this id waits: it was answered, its time is over, or it never was";
export const OTHER_HASH = "the hash isn't that of what waits";

/** Equal calls have equal texts, and no others. */
export function equalCallsText({ role, server, tool, args, plan }: AskRequest, door: string): string {
  return canonicalText({ role, door, server, tool, args, plan });
}
