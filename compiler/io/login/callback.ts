import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { trouble } from "./types.ts";

/** What came back by way of the browser, with the right state. */
export type Arrival =
  | { readonly code: string; readonly iss: string | undefined }
  | { readonly refused: string; readonly description: string | undefined };

export interface CallbackListener {
  /** Where the login server sends the browser to. */
  readonly redirectUrl: string;
  readonly arrival: Promise<Arrival>;
  /** How many answers were turned away since their state wasn't ours. */
  turnedAway(): number;
  close(): void;
}

/** `localhost` may be another machine's name, and is several addresses. */
const HOST = "127.0.0.1";
const CALLBACK_PATH = "/callback";

/** Waits on this machine alone for the one answer that carries `state`; everything else is turned away. */
export async function listenForCallback(state: string, port: number): Promise<CallbackListener> {
  let arrive: (arrival: Arrival) => void = () => {};
  let away = 0;
  const arrival = new Promise<Arrival>((resolve) => (arrive = resolve));
  const server = createServer((request, response) => {
    const url = URL.canParse(request.url ?? "", `http://${HOST}`) ? new URL(request.url!, `http://${HOST}`) : undefined;
    if (request.method !== "GET" || url?.pathname !== CALLBACK_PATH) return page(response, 404, "Nothing is here.");
    const found = arrivalOf(url.searchParams, state);
    if (found === undefined) {
      away += 1;
      return page(response, 400, "This isn't the answer that rolecall waits for. Nothing was taken from it.");
    }
    page(response, 200, "rolecall has its answer. Go back to the terminal; this page can be closed.");
    arrive(found);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portTrouble(error, port)));
    server.listen(port, HOST, resolve);
  });
  return {
    redirectUrl: `http://${HOST}:${(server.address() as AddressInfo).port}${CALLBACK_PATH}`,
    arrival,
    turnedAway: () => away,
    close: () => {
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 200).unref();
    },
  };
}

function arrivalOf(query: URLSearchParams, state: string): Arrival | undefined {
  if (query.getAll("state").length !== 1 || query.get("state") !== state) return undefined;
  const refused = query.get("error");
  if (refused !== null) return { refused, description: query.get("error_description") ?? undefined };
  const code = query.get("code");
  return code === null || code === "" ? undefined : { code, iss: query.get("iss") ?? undefined };
}

/** Fixed text alone: nothing of the address gets into the page, and the address with the code isn't passed on. */
function page(response: ServerResponse<IncomingMessage>, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  response.end(`${text}\n`);
}

function portTrouble({ code }: NodeJS.ErrnoException, port: number) {
  if (code === "EADDRINUSE") return trouble(`port ${port} is in use`, "close what uses it, or give another --port");
  return trouble(`nothing can listen on port ${port} (${code})`, "give another --port");
}
