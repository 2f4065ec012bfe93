import type { JsonObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { byBeginning } from "../by-beginning.ts";
import { leaveOpening } from "../host-server.ts";
import { MOST_NAMED } from "../narrowing.ts";
import { NOT_HELD, restrictionsIn } from "../passed-by.ts";
import { shown, shownAs } from "../shown-names.ts";
import type { Translation } from "../types.ts";
import { namesAlike } from "./own-tools.ts";

/** A tool that a list for all servers takes away of one. */
export interface ExcludedTool {
  /** As the program shows it. */
  readonly tool: string;
  /** No other server can be meant, so that this one has to have the tool. */
  readonly isSure: boolean;
  readonly written: KeyPath;
}

/** A list for all servers, and where it stands. */
export interface ToolList {
  readonly names: readonly string[] | undefined;
  readonly at: KeyPath;
}

/**
 * Names are `mcp_server_tool`, `server__tool`, or the tool's own, and where several servers fit, all of them are meant: by
 * the name alone each that has such a tool. One with arguments or a star is about something else, and of one that is long
 * the middle is cut: `...` or `___` stands for it.
 */
export function excludedTools(
  made: Translation,
  servers: readonly string[],
  lists: readonly ToolList[],
): (server: string) => readonly ExcludedTool[] {
  const ofHead = new Map<string, Set<string>>();
  for (const server of servers)
    for (const head of headsThere(server)) ofHead.set(head, (ofHead.get(head) ?? new Set()).add(server));
  const heads = byBeginning(ofHead.keys());
  const bare = new Set(servers.flatMap(bareHeads));
  const own = new Map<string, ExcludedTool[]>();
  const ofAny: ExcludedTool[] = [];
  let count = 0;
  for (const { names = [], at } of lists)
    names.forEach((name, i) => {
      const written = [...at, i];
      if (count > MOST_NAMED) return;
      if (NOT_A_NAME.test(name)) return made.leave(written, `\`${name}\``, NOT_HELD);
      const fitting = heads.beginningsOf(name).filter((head) => head.length < name.length);
      const found = fitting.flatMap((head) => [...ofHead.get(head)!].map((server) => ({ server, head })));
      for (const { server, head } of found) {
        const one = { tool: name.slice(head.length), isSure: found.length === 1, written };
        const before = own.get(server);
        if (before === undefined) own.set(server, [one]);
        else before.push(one);
      }
      // `files__drop`, and `mcp_git_drop` of a server `mcp_git`, may be the name that a tool has by itself, of whichever server.
      const isOwnName = fitting.length === 0 || fitting.some((head) => bare.has(head));
      if (isOwnName) ofAny.push(...namesAlike(name).map((tool) => ({ tool, isSure: false, written })));
      count += found.length + (isOwnName ? servers.length : 0);
      if (count > MOST_NAMED)
        made.refuse(
          at,
          `\`${at.join(".")}\` with so many tools of so many servers`,
          "name the server of each tool too, as `mcp_server_tool`",
        );
    });
  if (count > MOST_NAMED) return () => [];
  return (server) => [...(own.get(server) ?? []), ...ofAny];
}

/** The last is what the program itself calls every tool of every server. */
const NOT_A_NAME = /[*(]|\.\.\.|^.{28}___.{32}$|^_*DiscoveredMCPTool$/s;

/** The name of a server or of a tool itself, and as it stands in a joined one: dots and colons are taken by some releases. */
function namesThere(name: string): ReadonlySet<string> {
  return new Set([name, name.replace(/[^A-Za-z0-9_.:-]/g, "_"), shown(name)]);
}

/** What joined names of its tools begin with, in one release or another. */
export function headsThere(server: string): readonly string[] {
  return [...bareHeads(server), ...[...namesThere(server)].flatMap((name) => [`mcp_${name}_`, `mcp__${name}__`])];
}

/** Those with nothing before the server's name: `mcp_` isn't put before what begins so. */
function bareHeads(server: string): readonly string[] {
  const beginsSo = `${server}_`.startsWith("mcp_");
  return [...namesThere(server)].flatMap((name) => [`${name}__`, ...(beginsSo ? [`${name}_`] : [])]);
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
