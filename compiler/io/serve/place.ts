import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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
  for (const one of [path.dirname(folder), folder]) makePrivateFolder(one, "the doors of `rolecall serve` are");
  if (process.platform !== "win32" && Buffer.byteLength(path.join(folder, `${LEFT}${2 ** 22}`)) > LONGEST_ADDRESS)
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
  return path.join(homeFolder(env), ".rolecall", "run", nameOf(dir).slice(0, 12));
}

/** How the files begin that outlive its daemons: what was accepted, and tokens that were made. */
export function keptAt(dir: string, env: Env): string {
  return path.join(homeFolder(env), ".local", "state", "rolecall", nameOf(dir));
}

function nameOf(dir: string): string {
  return createHash("sha256").update(whereItIs(dir)).digest("hex").slice(0, 32);
}

function whereItIs(dir: string): string {
  try {
    return realpathSync(dir);
  } catch {
    throw trouble("the project's folder isn't there", "name it with --project DIR");
  }
}

/** For a daemon that opens them. What some that were killed left there is gone. */
export function newAddresses({ folder }: Pick<ServePlace, "folder">): DoorAddresses {
  for (const { file, pid } of leftIn(folder)) if (!isRunning(pid)) rmSync(file, { force: true });
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

/** Of a daemon that hands over: its doors are the next one's, and its user has things to say to it as before. */
export function leftInbox({ folder }: Pick<ServePlace, "folder">): string {
  const file = path.join(folder, `${LEFT}${process.pid}`);
  if (process.platform !== "win32") return file;
  const inbox = pipeName();
  writeFileSync(file, inbox, { mode: 0o600 });
  return inbox;
}

/** Where each is told something: the one that new clients come to first. */
export function knownInboxes(place: Pick<ServePlace, "folder">): readonly string[] {
  const first = knownAddresses(place)?.inbox;
  const left = leftIn(place.folder).map(({ file }) =>
    process.platform === "win32" ? readFileSync(file, "utf8") : file,
  );
  return first === undefined ? left : [first, ...left];
}

const LEFT = "left.";

function leftIn(folder: string): { readonly file: string; readonly pid: number }[] {
  return namesIn(folder)
    .filter((name) => /^left\.\d+$/.test(name))
    .map((name) => ({ file: path.join(folder, name), pid: Number(name.slice(LEFT.length)) }));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
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
