import { isLoopback } from "../../../runtime/loopback.ts";
import { visible } from "../../base/visible.ts";
import { trouble } from "./types.ts";

export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const ANSWER_MS = 15_000;
const MOST_HOPS = 5;
const MOST_BYTES = 1_000_000;

/**
 * Addresses come from servers, so each is looked at: https, or plain http on this machine where the server itself is
 * on it. A server out there can't send us to a port of this machine.
 */
export function refusedAddress(address: string | URL, server: string): string | undefined {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined;
  if (!url) return "it names an address that isn't one";
  if (url.username !== "" || url.password !== "") return "it names an address with a user name or password";
  if (url.protocol === "https:") return undefined;
  const isHere = url.protocol === "http:" && isLoopback(url.hostname);
  if (isHere && isLoopback(new URL(server).hostname)) return undefined;
  return `it names \`${visible(`${url.protocol}//${url.host}`)}\`, which isn't https`;
}

/**
 * `fetch` for everything around a login: bounded in time and size, and to allowed addresses only. A redirect
 * is followed only for what asks (GET), and only within the origin: nothing that is sent ever gets to another one.
 */
export function guardedFetch(server: string, signal?: AbortSignal): GuardedFetch {
  return async (address, init = {}) => {
    let url = new URL(address);
    for (let hops = 0; ; hops++) {
      const refused = refusedAddress(url, server);
      if (refused !== undefined) throw trouble(refused, "tell the author of the server; nothing was sent there");
      const signals = [AbortSignal.timeout(ANSWER_MS), ...(signal ? [signal] : [])];
      const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
      const next = redirectOf(response, url);
      const goesOn = next?.origin === url.origin && (init.method ?? "GET") === "GET" && hops < MOST_HOPS;
      if (!goesOn) return bounded(response);
      await response.body?.cancel();
      url = next;
    }
  };
}

function redirectOf(response: Response, from: URL): URL | undefined {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status >= 400 || location === null) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** The whole answer, when it is of a size that such answers have. Nothing around a login is a stream, whatever it calls itself. */
async function bounded(response: Response): Promise<Response> {
  if (!response.body) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw trouble("its answer is far too large", "tell the author of the server");
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, statusText, headers });
}

/** Whether a token that was issued for `resource` may go to `url`: the same origin, and the same path or one below. */
export function covers(resource: string, url: string): boolean {
  if (!URL.canParse(resource) || !URL.canParse(url)) return false;
  const [its, asked] = [new URL(resource), new URL(url)];
  const withSlash = (text: string) => (text.endsWith("/") ? text : `${text}/`);
  const [from, to] = [withSlash(its.pathname), withSlash(asked.pathname)];
  // What is left of `..` stands beside a slash that is encoded, and a server may read both.
  const climbs = to.slice(from.length).replaceAll(/%2e/gi, ".").includes("..");
  return its.origin === asked.origin && to.startsWith(from) && !climbs;
}
