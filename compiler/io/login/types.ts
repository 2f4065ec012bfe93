/**
 * What rolecall knows of a login of its own: a person said yes in a browser, and a server's tokens came back. A login
 * belongs to a server's name and to the address that it was issued for; nothing else ever gets its tokens.
 */
export interface Login {
  /** The server's name, as projects have it. */
  readonly server: string;
  /** The protected resource: a token is sent to this origin only, and there to this path and what lies below. */
  readonly resource: string;
  /** Whether `resource` was told by the server itself: only then is it named in requests for tokens. */
  readonly declared: boolean;
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970; undefined when the server doesn't say. */
  readonly expiresAt: number | undefined;
  readonly endpoints: Endpoints;
}

/** Where tokens are asked for and given back, as the server said when a person logged in. */
export interface Endpoints {
  readonly token: string;
  readonly revocation: string | undefined;
  /** How rolecall says there who it is. */
  readonly method: "none" | "client_secret_basic" | "client_secret_post";
}

/** Never printed, never in a message. */
export interface LoginSecrets {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly clientSecret: string | undefined;
}

/** Where the secrets of a login lie. */
export type SecretPlace = "keychain" | "file";

/** Something that can't go on, in one sentence with the next step. Holds no secret. */
export interface LoginTrouble {
  readonly says: string;
  readonly next: string;
}

/** Thrown inside this folder and caught at its doors. */
export function trouble(says: string, next: string): LoginTrouble {
  return { says, next };
}

export function isTrouble(problem: unknown): problem is LoginTrouble {
  return typeof problem === "object" && problem !== null && "says" in problem && "next" in problem;
}
