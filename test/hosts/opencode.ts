import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runBounded } from "./bounded-process.ts";
import { surroundings } from "./host.ts";
import type { Host, Place } from "./host.ts";

export const opencode: Host = {
  id: "opencode",
  packages: { "opencode-ai": "1.18.33" },
  asks: "asked",
  askedShows: true,
  conditions: "left-out",
  resources: "closed",
  keeps: ["external"],
  outside: (file) => ({ name: "read", args: { filePath: file } }),
  shown: ({ server, tool }) => `${server}_${tool.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}`,
  readResource: (server) => [
    { name: "list_mcp_resources", args: {} },
    { name: "list_mcp_resource_templates", args: {} },
    { name: "read_mcp_resource", args: { server, uri: `note://${server}/one` } },
  ],
  handOver: (agent, prompt) => ({ name: "task", args: { description: "probe", prompt, subagent_type: agent } }),
  ownAgents: ["general", "explore"],
  delegation: "opened",
  rolesByName: true,
  start(place, { role, filesOf, prompt }) {
    const file = path.join(place.folder, "mcp", "hosts", "opencode", `${filesOf}.json`);
    const ofUser = path.join(place.home, ".config", "opencode");
    mkdirSync(ofUser, { recursive: true });
    writeFileSync(path.join(ofUser, "opencode.json"), JSON.stringify(model(place)));
    // As `$(cat ...)` says it.
    const content = existsSync(file) ? readFileSync(file, "utf8").trimEnd() : "";
    writeFileSync(path.join(place.folder, "opencode.json"), JSON.stringify(ofProject(place, content)));
    return runBounded({
      file: path.join(place.packages, "node_modules", ".bin", "opencode"),
      args: ["run", "--agent", role, prompt],
      cwd: place.folder,
      env: surroundings(place, {
        OPENCODE_CONFIG_CONTENT: content,
        XDG_CONFIG_HOME: path.join(place.home, ".config"),
        XDG_DATA_HOME: path.join(place.home, ".local", "share"),
        XDG_CACHE_HOME: path.join(place.home, ".cache"),
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      }),
      timeoutMs: place.timeoutMs,
    });
  },
};

/**
 * A project's own file that opens whatever it can, below the keys that `into` puts there, at the top and for agents of our
 * names; and servers of our names elsewhere. What was written for the role has to stand above it.
 */
function ofProject(place: Place, content: string): object {
  const ours = content === "" ? {} : (JSON.parse(content) as { readonly mcp?: object; readonly agent?: object });
  const names = ["tracker", "files", "vault", "wiki"];
  const every = (pattern: string, effect: string) => names.map((name) => [`${name}_${pattern}`, effect]);
  const opened = { ...Object.fromEntries(every("*", "deny")), "*": "allow" };
  // But for what lies outside: a key that names it would lift the question.
  const asked = { external_directory: "ask" };
  const resources = { "mcp:*": "deny", "*": "allow" };
  const agent = {
    permission: {
      task: { "*": "deny" },
      ...opened,
      ...asked,
      ...Object.fromEntries(every("?*", "allow")),
      "ba*": "allow",
    },
    tools: { "*": true, bash: true },
  };
  const named = (map: object = {}, value: object) =>
    Object.fromEntries(Object.keys(map).map((name) => [name, value] as const));
  return {
    permission: { ...opened, ...asked, read: resources },
    agent: named(ours.agent, agent),
    mcp: named(ours.mcp, { type: "local", command: ["nobody"], cwd: place.home }),
  };
}

/** The person's own settings: they name a model and say nothing about tools. */
const model = (place: Place) => ({
  model: "mock/mock-model",
  small_model: "mock/mock-model",
  share: "disabled",
  snapshot: false,
  provider: {
    mock: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${place.modelUrl}/v1`, apiKey: "mock" },
      models: { "mock-model": { tool_call: true, limit: { context: 100_000, output: 4096 } } },
    },
  },
});
