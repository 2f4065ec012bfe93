import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { TransportData } from "../../../runtime/server-data.ts";
import { http, sse, startFault, stdio } from "../linked.ts";

/** The fault table: what goes wrong, over which transport, at which moment, and how the call ends that meets it. */

export type Kind = "stdio" | "http" | "sse";

export interface Fault {
  readonly kind: Kind;
  /** Of the fault server. */
  readonly config?: object;
  /** Where something else stands in the server's place. */
  readonly instead?: ((tag: string) => Promise<TransportData> | TransportData) | undefined;
  /** Of the call that meets the fault: the second where the first one must be answered. */
  readonly call?: 1 | 2;
  /** Before the second call, for what a server does by itself. */
  readonly idleMs?: number;
  /** The team is closed so long after the call began. */
  readonly closeAfterMs?: number;
}

const KINDS: readonly Kind[] = ["stdio", "http", "sse"];

/** When it goes wrong: before `initialize`, in its answer, in the list's, the first call's, a later one's, in between, at the end. */
export type Moment = "before" | "initialize" | "list" | "first" | "later" | "idle" | "close";

export interface FaultCase {
  readonly kind: Kind;
  readonly moment: Moment;
  readonly name: string;
  readonly fault: Fault;
  readonly ends: string;
}

type Ends = string | Readonly<Record<Kind, string>>;

const ANSWERED = "ok";
const LATE = "timeout";
const DOWN = "server-unavailable";
const FAILED = "tool-failed";
/** Over a stream it may be noise, and the answer still come. */
const unread = (http: string): Ends => ({ stdio: LATE, http, sse: LATE });

/** How a message is answered, by answers.mjs; and how the call ends: in `initialize`, in the list, in a call. */
const ANSWERS: Readonly<Record<string, readonly [Ends, Ends, Ends]>> = {
  hang: [LATE, LATE, LATE],
  late: [LATE, LATE, LATE],
  die: [DOWN, DOWN, DOWN],
  exit: [DOWN, DOWN, DOWN],
  words: [DOWN, DOWN, DOWN],
  cut: [DOWN, DOWN, DOWN],
  half: [DOWN, DOWN, DOWN],
  wrong: [unread(DOWN), unread(DOWN), unread(FAILED)],
  "no message": [unread(DOWN), unread(DOWN), unread(FAILED)],
  error: [DOWN, DOWN, FAILED],
  "strange error": [unread(DOWN), unread(DOWN), unread(FAILED)],
  empty: [DOWN, DOWN, ANSWERED],
  null: [unread(DOWN), unread(DOWN), unread(FAILED)],
  text: [unread(DOWN), unread(DOWN), unread(FAILED)],
  list: [unread(DOWN), unread(DOWN), unread(FAILED)],
  "other id": [LATE, LATE, LATE],
  twice: [ANSWERED, ANSWERED, ANSWERED],
  noise: [ANSWERED, ANSWERED, ANSWERED],
  deep: [DOWN, DOWN, FAILED],
  values: [DOWN, DOWN, FAILED],
  "other version": [DOWN, ANSWERED, ANSWERED],
};

/** Of the first call, and of one in an older session. */
const STATUSES: Readonly<Record<string, readonly [Ends, Ends, Ends, Ends]>> = {
  400: [DOWN, DOWN, FAILED, FAILED],
  401: ["needs-auth", "needs-auth", "needs-auth", "needs-auth"],
  403: ["auth-failed", "auth-failed", "auth-failed", "auth-failed"],
  // By the protocol the session is gone, and nothing was done; the old event streams have none.
  404: [DOWN, DOWN, FAILED, { stdio: "", http: ANSWERED, sse: FAILED }],
  405: [DOWN, DOWN, DOWN, DOWN],
  410: [DOWN, DOWN, DOWN, DOWN],
  // Asked again when it may be: once it is enough.
  429: ["rate-limited", "rate-limited", ANSWERED, ANSWERED],
  500: [DOWN, DOWN, DOWN, DOWN],
  502: [DOWN, DOWN, DOWN, DOWN],
  503: [DOWN, DOWN, DOWN, DOWN],
};

const command =
  (source: string): Fault["instead"] =>
  (tag) =>
    stdio([process.execPath, "-e", source, tag]);

const CHILDREN: Readonly<Record<string, readonly [Fault["instead"], string]>> = {
  "its command isn't there": [() => stdio(["/nowhere/at-all"]), DOWN],
  "its command is a folder": [() => stdio(["/"]), DOWN],
  "its folder isn't there": [() => stdio([process.execPath, "-e", ""], {}, ["/nowhere/at-all"]), DOWN],
  "it ends at once": [command(""), DOWN],
  "it throws": [command("throw new Error('no')"), DOWN],
  "it never reads": [command("setTimeout(() => {}, 30_000)"), LATE],
  "it closes its input": [command("process.stdin.destroy(); setTimeout(() => {}, 30_000)"), LATE],
  "it closes its output": [command("require('fs').closeSync(1); setTimeout(() => {}, 30_000)"), DOWN],
  "it talks and doesn't answer": [command("setInterval(() => console.error('x'.repeat(1e4)), 1)"), LATE],
};

const doors = new Set<Server>();

/** Something that listens and isn't a server of HTTP. */
async function door(heard: (socket: Socket) => void): Promise<string> {
  const opened = createServer((socket) => {
    socket.on("error", () => {}).resume();
    heard(socket);
  });
  doors.add(opened);
  await once(opened.listen(0, "127.0.0.1"), "listening");
  return `//127.0.0.1:${(opened.address() as { readonly port: number }).port}/mcp`;
}

export function closeDoors(): void {
  for (const opened of doors) opened.close();
  doors.clear();
}

const refusing = async (): Promise<string> => {
  const { url, kill } = await startFault({});
  await kill();
  return url;
};
const answering = (text: string) => async () =>
  `http:${await door((socket) => socket.once("data", () => socket.end(text)))}`;

const PLACES: Readonly<Record<string, readonly [() => Promise<string>, Ends]>> = {
  "nobody listens": [refusing, DOWN],
  "it hangs up": [async () => `http:${await door((socket) => socket.destroy())}`, DOWN],
  "it hangs up on each question": [answering(""), DOWN],
  "it says nothing": [async () => `http:${await door(() => {})}`, LATE],
  "it speaks something else": [answering("220 mail.example ESMTP\r\n"), DOWN],
  "it has no TLS": [async () => `https:${await door((socket) => socket.end("HTTP/1.1 400 no\r\n\r\n"))}`, DOWN],
  "it leads elsewhere": [
    answering("HTTP/1.1 307 no\r\nlocation: http://192.0.2.1/\r\ncontent-length: 0\r\n\r\n"),
    DOWN,
  ],
  "it answers a page": [answering("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi"), DOWN],
  "it answers 401": [answering("HTTP/1.1 401 no\r\ncontent-length: 0\r\n\r\n"), "needs-auth"],
  "it answers 451": [answering("HTTP/1.1 451 no\r\ncontent-length: 0\r\n\r\n"), "auth-failed"],
};

/** What it does by itself between two calls, and how the second ends. */
const IDLE: Readonly<Record<string, Ends>> = {
  die: { stdio: ANSWERED, http: DOWN, sse: DOWN },
  exit: { stdio: ANSWERED, http: DOWN, sse: DOWN },
  cut: ANSWERED,
  storm: ANSWERED,
  noise: ANSWERED,
  wrong: ANSWERED,
  strangers: ANSWERED,
  requests: ANSWERED,
  "unknown requests": ANSWERED,
  "unknown notices": ANSWERED,
};

/** How the team is closed while a call waits, in its first call's connection or in one that answered before. */
const CLOSES: readonly (readonly [string, object, 1 | 2, Ends])[] = [
  ["in a call", {}, 2, DOWN],
  ["in a call over events", { stream: true }, 2, DOWN],
  ["in `initialize`", { initialize: "hang" }, 1, DOWN],
  ["while the list is compared", { listDelay: 5_000 }, 1, DOWN],
  ["of one with a child", { child: true }, 2, DOWN],
  ["of one that dies by it", { dieAtEnd: true }, 2, DOWN],
  // A call has its own time to end in, at most as long as closing takes.
  ["of one that ignores it", { ignoreEnd: true, holdDelete: true }, 2, { stdio: LATE, http: LATE, sse: DOWN }],
  ["of one with a child that ignores it", { ignoreEnd: true, child: true }, 2, { stdio: LATE, http: DOWN, sse: DOWN }],
];

const QUICK: Partial<Readonly<Record<Moment, readonly string[]>>> = {
  before: ["it ends at once", "it never reads", "nobody listens", "it hangs up", "it says nothing"],
  initialize: ["die", "half", "wrong", "deep", "401", "503"],
  first: ["hang", "die", "half", "wrong", "deep", "401", "503"],
  idle: ["die", "requests"],
  close: ["in a call", "of one with a child"],
};

function* wrongAnswers(): Iterable<FaultCase> {
  for (const kind of KINDS) {
    for (const [what, [connect, list, call]] of Object.entries(ANSWERS))
      yield* atEach(kind, what, [connect, list, call, call]);
    if (kind !== "stdio") for (const [status, ends] of Object.entries(STATUSES)) yield* atEach(kind, status, ends);
  }
}

const AT = [
  ["initialize", "initialize", 1],
  ["list", "tools/list", 1],
  ["first", "tools/call", 1],
  ["later", "tools/call", 2],
] as const;

function* atEach(kind: Kind, what: string, ends: readonly [Ends, Ends, Ends, Ends]): Iterable<FaultCase> {
  for (const [i, [moment, method, nth]] of AT.entries()) {
    const fault: Fault = { kind, config: { at: { method, nth, do: what } }, call: moment === "later" ? 2 : 1 };
    yield { kind, moment, name: what, fault, ends: endOver(kind, ends[i]!) };
  }
}

function* before(): Iterable<FaultCase> {
  const moment = "before";
  for (const [name, [instead, ends]] of Object.entries(CHILDREN))
    yield { kind: "stdio", moment, name, ends, fault: { kind: "stdio", instead } };
  for (const kind of ["http", "sse"] as const)
    for (const [name, [place, ends]] of Object.entries(PLACES)) {
      const instead = async (): Promise<TransportData> => (kind === "sse" ? sse(await place()) : http(await place()));
      yield { kind, moment, name, ends: endOver(kind, ends), fault: { kind, instead } };
    }
}

function* between(): Iterable<FaultCase> {
  for (const kind of KINDS)
    for (const [name, ends] of Object.entries(IDLE)) {
      // Whose output ends is given time to end as well.
      const idleMs = kind === "stdio" && name === "cut" ? 2_000 : 500;
      yield {
        kind,
        moment: "idle",
        name,
        ends: endOver(kind, ends),
        fault: { kind, config: { idle: name }, call: 2, idleMs },
      };
    }
}

function* atTheEnd(): Iterable<FaultCase> {
  for (const kind of KINDS)
    for (const [name, config, call, ends] of CLOSES)
      yield {
        kind,
        moment: "close",
        name,
        ends: endOver(kind, ends),
        fault: { kind, config, call, closeAfterMs: 400 },
      };
}

function endOver(kind: Kind, ends: Ends): string {
  return typeof ends === "string" ? ends : ends[kind];
}

export const FAULT_CASES: readonly FaultCase[] = [...wrongAnswers(), ...before(), ...between(), ...atTheEnd()];

/** One of each sort, for `npm test`. */
export const QUICK_CASES: readonly FaultCase[] = FAULT_CASES.filter(({ moment, name }) =>
  QUICK[moment]?.includes(name),
);
