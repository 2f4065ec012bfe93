// Every host's lists, parsed as that host parses them: split where it splits, expanded where it expands, and with its own
// words before anybody else's. From facts/hosts.md and the hosts' own programs; nothing here knows how the files are made.
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { agentgatewayReaches, envoyReaches } from "./gateway-readers.ts";

/** Files as they lie there, by path. */
export type HostFiles = ReadonlyMap<string, string>;
export type Given = "allow" | "ask" | undefined;

/** What a role is given, by what the host makes of its files. */
export interface HostLists {
  tool(server: string, tool: string): Given;
  /** One of the host's own tools. */
  own(name: string): Given;
  /** The host's own words that are no tools, and that its files gave another meaning. */
  readonly taken: readonly string[];
}

export const HOST_LISTS: Readonly<Record<string, (files: HostFiles, role: string) => HostLists>> = {
  "claude-code": (files, role) => {
    const servers = map(json(files, `mcp/hosts/claude-code/${role}.mcp.json`)["mcpServers"]);
    const { allow, ask, deny } = map(json(files, `mcp/hosts/claude-code/${role}.settings.json`)["permissions"]);
    const listed = claudeTokens(header(files, `.claude/agents/${role}.md`)["tools"]);
    const [allowed, asked, denied] = [allow, ask, deny].map((one) => list(one).map(String));
    const isIn = (names: readonly string[], name: string) => names.some((token) => claudeMeans(token, name));
    return {
      tool: (server, tool) => {
        const name = `mcp__${under(server)}__${under(tool)}`;
        if (!has(servers, server) || !isIn(listed, name) || isIn(denied!, name)) return undefined;
        return isIn(asked!, name) || !isIn(allowed!, name) ? "ask" : "allow";
      },
      own: (name) => (isIn(listed, name) && !isIn(denied!, name) ? "allow" : undefined),
      taken: CLAUDE_SERVERS.filter((name) => Object.keys(servers).some((one) => dashed(one) === dashed(name))),
    };
  },
  opencode: (files, role) => {
    const config = json(files, `mcp/hosts/opencode/${role}.json`);
    const agent = map(map(map(config["agent"])[role])["permission"]);
    const rules = [{ "*": "allow", doom_loop: "ask", external_directory: "ask" }, map(config["permission"]), agent];
    const flat = rules
      .flatMap(Object.entries)
      .flatMap(([key, value]) =>
        typeof value === "string"
          ? [[key, "*", value] as const]
          : Object.entries(map(value)).map(([pattern, effect]) => [key, pattern, effect as string] as const),
      );
    const judged = (name: string, about = "anything"): Given => {
      const last = flat.findLast(([key, pattern]) => glob(key, name) && glob(pattern, about))?.[2];
      return last === "allow" || last === "ask" ? last : undefined;
    };
    return {
      tool: (server, tool) => (has(map(config["mcp"]), server) ? judged(`${under(server)}_${under(tool)}`) : undefined),
      // What reads resources obeys the key `read` alone.
      own: (name) => (name.includes("mcp_resource") ? judged("read", "mcp:notes:one") : judged(name)),
      taken: ["doom_loop", "external_directory", "workflow_tool_approval"].filter((name) => has(agent, name)),
    };
  },
  codex: (files, role) => {
    const servers = map(parseToml(files.get(`mcp/hosts/codex/${role}.config.toml`)!)["mcp_servers"] ?? {});
    return {
      tool: (server, tool) => {
        if (!has(servers, server)) return undefined;
        const entry = map(servers[server]);
        if (!list(entry["enabled_tools"]).includes(tool)) return undefined;
        const modes = map(entry["tools"] ?? {});
        return has(modes, tool) && map(modes[tool])["approval_mode"] === "approve" ? "allow" : "ask";
      },
      own: () => undefined,
      taken: Object.keys(servers).filter((name) => ["codex_apps", "codex_tui"].includes(name.replaceAll("-", "_"))),
    };
  },
  "gemini-cli": (files, role) => {
    const settings = json(files, ".gemini/settings.json");
    const started = files
      .get(`mcp/hosts/gemini-cli/${role}/servers.txt`)!
      .split(",")
      .map((name) => name.trim());
    const rules = list(parseToml(files.get(`mcp/hosts/gemini-cli/${role}/policy.toml`)!)["rule"] ?? []).map(map);
    const judged = (server: string | undefined, name: string): Given => {
      const matching = rules.filter(
        ({ mcpName, toolName, argsPattern, modes }) =>
          argsPattern === undefined &&
          (modes === undefined || list(modes).includes("yolo")) &&
          (mcpName === undefined
            ? server === undefined
            : server !== undefined && [server, "*"].includes(mcpName as string)) &&
          [toolName].flat().some((one) => one === "*" || one === name),
      );
      const [first] = matching.toSorted((a, b) => Number(b["priority"]) - Number(a["priority"]));
      // In the settings an excluded server is denied below all rules of a policy; anything else runs unasked in the mode that allows most.
      const excluded = list(map(settings["mcp"] ?? {})["excluded"] ?? []);
      const decision = first?.["decision"] ?? (server !== undefined && excluded.includes(server) ? "deny" : "allow");
      return decision === "deny" ? undefined : decision === "allow" ? "allow" : "ask";
    };
    return {
      tool: (server, tool) => {
        const entry = map(settings["mcpServers"] ?? {})[server];
        if (entry === undefined || !started.includes(server)) return undefined;
        const included = list(map(entry)["includeTools"]).map(String);
        if (!included.some((one) => one === tool || one.startsWith(`${tool}(`))) return undefined;
        return judged(server, tool.replace(/[^A-Za-z0-9_.:-]/g, "_"));
      },
      own: (name) => judged(undefined, name),
      taken: [],
    };
  },
  "copilot-cli": (files, role) => {
    const agent = header(files, `.github/agents/${role}.agent.md`);
    const servers = map(agent["mcp-servers"] ?? {});
    const listed = apart(agent["tools"]);
    return {
      tool: (server, tool) => {
        if (!has(servers, server)) return undefined;
        const included = apart(map(servers[server])["tools"]);
        const spellings = ["*", `${server}/*`, `${server}/${tool}`, `${dashed(server)}-${dashed(tool)}`];
        const isThere =
          (included.includes(tool) || included.includes("*")) && spellings.some((one) => listed.includes(one));
        return isThere ? "ask" : undefined;
      },
      own: (name) => (listed.some((token) => token === name || aliasOf(token) === name) ? "allow" : undefined),
      taken: Object.keys(servers).filter((name) => name === "github-mcp-server"),
    };
  },
  vscode: (files, role) => {
    const servers = map(json(files, ".vscode/mcp.json")["servers"] ?? {});
    const listed = apart(header(files, `.github/agents/${role}.vscode.agent.md`)["tools"]);
    return {
      tool: (server, tool) => {
        const spellings = [server, `${server}/*`, `${server}/${tool}`];
        return has(servers, server) && spellings.some((one) => listed.includes(one)) ? "ask" : undefined;
      },
      own: (name) => (listed.some((token) => token === name || name.startsWith(`${token}/`)) ? "allow" : undefined),
      taken: [],
    };
  },
  cursor: (files) => {
    const servers = map(json(files, ".cursor/mcp.json")["mcpServers"] ?? {});
    const rules = list(map(json(files, ".cursor/cli.json")["permissions"] ?? {})["allow"] ?? []).map((rule) => {
      const [, server = "", tool = ""] = /^Mcp\(([^,]*),(.*)\)$/s.exec(String(rule)) ?? [];
      return [server.trim(), tool.trim()] as const;
    });
    return {
      tool: (server, tool) => {
        if (!has(servers, server)) return undefined;
        return rules.some(([one, pattern]) => glob(one, server) && glob(pattern, tool)) ? "allow" : "ask";
      },
      own: () => undefined,
      taken: Object.keys(servers).filter((name) => /^cursor[-_](?:ide|browser)[-_]/.test(name)),
    };
  },
  agentgateway: (files, role) => ({
    tool: (server, tool) => {
      const text = files.get("mcp/hosts/agentgateway/config.yaml")!;
      const reached = agentgatewayReaches(text, { role }, `${server}_${tool}`);
      return reached?.[0] === server && reached[1] === tool ? "allow" : undefined;
    },
    own: () => undefined,
    taken: [],
  }),
  "envoy-ai-gateway": (files, role) => ({
    tool: (server, tool) => {
      const reached = envoyReaches(files, `/mcp/${role}`, { role }, `${server}__${tool}`);
      return reached?.[0] === server && reached[1] === tool ? "allow" : undefined;
    },
    own: () => undefined,
    taken: [],
  }),
  postgres: (files) => {
    const rows = [...files.get("mcp/hosts/postgres/rows.sql")!.matchAll(/^ {2}\('\w+', null, '([^']*)'.* true\),?$/gm)];
    const names = rows.map(([, name]) => name);
    return { tool: (server) => (names.includes(server) ? "allow" : undefined), own: () => undefined, taken: [] };
  },
  ...Object.fromEntries(
    (
      [
        ["air", ".air/mcp.json"],
        ["jetbrains", ".ai/mcp/mcp.json"],
        ["junie", ".junie/mcp/mcp.json"],
      ] as const
    ).map(([id, file]) => [id, (files: HostFiles) => wholeServers(map(json(files, file)["mcpServers"] ?? {}))]),
  ),
  // Its file is no file of the project's.
  "claude-desktop": () => wholeServers({ rolecall: {} }),
  ...Object.fromEntries(
    (
      [
        ["adk", (_: string, tool: string) => tool, /^(?:adk_request_\w+|transfer_to_agent|set_model_response)$/],
        ["ai-sdk", (server: string, tool: string) => `${under(server)}_${under(tool)}`, /^$/],
        [
          "openai-agents",
          (server: string, tool: string) => `${under(server)}_${under(tool)}`.replaceAll("-", "_"),
          /^transfer_to_/,
        ],
        ["claude-agent-sdk", (server: string, tool: string) => `mcp__${under(server)}__${under(tool)}`, /^$/],
        [
          "copilot-sdk",
          (server: string, tool: string) => `${dashed(server)}-${dashed(tool)}`,
          /^(?:custom-agent$|github-mcp-server-)/,
        ],
      ] as const
    ).map(([id, shown, words]) => [id, inProcess(id, shown, words)]),
  ),
};

/** No list is read: who is there is there with every tool. */
function wholeServers(servers: Record<string, unknown>): HostLists {
  return { tool: (server) => (has(servers, server) ? "allow" : undefined), own: () => undefined, taken: [] };
}

/** What is started as `rolecall` in a role's session, by the entry's name: the words of the command, as the host reads them. */
export function startedEntries(host: string, files: HostFiles, role: string): ReadonlyMap<string, readonly string[]> {
  const words = (entry: unknown): string[] => {
    const { command, args } = map(entry);
    return [command, ...(args === undefined ? [] : list(args))].flat().map(String);
  };
  const among = (servers: unknown): [string, string[]][] =>
    Object.entries(map(servers ?? {})).map(([name, entry]) => [name, words(entry)]);
  const inModule = (): unknown => {
    const text = /^const given: string = (.*);$/m.exec(files.get(`src/mcp/hosts/${host}.ts`)!)![1]!;
    const literal = text.startsWith("'") ? `"${text.slice(1, -1).replaceAll('"', '\\"')}"` : text;
    const { serve } = map(map(JSON.parse(JSON.parse(literal) as string))[role]);
    return serve === undefined ? {} : { [String(map(serve)["name"])]: serve };
  };
  const read: Readonly<Record<string, () => unknown>> = {
    "claude-code": () => json(files, `mcp/hosts/claude-code/${role}.mcp.json`)["mcpServers"],
    opencode: () => json(files, `mcp/hosts/opencode/${role}.json`)["mcp"],
    codex: () => parseToml(files.get(`mcp/hosts/codex/${role}.config.toml`)!)["mcp_servers"],
    "gemini-cli": () => json(files, ".gemini/settings.json")["mcpServers"],
    "copilot-cli": () => header(files, `.github/agents/${role}.agent.md`)["mcp-servers"],
    vscode: () => json(files, ".vscode/mcp.json")["servers"],
    cursor: () => json(files, ".cursor/mcp.json")["mcpServers"],
    air: () => json(files, ".air/mcp.json")["mcpServers"],
    jetbrains: () => json(files, ".ai/mcp/mcp.json")["mcpServers"],
    junie: () => json(files, ".junie/mcp/mcp.json")["mcpServers"],
    "claude-agent-sdk": inModule,
    "copilot-sdk": inModule,
  };
  const expanded = (word: string) => word.replace("${ROLECALL_ROLE}", role);
  return new Map(
    among(read[host]!())
      .filter(([, all]) => all[0] === "rolecall")
      .map(([name, all]) => [name, all.map(expanded)]),
  );
}

/** The model calls by the name that it was shown: a name that two tools have means either. */
function inProcess(id: string, shown: (server: string, tool: string) => string, words: RegExp) {
  return (files: HostFiles, role: string): HostLists => {
    // Single quotes are only there around text that holds none.
    const text = /^const given: string = (.*);$/m.exec(files.get(`src/mcp/hosts/${id}.ts`)!)![1]!;
    const literal = text.startsWith("'") ? `"${text.slice(1, -1).replaceAll('"', '\\"')}"` : text;
    const { servers: direct, own, serve } = map(map(JSON.parse(JSON.parse(literal) as string))[role]);
    const servers = {
      ...map(direct),
      ...(serve !== undefined && { [String(map(serve)["name"])]: map(serve)["tools"] }),
    };
    const names = Object.values(map(servers)).flatMap((tools) => Object.values(map(tools)).map(String));
    const listed = claudeTokens([...list(own ?? []), ...names]);
    const tokens =
      id === "claude-agent-sdk" ? listed : id === "copilot-sdk" ? apart([...list(own ?? []), ...names]) : names;
    return {
      tool: (server, tool) => {
        const isGiven = has(map(servers), server) && has(map(map(servers)[server]), tool);
        return isGiven && tokens.filter((token) => token === shown(server, tool)).length === 1 ? "allow" : undefined;
      },
      own: (name) =>
        own !== undefined && tokens.some((one) => one === name || (id === "copilot-sdk" && aliasOf(one) === name))
          ? "allow"
          : undefined,
      taken: [
        ...names.filter((name) => words.test(name)),
        ...(id === "claude-agent-sdk" ? CLAUDE_SERVERS.filter((name) => has(map(servers), name)) : []),
      ],
    };
  };
}

const CLAUDE_SERVERS = ["workspace", "claude-in-chrome", "computer-use", "claude-preview", "claude-browser", "ide"];

/** Entries are split at commas and white space outside of parentheses, and trimmed. */
function claudeTokens(value: unknown): string[] {
  const entries = typeof value === "string" ? [value] : list(value).map(String);
  return entries.flatMap((entry) => entry.match(/(?:\([^)]*\)|[^\s,(])+/g) ?? []);
}

/** A rule names a tool, or a whole server. */
function claudeMeans(token: string, name: string): boolean {
  if (token === name || token === "*") return true;
  const [, server, ...tool] = token.split("__");
  const [kind, ofServer] = name.split("__");
  if (!token.startsWith("mcp__") || kind !== "mcp") return false;
  return server === "*" || (server === ofServer && ["", "*"].includes(tool.join("__")));
}

/** Copilot's and VS Code's list, or a text with commas. */
function apart(value: unknown): string[] {
  const entries = typeof value === "string" ? [value] : list(value).map(String);
  return entries.flatMap((entry) => entry.split(/[,\r\n]/)).map((entry) => entry.trim());
}

function aliasOf(token: string): string | undefined {
  return ["agent", "custom-agent", "task"].includes(token.toLowerCase()) ? "task" : undefined;
}

function json(files: HostFiles, path: string): Record<string, unknown> {
  return map(JSON.parse(files.get(path) ?? "{}"));
}

function header(files: HostFiles, path: string): Record<string, unknown> {
  return map(parseYaml(/^---\n(.*?)\n---\n/s.exec(files.get(path)!)![1]!));
}

function map(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`no map: ${JSON.stringify(value)}`);
  return value as Record<string, unknown>;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value;
}

function has(one: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(one, key);
}

function under(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}

function dashed(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "-");
}

/** `*` and `?`. */
function glob(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "su").test(name);
}
