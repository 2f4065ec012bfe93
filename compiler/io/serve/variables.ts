import { existsSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual, parseEnv } from "node:util";
import { plainBytes } from "../bytes.ts";
import { trouble } from "../login/types.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What servers' references are expanded with, and where each value is from. */
export interface ServeVariables {
  readonly env: Env;
  from(name: string): "file" | "environment" | undefined;
}

export interface ReadVariables extends ServeVariables {
  readonly file: string;
  /** Nobody has written there since. */
  isAsRead(): boolean;
}

/** Each file is read once: what is compared is what servers are reached with. */
export function openVariables(dir: string, environment: Env): (setting: FileSetting) => ReadVariables {
  const known = new Map<string, ReadVariables>();
  return (setting) => {
    const variables = known.get(setting.file) ?? readVariables(dir, setting, environment);
    known.set(setting.file, variables);
    return variables;
  };
}

interface FileSetting {
  readonly file: string;
  readonly isWritten: boolean;
}

/** The file's first, then those of the process that started the daemon: hosts hand on different ones, mostly few. */
export function readVariables(dir: string, { file, isWritten }: FileSetting, environment: Env): ReadVariables {
  const inFile = readFile(path.join(dir, file), file, isWritten);
  const isAsRead = (): boolean => {
    try {
      return isDeepStrictEqual(readFile(path.join(dir, file), file, false), inFile);
    } catch {
      return false;
    }
  };
  return {
    file,
    isAsRead,
    env: { ...environment, ...inFile },
    from: (name) =>
      Object.hasOwn(inFile, name) ? "file" : environment[name] === undefined ? undefined : "environment",
  };
}

export function isThere(dir: string, file: string): boolean {
  return existsSync(path.join(dir, file));
}

function readFile(whole: string, file: string, isWritten: boolean): Env {
  try {
    return parseEnv(plainBytes(whole).toString("utf8"));
  } catch (problem) {
    const { code, message } = problem as NodeJS.ErrnoException;
    if (code === "ENOENT" && !isWritten) return {};
    const why = code === "EISDIR" ? message : (code ?? message);
    throw trouble(`\`${file}\`, which \`serve: { env }\` names, can't be read (${why})`, "write it, or name another");
  }
}
