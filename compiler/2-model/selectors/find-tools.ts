import { isOff } from "../../base/switched-off.ts";
import type { ServerName } from "../../base/names.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { GuardedServer } from "../guard-views.ts";
import type { Server } from "../types.ts";
import { selectInRule } from "./in-rules.ts";
import { namesMatching, toolSet } from "./match.ts";
import { parseSelector } from "./parse.ts";

/** What a selector of somebody who asks finds in a finished plan. */
export interface FoundTools {
  readonly written: string;
  /** By server, indexes into `server.tools`; only servers with a found tool. */
  readonly tools: ReadonlyMap<ServerName, readonly number[]>;
  /** Servers without a manifest of which nobody knows whether more would be found. */
  readonly unsure: readonly ServerName[];
  /** It finds nothing, and without a manifest nobody knows whether there is such a thing. */
  readonly mayBeSlip: boolean;
}

/** As in a rule of the project: `owner` is whoever wrote it, and what is wrong with it is told in the same words. */
export function findTools(written: string, owner: string, servers: readonly Server[], report: Report): FoundTools {
  const known = new Map(servers.map((server) => [server.name as string, selectable(server)]));
  const place = { file: owner, path: [] };
  const names = { hosts: [], servers: new Set(known.keys()), roles: new Set<string>(), broken: new Set<string>() };
  const scope = { servers: known, guard: false, by: "project", known: names, report } as const;
  const tools = selectInRule([written], owner, place, scope)[0]?.tools ?? new Map();
  return { written, tools, ...doubtsOf(written, servers, tools) };
}

function selectable(server: Server): GuardedServer {
  const set = toolSet(server.tools, server.scopes ?? []);
  const { name, title, labels, manifest } = server;
  const pinned = manifest !== undefined;
  const manifestFile = manifest?.file ?? "";
  const off = isOff(server);
  return { name, title, labels, pinned, off, manifestFile, set, unreadable: false, views: [set], ownWords: new Set() };
}

/** Of a name or a glob alone what roles hold is known without a manifest; that it is a slip isn't. */
function doubtsOf(
  written: string,
  servers: readonly Server[],
  tools: FoundTools["tools"],
): Pick<FoundTools, "unsure" | "mayBeSlip"> {
  const selector = parseSelector(written, "server.tool");
  if (selector === undefined) return { unsure: [], mayBeSlip: true };
  const { parts } = selector;
  const mayBeSlip = tools.size === 0 && parts.some(({ kind }) => kind !== "is");
  if (!mayBeSlip && parts.every(({ kind }) => kind === "name" || kind === "glob")) return { unsure: [], mayBeSlip };
  const names = servers.map(({ name }) => name as string);
  const meant = new Set(selector.server === undefined ? names : namesMatching(selector.server, names));
  const unsure = servers.flatMap(({ name, manifest }) => (manifest === undefined && meant.has(name) ? [name] : []));
  return { unsure, mayBeSlip };
}
