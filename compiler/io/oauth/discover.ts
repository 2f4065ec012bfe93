import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client";
import { failureOf, goesOn } from "../../capture/failures.ts";
import type { Connection } from "../../capture/types.ts";
import type { Fetch } from "./addresses.ts";
import { isTrouble, trouble, type Trouble } from "./types.ts";
import { short, troubleOf } from "./words.ts";

export type HttpWay = Extract<Connection, { kind: "http" | "sse" }>;

/** What a server says of logging in to it. */
export type Asking =
  | { readonly kind: "open" }
  | ({ readonly kind: "asks" } & SignInOffer)
  | { readonly kind: "trouble"; readonly trouble: Trouble; readonly goOn: boolean };

export interface SignInOffer {
  readonly resource: string;
  readonly declared: boolean;
  readonly authorizationServer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** What the server says that it needs; empty when it doesn't say. */
  readonly scopes: readonly string[];
}

/** Knocks at the server without a token and follows what it says: its metadata, then its login server's. */
export async function askForLogin(way: HttpWay, fetch: Fetch, version: string): Promise<Asking> {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
  let answer: Response;
  try {
    answer = await knock(way, fetch, version);
  } catch (error) {
    if (isTrouble(error)) return { kind: "trouble", trouble: error, goOn: false };
    return failed(way, undefined, error);
  }
  const challenge = extractWWWAuthenticateParams(answer);
  await answer.body?.cancel();
  const asks = answer.status === 401 || (answer.status === 403 && challenge.resourceMetadataUrl !== undefined);
  if (!asks && !answer.ok) return failed(way, answer.status, undefined);
  try {
    return await readOffer(way.url, challenge, asks, fetch);
  } catch (error) {
    const next = "try again later; if it stays, tell the author of the server";
    return { kind: "trouble", trouble: troubleOf(error, "reading how to log in", next), goOn: false };
  }
}

function failed(way: HttpWay, status: number | undefined, error: unknown): Asking {
  const signs = { kind: way.kind, status, error, stderr: "" };
  const { says, next } = failureOf(signs, (text) => text);
  return { kind: "trouble", trouble: trouble(says, next), goOn: goesOn(signs) };
}

async function knock({ kind, url, headers }: HttpWay, fetch: Fetch, version: string): Promise<Response> {
  if (kind === "sse") return fetch(url, { headers: { ...headers, accept: "text/event-stream" } });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "rolecall", version } };
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, accept: "application/json, text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  const session = answer.headers.get("mcp-session-id");
  if (session !== null)
    await fetch(url, { method: "DELETE", headers: { ...headers, "mcp-session-id": session } }).catch(() => {});
  return answer;
}

async function readOffer(
  url: string,
  challenge: { readonly resourceMetadataUrl?: URL; readonly scope?: string },
  asks: boolean,
  fetchFn: Fetch,
): Promise<Asking> {
  const library = await import("@modelcontextprotocol/client");
  const { resourceMetadataUrl } = challenge;
  const found = await library.discoverOAuthServerInfo(url, {
    fetchFn,
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  });
  const { authorizationServerMetadata: metadata, resourceMetadata: about } = found;
  if (!about && !asks) return { kind: "open" };
  if (!metadata)
    throw trouble("it asks for a token, and doesn't say where one logs in", "give its token in a variable");
  if (about && !library.checkResourceAllowed({ requestedResource: url, configuredResource: about.resource }))
    throw trouble(
      `it says of itself that it is \`${short(about.resource)}\``,
      "check its address; a login would be for that one",
    );
  const scopes = challenge.scope?.split(" ") ?? about?.scopes_supported ?? [];
  return {
    kind: "asks",
    resource: about?.resource ?? library.resourceUrlFromServerUrl(url).href,
    declared: about !== undefined,
    authorizationServer: found.authorizationServerUrl,
    metadata,
    scopes: scopes.filter((scope) => scope !== ""),
  };
}
