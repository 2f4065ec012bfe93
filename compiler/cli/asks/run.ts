import { userInfo } from "node:os";
import type { Socket } from "node:net";
import { own, type JsonObject } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { isTrouble } from "../../io/login/types.ts";
import { lineCutter, writeLine } from "../../io/serve/lines.ts";
import { attend, type ApproverKind } from "../../io/serve/orders.ts";
import { servePlace, type ServePlace } from "../../io/serve/place.ts";
import { readItem, readObject, type InboxItem } from "../../serve/inbox-lines.ts";
import { EXIT, say, tell, type Context } from "../command.ts";
import { hostShellMark } from "./host-shell.ts";
import { askPage, isFolded } from "./page.ts";

/** How soon a daemon that has come, or come again, is found. */
const PAUSE_MS = 300;
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

/** Where what waits is, or why it isn't shown from here. */
function placeFor({ dir, terminal }: Context, as: ApproverKind): ServePlace | number {
  const mark = hostShellMark(terminal.env);
  if (mark !== undefined) {
    say(terminal, `this is the shell of an agent host (${mark} is set), and no agent answers for its user`, ELSEWHERE);
    return EXIT.errors;
  }
  if (as === "terminal" && (terminal.answer === undefined || !terminal.out.isTerminal)) {
    say(terminal, "nobody can be asked here: this is no terminal", ELSEWHERE);
    return EXIT.errors;
  }
  try {
    return servePlace(dir, terminal.env);
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    say(terminal, visible(problem.says), visible(problem.next));
    return EXIT.errors;
  }
}

const ELSEWHERE = "open `rolecall asks` in a terminal of your own";

/** Until it is to stop, or `meet` says an exit code. Daemons may end and come: somebody who answers stays. */
async function overDaemons(
  place: ServePlace,
  as: ApproverKind,
  stopped: Promise<void>,
  meet: (socket: Socket) => Promise<number | undefined>,
): Promise<number> {
  let socket: Socket | undefined;
  let isOver = false;
  const meeting = async (): Promise<number> => {
    for (;;) {
      const found = await attend(place, { as, stays: true });
      socket = found;
      if (isOver) {
        found?.destroy();
        return EXIT.fine;
      }
      const exit = found && (await meet(found));
      if (exit !== undefined) return exit;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const exit = await Promise.race([stopped.then(() => EXIT.fine), meeting()]);
  isOver = true;
  socket?.destroy();
  // Nobody reads on, and the process may end.
  process.stdin.unref?.();
  return exit;
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

function answerLine({ id, hash }: InboxItem, yes: boolean): string {
  return JSON.stringify({ id, hash, yes, by: userName() });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

function whyNot(told: JsonObject): string {
  const why = own(told, "why");
  return typeof why === "string" ? visible(why) : "nothing with this id waits";
}

/** `usual`: a daemon of an older version says none. */
function nextOf(told: JsonObject, usual: string): string {
  const next = own(told, "next");
  return typeof next === "string" ? visible(next) : usual;
}

/** Resolves when the other side is gone. */
function linesOf(socket: Socket, line: (text: string) => void): Promise<void> {
  return new Promise((resolve) => {
    socket.on(
      "data",
      lineCutter(line, () => socket.destroy()),
    );
    socket.once("close", () => resolve());
  });
}
