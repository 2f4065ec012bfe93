import { isObject, type JsonObject, type JsonValue } from "../../../base/json.ts";
import { type ByBeginning, byBeginning } from "../by-beginning.ts";
import type { SettingsBeside, FoundSettings, Narrowing } from "../narrowing.ts";
import { NOT_HELD } from "../passed-by.ts";
import { leaveOthers, textsAt } from "../rules.ts";
import { headsThere } from "./excluded-tools.ts";
import { leaveHooks } from "./hooks.ts";
import { isOwnTool } from "./own-tools.ts";
import { keptOut, NO_PATTERN } from "./server-names.ts";

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
  const keptOf = keptOut(made.servers);
  for (const at of [["mcp", "excluded"], ["excludeMCPServers"]])
    for (const [written, path] of textsAt(one, at, made)) {
      const kept = keptOf(written);
      if (kept.kind === "servers") for (const server of kept.servers) made.putAway(server, { file, path });
      else if (kept.kind === "pattern") made.leave({ file, path }, `the server \`${written}\``, NO_PATTERN);
    }
  for (const at of [["mcp", "allowed"], ["allowMCPServers"]]) {
    const held = at.reduce<JsonValue | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
    if (held === undefined) continue;
    const allowed = new Set(textsAt(one, at, made).map(([server]) => server));
    for (const server of made.servers) if (!allowed.has(server)) made.putAway(server, { file, path: at });
  }
  const { tools, excludeTools } = value;
  const lists = { "tools.exclude": isObject(tools) ? tools["exclude"] : undefined, excludeTools };
  for (const [name, list] of Object.entries(lists))
    if (Array.isArray(list) && list.length > 0) made.leave({ file, path: name.split(".") }, `\`${name}\``, NOT_HELD);
  leaveHooks(value["hooks"], made.servers, (path, what) => made.leave({ file, path }, what, NOT_HELD));
  for (const key of POLICIES) {
    const held = value[key];
    if (held !== undefined && held !== null && !(Array.isArray(held) && held.length === 0))
      made.leave({ file, path: [key] }, `\`${key}\``, NOT_HELD);
  }
  leaveOthers(one, [...KNOWN, ...POLICIES], made);
}

/** Files of rules that lie elsewhere. */
const POLICIES = ["policyPaths", "adminPolicyPaths"];
const KNOWN = ["mcpServers", "mcp", "tools", "excludeTools", "allowMCPServers", "excludeMCPServers", "hooks"];

/** Which rule wins is said by numbers that several files give. */
function leavePolicy({ file, value }: FoundSettings, made: Narrowing): void {
  const isAbout = aboutServers(made.servers);
  listAt(value, "rule").forEach((rule, i) => {
    if (isObject(rule) && rule["decision"] !== "allow" && isAbout(rule))
      made.leave({ file, path: ["rule", i, "decision"] }, `\`decision = "${String(rule["decision"])}"\``, NOT_HELD);
  });
  listAt(value, "safety_checker").forEach((checker, i) => {
    if (isObject(checker) && isAbout(checker))
      made.leave({ file, path: ["safety_checker", i] }, "`safety_checker`", NOT_HELD);
  });
}

function listAt(value: JsonObject, key: string): readonly JsonValue[] {
  const held = value[key];
  return Array.isArray(held) ? held : [];
}

/** A name's end may be a star, and a rule that names no tool is about all of them, but for one about commands. */
function aboutServers(servers: readonly string[]): (rule: JsonObject) => boolean {
  const names = byBeginning(servers);
  const heads = byBeginning(servers.flatMap(headsThere));
  return ({ mcpName, toolName, commandPrefix, commandRegex }) => {
    if (mcpName !== undefined) return [mcpName].flat().some((one) => mayFind(String(one), names));
    if (toolName === undefined) return commandPrefix === undefined && commandRegex === undefined;
    return [toolName].flat().some((tool) => {
      const name = String(tool);
      if (heads.beginningsOf(name).length > 0) return true;
      if (name.includes("*")) return mayFind(name, heads);
      return !/^mcp_|__/.test(name) && !isOwnTool(name);
    });
  };
}

/** What stands before the first star is sure. */
function mayFind(pattern: string, names: ByBeginning): boolean {
  const [sure = "", ...more] = pattern.split("*");
  return more.length === 0 ? names.has(sure) : names.isBeginning(sure) || names.beginningsOf(sure).length > 0;
}
