import { boundedBody } from "./bounded-body.ts";
import { limitOpening, patiently } from "./streams.ts";
import type { TooMuch } from "./bounds.ts";
import type { Credentials, Fetch } from "./library.ts";
import { requestIdIn } from "./message-ids.ts";
import type { Noise } from "./noise.ts";

/** An answer that is no answer to the message: kept whole here, since the library tells the status in several ways. */
export class HttpFailure extends Error {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, text: string, retryAfterMs: number | undefined) {
    super(`HTTP ${status}`);
    this.name = "HttpFailure";
    this.status = status;
    this.text = text;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface WatchedFetch {
  readonly fetch: Fetch;
  /** Why the last request went nowhere: an event source keeps that to itself. */
  readonly failure: unknown;
  /** What came over a stream and was more than may be; said once. */
  exceeded(): TooMuch | undefined;
  /** The server's own stream is there, or it won't be. */
  readonly listening: Promise<void>;
}

export interface Watching {
  /** Hears an answer, and gives it to be read by the library. */
  readonly tap: ((response: Response) => Response) | undefined;
  /** Who gives the tokens, where none is written. A 401 to what isn't a call is then the library's to answer. */
  readonly credentials: Credentials | undefined;
  readonly noise: Noise;
  /** Ends a message with this body, where the library does nothing for it. */
  readonly signalFor: ((body: unknown) => AbortSignal) | undefined;
  /** What comes as the answer to a message may be a stream of events. The event source has one stream, and reads the rest whole. */
  readonly answersStream: boolean;
}

/** `gap` is called when the server's own stream was opened again: what it said in between was missed. */
export function watchFetch(
  gap: () => void,
  { tap, credentials, noise, signalFor, answersStream }: Watching,
): WatchedFetch {
  let heard = false;
  let hear: () => void = () => {};
  const listening = new Promise<void>((resolve) => (hear = resolve));
  const streamTried = (): void => {
    if (heard) gap();
    heard = true;
    hear();
  };
  let tooMuch: TooMuch | undefined;
  const exceeded = (problem: TooMuch): void => void (tooMuch = problem);
  const mayOpen = limitOpening();
  const watched: { -readonly [Key in keyof WatchedFetch]: WatchedFetch[Key] } = {
    failure: undefined,
    exceeded: () => {
      const problem = tooMuch;
      tooMuch = undefined;
      return problem;
    },
    listening,
    fetch: async (url, init) => {
      const ownStream = init?.method === "GET" && !new Headers(init.headers).has("last-event-id");
      try {
        if (credentials !== undefined) refuseElsewhere(url, init, credentials);
        // What was broken off isn't resumed: its call is told why.
        const isBroken = tooMuch !== undefined && !ownStream;
        if (init?.method === "GET" && (isBroken || !(await mayOpen(init)))) return new Response(null, { status: 405 });
        const response = await fetch(url, { ...patiently(sentOnce(endedBy(init, signalFor))), redirect: "manual" });
        refuseRedirect(url, response);
        const isAskedAgain = response.status === 401 && credentials !== undefined && !isCall(init?.body);
        if (init?.method === "POST" && response.status >= 400 && !isAskedAgain) {
          if (response.status === 401) await renew(url, response, credentials);
          throw await failureOf(response);
        }
        const isStream =
          init?.method === "POST" ? answersStream && isEvents(response, init) : isOwnStream(response, init);
        const bounded = boundedBody(response, { isStream, noise, exceeded });
        return tap === undefined ? bounded : tap(bounded);
      } catch (error) {
        watched.failure = error;
        throw error;
      } finally {
        if (ownStream) streamTried();
      }
    },
  };
  return watched;
}

/** As the library reads it: what was asked for as a stream is one, whatever it says of itself. */
function isOwnStream(response: Response, { method = "GET" }: RequestInit = {}): boolean {
  return response.ok && method === "GET";
}

/** An answer that only says that the message was taken is read whole, whatever it says of itself. */
function isEvents(response: Response, { body }: RequestInit): boolean {
  if (!response.ok || response.status === TAKEN) return false;
  return EVENTS.test(response.headers.get("content-type") ?? "") && isRequest(body);
}

const TAKEN = 202;
const EVENTS = /^\s*text\/event-stream\s*(?:;|$)/i;

function isRequest(body: unknown): boolean {
  if (requestIdIn(body) !== undefined) return true;
  const { method, id } = JSON.parse(body as string) as { readonly method?: unknown; readonly id?: unknown };
  return method !== undefined && id !== undefined;
}

function endedBy(init: RequestInit | undefined, signalFor: Watching["signalFor"]): RequestInit | undefined {
  if (init?.method !== "POST" || signalFor === undefined) return init;
  const signal = signalFor(init.body);
  return { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal };
}

/** After a 421 the platform's `fetch` sends a text again by itself, but not a stream, of which it can't have another. */
function sentOnce(init: RequestInit | undefined): RequestInit | undefined {
  if (typeof init?.body !== "string") return init;
  const bytes = new TextEncoder().encode(init.body);
  const headers = new Headers(init.headers);
  // Else it would come in chunks, which some servers don't take.
  headers.set("content-length", String(bytes.length));
  return { ...init, headers, body: new Blob([bytes]).stream(), duplex: "half" } as RequestInit;
}

/** What isn't known not to be one is one. */
function isCall(body: unknown): boolean {
  try {
    const { method } = JSON.parse(body as string) as { readonly method?: unknown };
    return typeof method !== "string" || method === "tools/call";
  } catch {
    return true;
  }
}

/** For the next call: this one isn't sent again. */
async function renew(url: string | URL, response: Response, credentials: Credentials | undefined): Promise<void> {
  // What it throws says what the answer says already.
  await credentials?.onUnauthorized?.({ response, serverUrl: new URL(url) }).catch(() => {});
}

/** Where no token is written, each that is sent was given. */
function refuseElsewhere(url: string | URL, init: RequestInit | undefined, credentials: Credentials): void {
  const token = new Headers(init?.headers).get("authorization")?.replace(/^Bearer /, "");
  if (token === undefined || credentials.mayGoTo(token, String(url))) return;
  throw new TypeError("it takes messages at an address that its login isn't for, and gets no token there");
}

/**
 * None is followed, neither with a message, which may have been done already, nor with headers that hold a token. The
 * library would, within the origin.
 */
function refuseRedirect(url: string | URL, response: Response): void {
  if (response.status < 300 || response.status > 399) return;
  void response.body?.cancel().catch(() => {});
  throw new HttpFailure(response.status, addressOf(response.headers.get("location"), url), undefined);
}

/** Without what may hold a secret. */
function addressOf(location: string | null, from: string | URL): string {
  if (location === null || !URL.canParse(location, String(from))) return "";
  const { origin, pathname } = new URL(location, from);
  return `it redirects to ${origin}${pathname}`;
}

async function failureOf(response: Response): Promise<HttpFailure> {
  return new HttpFailure(response.status, await beginningOf(response), retryAfter(response.headers.get("retry-after")));
}

/** 2,000 characters are shown, so that half a secret at the end of what is read never is. */
const MOST_TEXT = 10 * 1024;

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let part = await reader?.read(); part?.done === false && text.length < MOST_TEXT; part = await reader?.read())
      text += decoder.decode(part.value, { stream: true });
    await reader?.cancel();
  } catch {
    // A body that breaks off has said what it could.
  }
  return text.slice(0, MOST_TEXT);
}

/** A server that asks for hours is asked again all the same. */
const LONGEST_RETRY_AFTER = 5 * 60_000;

/** Seconds, or a date. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_RETRY_AFTER, Math.max(0, ms));
}
