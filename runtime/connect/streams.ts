import { createPace, pause } from "./in-time.ts";

/** How often streams of HTTP are opened, and how long one may be silent. */

/** At most 40 a second, whatever a server asks for. */
const OPEN_EVERY_MS = 25;
const FIRST_WAIT_MS = 100;
const GROWS = 3;
/** What was cut so often in a row isn't opened again: changes are found when the list is compared anyway. */
const MOST_CUTS = 5;
/** A stream that lived so long was a good one. */
const GOOD_MS = 30_000;

/** Waits until the stream may be opened; false where it may no more. A call's is resumed for as long as the call lives. */
export function limitOpening(): (init: RequestInit) => Promise<boolean> {
  const pace = createPace(OPEN_EVERY_MS);
  const waitFor = createReopening();
  // The connection's own: the one stream that begins without a place to go on from.
  let own: AbortSignal | null | undefined;
  return async (init) => {
    const signal = init.signal ?? undefined;
    if (!new Headers(init.headers).has("last-event-id")) own = signal;
    const wait = signal === own ? waitFor(performance.now()) : 0;
    if (wait === undefined) return false;
    await pause(wait, signal);
    await pace(signal);
    return true;
  };
}

/** How long to wait before a stream is opened at this moment; undefined: it isn't, for good. */
export function createReopening(): (now: number) => number | undefined {
  let opened = -Infinity;
  let cuts = 0;
  return (now) => {
    cuts = now - opened >= GOOD_MS ? 0 : cuts + 1;
    if (cuts > MOST_CUTS) return undefined;
    const wait = cuts === 0 ? 0 : FIRST_WAIT_MS * GROWS ** (cuts - 1);
    opened = now + wait;
    return wait;
  };
}

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/**
 * The process's own HTTP client gives up on an answer, and on a stream that is silent, after five minutes: how long
 * either may take is said by `limits.timeout`. Else all is as the process has it, its proxies too.
 */
export function patiently(init: RequestInit | undefined): RequestInit | undefined {
  return usual() === undefined ? init : ({ ...init, dispatcher: PATIENT } as RequestInit);
}

const PATIENT: Dispatcher = {
  dispatch: (options, handler) => usual()!.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
};

/** Node's `fetch` asks it, by a name that its versions agree on. */
function usual(): Dispatcher | undefined {
  return (globalThis as { readonly [USUAL]?: Dispatcher })[USUAL];
}

const USUAL: unique symbol = Symbol.for(
  `undici.globalDispatcher.${Number.parseInt(process.versions["undici"] ?? "") >= 8 ? 2 : 1}`,
);
