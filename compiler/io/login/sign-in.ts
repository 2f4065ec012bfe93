import { HttpFailure } from "../../../runtime/connect/http-fetch.ts";
import type { Credentials } from "../../../runtime/connect/library.ts";
import { covers, guardedFetch } from "./addresses.ts";
import type { FoundLogin, Logins, OpenLogins } from "./logins.ts";
import { expiryOf, secretsOf } from "./sign-in-flow.ts";
import { isTrouble, type LoginSecrets } from "./types.ts";
import { troubleOf } from "./words.ts";

/**
 * One server's login, as rolecall's own client uses it. It never asks a person for anything: without a login, or with
 * one that has ended, there is no token, and the server says what it thinks of that.
 */
export interface SignIn {
  /** The token for requests to this very address; undefined when there is none for it. Never rejects. */
  authorizationFor(url: string): Promise<string | undefined>;
  /** The same for a transport of the client library, which asks once more after a 401. */
  provider(url: string): Credentials;
  /** Every token that was handed out: nothing that is shown or written may hold one. */
  secrets(): readonly string[];
  /** Why a login that is there gave no token. */
  problem(): string | undefined;
}

/** A token that ends sooner is renewed before it is used. */
const MARGIN_MS = 30_000;

export function openSignIn(server: string, logins: Logins, now: () => number = Date.now): SignIn {
  /** And the resource that each was issued for. */
  const used = new Map<string, string>();
  let held: FoundLogin | undefined;
  let problem: string | undefined;
  const isFresh = ({ login }: FoundLogin) => login.expiresAt === undefined || login.expiresAt - MARGIN_MS > now();
  const told = async (work: () => Promise<FoundLogin | undefined>): Promise<string | undefined> => {
    try {
      held = await work();
    } catch (error) {
      if (!isTrouble(error)) throw error;
      problem = error.says;
      held = undefined;
    }
    if (held !== undefined) used.set(held.secrets.accessToken, held.login.resource);
    return held?.secrets.accessToken;
  };
  const renewed = (url: string, stale: string): Promise<string | undefined> =>
    told(() =>
      logins.alone(async (open) => {
        const found = await open.find(server, url);
        // Another process was faster: a refresh token that rotates is good once.
        if (found === undefined || (found.secrets.accessToken !== stale && isFresh(found))) return found;
        const result = await renew(found, open, now);
        if (typeof result === "string") problem = result;
        return typeof result === "string" ? undefined : result;
      }),
    );
  const authorizationFor = async (url: string): Promise<string | undefined> => {
    const token = await told(async () =>
      held && isFresh(held) && covers(held.login.resource, url) ? held : logins.find(server, url),
    );
    return held === undefined || token === undefined || isFresh(held) ? token : renewed(url, token);
  };
  return {
    authorizationFor,
    secrets: () => [...used.keys()],
    problem: () => problem,
    provider: (url) => ({
      token: () => authorizationFor(url),
      mayGoTo: (token, asked) => covers(used.get(token) ?? "", asked),
      onUnauthorized: async () => {
        const stale = held?.secrets.accessToken;
        const token = stale === undefined ? undefined : await renewed(url, stale);
        if (token === undefined) throw new HttpFailure(401, "", undefined);
      },
    }),
  };
}

/** The login with new tokens, or why there are none. A grant that has ended is forgotten. */
async function renew(
  { login, secrets, place }: FoundLogin,
  open: OpenLogins,
  now: () => number,
): Promise<FoundLogin | string> {
  if (secrets.refreshToken === undefined) return "its login has ended";
  let fresh: LoginSecrets;
  let expiresAt: number | undefined;
  let scope: string | undefined;
  try {
    const tokens = await askAnew(login, secrets, secrets.refreshToken);
    scope = tokens.scope;
    expiresAt = expiryOf(tokens, now());
    fresh = secretsOf(tokens, secrets.clientSecret);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "invalid_grant" || code === "invalid_client") await open.remove(login);
    return troubleOf(error, "renewing its login", "").says;
  }
  const renewed = { ...login, expiresAt, ...(scope !== undefined && { scopes: scope.split(" ").filter(Boolean) }) };
  await open.save(renewed, fresh, place);
  return { login: renewed, secrets: fresh, place };
}

async function askAnew(login: FoundLogin["login"], secrets: LoginSecrets, refreshToken: string) {
  const { refreshAuthorization } = await import("@modelcontextprotocol/client");
  const { endpoints, issuer, clientId, declared, resource } = login;
  return refreshAuthorization(issuer, {
    metadata: {
      issuer,
      authorization_endpoint: endpoints.token,
      token_endpoint: endpoints.token,
      response_types_supported: ["code"],
      token_endpoint_auth_methods_supported: [endpoints.method],
    },
    clientInformation: {
      client_id: clientId,
      ...(secrets.clientSecret !== undefined && { client_secret: secrets.clientSecret }),
    },
    refreshToken,
    fetchFn: guardedFetch(resource),
    ...(declared && { resource }),
  });
}
