import { commandWords } from "../../../base/command-words.ts";
import { isObject, type JsonObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { putAddress, putProcess, type Respell } from "../connection.ts";
import { exactly } from "../exact.ts";
import { plainReferences } from "../plain-references.ts";
import { ENDLESS, isEndless } from "../references.ts";
import type { Format, Translation } from "../types.ts";
import {
  proliferateDocument,
  type ProliferateDocument,
  type ProliferateServer,
  type ProliferateServers,
} from "./schema.ts";

/** Proliferate's servers of an automation (`enabledTools`) or a session (`agentConfig`): one role holds all that is enabled. */
export const proliferate: Format<ProliferateDocument> = {
  id: "proliferate",
  title: "Proliferate's mcp_servers",
  givesAsShown: "servers",
  recognises: (value) => isObject(value["mcp_servers"]) || isTheirs(value),
  isSure: isTheirs,
  schema: proliferateDocument,
  read: (document, made) => {
    made.put(["roles", made.role], {}, []);
    const [one, ...more] = serversOf(document);
    if (one !== undefined) readServers(one, made);
    for (const { at } of more)
      made.refuse(at, "a second map of servers", "put it into a file of its own: `layers:` says which lies over which");
  },
};

/** `mcpServers` and `mcp_servers` are keys of other formats too, whose servers are of other types. */
function isTheirs({ enabledTools, agentConfig, agent_config, agentType, modelId, ...value }: JsonObject): boolean {
  if ([enabledTools, agentConfig, agent_config].some(isObject)) return true;
  const { mcp_servers, mcpServers } = value;
  if (isObject(mcpServers) && (agentType !== undefined || modelId !== undefined)) return true;
  const servers = [mcp_servers, mcpServers].flatMap((map) => (isObject(map) ? Object.values(map) : []));
  return servers.some((one) => isObject(one) && isServer(one));
}

/** A `local` one is Copilot's too, where nothing says whether it is enabled. */
function isServer({ type, enabled }: JsonObject): boolean {
  return typeof enabled === "boolean" && (type === "local" || type === "sse");
}

interface ServersAt {
  readonly at: KeyPath;
  readonly servers: ProliferateServers;
}

function serversOf(document: ProliferateDocument): ServersAt[] {
  const { enabledTools, agentConfig, agent_config } = document;
  const found: (readonly [KeyPath, ProliferateServers | undefined])[] = [
    [["mcp_servers"], document.mcp_servers],
    [["mcpServers"], document.mcpServers],
    [["enabledTools", "mcp_servers"], enabledTools?.mcp_servers],
    [["agentConfig", "mcpServers"], agentConfig?.mcpServers],
    [["agent_config", "mcpServers"], agent_config?.mcpServers],
  ];
  return found.flatMap(([at, servers]) => (servers === undefined ? [] : [{ at, servers }]));
}

function readServers({ at, servers }: ServersAt, made: Translation): void {
  for (const [theirs, server] of Object.entries(servers)) {
    const written = [...at, theirs];
    const putConnection = server === null ? undefined : connectionOf(server, written, made);
    if (server !== null && putConnection === undefined) continue;
    const name = made.serverName(theirs, written);
    putConnection?.(name);
    if (server === null) made.put(["servers", name, "enabled"], false, written);
    else readServer(name, server, written, made);
  }
}

function readServer(
  name: string,
  { enabled, allowedTools, description }: ProliferateServer,
  at: KeyPath,
  made: Translation,
): void {
  made.put(["servers", name, "description"], description === "" ? undefined : description, [...at, "description"]);
  if (!enabled) made.put(["servers", name, "enabled"], false, [...at, "enabled"]);
  else made.put(["roles", made.role, "tools", name], "all", [...at, "enabled"]);
  const tools = allowedTools?.length === 0 ? "none" : allowedTools?.map(exactly);
  made.put(["servers", name, "tools"], tools, [...at, "allowedTools"]);
}

/** How it is reached, to be put under its name; undefined where that isn't said. */
function connectionOf(
  { type, command, url, env }: ProliferateServer,
  at: KeyPath,
  made: Translation,
): ((name: string) => void) | undefined {
  const isLocal = type === "local";
  const idle = isLocal ? { url } : { command, env };
  for (const [key, value] of Object.entries(idle))
    if (value !== undefined) made.remark([...at, key], `\`${key}\` of type \`${type}\``, `take \`${key}\` out`);
  if (isLocal && typeof command === "string")
    made.refuse(
      [...at, "command"],
      "a command in one text",
      `write a word each: \`${JSON.stringify(commandWords(command)).replaceAll('","', '", "')}\``,
    );
  else if (isLocal && command !== undefined)
    return (name) => putProcess(made, name, { command, env }, at, { spell: filled(at, made) });
  else if (!isLocal && url !== undefined)
    return (name) => putAddress(made, name, "sse", { url }, at, { spell: unfilled(at, made) });
  else {
    const key = isLocal ? "command" : "url";
    made.refuse(at, `type \`${type}\` without \`${key}\``, `add \`${key}\` there, or take the other type`);
  }
  return undefined;
}

/** In `command` and `env` a `${NAME}` is a variable; any other dollar is a dollar. */
function filled(at: KeyPath, made: Translation): Respell {
  const respell = plainReferences(made);
  return (text) => respell(text, at);
}

function unfilled(at: KeyPath, made: Translation): Respell {
  return (text) => {
    const reference = /\$\{[^}]{0,4000}\}/.exec(text)?.[0];
    if (reference !== undefined || isEndless(text))
      made.refuse(
        [...at, "url"],
        `${reference === undefined ? ENDLESS : `\`${reference}\``} in \`url\``,
        "variables stand in `command` and `env` there: write the address out, or its `connect:` in a server with `from:` of ours",
      );
    return text.replaceAll("$", "$$$$");
  };
}
