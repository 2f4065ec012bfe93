import { keptNames } from "../../4-fit/kept-names.ts";

/** Servers of the host's own, which it skips or takes for its own: for Claude Code and the Claude Agent SDK. */
export const CLAUDE_NAMES = keptNames("Claude Code 2.1.326", {
  servers:
    "claude-browser claude-code-remote claude-device claude-in-chrome claude-preview computer-use ide remote-devices webagent workspace",
});
