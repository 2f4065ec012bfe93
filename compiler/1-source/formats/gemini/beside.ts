import { isObject, type JsonObject, type JsonValue } from "../../../base/json.ts";
import type { SettingsBeside, FoundSettings, Narrowing } from "../narrowing.ts";
import { NOT_HELD } from "../passed-by.ts";
import { leaveOthers, textsAt } from "../rules.ts";
import { namesThere } from "./excluded-tools.ts";

/** Gemini CLI's settings, where servers stand in another file, and the policies of the folder. */
export const geminiSettings: SettingsBeside = {
  program: "Gemini CLI",
  files: [".gemini/settings.json", ".gemini/policies/*.toml"],
  read: (all, made) => {
    for (const one of all)
      if (one.file.endsWith(".toml")) leavePolicy(one, made);
      else readSettings(one, made);
  },
};

function readSettings(one: FoundSettings, made: Narrowing): void {
  const { file, value } = one;
  for (const at of [["mcp", "excluded"], ["excludeMCPServers"]])
    for (const [server, path] of textsAt(one, at, made))
      if (made.servers.includes(server)) made.putAway(server, { file, path });
  for (const at of [["mcp", "allowed"], ["allowMCPServers"]]) {
    const held = at.reduce<JsonValue | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
    if (held === undefined) continue;
    const allowed = textsAt(one, at, made).map(([server]) => server);
    for (const server of made.servers) if (!allowed.includes(server)) made.putAway(server, { file, path: at });
  }
  const { tools, excludeTools } = value;
  const lists = { "tools.exclude": isObject(tools) ? tools["exclude"] : undefined, excludeTools };
  for (const [name, list] of Object.entries(lists))
    if (Array.isArray(list) && list.length > 0) made.leave({ file, path: name.split(".") }, `\`${name}\``, NOT_HELD);
  leaveOthers(one, ["mcpServers", "mcp", "tools", "excludeTools", "allowMCPServers", "excludeMCPServers"], made);
}

/** Which rule wins is said by numbers that several files give. */
function leavePolicy({ file, value }: FoundSettings, made: Narrowing): void {
  const rules = Array.isArray(value["rule"]) ? value["rule"] : [];
  rules.forEach((rule: JsonValue, i) => {
    if (isObject(rule) && rule["decision"] !== "allow" && isAbout(rule, made.servers))
      made.leave({ file, path: ["rule", i, "decision"] }, `\`decision = "${String(rule["decision"])}"\``, NOT_HELD);
  });
}

/** A name's end may be a star, and a rule that names no tool is about all of them, but for one about commands. */
function isAbout(rule: JsonObject, servers: readonly string[]): boolean {
  const { mcpName, toolName } = rule;
  if (mcpName !== undefined) return [mcpName].flat().some((one) => mayFind(String(one), servers));
  if (toolName === undefined) return rule["commandPrefix"] === undefined && rule["commandRegex"] === undefined;
  const heads = servers.flatMap((one) => [...namesThere(one)].flatMap((name) => [`mcp_${name}_`, `${name}__`]));
  return [toolName].flat().some((tool) => {
    const name = String(tool);
    return heads.some((head) => name.startsWith(head)) || (name.includes("*") && mayFind(name, heads));
  });
}

/** What stands before the first star is sure. */
function mayFind(pattern: string, names: readonly string[]): boolean {
  const [sure = "", ...more] = pattern.split("*");
  return names.some((name) => (more.length === 0 ? name === sure : name.startsWith(sure) || sure.startsWith(name)));
}
