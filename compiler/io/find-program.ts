import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/** Whether a command can be started by its name. A plain look-up as a shell makes it: nothing is run. */
export function isOnPath(
  program: string,
  set: Variables,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const onWindows = platform === "win32";
  const endings = onWindows ? ["", ...(set["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const folders = (set["PATH"] ?? set["Path"] ?? "").split(onWindows ? ";" : ":");
  return folders.some((folder) => endings.some((ending) => canRun(path.resolve(cwd, folder, program + ending))));
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
