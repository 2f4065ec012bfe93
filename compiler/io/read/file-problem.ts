import type { FileProblem } from "../../1-source/types.ts";

/** What the system's refusal means for a build. */
export function problemOf(error: unknown): FileProblem {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return "missing";
  if (code === "ELOOP") return "loop";
  if (code === "EISDIR") return "directory";
  return "unreadable";
}
