import type { JsonObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { exactly } from "../exact.ts";
import { leaveOpening } from "../host-server.ts";
import { NOT_HELD, restrictionsIn } from "../passed-by.ts";
import type { Translation } from "../types.ts";

/** A tool that a list for all servers takes away. */
export interface ExcludedTool {
  readonly tool: string;
  /** Undefined: the list names no server, so that every one is meant that has such a tool. */
  readonly server: string | undefined;
  readonly written: KeyPath;
}

/** Names are `mcp_server_tool`, `server__tool`, or the tool's own. One with arguments or a star is about something else. */
export function excludedTools(
  made: Translation,
  servers: Iterable<string>,
  names: readonly string[],
  at: KeyPath,
): ExcludedTool[] {
  const heads = [...servers].flatMap((server) =>
    [`mcp_${server}_`, `mcp__${server}__`, `${server}__`].map((head) => ({ server, head })),
  );
  return names.flatMap((name, i): ExcludedTool[] => {
    const written = [...at, i];
    if (/[*(]/.test(name)) {
      made.leave(written, `\`${name}\``, NOT_HELD);
      return [];
    }
    const found = heads.filter(({ head }) => name.startsWith(head) && name.length > head.length);
    if (found.length !== 1) return [{ tool: name, server: undefined, written }];
    return [{ tool: name.slice(found[0]!.head.length), server: found[0]!.server, written }];
  });
}

/** Behind what the server's own lists take away; `has` counts the names there. */
export function putExcluded(made: Translation, server: string, excluded: readonly ExcludedTool[], has: number): void {
  excluded.forEach(({ tool, server: of, written }, i) => {
    const name = exactly(tool);
    made.put(["servers", server, "tools", "exclude", has + i], of === undefined ? { optional: name } : name, written);
  });
}

/** What else `tools` says is about the program's own tools, or about whom it asks. */
export function leaveTools(made: Translation, { core, allowed, ...others }: JsonObject): void {
  if (core !== undefined)
    made.leave(["tools", "core"], "`tools.core`", "its own tools are named by `builtins` in roles");
  if (allowed !== undefined) leaveOpening(made, ["tools", "allowed"], "`tools.allowed`");
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => key !== "exclude"));
  for (const path of restrictionsIn({ tools: rest })) made.leave(path, `\`${path.join(".")}\``, NOT_HELD);
}
