import { setTimeout as pause } from "node:timers/promises";
import { own, type JsonObject } from "../../base/json.ts";
import { wrap } from "../../base/wrap.ts";
import type { Inboxes } from "../../io/serve/inboxes.ts";
import { readItem, readObject, type InboxItem } from "../../serve/inbox-lines.ts";
import { EXIT, say, tell, type Context } from "../command.ts";
import { answerLine, doneWords, nextOf, overInboxes, placeFor, whyNot } from "./attending.ts";
import { askPage, isFolded, moreAbout } from "./page.ts";

/** What is typed sooner was meant before the question was read. */
const TOO_SOON_MS = 250;

/** `rolecall asks`: stays, and asks at this terminal about all that waits and comes, over processes that come and go. */
export async function askHere(context: Context): Promise<number> {
  const place = placeFor(context, "terminal");
  if (typeof place === "number") return place;
  const begins = "asks are shown here as they come; Ctrl+C ends, and calls that are asked are refused from then on";
  tell(context, `${wrap(begins, context.terminal.err.width).join("\n")}\n`);
  const asked: Asked = { queue: [], later: [], sent: new Map(), question: undefined, refused: undefined, wake() {} };
  return overInboxes(place, "terminal", {
    stopped: context.terminal.stopped(),
    hearer: {
      heard(line) {
        hearLine(context, asked, line);
        asked.wake();
      },
      lost({ ids, isLast }) {
        const why = isLast ? "nothing serves this project any more" : "the process that asked has ended";
        for (const id of ids) forget(asked, { id, why });
        asked.wake();
      },
    },
    answering: (inboxes) => askOver(context, asked, inboxes),
  });
}

/** What is asked at this terminal, and what became of it meanwhile. */
interface Question {
  readonly item: InboxItem;
  /** It needs no answer any more. */
  end(why: string): void;
}

/** What is said to this terminal while questions are asked, one after the other. */
interface Asked {
  readonly queue: InboxItem[];
  /** Shown, and left waiting. */
  readonly later: InboxItem[];
  /** By the id of what was answered: what is said when it counted. */
  readonly sent: Map<string, string>;
  question: Question | undefined;
  refused: JsonObject | undefined;
  /** Something was heard. */
  wake(): void;
}

/** What is typed, line by line. */
interface Typed {
  next(): Promise<string | undefined>;
  taken(): void;
  /** Nothing that was typed until now is an answer; false: nothing was. */
  drop(): Promise<boolean>;
  /** Keys that were meant for a question that was taken away may stand in the next line. */
  mayBeForAnother: boolean;
}

function typedAt({ terminal }: Context): Typed {
  let coming: Promise<string | undefined> | undefined;
  let came: { readonly line: string | undefined } | undefined;
  const typed: Typed = {
    next: () =>
      (coming ??= (terminal.answer?.() ?? Promise.resolve(undefined)).then((line) => {
        came = { line };
        return line;
      })),
    taken() {
      coming = came = undefined;
      typed.mayBeForAnother = false;
    },
    async drop() {
      const isBegun = (await terminal.dropTyped?.()) ?? false;
      if (came?.line === undefined) return isBegun;
      typed.taken();
      return true;
    },
    mayBeForAnother: false,
  };
  return typed;
}

/** Asks about one after the other; an exit code where there is nobody to ask, or nobody may. */
async function askOver(context: Context, asked: Asked, inboxes: Inboxes): Promise<number> {
  const typed = typedAt(context);
  for (;;) {
    const item = asked.queue.shift();
    if (item !== undefined) {
      const answer = await answerTo(context, asked, item, typed);
      if (answer === "ended") return EXIT.fine;
      if (answer === "later") leaveWaiting(context, asked, item);
      if (answer !== "yes" && answer !== "no") continue;
      asked.sent.set(item.id, doneWords(item, answer === "yes"));
      inboxes.answer(answerLine(item, answer === "yes"));
    } else if (asked.refused !== undefined) {
      say(context.terminal, whyNot(asked.refused), nextOf(asked.refused, "name it in `serve:` of rolecall.yaml"));
      return EXIT.errors;
    } else if (!(await somethingComes(asked, typed))) return EXIT.fine;
  }
}

/** A question, or Enter for what was left waiting; false: nobody types any more. */
async function somethingComes(asked: Asked, typed: Typed): Promise<boolean> {
  const woken = new Promise<"woken">((resolve) => (asked.wake = () => resolve("woken")));
  const came = await Promise.race([typed.next(), woken]);
  if (came === "woken") return true;
  typed.taken();
  asked.queue.push(...asked.later.splice(0));
  return came !== undefined;
}

function leaveWaiting({ terminal }: Context, asked: Asked, item: InboxItem): void {
  asked.later.push(item);
  terminal.out.write(aside(terminal, "left waiting: Enter shows it again, and so does the same call"));
}

function hearLine(context: Context, asked: Asked, line: string): void {
  const item = readItem(line);
  const told = readObject(line) ?? {};
  const [gone, done, again] = [own(told, "gone"), own(told, "done"), own(told, "again")];
  const sent = asked.sent.get(String(own(told, "id")));
  if (item !== undefined) asked.queue.push(item);
  else if (own(told, "refused") === true) asked.refused = told;
  else if (done === false) tell(context, `  it didn't count: ${whyNot(told)}\n`);
  else if (done === true && sent !== undefined) tell(context, `  ${sent}\n`);
  else if (typeof gone === "string") forget(asked, { id: gone, why: "it needs no answer any more" });
  else if (typeof again === "string") asked.queue.push(...takenOut(asked.later, again));
}

function forget(asked: Asked, { id, why }: { readonly id: string; readonly why: string }): void {
  takenOut(asked.queue, id);
  takenOut(asked.later, id);
  if (asked.question?.item.id === id) asked.question.end(why);
}

function takenOut(items: InboxItem[], id: string): InboxItem[] {
  const at = items.findIndex((one) => one.id === id);
  return at === -1 ? [] : items.splice(at, 1);
}

type Answer = "yes" | "no" | "later" | "over" | "ended";

async function answerTo({ terminal }: Context, asked: Asked, item: InboxItem, typed: Typed): Promise<Answer> {
  const over = new Promise<"over">((resolve) => {
    asked.question = {
      item,
      end(why) {
        terminal.out.write(`\n${aside(terminal, why)}`);
        typed.mayBeForAnother = true;
        resolve("over");
      },
    };
  });
  let isWhole = !isFolded(item);
  try {
    await typed.drop();
    for (;;) {
      show(terminal, item, isWhole);
      terminal.out.write(typed.mayBeForAnother ? aside(terminal, KEYS_MAY_WAIT) : questionWords(isWhole));
      if ((await Promise.race([pause(TOO_SOON_MS), over])) === "over") return "over";
      if (await typed.drop()) continue;
      const came = await Promise.race([typed.next().then((line) => ({ line })), over]);
      if (came === "over") return "over";
      const { mayBeForAnother } = typed;
      typed.taken();
      if (came.line === undefined) return "ended";
      if (mayBeForAnother) continue;
      const word = came.line.trim().toLowerCase();
      const meant = MEANT.get(word);
      if (meant !== undefined) return meant;
      if (word === "a") isWhole = true;
      else terminal.out.write(aside(terminal, "that is none of the answers"));
    }
  } finally {
    asked.question = undefined;
  }
}

function show({ out }: Context["terminal"], item: InboxItem, isWhole: boolean): void {
  const page = askPage(item, Date.now(), isWhole, out.width);
  const more = moreAbout(item);
  if (out.writeAsIs === undefined) out.write(page);
  else out.writeAsIs(page);
  if (more !== undefined) out.write(aside({ out }, more));
}

function questionWords(isWhole: boolean): string {
  return `yes, no${isWhole ? "" : ", all of it"}, or later? [y/n${isWhole ? "" : "/a"}, or Enter alone] `;
}

const KEYS_MAY_WAIT = "you may have typed for the one before: press Enter first";

function aside({ out }: Pick<Context["terminal"], "out">, text: string): string {
  return `${wrap(`  ${text}`, out.width, "  ").join("\n")}\n`;
}

const MEANT: ReadonlyMap<string, Answer> = new Map([
  ["yes", "yes"],
  ["no", "no"],
  ["y", "yes"],
  ["n", "no"],
  ["", "later"],
  ["later", "later"],
  ["l", "later"],
]);
