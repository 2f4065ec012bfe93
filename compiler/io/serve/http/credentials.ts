import { resourceOf } from "../../../serve/http-request.ts";
import type { Principal } from "../../../serve/claims.ts";
import type { Served } from "../../../serve/types.ts";
import { trouble } from "../../login/types.ts";
import { issuedTokens } from "./issuer.ts";
import { madeTokens, roleTokens, tokensOfVariables, type RoleTokens } from "./tokens.ts";

/** Who may come in. */
export interface Credentials {
  /** Undefined: a valid token of nobody. Rejects where nobody can say, and where whoever sent it is gone meanwhile. */
  principalOf(token: string, gone: AbortSignal): Principal | undefined | Promise<Principal | undefined>;
  /** Whom clients ask for a token; undefined: its user hands them out. */
  readonly issuer: string | undefined;
  /** Where the tokens lie that were made here. */
  readonly file: string | undefined;
}

export interface CredentialWorld {
  readonly dir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For tokens that are made. */
  readonly file: string;
  served(): Served;
}

type HttpSettings = Served["settings"]["http"];

/** `settings`: as they count now, the very same while nothing is taken away. */
export function openCredentials(settings: () => HttpSettings, world: CredentialWorld): Credentials {
  let of = settings();
  let made = credentialsOf(of, world);
  const now = (): Credentials => {
    if (of !== settings()) made = credentialsOf((of = settings()), world);
    return made;
  };
  return {
    principalOf: (token, gone) => now().principalOf(token, gone),
    get issuer() {
      return now().issuer;
    },
    get file() {
      return now().file;
    },
  };
}

function credentialsOf({ auth, url }: HttpSettings, world: CredentialWorld): Credentials {
  if (auth === undefined) return ownTokens(world);
  if ("tokens" in auth) {
    const tokens = roleTokens(tokensOfVariables(auth.tokens, world.env));
    return { principalOf: tokens.principalOf, issuer: undefined, file: undefined };
  }
  const { issuer, audience } = auth;
  if (audience === undefined && url === undefined)
    throw trouble(
      "nobody knows for whom the issuer's tokens have to be made out",
      "write `audience` under `serve: { auth }`, or where clients reach it as `serve: { url }`",
    );
  const tokens = issuedTokens(auth);
  const audienceOf = (role: string): string => audience ?? resourceOf(role, url!);
  return {
    issuer,
    file: undefined,
    async principalOf(token, gone) {
      const known = [...world.served().roles.keys()];
      const principal = await tokens.principalOf(token, [...new Set(known.map(audienceOf))], gone);
      if (principal === undefined) return undefined;
      // One that is made out for a role's address opens that one alone.
      const roles = principal.roles.filter((role) => known.includes(role));
      return { ...principal, roles: roles.filter((role) => principal.audiences.includes(audienceOf(role))) };
    },
  };
}

/** A build may bring a role: its token is made when it is first served. */
function ownTokens({ file, served }: CredentialWorld): Credentials {
  let known: { readonly of: Served; readonly tokens: RoleTokens } | undefined;
  const tokensNow = (): RoleTokens => {
    const now = served();
    if (known?.of !== now) known = { of: now, tokens: roleTokens(madeTokens(file, [...now.roles.keys()])) };
    return known.tokens;
  };
  tokensNow();
  return { principalOf: (token) => tokensNow().principalOf(token), issuer: undefined, file };
}
