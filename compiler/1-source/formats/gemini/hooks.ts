import { isObject, type JsonValue } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { mayBeAbout } from "../rules.ts";
import { headsThere } from "./excluded-tools.ts";
import { isOwnTool } from "./own-tools.ts";

/** Programs that Gemini CLI asks before a tool is chosen or called: each may say no, and what it says nobody knows. */
export function leaveHooks(
  hooks: JsonValue | undefined,
  servers: readonly string[],
  leave: (path: KeyPath, what: string) => void,
): void {
  if (!isObject(hooks)) return;
  const heads = servers.flatMap(headsThere);
  for (const event of ["BeforeTool", "BeforeToolSelection"]) {
    const held = hooks[event];
    const all = Array.isArray(held) ? held : held === undefined || held === null ? [] : [held];
    all.forEach((hook: JsonValue, i) => {
      const matcher = isObject(hook) ? hook["matcher"] : undefined;
      if (event === "BeforeTool" && isOfOwn(matcher, heads)) return;
      const path = Array.isArray(held) ? ["hooks", event, i] : ["hooks", event];
      leave(
        path,
        typeof matcher === "string" && matcher !== "" ? `the hook of \`${matcher}\`` : "the hook of every tool",
      );
    });
  }
}

/** Whole names of the program's own tools or of another server's, or a pattern that can't be about one of these servers'. */
function isOfOwn(matcher: JsonValue | undefined, heads: readonly string[]): boolean {
  if (typeof matcher !== "string" || matcher === "") return false;
  const [, one, several] = WHOLE_NAMES.exec(matcher) ?? [];
  const names = (one ?? several)?.split("|");
  if (names !== undefined)
    return names.every((name) =>
      name.includes("__") ? !name.startsWith("mcp_") && !heads.some((head) => name.startsWith(head)) : isOwnTool(name),
    );
  return !mayBeAbout(matcher, heads, { own: [] });
}

const WHOLE_NAMES = /^\^(?:(\w+)|\((?:\?:)?([\w|]+)\))\$$/;
