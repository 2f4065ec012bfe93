import { createHash, randomUUID } from "node:crypto";
import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makePrivateFolder } from "../login/private-file.ts";
import { isTrouble, trouble } from "../login/types.ts";
import { homeFolder } from "./home.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the daemon of a project is reached, and what it keeps while it lives: a folder that is its user's alone. */
export interface ServePlace {
  readonly folder: string;
  readonly lock: string;
  readonly log: string;
}

/** Who connects to `clients` is a client of one role for good; nothing that comes there reaches `inbox`. */
export interface DoorAddresses {
  readonly clients: string;
  readonly inbox: string;
}

/** Bytes that the address of a socket may have, on every system. */
const LONGEST_ADDRESS = 103;

export function servePlace(dir: string, env: Env): ServePlace {
  const folder = doorFolder(dir, env);
  for (const one of [path.dirname(folder), folder]) makePrivateFolder(one, "the doors of `rolecall serve`");
  if (process.platform !== "win32" && Buffer.byteLength(path.join(folder, "clients")) > LONGEST_ADDRESS)
    throw trouble(`\`${folder}\` is too long for a socket`, "set HOME to a folder with a shorter path");
  return { folder, lock: path.join(folder, "lock"), log: path.join(folder, "log") };
}

/** To look there, and make nothing; undefined: nobody knows where your home is. */
export function knownFolder(dir: string, env: Env): string | undefined {
  try {
    return doorFolder(dir, env);
  } catch (problem) {
    if (isTrouble(problem)) return undefined;
    throw problem;
  }
}

function doorFolder(dir: string, env: Env): string {
  const name = createHash("sha256").update(realpathSync(dir)).digest("hex").slice(0, 12);
  return path.join(homeFolder(env), ".rolecall", "run", name);
}

/** For a daemon that opens them. What one that was killed left there is gone. */
export function newAddresses({ folder }: ServePlace): DoorAddresses {
  if (process.platform !== "win32") {
    const addresses = socketsIn(folder);
    for (const file of Object.values(addresses)) rmSync(file, { force: true });
    return addresses;
  }
  const addresses = { clients: pipeName(), inbox: pipeName() };
  writeFileSync(path.join(folder, PIPES), JSON.stringify(addresses), { mode: 0o600 });
  return addresses;
}

/** Undefined: no daemon was ever here. */
export function knownAddresses({ folder }: Pick<ServePlace, "folder">): DoorAddresses | undefined {
  if (process.platform !== "win32") return socketsIn(folder);
  try {
    return JSON.parse(readFileSync(path.join(folder, PIPES), "utf8")) as DoorAddresses;
  } catch {
    return undefined;
  }
}

/** Windows has no sockets in folders: their names are nobody's guess, and lie in a file there. */
const PIPES = "pipes.json";

function pipeName(): string {
  return `\\\\.\\pipe\\rolecall-${randomUUID()}`;
}

function socketsIn(folder: string): DoorAddresses {
  return { clients: path.join(folder, "clients"), inbox: path.join(folder, "inbox") };
}
