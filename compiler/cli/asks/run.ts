import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
import { lineCutter, writeLine } from "../../io/serve/lines.ts";
import { attendAt, LONGEST_ANSWER_MS, SHORT_ANSWER_MS } from "../../io/serve/orders.ts";
import { knownInboxes } from "../../io/serve/place.ts";
import { answeredAs, readItem, readObject, type InboxItem } from "../../serve/inbox-lines.ts";
import { EXIT, say, tell, type Context } from "../command.ts";
import { answerLine, doneWords, linesOf, nextOf, overInboxes, placeFor, whyNot } from "./attending.ts";

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
  if (found !== undefined && told.some((answer) => own(answer, "done") === true)) {
    tell(context, `${doneWords(found, yes)}\n`);
    return EXIT.fine;
  }
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
