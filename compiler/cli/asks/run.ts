import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
import { wrap } from "../../base/wrap.ts";
import { lineCutter, writeLine } from "../../io/serve/lines.ts";
import type { Inboxes } from "../../io/serve/inboxes.ts";
import { attendAt, LONGEST_ANSWER_MS, SHORT_ANSWER_MS } from "../../io/serve/orders.ts";
import { knownInboxes } from "../../io/serve/place.ts";
import { answeredAs, readItem, readObject, type InboxItem } from "../../serve/inbox-lines.ts";
import { EXIT, say, tell, type Context } from "../command.ts";
import { answerLine, linesOf, nextOf, overInboxes, placeFor, whyNot } from "./attending.ts";
import { askPage, isFolded } from "./page.ts";

/** An answer that came sooner was typed before the question was there. */
const TOO_SOON_MS = 250;

/** `rolecall asks`: stays, and asks at this terminal about all that waits and comes, over processes that come and go. */
export async function askHere(context: Context): Promise<number> {
  const place = placeFor(context, "terminal");
  if (typeof place === "number") return place;
  const begins = "asks are shown here as they come; Ctrl+C ends, and calls that are asked are refused from then on";
  tell(context, `${wrap(begins, context.terminal.err.width).join("\n")}\n`);
  const asked: Asked = { queue: [], sent: new Map(), question: undefined, refused: undefined, wake: () => {} };
  return overInboxes(place, "terminal", {
    stopped: context.terminal.stopped(),
    hearer: {
      heard(line) {
        hearLine(context, asked, line);
        asked.wake();
      },
      lost({ ids, isLast }) {
        const why = isLast ? "nothing serves this project any more" : "the process that asked has ended";
        for (const id of ids) forget(context, asked, { id, why });
        asked.wake();
      },
    },
    answering: (inboxes) => askOver(context, asked, inboxes),
  });
}

/** `--json --watch`: lines of the inbox pass as they are, in both directions. */
export async function passOn(context: Context): Promise<number> {
  const place = placeFor(context, "program");
  if (typeof place === "number") return place;
  const { terminal } = context;
  let refuse: (exit: number) => void = () => {};
  const refused = new Promise<number>((resolve) => (refuse = resolve));
  const left = new Promise<void>((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  return overInboxes(place, "program", {
    stopped: Promise.race([left, terminal.stopped()]),
    hearer: {
      heard(line) {
        terminal.out.write(`${line}\n`);
        if (own(readObject(line) ?? {}, "refused") === true) refuse(EXIT.errors);
      },
      lost({ waiting }) {
        for (const id of waiting) terminal.out.write(`${JSON.stringify({ gone: id })}\n`);
      },
    },
    answering(inboxes) {
      const answer = (line: string): void => {
        if (!inboxes.answer(line)) terminal.out.write('{"done":false,"why":"nothing serves this project"}\n');
      };
      process.stdin.on(
        "data",
        lineCutter(answer, () => process.stdin.destroy()),
      );
      return refused;
    },
  });
}

/** `--yes ID` and `--no ID`. */
export async function answerOne(context: Context, id: string, yes: boolean): Promise<number> {
  const place = placeFor(context, "terminal");
  if (typeof place === "number") return place;
  const sockets = await Promise.all(knownInboxes(place).map((inbox) => attendAt(inbox, HERE_FOR_ONE)));
  const inboxes = sockets.filter((socket) => socket !== undefined).map(readInbox);
  if (inboxes.length === 0) {
    say(context.terminal, "nothing serves this project", "a client of `rolecall serve --role R` starts it");
    return EXIT.couldNotCheck;
  }
  const all = await Promise.all(inboxes.map(({ waiting }) => waiting));
  const found = all.flat().find((one) => one.id === id);
  const answers = await Promise.all(
    inboxes.map((inbox, at) => inbox.answer(found && all[at]!.find((one) => answeredAs(one, found)), yes)),
  );
  const told = answers.filter((answer) => answer !== undefined);
  if (told.some((answer) => own(answer, "done") === true)) return EXIT.fine;
  const refused = told[0] ?? {};
  say(context.terminal, whyNot(refused), nextOf(refused, "`rolecall asks` shows what waits"));
  return EXIT.errors;
}

const HERE_FOR_ONE = { as: "terminal", stays: false } as const;

/** What one process asks, and what it says to an answer; undefined: it was given none. */
interface ReadInbox {
  readonly waiting: Promise<readonly InboxItem[]>;
  answer(item: InboxItem | undefined, yes: boolean): Promise<JsonObject | undefined>;
}

function readInbox(socket: Socket): ReadInbox {
  const seen: InboxItem[] = [];
  let toCome = Infinity;
  let told: JsonObject | undefined;
  // One that is suspended says nothing, and the ask is perhaps another's.
  socket.setTimeout(SHORT_ANSWER_MS, () => socket.destroy());
  let isRead = (): void => {};
  const read = new Promise<void>((resolve) => (isRead = resolve));
  const over = linesOf(socket, (line) => {
    const said = readObject(line) ?? {};
    const item = readItem(line);
    if (item !== undefined) seen.push(item);
    else if (typeof own(said, "waiting") === "number") toCome = own(said, "waiting") as number;
    else {
      told = said;
      socket.end();
    }
    if (seen.length < toCome) return;
    socket.setTimeout(0);
    isRead();
  });
  return {
    waiting: Promise.race([read, over]).then(() => seen),
    async answer(item, yes) {
      socket.setTimeout(item === undefined ? SHORT_ANSWER_MS : LONGEST_ANSWER_MS);
      if (item === undefined) socket.end();
      else writeLine(socket, answerLine(item, yes));
      await over;
      return told;
    },
  };
}

/** What is asked at this terminal, and what became of it meanwhile. */
interface Question {
  readonly item: InboxItem;
  isOver: boolean;
}

/** What is said to this terminal while questions are asked, one after the other. */
interface Asked {
  readonly queue: InboxItem[];
  /** Answers that were sent, by id. */
  readonly sent: Map<string, boolean>;
  question: Question | undefined;
  refused: JsonObject | undefined;
  /** Something was heard. */
  wake(): void;
}

/** Asks about one after the other; an exit code where there is nobody to ask, or nobody may. */
async function askOver(context: Context, asked: Asked, inboxes: Inboxes): Promise<number> {
  for (;;) {
    const item = asked.queue.shift();
    if (item !== undefined) {
      const question = { item, isOver: false };
      asked.question = question;
      const yes = await answerTo(context, question);
      asked.question = undefined;
      if (yes === "ended") return EXIT.fine;
      if (yes === undefined || question.isOver) continue;
      asked.sent.set(item.id, yes);
      inboxes.answer(answerLine(item, yes));
    } else if (asked.refused !== undefined) {
      say(context.terminal, whyNot(asked.refused), nextOf(asked.refused, "name it in `serve:` of rolecall.yaml"));
      return EXIT.errors;
    } else await new Promise<void>((resolve) => (asked.wake = resolve));
  }
}

function hearLine(context: Context, asked: Asked, line: string): void {
  const item = readItem(line);
  const told = readObject(line) ?? {};
  const [gone, done] = [own(told, "gone"), own(told, "done")];
  const sent = asked.sent.get(String(own(told, "id")));
  if (item !== undefined) asked.queue.push(item);
  else if (own(told, "refused") === true) asked.refused = told;
  else if (done === false) tell(context, `  it didn't count: ${whyNot(told)}\n`);
  else if (done === true && sent !== undefined) tell(context, sent ? "  it may go\n" : "  it is refused\n");
  else if (typeof gone === "string") forget(context, asked, { id: gone, why: "it needs no answer any more" });
}

function forget(context: Context, asked: Asked, { id, why }: { readonly id: string; readonly why: string }): void {
  const at = asked.queue.findIndex((one) => one.id === id);
  if (at !== -1) asked.queue.splice(at, 1);
  if (asked.question?.item.id === id) endQuestion(context, asked, why);
}

/** The next is shown after Enter: a key that was meant for this one must be no answer to another. */
function endQuestion({ terminal }: Context, { question }: Asked, why: string): void {
  if (question === undefined || question.isOver) return;
  question.isOver = true;
  terminal.out.write(`\n  ${why}; Enter goes on `);
}

/** Undefined: later, it goes on waiting. */
async function answerTo({ terminal }: Context, question: Question): Promise<boolean | "ended" | undefined> {
  const { item } = question;
  let isWhole = !isFolded(item);
  for (;;) {
    terminal.out.write(askPage(item, Date.now(), isWhole, terminal.out.width));
    terminal.out.write(`yes, no${isWhole ? "" : ", all of it"}, or later? [y/n${isWhole ? "" : "/a"}, then Enter] `);
    const began = terminal.now();
    const typed = await terminal.answer?.();
    if (typed === undefined) return "ended";
    if (question.isOver) return undefined;
    if (terminal.now() - began < TOO_SOON_MS) continue;
    const word = typed.trim().toLowerCase();
    if (word === "a") isWhole = true;
    else if (MEANT.has(word)) return MEANT.get(word);
  }
}

const MEANT: ReadonlyMap<string, boolean | undefined> = new Map([
  ["y", true],
  ["yes", true],
  ["n", false],
  ["no", false],
  ["", undefined],
]);
