import type { LinkWorld } from "../link.ts";
import type { TransportData } from "../server-data.ts";
import { createAwaited, type Awaited } from "./awaited.ts";
import { expandAddress, expandStart, type Expansion, type HttpEntry, type StdioEntry } from "./expand-entry.ts";
import { watchFetch } from "./http-fetch.ts";
import type { TooMuch } from "./bounds.ts";
import { timerMs } from "./in-time.ts";
import { safeVariables, type Credentials, type Library, type Transport } from "./library.ts";
import { createNoise } from "./noise.ts";
import { stdioChild } from "./stdio-child.ts";

/** A transport with its references expanded, not started yet. */
export interface Wire {
  readonly transport: Transport;
  /** What a child said last on standard error, and how it ended. */
  said(): string;
  ending(): string;
  /** It has ended, and all that it said is here; at once where there is no child. */
  readonly over: Promise<void>;
  /** What it sent that was more than may be, said once: over a stream nobody else says so. */
  exceeded(): TooMuch | undefined;
  /** Why the last request went nowhere, where the transport doesn't say it. */
  failure(): unknown;
  /** HTTP: what waits for an answer. */
  readonly awaited: Awaited | undefined;
  /** HTTP: what the server says by itself is heard, or won't be. */
  readonly listening: Promise<void>;
}

export interface Wiring extends Expansion {
  readonly world: Expansion["world"] & Pick<LinkWorld, "credentials">;
  readonly library: Library;
  readonly tap?: Tap | undefined;
  readonly timeoutMs: number;
  /** The server's own stream was cut and opened again. */
  gap(): void;
}

/** Hears what comes in as text, before anything has read it: whoever pins an answer wants it as it was sent. */
export interface Tap {
  line(text: string): void;
  /** Gives the same answer, to be read by the library. */
  response(response: Response): Response;
}

export function createWire(entry: TransportData, wiring: Wiring): Promise<Wire> {
  return entry.kind === "stdio" ? stdioWire(entry, wiring) : httpWire(entry, wiring);
}

async function httpWire(entry: HttpEntry, wiring: Wiring): Promise<Wire> {
  const { library, world, tap, timeoutMs } = wiring;
  const { url, headers } = await expandAddress(entry, wiring);
  const authProvider = credentialsFor(url, headers, world);
  const noise = createNoise();
  const awaited = createAwaited(timeoutMs, noise.answer);
  const watched = watchFetch(wiring.gap, {
    tap: tap?.response,
    credentials: authProvider,
    noise,
    signalFor: entry.kind === "sse" ? awaited.signalFor : undefined,
    answersStream: entry.kind !== "sse",
  });
  const options = {
    fetch: watched.fetch,
    requestInit: { headers },
    redirectPolicy: "same-origin",
    ...(authProvider === undefined ? {} : { authProvider }),
  } as const;
  const transport =
    entry.kind === "sse"
      ? new library.SSEClientTransport(url, options)
      : new library.StreamableHTTPClientTransport(url, {
          ...options,
          reconnectionOptions: RECONNECTION,
          reconnectionScheduler: later,
        });
  return {
    transport,
    ...NO_CHILD,
    failure: () => watched.failure,
    exceeded: watched.exceeded,
    awaited,
    listening: watched.listening,
  };
}

/** What is written in the project comes before what somebody signed in with. */
function credentialsFor(
  url: URL,
  headers: Record<string, string>,
  { credentials }: Wiring["world"],
): Credentials | undefined {
  const isWritten = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  return isWritten ? undefined : credentials?.(url.href);
}

const NO_CHILD = { said: () => "", ending: () => "", over: Promise.resolve() };

/** Of a cut stream, inside the transport. A server that is gone is known to be gone after about half a second. */
const RECONNECTION = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 3,
  maxRetries: 2,
};

/** A server may ask for more time than a timer can hold, and for more than an app has: nothing waits for it but a call. */
function later(reconnect: () => void, delayMs: number): () => void {
  const timer = setTimeout(reconnect, timerMs(delayMs)).unref();
  return () => clearTimeout(timer);
}

async function stdioWire(entry: StdioEntry, wiring: Wiring): Promise<Wire> {
  const { command, args, env: own, cwd } = await expandStart(entry, wiring);
  const env = { ...(await safeVariables()), ...own };
  const transport = stdioChild({ command, args, env, cwd }, wiring.tap?.line);
  return {
    transport,
    said: transport.said,
    ending: transport.ending,
    over: transport.over,
    exceeded: transport.exceeded,
    failure: () => undefined,
    awaited: undefined,
    listening: Promise.resolve(),
  };
}
