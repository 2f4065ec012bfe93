import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
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
  tell(context, "asks are shown here as they come; Ctrl+C ends, and calls that are asked are refused from then on\n");
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

/** Asks about one after the other until the daemon is gone; an exit code where there is nobody, or nothing, to ask. */
async function askOver(context: Context, socket: Socket): Promise<number | undefined> {
  const queue: InboxItem[] = [];
  let refused: JsonObject | undefined;
  let isOver = false;
  let wake = (): void => {};
  const hear = (line: string): void => {
    const item = readItem(line);
    const told = readObject(line) ?? {};
    if (item !== undefined) queue.push(item);
    else if (own(told, "refused") === true) refused = told;
    else if (own(told, "done") === false) tell(context, `  ${whyNot(told)}\n`);
    wake();
  };
  void linesOf(socket, hear).finally(() => {
    isOver = true;
    wake();
  });
  for (;;) {
    const item = queue.shift();
    if (item !== undefined) {
      const yes = await answerTo(context, item);
      if (yes === "ended") {
        socket.destroy();
        return EXIT.fine;
      }
      if (yes !== undefined) writeLine(socket, answerLine(item, yes));
    } else if (isOver) {
      if (refused === undefined) return undefined;
      say(context.terminal, whyNot(refused), nextOf(refused, "name it in `serve:` of rolecall.yaml"));
      return EXIT.errors;
    } else await new Promise<void>((resolve) => (wake = resolve));
  }
}

/** Undefined: later, it goes on waiting. */
async function answerTo({ terminal }: Context, item: InboxItem): Promise<boolean | "ended" | undefined> {
  let isWhole = !isFolded(item);
  for (;;) {
    terminal.out.write(askPage(item, Date.now(), isWhole));
    terminal.out.write(`yes, no${isWhole ? "" : ", all of it"}, or later? [y/n${isWhole ? "" : "/a"}/Enter] `);
    const began = terminal.now();
    const typed = await terminal.answer?.();
    if (typed === undefined) return "ended";
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
