import { digestOf } from "./digest.ts";

/** 64 characters are what models take, and hosts put `mcp__rolecall__` before each. */
const LONGEST = 49;
const DIGITS = 8;

/**
 * What a tool is called among all tools of a role. It follows from server and tool alone, so that adding a server renames
 * nothing; it is looked up in a table and never taken apart.
 */
export function joinedName(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  if (name.length <= LONGEST && /^[A-Za-z0-9_-]+$/.test(name)) return name;
  const digits = digestOf(JSON.stringify([server, tool])).slice("sha256:".length, "sha256:".length + DIGITS);
  return `${name.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, LONGEST - DIGITS - 1)}_${digits}`;
}
