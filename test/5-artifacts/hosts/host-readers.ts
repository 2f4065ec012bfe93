// What a host makes of the files that were written for it, read as hosts.md observed the hosts to read them. Nothing here
// knows how the files are made.
import { parse } from "smol-toml";

export type Artifacts = ReadonlyMap<string, string>;
export interface AnyTool {
  readonly server: string;
  readonly tool: string;
}
/** What the model of a role sees of a tool there; undefined: nothing. */
export type Reading = (artifacts: Artifacts, role: string, tool: AnyTool) => "allow" | "ask" | undefined;

export const HOST_READERS: Readonly<Record<string, Reading>> = {
  "claude-code": (files, role, { server, tool }) => {
    const servers = object(json(files, `mcp/hosts/claude-code/${role}.mcp.json`)["mcpServers"]);
    const { allow, ask, deny } = object(json(files, `mcp/hosts/claude-code/${role}.settings.json`)["permissions"]);
    const name = `mcp__${under(server)}__${under(tool)}`;
    const listed = list(keys(files, `.claude/agents/${role}.md`)["tools"]).includes(name);
    if (!has(servers, server) || !listed || list(deny).includes(name)) return undefined;
    if (list(ask).includes(name)) return "ask";
    return list(allow).includes(name) ? "allow" : "ask";
  },
  opencode: (files, role, { server, tool }) => {
    const config = json(files, `mcp/hosts/opencode/${role}.json`);
    if (!has(object(config["mcp"]), server)) return undefined;
    const agent = object(object(object(config["agent"])[role])["permission"]);
    const rules = [...Object.entries(object(config["permission"])), ...Object.entries(agent)];
    const name = `${under(server)}_${under(tool)}`;
    const last = rules.findLast(([pattern]) => globMatches(pattern, name))?.[1] ?? "allow";
    return last === "deny" ? undefined : (last as "allow" | "ask");
  },
  codex: (files, role, { server, tool }) => {
    const config = parse(files.get(`mcp/hosts/codex/${role}.config.toml`)!);
    const entry = own(object(config["mcp_servers"] ?? {}), server);
    if (entry === undefined || !list(object(entry)["enabled_tools"]).includes(tool)) return undefined;
    const mode = object(own(object(object(entry)["tools"]), tool) ?? {})["approval_mode"];
    return mode === "approve" ? "allow" : "ask";
  },
  "gemini-cli": (files, role, { server, tool }) => {
    const config = keys(files, ".gemini/settings.json");
    const entry = own(config, `mcpServers ${server}`);
    if (entry === undefined || !list(object(entry)["includeTools"]).includes(tool)) return undefined;
    const started = files.get(`mcp/hosts/gemini-cli/${role}/servers.txt`)!.trim().split(",");
    if (!started.includes(server)) return undefined;
    const rules = list(parse(files.get(`mcp/hosts/gemini-cli/${role}/policy.toml`)!)["rule"]).map(object);
    const name = tool.replace(/[^A-Za-z0-9_.:-]/g, "_");
    const matching = rules.filter(
      ({ mcpName, toolName }) => [server, "*"].includes(mcpName as string) && [name, "*"].includes(toolName as string),
    );
    const [first] = matching.sort((a, b) => Number(b["priority"]) - Number(a["priority"]));
    if (first?.["decision"] === "deny") return undefined;
    return first?.["decision"] === "allow" ? "allow" : "ask";
  },
  "copilot-cli": (files, role, { server, tool }) => {
    const agent = keys(files, `.github/agents/${role}.agent.md`);
    const entry = own(object(agent["mcp-servers"]), server);
    const name = `${dashed(server)}-${dashed(tool)}`;
    const listed = entry !== undefined && list(object(entry)["tools"]).includes(tool);
    // It asks for whatever its flags don't allow.
    return listed && list(agent["tools"]).includes(name) ? "ask" : undefined;
  },
  vscode: (files, role, { server, tool }) => {
    const servers = keys(files, ".vscode/mcp.json");
    const agent = keys(files, `.github/agents/${role}.vscode.agent.md`);
    const listed = list(agent["tools"]).includes(`${server}/${tool}`);
    return has(servers, `servers ${server}`) && listed ? "ask" : undefined;
  },
  "ai-sdk": (files, role, { server, tool }) => {
    // Single quotes are only there around text that holds none.
    const text = /^const given: string = (.*);$/m.exec(files.get("src/mcp/hosts/ai-sdk.ts")!)![1]!;
    const literal = text.startsWith("'") ? `"${text.slice(1, -1).replaceAll('"', '\\"')}"` : text;
    const given = object(JSON.parse(JSON.parse(literal) as string));
    const servers = object(object(own(given, role))["servers"]);
    return has(object(own(servers, server) ?? {}), tool) ? "allow" : undefined;
  },
};

function json(files: Artifacts, path: string): Record<string, unknown> {
  return object(JSON.parse(files.get(path)!));
}

/** The keys of ours in a user's file, by their path. */
function keys(files: Artifacts, path: string): Record<string, unknown> {
  const written = JSON.parse(files.get(path)!) as { at: string[]; value: unknown }[];
  return Object.fromEntries(written.map(({ at, value }) => [at.join(" "), value]));
}

function object(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new Error(`no object: ${JSON.stringify(value)}`);
  return value as Record<string, unknown>;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return value;
}

function own(map: Record<string, unknown>, key: string): unknown {
  return has(map, key) ? map[key] : undefined;
}

function has(map: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(map, key);
}

function under(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}

function dashed(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "-");
}

/** `*` and `?`, as OpenCode matches names. */
function globMatches(pattern: string, name: string): boolean {
  const source = [...pattern].map((char) => (char === "*" ? ".*" : char === "?" ? "." : escape(char))).join("");
  return new RegExp(`^${source}$`, "su").test(name);
}

function escape(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}
