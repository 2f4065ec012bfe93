import { isObject, type JsonValue } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { byBeginning } from "../by-beginning.ts";
import { readingHooks } from "../rules.ts";
import { headsThere } from "./excluded-tools.ts";
import { isOwnTool } from "./own-tools.ts";

/** Programs that Gemini CLI asks before a tool is chosen or called: each may say no, and what it says nobody knows. */
export function leaveHooks(
  hooks: JsonValue | undefined,
  servers: readonly string[],
  leave: (path: KeyPath, what: string) => void,
): void {
  if (!isObject(hooks)) return;
  const isOfOwn = readingOwn(servers.flatMap(headsThere));
  for (const event of ["BeforeTool", "BeforeToolSelection"]) {
    const held = hooks[event];
    const all = Array.isArray(held) ? held : held === undefined || held === null ? [] : [held];
    all.forEach((hook: JsonValue, i) => {
      const matcher = isObject(hook) ? hook["matcher"] : undefined;
      if (event === "BeforeTool" && isOfOwn(matcher)) return;
      const path = Array.isArray(held) ? ["hooks", event, i] : ["hooks", event];
      leave(
        path,
        typeof matcher === "string" && matcher !== "" ? `the hook of \`${matcher}\`` : "the hook of every tool",
      );
    });
  }
}

/** Whole names of the program's own tools or of another server's, or a pattern that can't be about one of these servers'. */
function readingOwn(heads: readonly string[]): (matcher: JsonValue | undefined) => boolean {
  const known = byBeginning(heads);
  const mayBeAbout = readingHooks(heads, { own: [] });
  const isOther = (name: string): boolean => !name.startsWith("mcp_") && known.beginningsOf(name).length === 0;
  return (matcher) => {
    if (typeof matcher !== "string" || matcher === "") return false;
    const [, one, several] = WHOLE_NAMES.exec(matcher) ?? [];
    const names = (one ?? several)?.split("|");
    if (names === undefined) return !mayBeAbout(matcher);
    return names.every((name) => (name.includes("__") ? isOther(name) : isOwnTool(name)));
  };
}

const WHOLE_NAMES = /^\^(?:(\w+)|\((?:\?:)?([\w|]+)\))\$$/;
