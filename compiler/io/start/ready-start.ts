import { copyFileSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { plainBytes } from "../bytes.ts";
import type { StartCommand, StartText } from "../../4-fit/types.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What a host is started with. */
export interface ReadyStart {
  readonly args: readonly string[];
  readonly env: Variables;
}

/** What kept it from being made ready. */
export interface NotReady {
  readonly file: string;
  readonly code: string;
}

/** Puts the file where the host looks for it and reads what the host is handed, as the line for a shell would. */
export function readyStart(dir: string, command: StartCommand, set: Variables): ReadyStart | NotReady {
  let file = command.copied?.file ?? "";
  const read = (text: StartText): string => {
    if (typeof text === "string") return text;
    file = text.textOf;
    return plainBytes(path.join(dir, file))
      .toString("utf8")
      .replace(/(?<!\n)\n+$/, "");
  };
  try {
    if (command.copied !== undefined) copyHome(dir, command.copied, set);
    const env = Object.fromEntries((command.env ?? []).map(([name, text]) => [name, read(text)]));
    return { args: command.args.map(read), env: { ...set, ...env } };
  } catch (problem) {
    return { file, code: (problem as NodeJS.ErrnoException).code ?? "an error" };
  }
}

/** Set to nothing counts as not set. */
function copyHome(dir: string, copied: NonNullable<StartCommand["copied"]>, set: Variables): void {
  const home = set[copied.variable] || path.join(set["HOME"] || homedir(), copied.folder);
  const folder = path.resolve(dir, home);
  mkdirSync(folder, { recursive: true });
  copyFileSync(path.join(dir, copied.file), path.join(folder, copied.as));
}
