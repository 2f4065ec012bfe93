import { isObject, type JsonValue } from "../../../base/json.ts";
import type { FoundSettings, Narrowing, SettingsBeside, Written } from "../narrowing.ts";
import { findingServers } from "../mcp-json/server-names.ts";
import { byBeginning } from "../by-beginning.ts";
import { NOT_HELD } from "../passed-by.ts";
import { leaveOthers, readingHooks, textsAt } from "../rules.ts";

/** What Cursor's command line may not call, and programs that are asked before. What it may without a question opens nothing here. */
export const cursorSettings: SettingsBeside = {
  program: "Cursor",
  files: [".cursor/cli.json", ".cursor/hooks.json"],
  read: (all, made) => {
    const means = readingRules(made.servers);
    for (const one of all) {
      if (one.file.endsWith("hooks.json")) {
        leaveHooks(one, made);
        continue;
      }
      for (const [rule, path] of textsAt(one, ["permissions", "deny"], made))
        if (/^mcp\b/i.test(rule.trimStart())) readRule(rule, means, { file: one.file, path }, made);
      leaveOthers(one, ["permissions"], made);
    }
  },
};

interface RuleMeans {
  readonly servers: readonly string[];
  /** Undefined: all of them. */
  readonly tool: string | undefined;
  readonly isForAny: boolean;
}

/** `Mcp(server, tool)` and `Mcp(server:tool)`. A text: what it means can't be known, with the next step. */
function readingRules(all: readonly string[]): (rule: string) => RuleMeans | string {
  const finding = findingServers(all);
  const parted = byBeginning(all.filter((name) => /[,:]/.test(name)));
  return (rule) => {
    const written = rule.trim();
    const [server, tool] = (/^mcp\(([^,:]*)(?:[,:](.*))?\)$/i.exec(written) ?? []).slice(1).map((one) => one?.trim());
    const isParted = parted.beginningsOf(written.slice("mcp(".length).trimStart()).length > 0;
    const isForAny = server === "*";
    if (!server || (server.includes("*") && !isForAny) || isParted) return NOT_HELD;
    const { meant, near } = isForAny ? { meant: all, near: undefined } : finding(server);
    if (near !== undefined) return `no server is meant by it: did you mean \`${near}\`?`;
    return { servers: meant, tool: tool === undefined || /^\**$/.test(tool) ? undefined : tool, isForAny };
  };
}

function readRule(rule: string, means: ReturnType<typeof readingRules>, written: Written, made: Narrowing): void {
  const found = means(rule);
  if (typeof found === "string") return made.leave(written, `\`${rule}\``, found);
  const { servers, tool, isForAny } = found;
  for (const server of servers)
    if (tool === undefined) made.putAway(server, written);
    else made.exclude(server, tool, written, { isForAny: isForAny || servers.length > 1 });
}

const OWN_TOOLS = ["Shell", "Read", "Write", "Grep", "Delete", "Task"];

/** The first is about every server, the other about the tools that its `matcher` names. */
const BEFORE = ["beforeMCPExecution", "preToolUse"];

function leaveHooks({ file, value }: FoundSettings, made: Narrowing): void {
  const { hooks } = value;
  const mayBeAbout = readingHooks(made.servers, { own: OWN_TOOLS });
  for (const name of BEFORE) {
    const held = isObject(hooks) ? hooks[name] : undefined;
    (Array.isArray(held) ? held : []).forEach((hook: JsonValue, i) => {
      const matcher = name === "preToolUse" && isObject(hook) ? hook["matcher"] : undefined;
      if (mayBeAbout(matcher)) made.leave({ file, path: ["hooks", name, i] }, `a hook of \`${name}\``, NOT_HELD);
    });
  }
}
