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

/** The text of a file that is the user's alone; undefined when there is none. Any other is refused, and not read. */
export function readPrivate(file: string): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw trouble(`${shown(file)} can't be opened (${code})`, "look at what lies there; logins are kept in it");
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw trouble(`${shown(file)} isn't a file`, "move it away; logins are kept there");
    refuseOthers(file, stats, 0o077, "600");
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
export function makePrivateFolder(folder: string, holds = "logins"): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw trouble(`${shown(folder)} can't be made (${code})`, `let yourself write there; ${holds} are kept in it`);
  }
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw trouble(`${shown(folder)} isn't a folder`, `move it away; ${holds} are kept there`);
  refuseOthers(folder, stats, 0o022, "700", holds);
  if (process.platform !== "win32" && (stats.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

/** Windows keeps a profile to its user by other means than these bits. */
function refuseOthers(file: string, stats: Stats, bits: number, mode: string, holds = "logins"): void {
  if (process.platform === "win32") return;
  if (stats.uid !== process.getuid?.())
    throw trouble(`${shown(file)} belongs to another user`, `move it away; ${holds} are kept there`);
  if ((stats.mode & bits) !== 0)
    throw trouble(
      `${shown(file)} is open to other users`,
      holds === "logins"
        ? `chmod ${mode} ${shown(file)}; whoever could read it may have your tokens: log out and in again`
        : `chmod ${mode} ${shown(file)}, once you know who could write there`,
    );
}

function shown(file: string): string {
  return `\`${visible(file)}\``;
}
