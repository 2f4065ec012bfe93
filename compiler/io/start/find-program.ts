import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The file that a command's name starts, absolute. A plain look-up as a shell makes it: nothing is run. On Windows a file
 * without an ending comes last: it is a script for another system.
 */
export function programAt(
  program: string,
  set: Variables,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const onWindows = platform === "win32";
  const endings = onWindows ? [...(set["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";"), ""] : [""];
  const folders = (set["PATH"] ?? set["Path"] ?? "").split(onWindows ? ";" : ":");
  for (const folder of folders)
    for (const ending of endings) {
      const file = path.resolve(cwd, folder, program + ending);
      if (isProgram(file)) return file;
    }
  return undefined;
}

export function isOnPath(...asked: Parameters<typeof programAt>): boolean {
  return programAt(...asked) !== undefined;
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
