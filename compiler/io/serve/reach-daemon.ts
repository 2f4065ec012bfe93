import { existsSync } from "node:fs";
import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { helloLine, readWelcome, type Hello, type Refused } from "../../serve/hello.ts";
import { FOLDER_GONE } from "./folder-gone.ts";
import { knownAddresses, type ServePlace } from "./place.ts";
import { isOlder } from "./taking-over.ts";
import { firstLine, reach } from "./talk.ts";

/** A daemon reads the whole project before it opens its doors. */
const LONGEST_START_MS = 60_000;
const LONGEST_WELCOME_MS = 10_000;
const PAUSE_MS = 5;

/**
 * A connection to the project's daemon on which the hello was welcomed. Where there is no daemon one is started, and
 * beside one of an older version one that takes its place as soon as it can serve.
 */
export async function openToDaemon(place: ServePlace, hello: Hello, dir: string): Promise<Socket | Refused> {
  let hasTried = false;
  for (let attempt = 1; ; attempt++) {
    const socket = attempt > MOST_ATTEMPTS ? NEVER_WELCOMED : await reachOrStart(place, dir, hello.project);
    if ("exit" in socket) return socket;
    socket.write(helloLine(hello));
    const line = await firstLine(socket, LONGEST_WELCOME_MS);
    // It ended at this very moment: the next one is asked.
    if (line === undefined) continue;
    const welcome = readWelcome(line);
    if (welcome === undefined) return newerDaemon(line);
    const isToTakeOver = !hasTried && isOlder(welcome.version, hello.version);
    if (welcome.refused === undefined && !isToTakeOver) return socket;
    socket.destroy();
    const refused = isToTakeOver ? await startInItsPlace(dir, hello.project) : welcome.refused;
    if (refused !== undefined) return refused;
    hasTried = true;
  }
}

/** A daemon may end, or hand over, at the very moment when it is asked. */
const MOST_ATTEMPTS = 5;
const NEVER_WELCOMED: Refused = {
  exit: 1,
  says: "what serves this project gives no answer",
  next: "end it with `rolecall serve --stop`",
};

/** One that this version can't talk to is never ended by it. */
function newerDaemon(line: string): Refused {
  const version = /"version":"([0-9A-Za-z.+-]{1,50})"/.exec(line)?.[1];
  const says = `another rolecall${version === undefined ? "" : `, ${version},`} serves this project, and this one can't talk to it`;
  return { exit: 1, says, next: `install ${version === undefined ? "its version" : `rolecall ${version}`} here too` };
}

async function reachOrStart(place: ServePlace, dir: string, project: Hello["project"]): Promise<Socket | Refused> {
  const until = performance.now() + LONGEST_START_MS;
  let started: Started | undefined;
  for (;;) {
    const address = knownAddresses(place)?.clients;
    const socket = address === undefined ? undefined : await reach(address);
    if (socket !== undefined) {
      started?.leave();
      return socket;
    }
    if (!existsSync(dir)) return { exit: 1, says: FOLDER_GONE, next: "start the host again where it is now" };
    // One that found another at work ends with 0, and that one may be gone by now.
    if (started === undefined || started.exit() === 0) started = startDaemon(dir, project);
    const exit = started.exit();
    if (exit !== undefined && exit !== 0) return { exit, ...wordsOf(started.said()) };
    if (performance.now() > until) return { exit: 1, ...wordsOf("") };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Undefined: it was done, or who is there keeps its place. One that can't serve says why, and nothing is handed over. */
async function startInItsPlace(dir: string, project: Hello["project"]): Promise<Refused | undefined> {
  const started = startDaemon(dir, project);
  const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_START_MS).unref());
  await Promise.race([started.begun, late]);
  const exit = started.exit();
  started.leave();
  return exit === undefined || exit === 0 ? undefined : { exit, ...wordsOf(started.said()) };
}

/** What it said is the refusal: the daemon's words are ours. */
function wordsOf(said: string): Omit<Refused, "exit"> {
  const words = said.trim().replace(/^rolecall: /, "");
  return words === ""
    ? { says: "the daemon of `rolecall serve` doesn't start", next: "`rolecall serve` shows why, in the foreground" }
    : { says: words, next: "" };
}

interface Started {
  /** Undefined while it lives. */
  exit(): number | undefined;
  said(): string;
  /** Resolves when its doors are open, or when it has ended. */
  readonly begun: Promise<void>;
  /** It is ready, and lives on its own. */
  leave(): void;
}

/** In a session of its own: it outlives the host that started the first client. Of another project it begins nothing. */
function startDaemon(dir: string, project: Hello["project"]): Started {
  const own = project === undefined ? [] : ["--of", project];
  const args = [...process.execArgv, process.argv[1]!, "serve", "--project", dir, ...own];
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: dir,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let exit: number | undefined;
  let said = "";
  const begun = new Promise<void>((resolve) => {
    child.stdout?.once("data", () => resolve());
    for (const end of ["error", "close"]) child.once(end, () => resolve());
  });
  child.once("error", () => (exit = 1));
  child.once("close", (code) => (exit = code ?? 1));
  child.stderr?.on("data", (text: Buffer) => (said += text.toString("utf8")));
  return {
    exit: () => exit,
    said: () => said,
    begun,
    leave() {
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
    },
  };
}
