import type { IncomingMessage, ServerResponse } from "node:http";
import { readArgumentsText } from "../../../../runtime/session/arguments-text.ts";
import { isOwnHost } from "../../../serve/http-request.ts";
import type { Decisions } from "../decisions.ts";
import { readBody } from "./body.ts";
import { openConnections, type Connections, type Listening } from "./connections.ts";

/** Answers `POST /decision` of a gateway beside it. It takes no credential, since such gateways send none. */
export function openDecisionDoor(listening: Listening, decisions: Decisions): Promise<Connections> {
  return openConnections(listening, (request, response) => {
    answer(decisions, request, response).catch(() => say(response, 500, { error: "Internal error" }));
  });
}

async function answer(decisions: Decisions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { origin } = request.headers;
  const [host, second] = request.headersDistinct["host"] ?? [];
  // A web page on this machine would learn what roles may do.
  if (
    host === undefined ||
    second !== undefined ||
    origin !== undefined ||
    !isOwnHost(host, { hosts: [], url: undefined })
  )
    return say(response, 403, { error: "Forbidden" });
  const [path] = (request.url ?? "").split("?", 1);
  const allowed = METHODS_AT.get(path ?? "");
  if (allowed === undefined) return say(response, 404, { error: "Not found" });
  if (!allowed.includes(request.method ?? "")) {
    response.setHeader("allow", allowed.join(", "));
    return say(response, 405, { error: "Method not allowed" });
  }
  if (path === "/healthz") return say(response, 200, { ok: true });
  // Whoever sends on what it was asked of may read the other of two equal keys, or the digits that are too many for us.
  const read = await readBody(request, { parse: readArgumentsText });
  if (read === undefined) return;
  if ("status" in read) return say(response, read.status, { error: read.why });
  say(response, 200, { allow: decisions.allows(read.value) });
}

const METHODS_AT: ReadonlyMap<string, readonly string[]> = new Map([
  ["/healthz", ["GET", "HEAD"]],
  ["/decision", ["POST"]],
]);

function say(response: ServerResponse, status: number, answer: object): void {
  if (response.headersSent) return void response.destroy();
  const text = JSON.stringify(answer);
  if (status !== 200) response.setHeader("connection", "close");
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}
