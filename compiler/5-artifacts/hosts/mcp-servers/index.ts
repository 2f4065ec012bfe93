import { heldByServer } from "../../../3-plan/held.ts";
import type { NamedTemplate, Server, Transport } from "../../../3-plan/types.ts";
import { jsonText, mapOf, present } from "../host-text.ts";
import { heldIn, parsed } from "../left-places.ts";
import type { Host } from "../../target.ts";
import type { Left } from "../../types.ts";
import { KEPT } from "./kept-names.ts";

/** No program at all: each server as data, for tools of your own. References stand as they are written. */
export const mcpServers: Host = {
  id: "mcp-servers",
  title: "server files",
  signs: { files: [".mcp/servers"] },
  isData: true,
  places: { shared: [".mcp/servers"], listed: /^\.mcp\/servers\/[^/]+\.json$/ },
  takesAsWritten: true,
  abilities: {
    hide: { holds: "enforced", but: "data: whoever reads it has to hold the lists" },
    ask: { holds: "asked", but: "data: whoever reads it has to ask" },
    conditions: { holds: "enforced", but: "data: access.json has them" },
    resources: { holds: "enforced", but: "data: they are not listed" },
    delegation: { holds: "enforced", but: "data" },
    builtins: { holds: "enforced", but: "data" },
    references: { holds: "enforced", but: "as they are written" },
    pins: { holds: "enforced", but: "data: the digests are in it" },
    limits: { holds: "enforced", but: "data" },
    roles: true,
    filtersByName: false,
    longestName: undefined,
  },
  kept: KEPT,
  joinedName: (server, tool) => `${server}.${tool}`,
  tell: () => ({ value: undefined }),
  leftPlaces: () => [
    { folder: ".mcp/servers", ending: ".json", isCertain: true, judge: (file, text) => leftServer(file, parsed(text)) },
  ],
  start: () => ({}),
  emit: function* ({ plan, choice }) {
    for (const [server, tools] of heldByServer(plan)) {
      if (choice.without.includes(server) || !tools.includes(true)) continue;
      const found = plan.servers.find(({ name }) => name === server)!;
      yield { path: `.mcp/servers/${server}.json`, text: jsonText(serverFile(found, tools)) };
    }
  },
};

function serverFile(server: Server, held: readonly boolean[]): object {
  return present({
    format: 1,
    id: server.name,
    title: server.title,
    connect: server.connect.map(connection),
    limits: present({ ...server.limits }),
    scopes: server.scopes?.map(({ name }) => name),
    variables: server.variables.map(({ name }) => name),
    tools: Object.fromEntries(server.tools.filter((_, i) => held[i]).map(({ name, digest }) => [name, digest])),
    whenDown: server.whenDown,
  });
}

/** A file of ours by its form: it bears its own name, and there is no other program that writes such. */
function leftServer(file: string, value: unknown): Left | undefined {
  const isOurs =
    heldIn(value, "format") === 1 &&
    `.mcp/servers/${String(heldIn(value, "id"))}.json` === file &&
    ["connect", "limits", "variables", "tools"].every((key) => typeof heldIn(value, key) === "object");
  return isOurs ? { goes: true } : undefined;
}

function connection(transport: Transport): object {
  if (transport.kind !== "stdio")
    return present({ type: transport.kind, url: transport.url.written, headers: named(transport.headers) });
  const [command, ...args] = transport.command.map((word) => word.written);
  return present({ type: "stdio", command, args, env: named(transport.env), cwd: transport.cwd?.written });
}

function named(entries: readonly NamedTemplate[]): Record<string, string> | undefined {
  return mapOf(entries.map(({ name, value }) => [name, value.written]));
}
