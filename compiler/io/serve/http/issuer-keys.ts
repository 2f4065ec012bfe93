import { isObject, own, type JsonValue } from "../../../base/json.ts";
import { isTooLargeKey, LARGEST_KEY_SET, MOST_KEYS } from "../../../base/key-set.ts";
import type { tokenLibrary } from "../../libraries.ts";
import { guardedFetch } from "../../login/addresses.ts";
import { trouble } from "../../login/types.ts";

type Library = ReturnType<typeof tokenLibrary>;
type LocalKeys = ReturnType<Library["createLocalJWKSet"]>;
type KeySet = Parameters<Library["createLocalJWKSet"]>[0];

/** The key that a token names; one that is kept at once. Rejects where there is none, and where nobody can say. */
export type KeyFor = (asked: Parameters<LocalKeys>, gone: AbortSignal) => ReturnType<LocalKeys>;

export interface KeyPlace {
  readonly issuer: string;
  readonly jwks: string | undefined;
  readonly keys: string | null | undefined;
}

const KEPT_MS = 600_000;
/** Anybody can name a key that nobody has: keys that came just now aren't asked for anew. */
const LOOKED_FOR_EVERY_MS = 30_000;
const ANSWER_MS = 5_000;
/** After an answer that didn't come. */
const PAUSE_MS = 5_000;

export function keysOf(library: Library, { issuer, jwks, keys }: KeyPlace): KeyFor {
  if (jwks !== undefined && !URL.canParse(jwks)) {
    const known = keysIn(library, keys, jwks);
    return (asked) => known(...asked);
  }
  const fetched: Fetched = (address) => guardedFetch(issuer, AbortSignal.timeout(ANSWER_MS))(address);
  let address = jwks;
  return keptKeys(async () => {
    address ??= await keysAddress(issuer, fetched);
    const response = await fetched(address);
    if (response.status !== 200) throw new Error(`\`${address}\` answers ${response.status} in place of keys`);
    return boundedKeys(library, (await response.json()) as KeySet, `\`${address}\``);
  });
}

type Fetched = (address: string) => Promise<Response>;

function keptKeys(load: () => Promise<LocalKeys>): KeyFor {
  let kept: { readonly keys: LocalKeys; readonly since: number } | undefined;
  let coming: Promise<LocalKeys> | undefined;
  let failed: { readonly problem: unknown; readonly at: number } | undefined;
  const isOlderThan = (ms: number, since: number): boolean => performance.now() - since >= ms;
  const inLine = createLine();
  const newKeys = async (): Promise<LocalKeys> => {
    try {
      const keys = await load();
      kept = { keys, since: performance.now() };
      return keys;
    } catch (problem) {
      failed = { problem, at: performance.now() };
      throw problem;
    } finally {
      coming = undefined;
    }
  };
  return async (asked, gone) => {
    const now = kept;
    if (now !== undefined && !isOlderThan(KEPT_MS, now.since)) {
      try {
        return await now.keys(...asked);
      } catch (problem) {
        if (!isUnknown(problem) || !isOlderThan(LOOKED_FOR_EVERY_MS, now.since)) throw problem;
      }
    }
    if (failed !== undefined && !isOlderThan(PAUSE_MS, failed.at)) throw failed.problem;
    const keys = await inLine(() => (coming ??= newKeys()), gone);
    return keys(...asked);
  };
}

function isUnknown(problem: unknown): boolean {
  return (problem as { readonly code?: unknown }).code === "ERR_JWKS_NO_MATCHING_KEY";
}

/** Anybody can make what looks like a token, and each waits for the keys: so many do, and what is more isn't judged. */
const MOST_WAITING = 512;

/** Who is gone leaves it. */
function createLine(): <T>(work: () => Promise<T>, gone: AbortSignal) => Promise<T> {
  let waiting = 0;
  return async (work, gone) => {
    if (waiting >= MOST_WAITING) throw new Error("too many wait for the keys of the issuer");
    waiting++;
    let leave = (): void => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(new Error("whoever sent it is gone"));
      gone.addEventListener("abort", leave, { once: true });
      if (gone.aborted) leave();
    });
    try {
      return await Promise.race([work(), left]);
    } finally {
      gone.removeEventListener("abort", leave);
      waiting--;
    }
  };
}

/** `it`: what has them, in words. */
function boundedKeys(library: Library, set: KeySet, it: string): LocalKeys {
  const keys = isObject(set as unknown as JsonValue) ? set.keys : undefined;
  if (Array.isArray(keys)) {
    if (keys.length > MOST_KEYS) throw new Error(`${it} has more than ${MOST_KEYS} keys`);
    if (keys.some((key) => isTooLargeKey(key as JsonValue)))
      throw new Error(`a key in ${it} has more than any key has`);
  }
  return library.createLocalJWKSet(set);
}

/** A file that holds a private key, or none, is a slip that is told before the door opens. */
function keysIn(library: Library, text: string | null | undefined, written: string): LocalKeys {
  try {
    if (text === undefined || text === null || text.length > LARGEST_KEY_SET)
      throw new Error(`no plain file of at most ${LARGEST_KEY_SET / 1e6} MB is there`);
    const set = keySetOf(text);
    const keys = boundedKeys(library, set, "it");
    if (set.keys.some((key) => "d" in key || "k" in key)) throw new Error("a key in it is a private one");
    return keys;
  } catch (problem) {
    throw trouble(
      `\`${written}\`, which \`serve: { auth: { jwks } }\` names, isn't a set of keys (${(problem as Error).message})`,
      'write it as a JWK Set: { "keys": [...] }',
    );
  }
}

/** The platform's own words quote a piece of the text, which may be a private key's. */
function keySetOf(text: string): KeySet {
  try {
    return JSON.parse(text) as KeySet;
  } catch {
    throw new Error("it is no JSON");
  }
}

/** As the issuer says of itself (RFC 8414, OpenID Connect Discovery); who says another name isn't believed. */
async function keysAddress(issuer: string, fetched: Fetched): Promise<string> {
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
