import { randomBytes } from "node:crypto";
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/client";
import { refusedAddress, type GuardedFetch } from "./addresses.ts";
import { listenForCallback, type Arrival, type CallbackListener } from "./callback.ts";
import type { SignInOffer } from "./discover.ts";
import { trouble, type Endpoints, type Login, type LoginSecrets } from "./types.ts";
import { refusalOf, short, troubleOf } from "./words.ts";

export interface FlowOptions {
  readonly server: string;
  /** The server's own address: what it may send us to depends on it. */
  readonly url: string;
  readonly offer: SignInOffer;
  /** Asked for instead of what the server says that it needs. */
  readonly scopes: readonly string[] | undefined;
  readonly client: { readonly id: string; readonly secret: string | undefined } | undefined;
  readonly port: number;
  readonly fetch: GuardedFetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A login that has begun: a person opens `address`, and `finish` waits for what comes back. */
export interface BegunLogin {
  readonly address: string;
  readonly scopes: readonly string[];
  turnedAway(): number;
  finish(): Promise<{ readonly login: Login; readonly secrets: LoginSecrets }>;
  /** Stops listening, finished or not. */
  close(): void;
}

/** Why no login is possible without a client that was registered by hand. */
export const NO_REGISTRATION = "its login server registers no clients by itself";

export async function beginLogin(options: FlowOptions): Promise<BegunLogin> {
  const { offer, url } = options;
  const { metadata } = offer;
  for (const address of [metadata.authorization_endpoint, metadata.token_endpoint]) {
    const refused = refusedAddress(address, url);
    if (refused !== undefined) throw trouble(refused, "tell the author of the server; nothing was sent there");
  }
  if (metadata.registration_endpoint === undefined && options.client === undefined)
    throw trouble(NO_REGISTRATION, "register one there by hand and give it with --client-id and --port");
  const state = randomBytes(32).toString("base64url");
  const listener = await listenForCallback(state, options.port);
  try {
    return await begin(options, state, listener);
  } catch (error) {
    listener.close();
    throw troubleOf(error, "beginning to log in", "try again later; if it stays, tell the author of the server");
  }
}

async function begin(options: FlowOptions, state: string, listener: CallbackListener): Promise<BegunLogin> {
  const { offer } = options;
  const { metadata } = offer;
  const scopes = scopesToAsk(options);
  const scope = scopes.join(" ");
  const { startAuthorization } = await import("@modelcontextprotocol/client");
  const client = await clientFor(options, listener.redirectUrl, scope);
  const { authorizationUrl, codeVerifier } = await startAuthorization(offer.authorizationServer, {
    metadata,
    clientInformation: client,
    redirectUrl: listener.redirectUrl,
    state,
    ...(scope !== "" && { scope }),
    ...(offer.declared && { resource: offer.resource }),
  });
  return {
    address: authorizationUrl.href,
    scopes,
    turnedAway: listener.turnedAway,
    close: listener.close,
    finish: async () => {
      const arrival = await listener.arrival;
      return exchange(options, client, scopes, codeVerifier, listener.redirectUrl, arrival);
    },
  };
}

/** A refresh token needs its own scope at some servers, which say so. */
function scopesToAsk({ scopes, offer }: FlowOptions): readonly string[] {
  const wanted = scopes ?? offer.scopes;
  const offline = offer.metadata.scopes_supported?.includes("offline_access") === true;
  const asks = offline && scopes === undefined && wanted.length > 0 && !wanted.includes("offline_access");
  return asks ? [...wanted, "offline_access"] : wanted;
}

async function clientFor(
  options: FlowOptions,
  redirectUrl: string,
  scope: string,
): Promise<OAuthClientInformationMixed> {
  const { client, offer, fetch } = options;
  if (client) return { client_id: client.id, ...(client.secret !== undefined && { client_secret: client.secret }) };
  const { registerClient } = await import("@modelcontextprotocol/client");
  try {
    return await registerClient(offer.authorizationServer, {
      metadata: offer.metadata,
      clientMetadata: {
        client_name: "rolecall",
        redirect_uris: [redirectUrl],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "native",
      },
      ...(scope !== "" && { scope }),
      fetchFn: fetch,
    });
  } catch (error) {
    throw troubleOf(
      error,
      "registering with its login server",
      "give a client that you registered by hand: --client-id",
    );
  }
}

async function exchange(
  options: FlowOptions,
  client: OAuthClientInformationMixed,
  scopes: readonly string[],
  codeVerifier: string,
  redirectUri: string,
  arrival: Arrival,
): Promise<{ login: Login; secrets: LoginSecrets }> {
  const { offer } = options;
  if ("refused" in arrival)
    throw trouble(`no login: ${refusalOf(arrival.refused, arrival.description)}`, `rolecall login ${options.server}`);
  const { exchangeAuthorization } = await import("@modelcontextprotocol/client");
  const tokens = await exchangeAuthorization(offer.authorizationServer, {
    metadata: offer.metadata,
    clientInformation: client,
    authorizationCode: arrival.code,
    codeVerifier,
    redirectUri,
    fetchFn: options.fetch,
    ...(arrival.iss !== undefined && { iss: arrival.iss }),
    ...(offer.declared && { resource: offer.resource }),
  }).catch((error: unknown) => {
    throw troubleOf(error, "getting the token", `rolecall login ${options.server} begins anew`);
  });
  const login: Login = {
    server: options.server,
    resource: offer.resource,
    declared: offer.declared,
    issuer: offer.metadata.issuer,
    clientId: client.client_id,
    scopes: tokens.scope === undefined ? scopes : tokens.scope.split(" ").filter((scope) => scope !== ""),
    expiresAt: expiryOf(tokens, options.now()),
    endpoints: await endpointsOf(offer.metadata, client),
  };
  return { login, secrets: secretsOf(tokens, client.client_secret) };
}

async function endpointsOf(
  metadata: AuthorizationServerMetadata,
  client: OAuthClientInformationMixed,
): Promise<Endpoints> {
  const { selectClientAuthMethod } = await import("@modelcontextprotocol/client");
  const { revocation_endpoint: revocation } = metadata as { revocation_endpoint?: unknown };
  return {
    token: metadata.token_endpoint,
    revocation: typeof revocation === "string" ? revocation : undefined,
    method: selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []),
  };
}

/** A token that isn't a bearer's would be sent the wrong way, and one with other characters not at all (RFC 6749, A.12). */
export function secretsOf(tokens: OAuthTokens, clientSecret: string | undefined): LoginSecrets {
  if (!/^bearer$/i.test(tokens.token_type))
    throw trouble(
      `its token is of the kind \`${short(tokens.token_type)}\`, which isn't understood`,
      "give a token in a variable",
    );
  if (!/^[\x20-\x7e]+$/.test(tokens.access_token))
    throw trouble(
      "its token can't be sent: it is empty, or has characters that no header holds",
      "give a token in a variable",
    );
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token, clientSecret };
}

export function expiryOf(tokens: OAuthTokens, now: number): number | undefined {
  const { expires_in: seconds } = tokens;
  return seconds === undefined || !Number.isFinite(seconds) ? undefined : now + Math.max(0, seconds) * 1000;
}
