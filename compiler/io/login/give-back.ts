import { guardedFetch, refusedAddress, type GuardedFetch } from "./addresses.ts";
import type { Logins } from "./logins.ts";
import { isTrouble, type Login, type LoginTrouble, type LoginSecrets } from "./types.ts";
import { troubleOf } from "./words.ts";

/** What became of one login. */
export interface EndedLogin {
  readonly login: Login;
  readonly givenBack: GivenBack | undefined;
  /** Why it is still here. */
  readonly trouble: LoginTrouble | undefined;
}

/** Deleted here whatever the server says: who logs out wants it gone. */
export async function endLogin(logins: Logins, login: Login): Promise<EndedLogin> {
  try {
    return await logins.alone(async (open) => {
      const secrets = await open.secretsOf(login);
      const givenBack = secrets && (await giveBack(login, secrets, guardedFetch(login.resource)));
      await open.remove(login);
      return { login, givenBack, trouble: undefined };
    });
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    return { login, givenBack: undefined, trouble: problem };
  }
}

/** What became of tokens that were given back (RFC 7009). */
export type GivenBack =
  | { readonly kind: "revoked" }
  /** The server takes none back: they end by themselves. */
  | { readonly kind: "no-way" }
  | { readonly kind: "failed"; readonly why: string };

async function giveBack(login: Login, secrets: LoginSecrets, fetch: GuardedFetch): Promise<GivenBack> {
  const { revocation } = login.endpoints;
  if (revocation === undefined || refusedAddress(revocation, login.resource) !== undefined) return { kind: "no-way" };
  const whys: string[] = [];
  // The refresh token first: most servers end its access tokens with it, and none has to.
  for (const [token, hint] of [
    [secrets.refreshToken, "refresh_token"],
    [secrets.accessToken, "access_token"],
  ] as const)
    try {
      if (token !== undefined) await revoke(login, secrets, revocation, token, hint, fetch);
    } catch (error) {
      whys.push(troubleOf(error, "revoking", "").says);
    }
  return whys[0] === undefined ? { kind: "revoked" } : { kind: "failed", why: whys[0] };
}

async function revoke(
  { clientId, endpoints }: Login,
  { clientSecret }: LoginSecrets,
  address: string,
  token: string,
  hint: string,
  fetch: GuardedFetch,
): Promise<void> {
  const body = new URLSearchParams({ token, token_type_hint: hint });
  const headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded" };
  if (endpoints.method === "client_secret_basic")
    headers["authorization"] = `Basic ${Buffer.from(`${clientId}:${clientSecret ?? ""}`).toString("base64")}`;
  else {
    body.set("client_id", clientId);
    if (endpoints.method === "client_secret_post" && clientSecret !== undefined)
      body.set("client_secret", clientSecret);
  }
  const response = await fetch(address, { method: "POST", headers, body });
  if (!response.ok) throw Object.assign(new Error("refused"), { status: response.status });
}
