import { statSync } from "node:fs";

/** What changes when the file does. One that can't be looked at may become one that can. */
export function fileMark(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.ino}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
