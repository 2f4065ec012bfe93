import { fstatSync, openSync, statSync } from "node:fs";

export const FOLDER_GONE = "the project's folder isn't there any more";

const EVERY_MS = 2_000;

/**
 * Calls once when the folder isn't there any more, or another one is in its place: who follows the one that it was hears
 * of no build. Returns how to stop.
 */
export function whenGone(dir: string, gone: () => void): () => void {
  const isThere = looking(dir);
  const timer = setInterval(() => {
    if (isThere()) return;
    clearInterval(timer);
    gone();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Held open, so that its number is nobody else's. On Windows that would keep it from being moved: there it can't be. */
function looking(dir: string): () => boolean {
  const held = process.platform === "win32" ? undefined : openSync(dir, "r");
  return () => {
    try {
      const now = statSync(dir, { bigint: true, throwIfNoEntry: false });
      if (held === undefined || now === undefined) return now !== undefined;
      const was = fstatSync(held, { bigint: true });
      return now.ino === was.ino && now.dev === was.dev;
    } catch {
      // A drive that doesn't answer for a while is no folder that has gone.
      return true;
    }
  };
}
