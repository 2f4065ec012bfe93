import { isObject, type JsonValue } from "../../../base/json.ts";
import type { SettingsBeside, FoundSettings, Narrowing, Written } from "../narrowing.ts";
import { NOT_HELD } from "../passed-by.ts";
import { leaveAgentsList, leaveOthers, readingHooks, textsAt } from "../rules.ts";
import { shown } from "../shown-names.ts";
import { findingServers } from "./server-names.ts";
import { readingRules } from "./tool-rules.ts";

/** Claude Code's settings: which servers of `.mcp.json` there are, and rules about their tools. */
export const claudeSettings: SettingsBeside = {
  program: "Claude Code",
  namesAsShown: true,
  files: [".claude/settings.json", ".claude/settings.local.json", ".claude/agents/**/*.md"],
  read: (all, made) => {
    const settings = all.filter(({ file }) => file.endsWith(".json"));
    const means = readingRules(made.servers);
    const servers = findingServers(made.servers);
    readEnabled(settings, servers, made);
    for (const one of settings) {
      for (const key of OFF)
        for (const [server, path] of textsAt(one, [key], made))
          putAway(server, servers, key, { file: one.file, path }, made);
      readDenied(one, servers, made);
      for (const which of ["deny", "ask"] as const)
        for (const [rule, path] of textsAt(one, ["permissions", which], made))
          readRule(rule, which, means, { file: one.file, path }, made);
      leaveTold(one, made);
      leaveOthers(one, KNOWN, made);
    }
    const isOurs = (name: string): boolean => name !== "*" && means(name).length > 0;
    for (const one of all.filter((found) => !settings.includes(found)))
      for (const key of ["tools", "disallowedTools"]) leaveAgentsList(one, isOurs, made, key);
  },
};

const OFF = ["disabledMcpjsonServers", "disabledMcpServers"];
const ON = "enabledMcpjsonServers";
const ALL_ON = "enableAllProjectMcpServers";
const DENIED = "deniedMcpServers";
/** `sandbox` is about commands, and stays where it is. */
const KNOWN = [...OFF, ON, ALL_ON, DENIED, "allowedMcpServers", "permissions", "hooks", "sandbox", "env"];

type Finding = ReturnType<typeof findingServers>;

function putAway(name: string, servers: Finding, key: string, written: Written, made: Narrowing): void {
  const { meant, near } = servers(name);
  for (const server of meant) made.putAway(server, written);
  if (near !== undefined)
    made.leave(written, `\`${name}\` in \`${key}\``, `no server is switched off by it: did you mean \`${near}\`?`);
}

/** Lists of several files are one; of a switch, a person's own word counts. What none of them names waits for a person there. */
function readEnabled(settings: readonly FoundSettings[], servers: Finding, made: Narrowing): void {
  const lists = settings.filter(({ value }) => value[ON] !== undefined);
  const [first] = lists;
  const isAllOn = settings.findLast(({ value }) => value[ALL_ON] !== undefined)?.value[ALL_ON] === true;
  if (first === undefined || !made.knowsOwn || isAllOn) return;
  const named = new Set(lists.flatMap((one) => textsAt(one, [ON], made).flatMap(([name]) => servers(name).meant)));
  for (const server of made.servers) if (!named.has(server)) made.putAway(server, { file: first.file, path: [ON] });
}

function readDenied({ file, value }: FoundSettings, servers: Finding, made: Narrowing): void {
  const denied = value[DENIED];
  const items = Array.isArray(denied) ? denied : denied === undefined || denied === null ? [] : [denied];
  items.forEach((item: JsonValue, i) => {
    const path = Array.isArray(denied) ? [DENIED, i] : [DENIED];
    const server = isObject(item) && Object.keys(item).length === 1 ? item["serverName"] : undefined;
    if (typeof server !== "string") made.leave({ file, path }, `\`${DENIED}\``, NOT_HELD);
    else putAway(server, servers, DENIED, { file, path }, made);
  });
  if (value["allowedMcpServers"] !== undefined)
    made.leave({ file, path: ["allowedMcpServers"] }, "`allowedMcpServers`", NOT_HELD);
}

/** Rules about the program's own tools stay where they are. */
function readRule(
  rule: string,
  which: "deny" | "ask",
  means: ReturnType<typeof readingRules>,
  written: Written,
  made: Narrowing,
): void {
  if (rule.includes("(")) {
    if (rule.startsWith("mcp__")) made.leave(written, `\`${rule}\``, NOT_HELD);
    return;
  }
  const found = means(rule);
  if (found.some(({ tool }) => tool === undefined)) made.leave(written, `\`${rule}\``, NOT_HELD);
  const isForAny = rule.includes("*") || found.length > 1;
  for (const { server, tool, exact } of found) {
    if (tool === undefined) continue;
    const how = { isForAny, ...(exact !== undefined && { exact }) };
    if (which === "ask") made.ask(server, tool, written, how);
    else if (tool === "*") made.putAway(server, written);
    else made.exclude(server, tool, written, how);
  }
}

/** What is said of every tool, or by a program. */
function leaveTold({ file, value }: FoundSettings, made: Narrowing): void {
  const { permissions, hooks } = value;
  if (isObject(permissions) && permissions["defaultMode"] === "dontAsk") {
    const help = "grant in roles what `permissions.allow` names, and nothing else";
    made.leave({ file, path: ["permissions", "defaultMode"] }, "`permissions.defaultMode: dontAsk`", help);
  }
  const heads = made.servers.flatMap((name) => [`mcp__${name}__`, `mcp__${shown(name)}__`]);
  const mayBeAbout = readingHooks(heads, { own: OWN_TOOLS, namesBegin: true });
  for (const event of BEFORE) {
    const before = isObject(hooks) ? hooks[event] : undefined;
    (Array.isArray(before) ? before : []).forEach((hook: JsonValue, i) => {
      const matcher = (isObject(hook) ? hook["matcher"] : undefined) ?? "";
      if (!mayBeAbout(matcher)) return;
      const what = matcher === "" ? "the hook of every tool" : `the hook of \`${String(matcher)}\``;
      made.leave({ file, path: ["hooks", event, i] }, what, NOT_HELD);
    });
  }
}

/** Of a call, and of a question about one: either may say no. */
const BEFORE = ["PreToolUse", "PermissionRequest"];

const OWN_TOOLS =
  "Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LSP LS ListMcpResourcesTool Monitor MultiEdit NotebookEdit NotebookRead PowerShell Read ReadMcpResourceTool SendMessage Skill SlashCommand Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoRead TodoWrite ToolSearch WebFetch WebSearch Write".split(
    " ",
  );
