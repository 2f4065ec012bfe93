import path from "node:path";
import { withLockFile } from "../write/lock.ts";
import { covers } from "./addresses.ts";
import { keychainWords, openKeychain, type Keychain } from "./keychain.ts";
import { loginsText, parseLogins, parseSecrets, type LoginEntry } from "./login-text.ts";
import { makePrivateFolder, readPrivate, writePrivate } from "./private-file.ts";
import { trouble, type Login, type SecretPlace, type LoginSecrets } from "./types.ts";

export interface FoundLogin {
  readonly login: Login;
  readonly secrets: LoginSecrets;
  readonly place: SecretPlace;
}

/** Where the secrets of a login went, and why not into the keychain. */
export interface KeptLogin {
  readonly place: SecretPlace;
  readonly why: string | undefined;
}

/** The logins of one user. Whatever can't be done is thrown as `LoginTrouble`. */
export interface Logins {
  /** The file that lists them, and that holds the secrets where no keychain does. Undefined: there is no home. */
  readonly file: string | undefined;
  list(): readonly (Login & { readonly place: SecretPlace })[];
  find(server: string, url: string): Promise<FoundLogin | undefined>;
  /** Nobody else changes them meanwhile: no other process, and nothing else in this one. */
  alone<T>(work: (logins: OpenLogins) => Promise<T>): Promise<T>;
}

export interface OpenLogins {
  find(server: string, url: string): Promise<FoundLogin | undefined>;
  secretsOf(login: Login): Promise<LoginSecrets | undefined>;
  /** A new login goes into the keychain if it takes it; a renewed one stays where it was. */
  save(login: Login, secrets: LoginSecrets, where?: SecretPlace): Promise<KeptLogin>;
  remove(login: Login): Promise<void>;
}

type Keychains = () => Promise<Keychain | { readonly why: string }>;

const PATIENCE_MS = 20_000;

export function openLogins(folder: string | undefined, keychains: Keychains = openKeychain): Logins {
  const file = folder && path.join(folder, "logins.json");
  const read = () => (file === undefined ? [] : parseLogins(readPrivate(file) ?? "", file));
  const store = openStore(read, (entries) => writePrivate(file!, loginsText(entries)), once(keychains));
  return {
    file,
    list: () => read().map(({ login, place }) => ({ ...login, place })),
    find: store.find,
    alone: async (work) => {
      if (folder === undefined)
        throw trouble("there is no place to keep logins in: HOME isn't set", "set HOME or XDG_CONFIG_HOME");
      return inTurn(folder, () => work(store));
    },
  };
}

async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  makePrivateFolder(folder);
  try {
    return await withLockFile(path.join(folder, "lock"), PATIENCE_MS, work);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code !== "ELOCKED") throw trouble(`your logins can't be locked (${code})`, "let yourself write where they lie");
    throw trouble("another rolecall is busy with your logins", "wait for it, then try again");
  }
}

function openStore(
  read: () => readonly LoginEntry[],
  write: (entries: readonly LoginEntry[]) => void,
  keychains: Keychains,
): OpenLogins {
  const without = (login: Login) => read().filter((entry) => !isSame(entry.login, login));
  const keychain = async (): Promise<Keychain> => {
    const opened = await keychains();
    if ("why" in opened) throw new Error(opened.why);
    return opened;
  };
  const secretsOf = async (login: Login): Promise<LoginSecrets | undefined> => {
    const entry = read().find((one) => isSame(one.login, login));
    if (entry === undefined || entry.place === "file") return entry?.secrets;
    try {
      const text = await (await keychain()).read(accountOf(login));
      return text === undefined ? undefined : parseSecrets(text);
    } catch (error) {
      throw trouble(
        `the keychain doesn't give the login of ${login.server}: ${keychainWords(error)}`,
        "unlock it, or log in again",
      );
    }
  };
  const intoKeychain = async (login: Login, secrets: LoginSecrets): Promise<string | undefined> => {
    try {
      await (await keychain()).write(accountOf(login), JSON.stringify(secrets));
      return undefined;
    } catch (error) {
      return keychainWords(error);
    }
  };
  const remove = async (login: Login): Promise<void> => {
    const entry = read().find((one) => isSame(one.login, login));
    if (entry === undefined) return;
    if (entry.place === "keychain") await forget(keychain, login);
    write(without(login));
  };
  return {
    secretsOf,
    remove,
    find: async (server, url) => {
      const entry = read().findLast(({ login }) => login.server === server && covers(login.resource, url));
      const secrets = entry && (await secretsOf(entry.login));
      return secrets && { login: entry.login, secrets, place: entry.place };
    },
    save: async (login, secrets, where) => {
      const others = without(login);
      const why = where === "file" ? undefined : await intoKeychain(login, secrets);
      if (where === "keychain" && why !== undefined)
        throw trouble(`the keychain doesn't keep the renewed token: ${why}`, `rolecall login ${login.server}`);
      const place: SecretPlace = where ?? (why === undefined ? "keychain" : "file");
      write([...others, place === "file" ? { login, place, secrets } : { login, place }]);
      return { place, why };
    },
  };
}

async function forget(keychain: () => Promise<Keychain>, login: Login): Promise<void> {
  try {
    await (await keychain()).remove(accountOf(login));
  } catch (error) {
    throw trouble(
      `the keychain keeps the login of ${login.server}: ${keychainWords(error)}`,
      "unlock it, then log out again",
    );
  }
}

function isSame(a: Login, b: Login): boolean {
  return a.server === b.server && a.resource === b.resource;
}

function accountOf({ server, resource }: Login): string {
  return `${server} ${resource}`;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
