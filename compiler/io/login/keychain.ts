import { short } from "./words.ts";

/** A store of the system's that lasts. Every function rejects when the store doesn't do it. */
export interface Keychain {
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

/** What is used of `@napi-rs/keyring`. */
export interface KeyringModule {
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options: { readonly linux: { readonly store: "secret-service" } },
  ) => {
    getPassword(): Promise<string | null>;
    setPassword(secret: string): Promise<void>;
    deleteCredential(): Promise<boolean>;
  };
}

const SERVICE = "rolecall";
/** Long enough for a person to unlock it. */
const ANSWER_MS = 60_000;

/**
 * Left to itself the package falls back to the kernel's keyring, which forgets at the next start: only a store that lasts
 * is taken, and without one this says why.
 */
export async function openKeychain(
  load: () => Promise<KeyringModule> = () => import("@napi-rs/keyring"),
): Promise<Keychain | { readonly why: string }> {
  let keyring: KeyringModule;
  try {
    keyring = await load();
  } catch {
    return { why: "the package @napi-rs/keyring isn't installed" };
  }
  const entry = (account: string) => new keyring.AsyncEntry(SERVICE, account, { linux: { store: "secret-service" } });
  return {
    read: (account) => inTime(async () => (await entry(account).getPassword()) ?? undefined),
    write: (account, secret) =>
      inTime(async () => {
        await entry(account).setPassword(secret);
        if ((await entry(account).getPassword()) !== secret) throw new Error("it didn't keep what it was given");
      }),
    remove: (account) => inTime(async () => void (await entry(account).deleteCredential())),
  };
}

/** Why a store failed, in a few words of the system's. */
export function keychainWords(problem: unknown): string {
  const text = problem instanceof Error ? problem.message : String(problem);
  if (/d-?bus/i.test(text)) return "no Secret Service runs here";
  return short(text.split("\n")[0] ?? "").slice(0, 90) || "no reason was given";
}

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer within 60 s")), ANSWER_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
