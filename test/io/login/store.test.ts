import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openKeychain, type KeyringModule } from "../../../compiler/io/login/keychain.ts";
import { openLogins } from "../../../compiler/io/login/logins.ts";
import { privateFolder } from "../../../compiler/io/login/private-file.ts";
import type { Login, LoginSecrets } from "../../../compiler/io/login/types.ts";
import { modeOf } from "../../support/login/project.ts";

/** Where tokens lie: in a keychain that lasts, else in a file that is the user's alone, else nowhere. */
let home: string;
beforeEach(() => void (home = mkdtempSync(path.join(tmpdir(), "rolecall-store-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const URL_OF_NOTES = "https://notes.example/mcp";
const LOGIN: Login = {
  server: "notes",
  resource: URL_OF_NOTES,
  declared: true,
  issuer: "https://login.example",
  clientId: "c1",
  scopes: ["read"],
  expiresAt: 1,
  endpoints: { token: "https://login.example/token", revocation: undefined, method: "none" },
};
const SECRETS: LoginSecrets = {
  accessToken: "access-of-notes",
  refreshToken: "refresh-of-notes",
  clientSecret: undefined,
};
const folder = () => path.join(home, "rolecall");
const file = () => path.join(folder(), "logins.json");
const noKeychain = async () => ({ why: "none here" });
const save = (logins = openLogins(folder(), noKeychain)) => logins.alone((open) => open.save(LOGIN, SECRETS));
const find = (logins = openLogins(folder(), noKeychain)) => logins.find("notes", URL_OF_NOTES);

/** A keyring as the package has it; `broken`: what each of its functions throws. */
function fakeKeyring(broken: Partial<Record<"get" | "set" | "make" | "forgets", string>> = {}) {
  const entries = new Map<string, string>();
  const options: unknown[] = [];
  const fail = (what: keyof typeof broken) => {
    if (broken[what] !== undefined) throw new Error(broken[what]);
  };
  class AsyncEntry {
    readonly #name: string;
    constructor(service: string, account: string, given: unknown) {
      fail("make");
      this.#name = `${service}: ${account}`;
      options.push(given);
    }
    async getPassword() {
      fail("get");
      return entries.get(this.#name) ?? null;
    }
    async setPassword(secret: string) {
      fail("set");
      if (!broken.forgets) entries.set(this.#name, secret);
    }
    async deleteCredential() {
      fail("set");
      return entries.delete(this.#name);
    }
  }
  const keyring: KeyringModule = { AsyncEntry };
  return { entries, options, broken, logins: () => openLogins(folder(), () => openKeychain(async () => keyring)) };
}

describe("a keychain that lasts", () => {
  test("holds the secrets, and the file none of them", async () => {
    const { entries, options, logins } = fakeKeyring();
    expect(await save(logins())).toEqual({ place: "keychain", why: undefined });
    expect([...entries.keys()]).toEqual([`rolecall: notes ${URL_OF_NOTES}`]);
    expect(readFileSync(file(), "utf8")).not.toContain("of-notes");
    expect(await find(logins())).toMatchObject({ secrets: SECRETS, place: "keychain" });
    expect(new Set(options.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['{"linux":{"store":"secret-service"}}']),
    );
    await logins().alone((open) => open.remove(LOGIN));
    expect(entries.size).toBe(0);
    expect(logins().list()).toEqual([]);
  });

  test.each([
    ["can't be opened", { make: "DBus error: no daemon" }, "no Secret Service runs here"],
    ["refuses", { set: "the store is locked" }, "the store is locked"],
    ["forgets", { forgets: "yes" }, "it didn't keep what it was given"],
  ])("one that %s: the file is taken, with the reason", async (_, broken, why) => {
    const { logins } = fakeKeyring(broken);
    expect(await save(logins())).toEqual({ place: "file", why });
    expect(await find(logins())).toMatchObject({ secrets: SECRETS, place: "file" });
  });

  test("a renewed token goes where the login lies, and into no file unasked", async () => {
    const { broken, logins } = fakeKeyring();
    await save(logins());
    broken.set = "the store is locked";
    const renewing = logins().alone((open) => open.save(LOGIN, { ...SECRETS, accessToken: "renewed" }, "keychain"));
    await expect(renewing).rejects.toMatchObject({
      says: "the keychain doesn't keep the renewed token: the store is locked",
    });
    expect(readFileSync(file(), "utf8")).not.toContain("renewed");
  });

  test("that is locked later is told, and nothing is deleted that it still holds", async () => {
    const { broken, logins } = fakeKeyring();
    await save(logins());
    Object.assign(broken, { get: "locked", set: "locked" });
    await expect(find(logins())).rejects.toMatchObject({
      says: "the keychain doesn't give the login of notes: locked",
    });
    await expect(logins().alone((open) => open.remove(LOGIN))).rejects.toMatchObject({
      next: "unlock it, then log out again",
    });
    expect(logins().list()).toHaveLength(1);
  });

  test("a package that isn't there is said so", async () => {
    const missing = () => openKeychain(async () => Promise.reject(new Error("Cannot find module")));
    const kept = await save(openLogins(folder(), missing));
    expect(kept).toEqual({ place: "file", why: "the package @napi-rs/keyring isn't installed" });
  });

  test.runIf(process.platform === "linux" && !process.env["DBUS_SESSION_BUS_ADDRESS"])(
    "without one, the real package doesn't fall back to a store that forgets",
    async () => expect(await save(openLogins(folder()))).toEqual({ place: "file", why: "no Secret Service runs here" }),
  );
});

describe.skipIf(process.platform === "win32")("the file", () => {
  test("is the user's alone, in a folder that is", async () => {
    mkdirSync(folder(), { mode: 0o755 });
    await save();
    expect([modeOf(file()), modeOf(folder())]).toEqual(["600", "700"]);
    expect(existsSync(path.join(folder(), "lock"))).toBe(false);
  });

  test.each(["640", "604", "620"])("isn't read with mode %s", async (mode) => {
    await save();
    chmodSync(file(), Number.parseInt(mode, 8));
    await expect(find()).rejects.toMatchObject({ says: expect.stringContaining("is open to other users") });
    await expect(find()).rejects.toMatchObject({ next: expect.stringContaining(`chmod 600 ${file()};`) });
  });

  test("isn't written into a folder that others can change, nor read through a link", async () => {
    mkdirSync(folder());
    chmodSync(folder(), 0o777);
    await expect(save()).rejects.toMatchObject({ says: expect.stringContaining("is open to other users") });
    chmodSync(folder(), 0o700);
    await save();
    const real = path.join(home, "elsewhere.json");
    writeFileSync(real, readFileSync(file()), { mode: 0o600 });
    rmSync(file());
    symlinkSync(real, file());
    await expect(find()).rejects.toMatchObject({ says: expect.stringContaining("is a link") });
  });

  test.each([
    ["cut off", '{"format":1,"logins":[{"server":"no'],
    ["another program's", "[]"],
    ["a later version's", '{"format":2,"logins":[]}'],
    ["with half a login", '{"format":1,"logins":[{"server":"notes"}]}'],
  ])("that is %s is refused, and left as it is", async (_, text) => {
    mkdirSync(folder(), { mode: 0o700 });
    writeFileSync(file(), text, { mode: 0o600 });
    await expect(find()).rejects.toMatchObject({ next: "delete it, and log in again" });
    await expect(save()).rejects.toMatchObject({ next: "delete it, and log in again" });
    expect(readFileSync(file(), "utf8")).toBe(text);
  });
});

describe("changes", () => {
  test("wait for each other, in one process too", async () => {
    const order: string[] = [];
    const one = (name: string) =>
      openLogins(folder(), noKeychain).alone(async () => {
        order.push(`${name} in`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} out`);
      });
    await Promise.all(["a", "b", "c"].map(one));
    expect(order.map((word) => word.slice(2)).join()).toBe("in,out,in,out,in,out");
  });

  test("after a process that died with the lock", async () => {
    mkdirSync(folder(), { mode: 0o700 });
    writeFileSync(path.join(folder(), "lock"), "999999999\n");
    expect(await save()).toMatchObject({ place: "file" });
  });
});

test("no home, no logins: nothing is read, and who logs in is told", async () => {
  const logins = openLogins(privateFolder({}, "linux"));
  expect(await logins.find("notes", URL_OF_NOTES)).toBeUndefined();
  await expect(save(logins)).rejects.toMatchObject({ next: "set HOME or XDG_CONFIG_HOME" });
});

test.each([
  [{ HOME: "/srv/ann" }, "linux", "/srv/ann/.config/rolecall"],
  [{ HOME: "/srv/ann", XDG_CONFIG_HOME: "/srv/conf" }, "linux", "/srv/conf/rolecall"],
  [{ HOME: "/srv/ann", XDG_CONFIG_HOME: "conf" }, "linux", "/srv/ann/.config/rolecall"],
  [{ HOME: "/srv/ann" }, "darwin", "/srv/ann/Library/Application Support/rolecall"],
] as const)("the place of %j on %s", (env, platform, wanted) => expect(privateFolder(env, platform)).toBe(wanted));
