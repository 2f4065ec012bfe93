import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject, own } from "../../../base/json.ts";
import { bearerOf } from "../../../serve/http-request.ts";
import { packageRoot } from "../../package-root.ts";
import type { Watching } from "../watching.ts";
import { readBody } from "./body.ts";
import { openConnections } from "./connections.ts";

export interface InboxDoor {
  /** With the key that opens it. */
  readonly address: string;
  close(): Promise<void>;
}

interface DoorParts extends Watching {
  readonly authority: string;
  readonly keyDigest: Buffer;
  readonly page: Page;
  /** Whoever has shown the key: others who come end no window of his. */
  readonly known: (request: IncomingMessage) => void;
}

interface Page {
  readonly text: string;
  readonly policy: string;
}

/**
 * A page on this machine alone. Its key stands behind the `#` of the address, which no request holds, and comes back in a
 * header: a cookie would be sent to every port of this machine. Without it the page is there, and nothing that waits.
 */
export async function openInboxDoor(watching: Watching): Promise<InboxDoor> {
  const key = randomBytes(32).toString("base64url");
  const page = readPage();
  const keyDigest = digestOf(key);
  const connections = await openConnections({ host: "127.0.0.1", port: 0 }, (request, response) => {
    const { host: authority } = new URL(connections.address);
    const known = ({ socket }: IncomingMessage): void => connections.known(socket, "key");
    answer({ ...watching, authority, keyDigest, page, known }, request, response).catch(() => refuse(response, 500));
  });
  return { address: `${connections.address}/#${key}`, close: () => connections.close(0) };
}

async function answer(door: DoorParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isFromItsOwnPage(door, request)) return refuse(response, 403);
  const of = `${request.method} ${request.url}`;
  if (of === "GET /") return showPage(door, response);
  if (!holdsKey(door, request)) return refuse(response, 401);
  door.known(request);
  if (of === "GET /asks") return stream(door, response);
  const body = of === "POST /whole" || of === "POST /answer" ? await readBody(request) : { status: 404 };
  if (body === undefined) return undefined;
  if ("status" in body) return refuse(response, body.status);
  const given = isObject(body.value) ? body.value : {};
  const [id, hash, yes] = [own(given, "id"), own(given, "hash"), own(given, "yes")];
  if (typeof id !== "string") return refuse(response, 400);
  if (of === "POST /whole") return say(response, { lines: door.whole(id) ?? null });
  if (typeof hash !== "string" || typeof yes !== "boolean") return refuse(response, 400);
  say(response, await door.answer({ id, hash, yes }));
}

/** A page elsewhere whose name was bound to this machine is told by the name that it sends. */
function isFromItsOwnPage({ authority }: DoorParts, { headers, headersDistinct }: IncomingMessage): boolean {
  const { host, origin = `http://${authority}` } = headers;
  return host === authority && headersDistinct["host"]?.length === 1 && origin === `http://${authority}`;
}

function holdsKey({ keyDigest }: DoorParts, { headers }: IncomingMessage): boolean {
  return timingSafeEqual(digestOf(bearerOf(headers.authorization) ?? ""), keyDigest);
}

function showPage({ page }: DoorParts, response: ServerResponse): void {
  response
    .writeHead(200, { ...HEADERS, "content-type": "text/html; charset=utf-8", "content-security-policy": page.policy })
    .end(page.text);
}

/** A line each time something changes, with all that waits then. Of a window that reads slowly, the newest. */
function stream({ waits, watch }: DoorParts, response: ServerResponse): void {
  response.writeHead(200, { ...HEADERS, "content-type": "application/x-ndjson" });
  let isDue = false;
  const write = (): void => {
    isDue = false;
    response.write(`${JSON.stringify(waits())}\n`);
  };
  const show = (): void => {
    if (isDue) return;
    isDue = true;
    if (response.writableNeedDrain) response.once("drain", write);
    else setImmediate(write);
  };
  response.once("close", watch(show));
  show();
}

function say(response: ServerResponse, value: object): void {
  response.writeHead(200, { ...HEADERS, "content-type": "application/json" }).end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { ...HEADERS, connection: "close" }).end();
}

const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Its one program and its one style may run, known by their digests, and nothing else. */
function readPage(): Page {
  const text = readFileSync(new URL("compiler/serve/inbox-page.html", packageRoot()), "utf8");
  const allowed = (tag: string): string => {
    const [, inside = ""] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text) ?? [];
    return `'sha256-${createHash("sha256").update(inside).digest("base64")}'`;
  };
  const policy = [
    "default-src 'none'",
    `script-src ${allowed("script")}`,
    `style-src ${allowed("style")}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { text, policy: policy.join("; ") };
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
