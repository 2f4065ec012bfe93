import { isObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { putAddress, putProcess } from "../connection.ts";
import { exactly, namesOrAll } from "../exact.ts";
import { nearNames } from "../near-names.ts";
import type { Format, Translation } from "../types.ts";
import { squadDocument, type Restricted, type SquadDocument, type SquadServer } from "./schema.ts";

/** Squad's `mcp-config.json`: servers, who has which, and tools that a role doesn't get. */
export const squad: Format<SquadDocument> = {
  id: "squad",
  title: "Squad's mcp-config.json",
  givesAsShown: "roles",
  recognises: (value) => isObject(value["servers"]) && ("agentServers" in value || "toolRestrictions" in value),
  usualFile: /(?:^|\/)\.squad\/mcp-config\.json$/,
  schema: squadDocument,
  read: ({ servers, agentServers = {}, toolRestrictions = {} }, made) => {
    const names = new Map(
      Object.entries(servers).map(([theirs, server]) => [theirs, readServer(theirs, server, made)]),
    );
    const nearServer = nearNames(names.keys());
    const ours = (theirs: string, written: KeyPath): string | undefined => {
      const name = names.get(theirs);
      if (name === undefined)
        made.refuse(written, `\`${theirs}\`, which is no server of this file,`, serverAdvice(nearServer(theirs)));
      return name;
    };
    for (const [role, held] of Object.entries(agentServers))
      readRole(role, held, toolRestrictions[role] ?? {}, ours, made);
    sayIdle(toolRestrictions, agentServers, names, made);
  },
};

function serverAdvice(near: string | undefined): string {
  return near === undefined ? "declare it under `servers`" : `did you mean \`${near}\`?`;
}

function roleAdvice(near: string | undefined): string {
  return near === undefined ? "it has no servers to restrict: take it out" : `did you mean \`${near}\`?`;
}

function readServer(theirs: string, server: SquadServer, made: Translation): string {
  const at = ["servers", theirs];
  const name = made.serverName(theirs, at);
  if ("command" in server) putProcess(made, name, server, at);
  else putAddress(made, name, server.type, server, at);
  const tools = server.tools === undefined ? "all" : namesOrAll(server.tools);
  if (tools !== "all") made.put(["servers", name, "tools"], tools, [...at, "tools"]);
  if (server.timeout !== undefined)
    made.put(["servers", name, "limits", "timeout"], `${server.timeout}ms`, [...at, "timeout"]);
  // One failure marks a server as down there.
  made.put(["servers", name, "breaker", "failures"], 1, at);
  return name;
}

function readRole(
  theirs: string,
  held: readonly string[],
  restrictions: Readonly<Record<string, Restricted>>,
  ours: (server: string, written: KeyPath) => string | undefined,
  made: Translation,
): void {
  const at = ["agentServers", theirs];
  const role = made.roleName(theirs, at);
  held.forEach((server, i) => {
    const name = ours(server, [...at, i]);
    if (name === undefined) return;
    const to = ["roles", role, "tools", name];
    const restricted = restrictions[server];
    if (restricted === undefined) made.put(to, "all", [...at, i]);
    else putEntry(to, server, restricted, ["toolRestrictions", theirs, server], made);
  });
}

/** Where both are given, what is included without what is excluded. Nothing included is nothing. */
function putEntry(
  to: KeyPath,
  server: string,
  { include, exclude = [] }: Restricted,
  at: KeyPath,
  made: Translation,
): void {
  // A name may be the one under which a host shows the tool.
  const bare = (tool: string) => (tool.startsWith(`${server}_`) ? tool.slice(server.length + 1) : tool);
  const isIn = (list: readonly string[], tool: string) => list.includes(tool) || list.map(bare).includes(bare(tool));
  const all = include === undefined || include.includes("*");
  const left = include?.filter((tool) => !isIn(exclude, tool)) ?? [];
  if (exclude.includes("*") || (!all && left.length === 0)) return made.put(to, "none", at);
  const others = all ? exclude : exclude.filter((tool) => !isIn(include, tool));
  if (all && others.length === 0) return made.put(to, "all", at);
  putNames([...to, "include"], all ? [] : left, include ?? [], [...at, "include"], made);
  putNames([...to, "exclude"], others, exclude, [...at, "exclude"], made);
}

/** Each with the place at which it stands among `all`. */
function putNames(to: KeyPath, some: readonly string[], all: readonly string[], at: KeyPath, made: Translation): void {
  some.forEach((tool, i) => made.put([...to, i], exactly(tool), [...at, all.indexOf(tool)]));
}

function sayIdle(
  restrictions: NonNullable<SquadDocument["toolRestrictions"]>,
  held: NonNullable<SquadDocument["agentServers"]>,
  names: ReadonlyMap<string, string>,
  made: Translation,
): void {
  const [nearRole, nearServer] = [nearNames(Object.keys(held)), nearNames(names.keys())];
  for (const [role, servers] of Object.entries(restrictions)) {
    if (!Object.hasOwn(held, role)) {
      made.refuse(
        ["toolRestrictions", role],
        `\`${role}\`, which \`agentServers\` doesn't have,`,
        roleAdvice(nearRole(role)),
      );
      continue;
    }
    for (const server of Object.keys(servers)) {
      if (held[role]?.includes(server)) continue;
      if (!names.has(server)) {
        made.refuse(
          ["toolRestrictions", role, server],
          `\`${server}\`, which is no server of this file,`,
          serverAdvice(nearServer(server)),
        );
        continue;
      }
      made.remark(
        ["toolRestrictions", role, server],
        `\`toolRestrictions\` of \`${role}\` on \`${server}\``,
        `\`agentServers\` doesn't give \`${server}\` to \`${role}\`, so there is nothing to restrict`,
      );
    }
  }
}
