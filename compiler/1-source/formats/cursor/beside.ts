import { isObject, type JsonValue } from "../../../base/json.ts";
import type { FoundSettings, Narrowing, SettingsBeside } from "../narrowing.ts";
import { NOT_HELD } from "../passed-by.ts";
import { leaveOthers, mayBeAbout, textsAt } from "../rules.ts";

/** What Cursor's command line may not call, and programs that are asked before. What it may without a question opens nothing here. */
export const cursorSettings: SettingsBeside = {
  program: "Cursor",
  files: [".cursor/cli.json", ".cursor/hooks.json"],
  read: (all, made) => {
    for (const one of all) {
      if (one.file.endsWith("hooks.json")) {
        leaveHooks(one, made);
        continue;
      }
      for (const [rule, path] of textsAt(one, ["permissions", "deny"], made)) {
        if (!/^mcp\b/i.test(rule)) continue;
        const written = { file: one.file, path };
        const [server, tool] = (/^mcp\(([^,:]*)(?:[,:](.*))?\)$/i.exec(rule) ?? []).slice(1).map((one) => one?.trim());
        if (server === undefined || (server.includes("*") && server !== "*"))
          made.leave(written, `\`${rule}\``, NOT_HELD);
        else
          for (const theirs of made.servers.filter((name) => server === "*" || name === server))
            if (tool === undefined || /^\**$/.test(tool)) made.putAway(theirs, written);
            else made.exclude(theirs, tool, written, { isForAny: server === "*" });
      }
      leaveOthers(one, ["permissions"], made);
    }
  },
};

const OWN_TOOLS = ["Shell", "Read", "Write", "Grep", "Delete", "Task"];

/** The first is about every server, the other about the tools that its `matcher` names. */
const BEFORE = ["beforeMCPExecution", "preToolUse"];

function leaveHooks({ file, value }: FoundSettings, made: Narrowing): void {
  const { hooks } = value;
  for (const name of BEFORE) {
    const held = isObject(hooks) ? hooks[name] : undefined;
    (Array.isArray(held) ? held : []).forEach((hook: JsonValue, i) => {
      const matcher = name === "preToolUse" && isObject(hook) ? hook["matcher"] : undefined;
      if (mayBeAbout(matcher, made.servers, { own: OWN_TOOLS }))
        made.leave({ file, path: ["hooks", name, i] }, `a hook of \`${name}\``, NOT_HELD);
    });
  }
}
