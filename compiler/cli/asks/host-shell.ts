type Env = Readonly<Record<string, string | undefined>>;

/** Variables that hosts set for the commands that their agents run. CODEX_HOME is its user's own. */
const MARKS: readonly RegExp[] = [
  /^CLAUDECODE$/,
  /^CLAUDE_CODE_(ENTRYPOINT|SSE_PORT|SESSION_ID)$/,
  /^CODEX_(?!HOME$)/,
  /^GEMINI_CLI$/,
  /^QWEN_CODE$/,
  /^OPENCODE$/,
  /^CURSOR_(AGENT|TRACE_ID)$/,
  /^COPILOT_CLI$/,
  /^(GOOSE_TERMINAL|AGENT|AI_AGENT)$/,
];

/** The variable that marks the shell of an agent host. It keeps a helpful agent away, not one that takes it out. */
export function hostShellMark(env: Env): string | undefined {
  return Object.keys(env).find((name) => env[name] && MARKS.some((mark) => mark.test(name)));
}
