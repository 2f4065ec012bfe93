import { createHash } from "node:crypto";
import { own, type JsonObject } from "../../../base/json.ts";
import { rolesIn, subjectIn, type Principal } from "../../../serve/claims.ts";
import { tokenLibrary } from "../../libraries.ts";
import { keysOf } from "./issuer-keys.ts";

/** Tokens that somebody else issues: their signature, and what they say of themselves. */
export interface IssuedTokens {
  /** Undefined: it isn't valid here. Rejects where that can't be known: its key isn't to be had, or its sender is gone. */
  principalOf(token: string, audiences: readonly string[], gone: AbortSignal): Promise<IssuedPrincipal | undefined>;
}

export interface IssuedPrincipal extends Principal {
  readonly audiences: readonly string[];
}

export interface Issuer {
  readonly issuer: string;
  readonly rolesClaim: string;
  readonly jwks: string | undefined;
  /** What lies in the file that `jwks` names, as it was accepted. */
  readonly keys: string | null | undefined;
}

/** Written here and not read from a token, which would choose its own: `none`, or a public key as a secret. */
const ALGORITHMS = ["RS256", "ES256", "EdDSA"];
const SKEW_SECONDS = 60;

export function issuedTokens({ rolesClaim, ...place }: Issuer): IssuedTokens {
  const library = tokenLibrary();
  const { issuer } = place;
  const keyFor = keysOf(library, place);
  return {
    async principalOf(token, audiences, gone) {
      let unknown: unknown;
      try {
        const { payload } = await library.jwtVerify(
          token,
          async (...asked) => {
            try {
              return await keyFor(asked, gone);
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
