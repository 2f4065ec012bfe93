import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client";
import { HttpFailure } from "../../../runtime/connect/http-fetch.ts";
import type { LoginSource } from "../ask/ask-server.ts";
import type { GuardedFetch } from "./addresses.ts";
import { trouble } from "./types.ts";
import { short, troubleOf } from "./words.ts";

/** How one logs in to a server, as it and its login server say. */
export interface SignInOffer {
  readonly resource: string;
  readonly declared: boolean;
  readonly authorizationServer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** What the server says that it needs; empty when it doesn't say. */
  readonly scopes: readonly string[];
}

/** A server's 401. */
export interface Challenge {
  readonly url: string;
  readonly response: Response;
}

/** Connects without a token, and keeps what the server says to that. */
export function listenForChallenge(): LoginSource & { challenge(): Challenge | undefined } {
  let heard: Challenge | undefined;
  return {
    challenge: () => heard,
    secrets: () => [],
    problem: () => undefined,
    provider: (url) => ({
      token: async () => undefined,
      mayGoTo: () => false,
      onUnauthorized: async ({ response }) => {
        heard = { url, response };
        throw new HttpFailure(401, "", undefined);
      },
    }),
  };
}

/** Follows what the server says: its own metadata, then its login server's. Throws `LoginTrouble`. */
export async function readOffer(challenge: Challenge, fetch: GuardedFetch): Promise<SignInOffer> {
  try {
    return await follow(challenge, fetch);
  } catch (error) {
    throw troubleOf(error, "reading how to log in", "try again later; if it stays, tell the author of the server");
  }
}

async function follow({ url, response }: Challenge, fetchFn: GuardedFetch): Promise<SignInOffer> {
  const library = await import("@modelcontextprotocol/client");
  const { resourceMetadataUrl, scope } = library.extractWWWAuthenticateParams(response);
  const found = await library.discoverOAuthServerInfo(url, {
    fetchFn,
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  });
  const { authorizationServerMetadata: metadata, resourceMetadata: about } = found;
  if (!metadata)
    throw trouble("it asks for a token, and doesn't say where one logs in", "give its token in a variable");
  // By MCP's authorization (2025-11-25) a client goes no further: whoever sees the answer could use it.
  if (metadata.code_challenge_methods_supported?.includes("S256") !== true)
    throw trouble(
      "it doesn't say that it protects a login with PKCE (S256)",
      "tell the author of the login server to name it in `code_challenge_methods_supported`, or give a token in a variable",
    );
  if (about && !library.checkResourceAllowed({ requestedResource: url, configuredResource: about.resource }))
    throw trouble(
      `it says of itself that it is \`${short(about.resource)}\``,
      "check its address; a login would be for that one",
    );
  const scopes = scope?.split(" ") ?? about?.scopes_supported ?? [];
  return {
    resource: about?.resource ?? library.resourceUrlFromServerUrl(url).href,
    declared: about !== undefined,
    authorizationServer: found.authorizationServerUrl,
    metadata,
    scopes: scopes.filter((one) => one !== ""),
  };
}
