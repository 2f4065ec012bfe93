import { randomUUID } from "node:crypto";
import { canonicalText } from "../../base/canonical.ts";
import { digestOf } from "../../base/digest.ts";
import type { CallItem, InboxAnswer } from "../../serve/inbox-lines.ts";
import type { AskRequest } from "../../../runtime/index.ts";
import type { AnswerSeen, AskSeen, AskStore, NamedAsk } from "./ask-store.ts";
import {
  callItem,
  LONGEST_TIMER,
  MOST_WAITING,
  NOT_WAITING,
  OTHER_HASH,
  equalCallsText,
  type AskingCall,
  type AskOutcome,
  type Attendant,
  type InboxTimes,
} from "./inbox.ts";
import { openAnswer, openAsk, sealAnswer, sealAsk, type SealedAnswer } from "./sealed-asks.ts";
import type { ServeKey } from "./serve-key.ts";

/**
 * What waits for a person at all doors of a project: asked at any, answered at any, and carried out once by the one that the
 * client comes to. What lies between them is sealed: an answer is of a door that has the key, and about one ask.
 */
export interface SharedAsks {
  ask(request: AskRequest, call: AskingCall): Promise<AskOutcome>;
  /** Without an answer yet. Rejects where the Redis gives no answer. */
  waiting(): Promise<readonly CallItem[]>;
  /** Why it doesn't count; undefined: it does. */
  answer(answer: InboxAnswer): Promise<string | undefined>;
  /** Somebody who can answer is here until the returned function is called. */
  attend(attendant: Attendant<CallItem>): () => void;
  close(): void;
}

export interface SharedAsksWorld extends InboxTimes {
  readonly store: AskStore;
  readonly key: ServeKey;
  /** How soon what was said at another door is known here. */
  readonly looksEveryMs: number;
  said(line: string): void;
}

interface State extends SharedAsksWorld {
  /** Of calls that are here now, by the name that equal ones have. */
  readonly waits: Map<string, Wait>;
  readonly attending: Set<Attending>;
  /** Read once each; undefined: no door's. */
  readonly items: Map<string, CallItem | undefined>;
  /** When asks ended of which a yes or a no was taken here: whoever writes in the Redis may put them back. */
  readonly used: Map<string, number>;
  timer: NodeJS.Timeout | undefined;
  isLooking: boolean;
  /** The Redis gave no answer when it was asked last. */
  isBroken: boolean;
  isClosed: boolean;
}

interface Wait {
  readonly ask: NamedAsk;
  readonly item: CallItem;
  /** Those that are over are among them. */
  readonly calls: Set<WaitingCall>;
}

interface WaitingCall {
  readonly name: string;
  readonly request: AskRequest;
  readonly asking: AskingCall;
  /** The ask stands where every door sees it. */
  isWaiting: boolean;
  isOver: boolean;
  tell(outcome: AskOutcome): void;
}

interface Attending extends Attendant<CallItem> {
  readonly told: Set<string>;
}

export function openSharedAsks(world: SharedAsksWorld): SharedAsks {
  const state: State = {
    ...world,
    waits: new Map(),
    attending: new Set(),
    items: new Map(),
    used: new Map(),
    timer: undefined,
    isLooking: false,
    isBroken: false,
    isClosed: false,
  };
  return {
    ask: (request, asking) => askAt(state, request, asking),
    waiting: () => unanswered(state),
    answer: (answer) => answerAt(state, answer),
    attend(attendant) {
      const one = { ...attendant, told: new Set<string>() };
      state.attending.add(one);
      void look(state);
      return () => void state.attending.delete(one);
    },
    close() {
      state.isClosed = true;
      clearTimeout(state.timer);
      for (const wait of state.waits.values()) for (const call of present(wait)) call.tell({ kind: "given-up" });
    },
  };
}

function askAt(state: State, request: AskRequest, asking: AskingCall): Promise<AskOutcome> {
  return new Promise((resolve) => {
    const name = state.key.nameOf(equalCallsText(request, asking.door));
    const call: WaitingCall = {
      name,
      request,
      asking,
      isWaiting: false,
      isOver: false,
      tell(outcome) {
        call.isOver = true;
        clearTimeout(timer);
        asking.signal.removeEventListener("abort", giveUp);
        resolve(outcome);
      },
    };
    const giveUp = (): void => call.tell({ kind: "given-up" });
    /** Before the ask stands nobody has seen it. */
    const stop = (): void => call.tell({ kind: call.isWaiting ? "held" : "out-of-reach" });
    const timer = setTimeout(stop, Math.min(state.holdMs, LONGEST_TIMER));
    if (asking.signal.aborted) return giveUp();
    asking.signal.addEventListener("abort", giveUp);
    join(state, call);
  });
}

/** The ask of equal calls, whichever door it began at; or a new one. */
function join(state: State, call: WaitingCall): void {
  askOf(state, call).then(
    (found) => ("kind" in found ? call.tell(found) : wait(state, call, found)),
    (problem: unknown) => {
      sayProblem(state, problem);
      call.tell({ kind: "out-of-reach" });
    },
  );
}

function wait(state: State, call: WaitingCall, found: Found): void {
  if (call.isOver) return;
  const known = state.waits.get(call.name);
  const joined = known?.ask.id === found.ask.id ? known : { ...found, calls: new Set(known?.calls) };
  state.waits.set(call.name, joined);
  joined.calls.add(call);
  if (!call.isWaiting) call.asking.waits();
  call.isWaiting = true;
  void look(state);
}

type Found = Pick<Wait, "ask" | "item">;

async function askOf(state: State, call: WaitingCall): Promise<Found | AskOutcome> {
  const { store } = state;
  const { found } = await named(state, call.name);
  if (found !== undefined && (await answerOf(state, found.item)) !== undefined) return found;
  if (state.attending.size === 0 && !(await store.isAttended())) return { kind: "nobody" };
  if (found !== undefined) {
    for (const { told, again: remind } of state.attending) if (told.has(found.item.id)) remind?.(found.item.id);
    return found;
  }
  const { role } = call.request;
  const ofRole = (await store.waiting()).filter((one) => one.role === role);
  if (ofRole.length >= MOST_WAITING) return { kind: "too-many" };
  return call.isOver ? { kind: "given-up" } : begin(state, call);
}

/** What has the name of a call: an ask that a door began and that isn't over, or something else. */
async function named(
  { store, key, used, now }: State,
  name: string,
): Promise<{ readonly id: string | undefined; readonly found: Found | undefined }> {
  const id = await store.idOf(name);
  const [text] = id === undefined ? [] : await store.texts([id]);
  const opened = id === undefined || text === undefined ? undefined : openAsk(key, id, text);
  if (opened === undefined || opened.name !== name) return { id, found: undefined };
  const { item } = opened;
  if (now() > item.expires || used.has(item.id)) return { id, found: undefined };
  return { id, found: { ask: { name, id: item.id, role: item.role }, item } };
}

/** Others try the same at this moment: of all that begin one does, and nothing that is an ask is written over. */
async function begin(state: State, call: WaitingCall): Promise<Found> {
  const { store, key, now } = state;
  const item = newItem(call);
  const { id, role, expires } = item;
  const ask = { name: call.name, id, role };
  const text = sealAsk(key, { name: call.name, item });
  const leftMs = Math.max(1, Math.ceil(expires - now()));
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const other = await named(state, call.name);
    if (other.found !== undefined) return other.found;
    if (await store.begin({ ...ask, text, expires }, leftMs, other.id)) return { ask, item };
  }
  throw new Error("somebody writes over what doors write");
}

const MOST_TRIES = 20;

/** A call may ask twice, where its first ask was used for an equal one: each has an id, and with it a hash, of its own. */
function newItem({ request, asking }: WaitingCall): CallItem {
  const about = { ...callItem(request, asking), id: randomUUID(), hash: "" };
  return { ...about, hash: digestOf(canonicalText(about)) };
}

/** What became of the calls that wait here, and for those who answer here what has come. Again and again, while either is. */
async function look(state: State): Promise<void> {
  // One at a time: of two that see an answer each would take it.
  if (state.isLooking || state.isClosed) return;
  clearTimeout(state.timer);
  state.isLooking = true;
  try {
    await lookForAnswers(state);
    await lookForAsks(state);
    state.isBroken = false;
  } catch (problem) {
    sayProblem(state, problem);
  } finally {
    state.isLooking = false;
    if (state.waits.size + state.attending.size > 0)
      state.timer = setTimeout(() => void look(state), state.looksEveryMs);
  }
}

async function lookForAnswers(state: State): Promise<void> {
  for (const [name, one] of state.waits) if (present(one).length === 0) state.waits.delete(name);
  const waits = [...state.waits.values()];
  if (waits.length === 0) return;
  const seen = await state.store.lookAt(waits.map(({ ask }) => ask));
  await Promise.all(waits.map((wait, i) => lookAtOne(state, wait, seen[i]!)));
}

async function lookAtOne(state: State, wait: Wait, { id, answer: text }: AskSeen): Promise<void> {
  const { item, ask } = wait;
  // Before its answer: what comes to be seen after the end is none, whenever it was given.
  if (state.now() > item.expires) return tellLate(wait);
  const answer = openAnswer(state.key, item, text);
  if (answer !== undefined) return take(state, wait, answer);
  if (id !== ask.id) again(state, wait);
}

function tellLate(wait: Wait): void {
  for (const call of present(wait)) call.tell({ kind: "late" });
}

/** A no is for all calls that wait here, a yes for one: for the others it is asked again. Without any it stays to be taken. */
async function take(state: State, wait: Wait, { yes, by }: SealedAnswer): Promise<void> {
  const { store, used, now } = state;
  const { ask, item } = wait;
  if (present(wait).length === 0) return;
  const isOurs = !used.has(ask.id) && (await store.use(ask.id, Math.max(1, Math.ceil(item.expires - now()))));
  if (now() > item.expires) return tellLate(wait);
  const [first, ...others] = present(wait);
  if (isOurs && first === undefined) return store.giveBack(ask.id);
  if (isOurs) {
    remember(state, item);
    first?.tell({ kind: yes ? "yes" : "no", by });
    if (!yes) for (const call of others) call.tell({ kind: "no", by });
  }
  await store.end(ask);
  again(state, wait);
}

/** Longer than the ask lives: a clock may be set back. */
const REMEMBERED_MS = 60 * 60_000;

function remember({ used, now }: State, { id, expires }: CallItem): void {
  for (const [one, ended] of used) if (now() > ended + REMEMBERED_MS) used.delete(one);
  used.set(id, expires);
}

/** Their ask is over, and they are still there. */
function again(state: State, wait: Wait): void {
  if (state.waits.get(wait.ask.name) === wait) state.waits.delete(wait.ask.name);
  for (const call of present(wait)) join(state, call);
}

function present({ calls }: Wait): WaitingCall[] {
  return [...calls].filter(({ isOver }) => !isOver);
}

async function lookForAsks(state: State): Promise<void> {
  if (state.attending.size === 0) return;
  await state.store.attend();
  const items = await unanswered(state);
  for (const one of state.attending) tellOf(items, one);
}

function tellOf(items: readonly CallItem[], { told, hear, gone }: Attending): void {
  for (const id of told)
    if (!items.some((item) => item.id === id)) {
      told.delete(id);
      gone?.(id);
    }
  for (const item of items)
    if (!told.has(item.id)) {
      told.add(item.id);
      hear(item);
    }
}

async function unanswered({ store, key, items, used, now }: State): Promise<CallItem[]> {
  const ids = (await store.waiting()).map(({ id }) => id).filter((id) => !used.has(id));
  const known = new Set(ids);
  for (const id of items.keys()) if (!known.has(id)) items.delete(id);
  const unread = ids.filter((id) => !items.has(id));
  const texts = await store.texts(unread);
  texts.forEach((text, i) =>
    items.set(unread[i]!, text === undefined ? undefined : openAsk(key, unread[i]!, text)?.item),
  );
  const found = ids.flatMap((id) => items.get(id) ?? []).filter(({ expires }) => expires >= now());
  const answers = await store.answersTo(found.map(({ id }) => id));
  return found.filter((item, i) => !answers[i]!.isUsed && openAnswer(key, item, answers[i]!.answer) === undefined);
}

async function answerAt(state: State, { id, hash, yes, by }: InboxAnswer): Promise<string | undefined> {
  const { store, key, now } = state;
  const item = (await unanswered(state)).find((one) => one.id === id);
  if (item === undefined) return NOT_WAITING;
  if (item.hash !== hash) return OTHER_HASH;
  const text = sealAnswer(key, item, { yes, by });
  const leftMs = Math.max(1, Math.ceil(item.expires - now()));
  if (!(await store.answer(id, text, leftMs, false))) {
    if ((await answerOf(state, item)) !== undefined) return NOT_WAITING;
    // What lies there is no answer of a door's.
    if (!(await store.answer(id, text, leftMs, true))) return NOT_WAITING;
  }
  void look(state);
  return now() > item.expires ? NOT_WAITING : undefined;
}

async function answerOf({ store, key }: State, item: CallItem): Promise<SealedAnswer | undefined> {
  const [{ answer }] = (await store.answersTo([item.id])) as [AnswerSeen];
  return openAnswer(key, item, answer);
}

/** Its words may hold what lies there. */
function sayProblem(state: State, problem: unknown): void {
  if (!state.isBroken)
    state.said(`asks that doors share: ${problem instanceof Error ? problem.name : "the Redis gives no answer"}`);
  state.isBroken = true;
}
