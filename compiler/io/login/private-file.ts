import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import path from "node:path";
import { visible } from "../../base/visible.ts";
import { shownFile } from "../../base/shell-word.ts";
import { trouble } from "./types.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Where a user's own settings lie on this system, and rolecall's folder there. Undefined: the environment names no home. */
export function privateFolder(env: Env, platform: NodeJS.Platform = process.platform): string | undefined {
  const base = platform === "win32" ? env["APPDATA"] : platform === "darwin" ? macFolder(env) : xdgFolder(env);
  return base === undefined || !path.isAbsolute(base) ? undefined : path.join(base, "rolecall");
}

/** A relative path there is to be ignored: the specification says so. */
function xdgFolder(env: Env): string | undefined {
  const { XDG_CONFIG_HOME: own, HOME: home } = env;
  if (own !== undefined && path.isAbsolute(own)) return own;
  return home ? path.join(home, ".config") : undefined;
}

function macFolder(env: Env): string | undefined {
  return env["XDG_CONFIG_HOME"] || (env["HOME"] && path.join(env["HOME"], "Library", "Application Support"));
}

/**
 * The text of a file that is the user's alone; undefined when there is none. Any other is refused, and not read. `holds`:
 * for the words of a refusal.
 */
export function readPrivate(file: string, holds = LOGINS): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP") throw trouble(`${shown(file)} is a link`, movedAway(holds));
    throw trouble(`${shown(file)} can't be opened (${code})`, `look at what lies there: ${holds} kept in it`);
  }
  try {
    const stats = fstatSync(handle);
    const what = stats.isDirectory() ? "is a folder" : "isn't a file";
    if (!stats.isFile()) throw trouble(`${shown(file)} ${what}`, movedAway(holds));
    refuseOthers(file, stats, { bits: 0o077, mode: "600", holds });
    return readFileSync(handle, "utf8");
  } finally {
    closeSync(handle);
  }
}

/** Whole or not at all, and never for a moment readable by others. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.new`;
  try {
    makePrivateFolder(path.dirname(file));
    rmSync(temporary, { force: true });
    const handle = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw trouble(`${shown(file)} can't be written (${code})`, "make room, or let yourself write there");
  }
}

/**
 * Ours alone from the moment that it is there; one that others could change is refused, one that they could look into is
 * closed. `holds`: for the words of a refusal.
 */
export function makePrivateFolder(folder: string, holds = LOGINS): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw trouble(`${shown(folder)} can't be made (${code})`, `let yourself write there: ${holds} kept in it`);
  }
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw trouble(`${shown(folder)} isn't a folder`, movedAway(holds));
  refuseOthers(folder, stats, { bits: 0o022, mode: "700", holds });
  if (process.platform !== "win32" && (stats.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

/** What is kept somewhere, with its verb. */
const LOGINS = "logins are";

interface Refusing {
  readonly bits: number;
  readonly mode: string;
  readonly holds: string;
}

function movedAway(holds: string): string {
  return `move it away: ${holds} kept there`;
}

/** Windows keeps a profile to its user by other means than these bits. */
function refuseOthers(file: string, stats: Stats, { bits, mode, holds }: Refusing): void {
  if (process.platform === "win32") return;
  if (stats.uid !== process.getuid?.()) throw trouble(`${shown(file)} belongs to another user`, movedAway(holds));
  if ((stats.mode & bits) !== 0)
    throw trouble(
      `${shown(file)} is open to other users`,
      holds === LOGINS
        ? `chmod ${mode} ${shownFile(file)}; whoever could read it may have your tokens: log out and in again`
        : `chmod ${mode} ${shownFile(file)}, once you know who could write there`,
    );
}

function shown(file: string): string {
  return `\`${visible(file)}\``;
}
