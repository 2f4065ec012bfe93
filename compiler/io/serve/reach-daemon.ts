import { existsSync } from "node:fs";
import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { compareVersions, isVersion } from "../../base/versions.ts";
import { helloLine, readWelcome, type Hello, type Refused } from "../../serve/hello.ts";
import { FOLDER_GONE } from "./folder-gone.ts";
import { order } from "./orders.ts";
import { knownAddresses, type ServePlace } from "./place.ts";
import { firstLine, reach } from "./talk.ts";

/** A daemon reads the whole project before it opens its doors. */
const LONGEST_START_MS = 60_000;
const LONGEST_WELCOME_MS = 10_000;
const PAUSE_MS = 5;

/** A connection to the project's daemon on which the hello was welcomed. Where there is no daemon one is started. */
export async function openToDaemon(place: ServePlace, hello: Hello, dir: string): Promise<Socket | Refused> {
  for (let attempt = 1; ; attempt++) {
    const socket = attempt > MOST_ATTEMPTS ? NEVER_WELCOMED : await reachOrStart(place, dir, hello.project);
    if ("exit" in socket) return socket;
    socket.write(helloLine(hello));
    const line = await firstLine(socket, LONGEST_WELCOME_MS);
    // It ended at this very moment: the next one is asked.
    if (line === undefined) continue;
    const welcome = readWelcome(line);
    if (welcome === undefined) return newerDaemon(line);
    if (isOlder(welcome.version, hello.version) && (await order(place, "hand-over"))?.["done"] === true) {
      socket.destroy();
      continue;
    }
    if (welcome.refused === undefined) return socket;
    socket.destroy();
    return welcome.refused;
  }
}

/** A daemon may end, or hand over, at the very moment when it is asked. */
const MOST_ATTEMPTS = 5;
const NEVER_WELCOMED: Refused = {
  exit: 1,
  says: "what serves this project gives no answer",
  next: "end it with `rolecall serve --stop`",
};

function isOlder(theirs: string, ours: string): boolean {
  return isVersion(theirs) && isVersion(ours) && compareVersions(theirs, ours) < 0;
}

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
    stdio: ["ignore", "ignore", "pipe"],
    windowsHide: true,
  });
  let exit: number | undefined;
  let said = "";
  child.once("error", () => (exit = 1));
  child.once("close", (code) => (exit = code ?? 1));
  child.stderr?.on("data", (text: Buffer) => (said += text.toString("utf8")));
  return {
    exit: () => exit,
    said: () => said,
    leave() {
      child.stderr?.destroy();
      child.unref();
    },
  };
}
