import type { JsonObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { leaveOpening } from "../host-server.ts";
import { NOT_HELD, restrictionsIn } from "../passed-by.ts";
import { shown, shownAs } from "../shown-names.ts";
import type { Translation } from "../types.ts";

/** A tool that a list for all servers takes away. */
export interface ExcludedTool {
  /** As the program shows it. */
  readonly tool: string;
  /** Undefined: the list names no server, so that every one is meant that has such a tool. */
  readonly server: string | undefined;
  /** No other server can be meant, so that this one has to have the tool. */
  readonly isSure: boolean;
  readonly written: KeyPath;
}

/**
 * Names are `mcp_server_tool`, `server__tool`, or the tool's own, and where two servers fit, both are meant. One with
 * arguments or a star is about something else, and in the middle of one that is long `...` stands for the rest.
 */
export function excludedTools(
  made: Translation,
  servers: Iterable<string>,
  names: readonly string[],
  at: KeyPath,
): ExcludedTool[] {
  const heads = [...servers].flatMap((server) =>
    [...namesThere(server)].flatMap((name) =>
      [`mcp_${name}_`, `mcp__${name}__`, `${name}__`].map((head) => ({ server, head })),
    ),
  );
  return names.flatMap((name, i): ExcludedTool[] => {
    const written = [...at, i];
    if (/[*(]|\.\.\./.test(name)) {
      made.leave(written, `\`${name}\``, NOT_HELD);
      return [];
    }
    const found = heads.filter(({ head }) => name.startsWith(head) && name.length > head.length);
    if (found.length === 0) return [{ tool: name, server: undefined, isSure: false, written }];
    return found.map(({ server, head }) => ({
      tool: name.slice(head.length),
      server,
      isSure: found.length === 1,
      written,
    }));
  });
}

/** The name of a server or of a tool itself, and as it stands in a joined one: dots and colons are taken by some releases. */
export function namesThere(name: string): ReadonlySet<string> {
  return new Set([name, name.replace(/[^A-Za-z0-9_.:-]/g, "_"), shown(name)]);
}

/** Of tools that are known by their names, those that are taken away. */
export function excludedOf(tools: readonly string[], excluded: readonly ExcludedTool[]): readonly string[] {
  const out = new Set(excluded.map(({ tool }) => tool));
  return tools.filter((tool) => [...namesThere(tool)].some((name) => out.has(name)));
}

/** Behind what the server's own lists take away; `has` counts the names there. */
export function putExcluded(made: Translation, server: string, excluded: readonly ExcludedTool[], has: number): void {
  excluded.forEach(({ tool, isSure, written }, i) => {
    const name = shownAs(tool);
    made.put(["servers", server, "tools", "exclude", has + i], isSure ? name : { optional: name }, written);
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
