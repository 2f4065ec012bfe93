import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import path from "node:path";
import { isObject, own, type JsonValue } from "../../../base/json.ts";
import { makePrivateFolder, readPrivate, writePrivate } from "../../login/private-file.ts";
import { trouble } from "../../login/types.ts";
import type { Principal } from "../../../serve/claims.ts";

/** A token for each role, which lies where nobody else reads it or comes from a variable. */
export interface RoleTokens {
  /** Undefined: it is no role's. */
  principalOf(token: string): Principal | undefined;
}

/** Fewer could be guessed. */
const FEWEST_CHARACTERS = 20;

/** All are looked at, whichever it is, so that the time tells nothing. */
export function roleTokens(tokens: ReadonlyMap<string, string>): RoleTokens {
  const known = [...tokens].map(([role, token]) => ({ role, digest: digestOf(token) }));
  return {
    principalOf(token) {
      const digest = digestOf(token);
      let found: string | undefined;
      for (const one of known) if (timingSafeEqual(one.digest, digest)) found = one.role;
      return found === undefined ? undefined : { roles: [found], subject: `the token of ${found}`, expires: undefined };
    },
  };
}

/** Those of variables. Of two roles with one token nobody knows who came; a short one is a guess away. */
export function tokensOfVariables(
  variables: readonly (readonly [role: string, variable: string])[],
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  for (const [role, variable] of variables) {
    const token = env[variable] ?? "";
    if (token === "")
      throw trouble(`\`${variable}\`, the token of \`${role}\`, isn't set`, "set it, or take the role out of `tokens`");
    if (token.length < FEWEST_CHARACTERS || !/^[A-Za-z0-9._~+/-]+=*$/.test(token))
      throw trouble(
        `\`${variable}\`, the token of \`${role}\`, is no token of at least ${FEWEST_CHARACTERS} letters, digits and \`._~+/-\``,
        "`openssl rand -hex 32` makes one",
      );
    const other = [...tokens].find(([, one]) => one === token)?.[0];
    if (other !== undefined)
      throw trouble(`\`${role}\` and \`${other}\` have one token, so nobody knows which comes`, "give each its own");
    tokens.set(role, token);
  }
  return tokens;
}

/** Made at the first start, kept outside the project, and completed when there is a new role. */
export function madeTokens(file: string, roles: readonly string[]): ReadonlyMap<string, string> {
  const holds = "the tokens of `rolecall serve --http` are";
  makePrivateFolder(path.dirname(file), holds);
  const text = readPrivate(file, holds);
  const known = text === undefined ? new Map<string, string>() : readTokens(file, text);
  const missing = roles.filter((role) => !known.has(role));
  for (const role of missing) known.set(role, `rolecall_${randomBytes(32).toString("hex")}`);
  if (missing.length > 0) writePrivate(file, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`);
  return new Map([...known].filter(([role]) => roles.includes(role)));
}

function readTokens(file: string, text: string): Map<string, string> {
  const told = parsed(text);
  const tokens = isObject(told) ? Object.keys(told).map((role) => [role, own(told, role)] as const) : undefined;
  if (tokens === undefined || !tokens.every(isToken) || new Set(tokens.map(([, one]) => one)).size < tokens.length)
    throw trouble(`\`${file}\` isn't what rolecall wrote there`, "move it away, and new tokens are made");
  return new Map(tokens.filter(isToken));
}

function isToken(entry: readonly [string, JsonValue | undefined]): entry is readonly [string, string] {
  return typeof entry[1] === "string" && entry[1].length >= FEWEST_CHARACTERS;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
