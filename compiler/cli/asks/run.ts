import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
import { wrap } from "../../base/wrap.ts";
import { lineCutter, writeLine } from "../../io/serve/lines.ts";
import { attend } from "../../io/serve/orders.ts";
import { readItem, readObject, type InboxItem } from "../../serve/inbox-lines.ts";
import { EXIT, say, tell, type Context } from "../command.ts";
import { answerLine, linesOf, nextOf, overDaemons, placeFor, whyNot } from "./attending.ts";
import { askPage, isFolded } from "./page.ts";

/** An answer that came sooner was typed before the question was there. */
const TOO_SOON_MS = 250;

/** `rolecall asks`: stays, and asks at this terminal about all that waits and comes, over daemons that come and go. */
export async function askHere(context: Context): Promise<number> {
  const place = placeFor(context, "terminal");
  if (typeof place === "number") return place;
  const begins = "asks are shown here as they come; Ctrl+C ends, and calls that are asked are refused from then on";
  tell(context, `${wrap(begins, context.terminal.err.width).join("\n")}\n`);
  return overDaemons(place, "terminal", context.terminal.stopped(), (socket) => askOver(context, socket));
}

/** `--json --watch`: lines of the inbox pass as they are, in both directions. */
export async function passOn(context: Context): Promise<number> {
  const place = placeFor(context, "program");
  if (typeof place === "number") return place;
  const { terminal } = context;
  let daemon: Socket | undefined;
  const answer = (line: string): void => {
    if (daemon !== undefined) writeLine(daemon, line);
    else terminal.out.write('{"done":false,"why":"nothing serves this project"}\n');
  };
  process.stdin.on(
    "data",
    lineCutter(answer, () => process.stdin.destroy()),
  );
  const left = new Promise<void>((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  return overDaemons(place, "program", Promise.race([left, terminal.stopped()]), async (socket) => {
    daemon = socket;
    let isRefused = false;
    await linesOf(socket, (line) => {
      isRefused ||= own(readObject(line) ?? {}, "refused") === true;
      terminal.out.write(`${line}\n`);
    });
    daemon = undefined;
    return isRefused ? EXIT.errors : undefined;
  });
}

/** `--yes ID` and `--no ID`. */
export async function answerOne(context: Context, id: string, yes: boolean): Promise<number> {
  const place = placeFor(context, "terminal");
  if (typeof place === "number") return place;
  const socket = await attend(place, { as: "terminal", stays: false });
  if (socket === undefined) {
    say(context.terminal, "nothing serves this project", "a client of `rolecall serve --role R` starts it");
    return EXIT.couldNotCheck;
  }
  const seen: InboxItem[] = [];
  let toCome = Infinity;
  let answered: JsonObject = { done: false };
  await linesOf(socket, (line) => {
    const told = readObject(line) ?? {};
    const item = readItem(line);
    if (item !== undefined) seen.push(item);
    else if (typeof own(told, "waiting") === "number") toCome = own(told, "waiting") as number;
    else {
      answered = told;
      return void socket.end();
    }
    if (seen.length < toCome) return;
    const found = seen.find((one) => one.id === id);
    if (found === undefined) socket.end();
    else writeLine(socket, answerLine(found, yes));
  });
  if (own(answered, "done") === true) return EXIT.fine;
  say(context.terminal, whyNot(answered), nextOf(answered, "`rolecall asks` shows what waits"));
  return EXIT.errors;
}

/** What is asked at this terminal, and what became of it meanwhile. */
interface Question {
  readonly item: InboxItem;
  isOver: boolean;
}

/** What a daemon says while questions are asked, one after the other. */
interface Asked {
  readonly queue: InboxItem[];
  /** Answers that were sent, by id. */
  readonly sent: Map<string, boolean>;
  question: Question | undefined;
  refused: JsonObject | undefined;
  isOver: boolean;
}

/** Asks about one after the other until the daemon is gone; an exit code where there is nobody, or nothing, to ask. */
async function askOver(context: Context, socket: Socket): Promise<number | undefined> {
  const asked: Asked = { queue: [], sent: new Map(), question: undefined, refused: undefined, isOver: false };
  let wake = (): void => {};
  const hear = (line: string): void => {
    hearLine(context, asked, line);
    wake();
  };
  void linesOf(socket, hear).finally(() => {
    asked.isOver = true;
    endQuestion(context, asked, "nothing serves this project any more");
    wake();
  });
  for (;;) {
    const item = asked.queue.shift();
    if (item !== undefined) {
      const question = { item, isOver: false };
      asked.question = question;
      const yes = await answerTo(context, question);
      asked.question = undefined;
      if (yes === "ended") {
        socket.destroy();
        return EXIT.fine;
      }
      if (yes === undefined || question.isOver) continue;
      asked.sent.set(item.id, yes);
      writeLine(socket, answerLine(item, yes));
    } else if (asked.isOver) {
      if (asked.refused === undefined) return undefined;
      say(context.terminal, whyNot(asked.refused), nextOf(asked.refused, "name it in `serve:` of rolecall.yaml"));
      return EXIT.errors;
    } else await new Promise<void>((resolve) => (wake = resolve));
  }
}

function hearLine(context: Context, asked: Asked, line: string): void {
  const item = readItem(line);
  const told = readObject(line) ?? {};
  const [gone, id] = [own(told, "gone"), own(told, "id")];
  if (item !== undefined) asked.queue.push(item);
  else if (own(told, "refused") === true) asked.refused = told;
  else if (own(told, "done") === false) tell(context, `  it didn't count: ${whyNot(told)}\n`);
  else if (own(told, "done") === true)
    tell(context, asked.sent.get(String(id)) ? "  it may go\n" : "  it is refused\n");
  else if (typeof gone === "string") {
    const at = asked.queue.findIndex((one) => one.id === gone);
    if (at !== -1) asked.queue.splice(at, 1);
    if (asked.question?.item.id === gone) endQuestion(context, asked, "it needs no answer any more");
  }
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
