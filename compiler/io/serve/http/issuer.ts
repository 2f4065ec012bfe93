import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject, own, type JsonObject } from "../../../base/json.ts";
import { guardedFetch } from "../../login/addresses.ts";
import { trouble } from "../../login/types.ts";
import { rolesIn, subjectIn, type Principal } from "../../../serve/claims.ts";
import { tokenLibrary } from "../../libraries.ts";

/** Tokens that somebody else issues: their signature, and what they say of themselves. */
export interface IssuedTokens {
  /** Undefined: it isn't valid here. Rejects where that can't be known: the keys aren't to be had. */
  principalOf(token: string, audiences: readonly string[]): Promise<IssuedPrincipal | undefined>;
}

export interface IssuedPrincipal extends Principal {
  readonly audiences: readonly string[];
}

export interface Issuer {
  readonly issuer: string;
  readonly rolesClaim: string;
  readonly jwks: string | undefined;
}

/** Written here and not read from a token, which would choose its own: `none`, or a public key as a secret. */
const ALGORITHMS = ["RS256", "ES256", "EdDSA"];
const SKEW_SECONDS = 60;
const KEYS_KEPT_MS = 600_000;

type Library = ReturnType<typeof tokenLibrary>;
type LocalKeys = ReturnType<Library["createLocalJWKSet"]>;
type Keys = (...asked: Parameters<LocalKeys>) => ReturnType<LocalKeys>;

export function issuedTokens({ issuer, rolesClaim, jwks }: Issuer, dir: string): IssuedTokens {
  const library = tokenLibrary();
  const keysNow = keysOf(library, { issuer, jwks, dir });
  const inLine = createLine();
  return {
    async principalOf(token, audiences) {
      const keys = await inLine(keysNow);
      let unknown: unknown;
      try {
        const { payload } = await library.jwtVerify(
          token,
          async (...asked) => {
            try {
              return await inLine(() => keys(...asked));
            } catch (problem) {
              if (!isAboutKey(problem)) unknown = problem;
              throw problem;
            }
          },
          {
            algorithms: ALGORITHMS,
            issuer,
            audience: [...audiences],
            clockTolerance: SKEW_SECONDS,
            requiredClaims: ["exp"],
          },
        );
        return principalIn(payload as JsonObject, rolesClaim, token);
      } catch {
        if (unknown !== undefined) throw unknown;
        return undefined;
      }
    },
  };
}

/** Anybody can make what looks like a token, and each waits for the keys: so many do, and what is more isn't judged. */
const MOST_WAITING = 512;

function createLine(): <T>(work: () => Promise<T>) => Promise<T> {
  let waiting = 0;
  return async (work) => {
    if (waiting >= MOST_WAITING) throw new Error("too many wait for the keys of the issuer");
    waiting++;
    try {
      return await work();
    } finally {
      waiting--;
    }
  };
}

/** The token's fault, and not that nobody can be asked. */
function isAboutKey(problem: unknown): boolean {
  const code = String((problem as { readonly code?: unknown }).code);
  return /^ERR_(JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE_MATCHING_KEYS|JOSE_NOT_SUPPORTED|JWS_INVALID|JWK_INVALID)$/.test(
    code,
  );
}

function principalIn(claims: JsonObject, rolesClaim: string, token: string): IssuedPrincipal | undefined {
  const issued = own(claims, "iat");
  // The library looks at it only where an age is asked for; one of tomorrow was never issued.
  if (typeof issued === "number" && issued > Date.now() / 1000 + SKEW_SECONDS) return undefined;
  return {
    roles: rolesIn(claims, rolesClaim),
    // Without a name each token is somebody of its own.
    subject: subjectIn(claims) ?? `token ${createHash("sha256").update(token).digest("hex")}`,
    audiences: [own(claims, "aud")].flat().filter((one): one is string => typeof one === "string"),
    expires: ((own(claims, "exp") as number) + SKEW_SECONDS) * 1000,
  };
}

interface KeyPlace {
  readonly issuer: string;
  readonly jwks: string | undefined;
  readonly dir: string;
}

function keysOf(library: Library, { issuer, jwks, dir }: KeyPlace): () => Promise<Keys> {
  if (jwks !== undefined && !URL.canParse(jwks)) {
    const keys = keysInFile(library, path.join(dir, jwks), jwks);
    return async () => keys;
  }
  const { createRemoteJWKSet, customFetch } = library;
  const fetched = guardedFetch(issuer);
  const remote = (url: string): Keys =>
    createRemoteJWKSet(new URL(url), { cacheMaxAge: KEYS_KEPT_MS, [customFetch]: fetched as typeof fetch });
  if (jwks !== undefined) {
    const keys = remote(jwks);
    return async () => keys;
  }
  let found: Promise<Keys> | undefined;
  return () => {
    found ??= keysAddress(issuer, fetched).then(remote);
    // What failed is asked again by the next token.
    found.catch(() => (found = undefined));
    return found;
  };
}

/** A file that holds a private key, or none, is a slip that is told before the door opens. */
function keysInFile(library: Library, file: string, written: string): Keys {
  try {
    return library.createLocalJWKSet(
      JSON.parse(readFileSync(file, "utf8")) as Parameters<Library["createLocalJWKSet"]>[0],
    );
  } catch (problem) {
    const { code, message } = problem as NodeJS.ErrnoException;
    const why = code === undefined || code.startsWith("ERR_") ? message : code;
    throw trouble(
      `\`${written}\`, which \`serve: { auth: { jwks } }\` names, isn't a set of keys (${why})`,
      'write it as a JWK Set: { "keys": [...] }',
    );
  }
}

/** As the issuer says of itself (RFC 8414, OpenID Connect Discovery); who says another name isn't believed. */
async function keysAddress(issuer: string, fetched: ReturnType<typeof guardedFetch>): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const tail = pathname.replace(/\/$/, "");
  for (const address of [
    `${origin}/.well-known/oauth-authorization-server${tail}`,
    `${origin}${tail}/.well-known/openid-configuration`,
  ]) {
    const response = await fetched(address);
    const told = response.ok ? ((await response.json().catch(() => undefined)) as unknown) : undefined;
    const keys = isObject(told) && own(told, "issuer") === issuer ? own(told, "jwks_uri") : undefined;
    if (typeof keys === "string") return keys;
  }
  throw new Error(`\`${issuer}\` doesn't say where its keys are`);
}
