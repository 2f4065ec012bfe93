import type { IncomingMessage, ServerResponse } from "node:http";
import {
  aboutAddress,
  basePath,
  bearerOf,
  isOwnHost,
  isOwnOrigin,
  placeOf,
  resourceOf,
  type DoorNames,
} from "../../../serve/http-request.ts";
import type { Principal } from "../../../serve/claims.ts";
import { holdsTooMuch } from "../../../serve/message-size.ts";
import type { Gateway } from "../gateway.ts";
import type { ServerLibrary } from "../library.ts";
import { readBody, type BodyRefused } from "./body.ts";
import { openConnections, type Listening } from "./connections.ts";
import type { Credentials } from "./credentials.ts";
import { carry } from "./exchange.ts";
import { createTally, type RequestTally } from "./tally.ts";
import { openRoles, type HttpRoles } from "./roles.ts";

/** Roles over HTTP, one address each. */
export interface HttpDoor {
  readonly address: string;
  /** Nothing more comes in; what is under way has the time. */
  close(withinMs: number): Promise<void>;
}

export interface HttpWorld {
  readonly gateway: Gateway;
  readonly library: ServerLibrary;
  readonly credentials: Credentials;
  readonly listening: Listening;
  /** As they count now: what a build takes away is none at once. The very same while nothing is. */
  names(): DoorNames;
  /** Roles that are served here; all, when left out. */
  readonly only: ReadonlySet<string> | undefined;
  said(line: string): void;
}

interface Door extends HttpWorld {
  readonly roles: HttpRoles;
  readonly tally: RequestTally;
  known(request: IncomingMessage, holder: string): void;
  /** Open ones, each to be ended by itself. */
  readonly streams: Set<AbortController>;
  /** Why a token can't be judged. */
  unjudged(why: string): void;
  isEnding(): boolean;
}

export async function openHttpDoor(world: HttpWorld): Promise<HttpDoor> {
  let isEnding = false;
  const roles = openRoles(world);
  const streams = new Set<AbortController>();
  const door: Door = {
    ...world,
    roles,
    streams,
    unjudged: atMostOnceIn(SAID_EVERY_MS, (why) => world.said(`a token can't be judged: ${why}`)),
    tally: createTally(),
    known: ({ socket }, holder) => connections.known(socket, holder),
    isEnding: () => isEnding,
  };
  const connections = await openConnections(world.listening, (request, response) => {
    answer(door, request, response).catch((problem: unknown) => {
      world.said(`over HTTP: ${problem instanceof Error ? problem.message : String(problem)}`);
      refuse(response, 500, "Internal error");
    });
  });
  let names = world.names();
  const forget = world.gateway.whenChanged(() => {
    if (names === world.names()) return;
    names = world.names();
    // Who opened one may be nobody now.
    streams.forEach((stream) => stream.abort());
  });
  return {
    address: connections.address,
    async close(withinMs) {
      isEnding = true;
      forget();
      // Streams have no end of their own.
      streams.forEach((stream) => stream.abort());
      await connections.close(withinMs);
      await roles.close();
    },
  };
}

/** In this order, and nothing is looked at before: who can't be meant, who is nobody, who is somebody else. */
async function answer(door: Door, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  if (door.isEnding()) response.setHeader("connection", "close");
  const host = once(request, "host");
  const origin = once(request, "origin");
  if (host === undefined || host === TWICE || !isOwnHost(host, door.names())) return refuse(response, 403, "Forbidden");
  if (origin !== undefined && !isOwnOrigin(origin, host, door.names())) return refuse(response, 403, "Forbidden");
  const place = placeOf(request.url ?? "", basePath(door.names().url));
  if (isRead(request) && (place.kind === "health" || place.kind === "ready"))
    return tellHealth(door, place.kind, response);
  if (isRead(request) && place.kind === "about" && door.credentials.issuer !== undefined)
    return tellAbout(door, door.credentials.issuer, { role: place.role, host }, response);
  const principal = await principalOf(door, request, response);
  if (principal === "unknowable")
    return refuse(response, 503, "The issuer's keys can't be had", { "retry-after": "5" });
  if (principal === undefined) return unauthorized(door, request, { place, host }, response);
  door.known(request, principal.subject);
  const allowed = methodsAt(door, place, principal);
  if (allowed === undefined) return refuse(response, 403, "Forbidden");
  if (!allowed.includes(request.method ?? "")) return notAllowed(request, response, allowed);
  if (place.kind === "metrics")
    return sendText(response, 200, door.tally.text(principal.roles), "text/plain; version=0.0.4");
  if (place.kind === "role") return serveRole(door, { request, response, principal, role: place.role });
}

const READING: readonly string[] = ["GET", "HEAD"];
/** There are no sessions: nothing to read on from, and nothing to end. */
const CALLING: readonly string[] = ["POST"];

/** Undefined: nothing is there for whoever this is. */
function methodsAt(door: Door, place: ReturnType<typeof placeOf>, principal: Principal): readonly string[] | undefined {
  if (place.kind === "elsewhere") return undefined;
  if (place.kind === "role") return isOpen(door, principal, place.role) ? CALLING : undefined;
  return place.kind !== "about" || door.credentials.issuer !== undefined ? READING : undefined;
}

function notAllowed(request: IncomingMessage, response: ServerResponse, allowed: readonly string[]): void {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  // What it would go on to send isn't read. An older client's question for a stream has nothing behind it, and stays.
  if (coding !== undefined || (length !== undefined && length !== "0")) response.setHeader("connection", "close");
  response.setHeader("allow", allowed.join(", "));
  sendText(response, 405, JSON.stringify({ error: "Method not allowed" }), "application/json");
}

function isOpen({ only, gateway }: Door, { roles }: Principal, role: string): boolean {
  return roles.includes(role) && gateway.served.roles.has(role) && (only === undefined || only.has(role));
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
  readonly role: string;
}

async function serveRole(door: Door, asked: Asked): Promise<void> {
  const entered = door.tally.enter(asked.role);
  if (entered === undefined) return tooMany(asked.response);
  let place = entered;
  try {
    const read = await readBody(asked.request, { holds: (bytes) => entered.holds(bytes), isTooMuch: holdsTooMuch });
    if (read === undefined) return;
    if ("status" in read) return refuseMessage(asked.response, read);
    const isStream = (read.value as { readonly method?: unknown } | undefined)?.method === "subscriptions/listen";
    const over = new AbortController();
    const stream = isStream ? entered.asStream(asked.principal.subject, over) : entered;
    if (stream === undefined) return tooMany(asked.response);
    place = stream;
    const clear = isStream ? expiry(door, asked.principal, over) : () => {};
    await carryOn(door, asked, { body: read.value, signal: over.signal }).finally(clear);
  } finally {
    place.leave();
  }
}

function carryOn(
  { roles }: Door,
  { request, response, principal: { subject }, role }: Asked,
  { body, signal }: { readonly body: unknown; readonly signal: AbortSignal },
): Promise<void> {
  return carry(roles.handler(role), { request, response, body, subject, signal });
}

function tooMany(response: ServerResponse): void {
  refuse(response, 429, "Too many requests", RETRY);
}

const RETRY = { "retry-after": "1" };

/** A call that began in time is carried through; a stream ends with the right to it. */
function expiry({ streams }: Door, { expires }: Principal, over: AbortController): () => void {
  streams.add(over);
  const leftMs = Math.min(Math.max(0, (expires ?? Infinity) - Date.now()), LONGEST_TIMER);
  const timer = setTimeout(() => over.abort(), leftMs);
  return () => {
    clearTimeout(timer);
    streams.delete(over);
  };
}

/** Node fires a timer of more milliseconds at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

async function principalOf(
  { credentials, unjudged }: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Principal | undefined | "unknowable"> {
  const token = bearerOf(once(request, "authorization"));
  if (token === undefined) return undefined;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    return await credentials.principalOf(token, gone.signal);
  } catch (problem) {
    if (!gone.signal.aborted)
      unjudged(problem instanceof Error ? problem.message : String((problem as { says?: string }).says));
    return "unknowable";
  }
}

/** Anybody can send a token that can't be judged, as often as he likes. */
const SAID_EVERY_MS = 1_000;

function atMostOnceIn(ms: number, say: (words: string) => void): (words: string) => void {
  let next = -Infinity;
  return (words) => {
    if (performance.now() < next) return;
    next = performance.now() + ms;
    say(words);
  };
}

interface At {
  readonly place: ReturnType<typeof placeOf>;
  readonly host: string;
}

/** In the same words wherever it is, so that nobody learns which roles there are. */
function unauthorized(
  { credentials, names }: Door,
  request: IncomingMessage,
  { place, host }: At,
  response: ServerResponse,
): void {
  const isGiven = request.headers.authorization !== undefined;
  const about =
    credentials.issuer === undefined || place.kind !== "role"
      ? []
      : [`resource_metadata="${aboutAddress(place.role, names().url ?? `http://${host}`)}"`];
  const parameters = [...about, ...(isGiven ? ['error="invalid_token"'] : [])];
  const challenge = parameters.length === 0 ? "Bearer" : `Bearer ${parameters.join(", ")}`;
  refuse(response, 401, "A valid token is needed", { "www-authenticate": challenge });
}

/** Of any name that a role could have: it isn't told whether there is one. */
function tellAbout(
  { names }: Door,
  issuer: string,
  { role, host }: { role: string; host: string },
  response: ServerResponse,
): void {
  const about = {
    resource: resourceOf(role, names().url ?? `http://${host}`),
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
  };
  sendText(response, 200, JSON.stringify(about), "application/json");
}

function tellHealth({ gateway, isEnding }: Door, kind: "health" | "ready", response: ServerResponse): void {
  if (kind === "health") return sendText(response, 200, "ok\n", "text/plain");
  if (isEnding()) return sendText(response, 503, "ending\n", "text/plain");
  sendText(response, 200, gateway.notOverHttp().length === 0 ? "ready\n" : "partly\n", "text/plain");
}

function isRead({ method }: IncomingMessage): boolean {
  return READING.includes(method ?? "");
}

/** No header that decides is taken twice: whoever stands before us may have read the other one. */
const TWICE = "\u0000";

function once({ headersDistinct }: IncomingMessage, name: string): string | undefined {
  const given = headersDistinct[name];
  return given === undefined || given.length < 2 ? given?.[0] : TWICE;
}

function refuse(
  response: ServerResponse,
  status: number,
  why: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return void response.destroy();
  // What it would go on to send isn't read.
  for (const [name, value] of Object.entries({ ...headers, connection: "close" })) response.setHeader(name, value);
  sendText(response, status, JSON.stringify({ error: why }), "application/json");
}

function refuseMessage(response: ServerResponse, { status, code, why: message }: BodyRefused): void {
  response.setHeader("connection", "close");
  if (status === 429) response.setHeader("retry-after", "1");
  sendText(
    response,
    status,
    JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }),
    "application/json",
  );
}

function sendText(response: ServerResponse, status: number, text: string, type: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
}
