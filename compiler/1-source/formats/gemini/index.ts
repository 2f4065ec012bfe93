import * as z from "zod/mini";
import { isObject, type JsonObject, type JsonValue } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { putAddress, putProcess, type Respell } from "../connection.ts";
import { elsewhere } from "../elsewhere.ts";
import {
  common,
  leaveSignIn,
  milliseconds,
  oauth,
  putAway,
  putCommon,
  putFilter,
  putTimeout,
  texts,
  words,
} from "../host-server.ts";
import { NOT_HELD } from "../passed-by.ts";
import { asInShells, respelling } from "../references.ts";
import type { Format, Translation } from "../types.ts";
import { type ExcludedTool, excludedOf, excludedTools, leaveTools, putExcluded } from "./excluded-tools.ts";
import { geminiSettings } from "./beside.ts";
import { leaveHooks } from "./hooks.ts";
import { keptOut, NO_PATTERN } from "./server-names.ts";

const shared = {
  timeout: z.optional(milliseconds),
  includeTools: z.optional(words),
  excludeTools: z.optional(words),
  ...common,
};
const remote = {
  headers: z.optional(texts),
  oauth: z.optional(oauth),
  authProviderType: z.optional(z.string()),
  ...shared,
};
const server = z.union([
  z.strictObject({
    type: z.optional(z.literal("stdio")),
    command: z.string(),
    args: z.optional(words),
    env: z.optional(texts),
    cwd: z.optional(z.string()),
    ...shared,
  }),
  z.strictObject({ type: z.optional(z.enum(["http", "sse"])), url: z.string(), ...remote }),
  z.strictObject({ type: z.optional(z.literal("http")), httpUrl: z.string(), ...remote }),
]);
const geminiDocument = () =>
  z.strictObject({
    mcpServers: z.record(z.string(), server),
    mcp: z.optional(
      z.strictObject({
        allowed: z.optional(words),
        excluded: z.optional(words),
        serverCommand: z.optional(z.string()),
      }),
    ),
    tools: z.optional(z.looseObject({ exclude: z.optional(words) })),
    excludeTools: z.optional(words),
    allowMCPServers: z.optional(words),
    excludeMCPServers: z.optional(words),
    hooks: z.optional(z.unknown()),
  });

type GeminiDocument = z.infer<ReturnType<typeof geminiDocument>>;
type GeminiServer = GeminiDocument["mcpServers"][string];

/** Gemini CLI's `settings.json`: `mcpServers`, and which of them there are at all. */
export const gemini: Format<GeminiDocument> = {
  id: "gemini",
  title: "Gemini CLI's settings.json",
  recognises: (value) => isObject(value["mcpServers"]),
  usualFile: /(?:^|\/)\.gemini\/settings\.json$/,
  passes: elsewhere(
    ["mcpServers", "mcp", "tools", "excludeTools", "allowMCPServers", "excludeMCPServers", "hooks"],
    ["mcpServerCommand", "ide", "ui", "model", "coreTools"],
  ),
  schema: geminiDocument,
  beside: geminiSettings,
  read: (document, made) => {
    const spell = respelling(made, asInShells);
    const names = new Map<string, string>();
    const outside = excludedTools(made, Object.keys(document.mcpServers), [
      { names: document.tools?.exclude, at: ["tools", "exclude"] },
      { names: document.excludeTools, at: ["excludeTools"] },
    ]);
    for (const [theirs, one] of Object.entries(document.mcpServers)) {
      const at = ["mcpServers", theirs];
      const name = made.serverName(theirs, at);
      names.set(theirs, name);
      putConnection(made, name, one, at, spell);
      putTimeout(made, name, one.timeout, [...at, "timeout"]);
      putTools(made, name, one, at, outside(theirs));
      putCommon(made, name, one, at);
    }
    leaveTools(made, (document.tools ?? {}) as JsonObject);
    leaveHooks(document.hooks as JsonValue | undefined, [...names.keys()], (path, what) =>
      made.leave(path, what, NOT_HELD),
    );
    const { mcp = {}, allowMCPServers, excludeMCPServers } = document;
    putChoice(made, names, { allowed: mcp.allowed, excluded: mcp.excluded }, ["mcp", "allowed"], ["mcp", "excluded"]);
    putChoice(
      made,
      names,
      { allowed: allowMCPServers, excluded: excludeMCPServers },
      ["allowMCPServers"],
      ["excludeMCPServers"],
    );
    if (mcp.serverCommand !== undefined)
      made.leave(
        ["mcp", "serverCommand"],
        "`mcp.serverCommand`",
        "a server has a name here: write it under `mcpServers`",
      );
  },
};

/** `outside`: what lists for all servers take away of this one. */
function putTools(
  made: Translation,
  name: string,
  { includeTools: include, excludeTools = [], disabledTools = [] }: GeminiServer,
  at: KeyPath,
  outside: readonly ExcludedTool[],
): void {
  const exclude = [...new Set([...excludeTools, ...disabledTools])];
  const keys = ["includeTools", "excludeTools"] as const;
  const known = new Set(exclude);
  const others = outside.filter(({ tool }) => !known.has(tool));
  if (include === undefined) {
    putFilter(made, name, { exclude }, at, keys);
    return putExcluded(made, name, others, exclude.length);
  }
  putFilter(made, name, { include, exclude: [...exclude, ...excludedOf(include, others)] }, at, keys);
}

function putConnection(made: Translation, name: string, one: GeminiServer, at: KeyPath, spell: Respell): void {
  if ("command" in one) return putProcess(made, name, one, at, { spell });
  if ("httpUrl" in one) {
    const address = { url: one.httpUrl, headers: one.headers };
    putAddress(made, name, "http", address, at, { spell, keys: ["httpUrl", "headers"] });
  } else putAddress(made, name, one.type ?? "sse", one, at, { spell });
  leaveSignIn(made, one.oauth, [...at, "oauth"]);
  if (one.authProviderType !== undefined)
    made.refuse(
      [...at, "authProviderType"],
      "`authProviderType`",
      "write the header that it would make, with the token as `${NAME}`",
    );
}

interface Choice {
  readonly allowed: readonly string[] | undefined;
  readonly excluded: readonly string[] | undefined;
}

/** Servers that such a list leaves out are there for nobody. One that it keeps out and that is nowhere is a slip or another's. */
function putChoice(
  made: Translation,
  names: ReadonlyMap<string, string>,
  { allowed, excluded = [] }: Choice,
  atAllowed: KeyPath,
  atExcluded: KeyPath,
): void {
  const open = allowed && new Set(allowed);
  for (const [theirs, name] of names) if (open?.has(theirs) === false) putAway(made, name, atAllowed);
  const keptOf = keptOut(names.keys());
  const all = new Set(excluded);
  excluded.forEach((theirs, i) => {
    if (made.isOurs(["mcpServers", theirs])) return;
    const at = [...atExcluded, i];
    const kept = keptOf(theirs);
    if (kept.kind === "servers") for (const one of kept.servers) putAway(made, names.get(one)!, at);
    else if (kept.near !== undefined && !all.has(kept.near))
      made.refuse(at, `the server \`${theirs}\``, `did you mean \`${kept.near}\`?`);
    else {
      const help = kept.kind === "pattern" ? NO_PATTERN : "there is none of this name in the file";
      made.leave(at, `the server \`${theirs}\``, help);
    }
  });
}
