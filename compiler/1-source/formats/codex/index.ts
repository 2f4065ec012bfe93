import { isObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { putAddress, putProcess, type Respell } from "../connection.ts";
import { elsewhere } from "../elsewhere.ts";
import { leaveSignIn, putAway, putFilter, putTimeout } from "../host-server.ts";
import { ofNobody, respelling } from "../references.ts";
import type { Format, Translation } from "../types.ts";
import { putQuestions } from "./questions.ts";
import { codexDocument, type CodexDocument, type CodexServer } from "./schema.ts";

/** Codex's `config.toml`, and profiles of it: its `mcp_servers`, which name their variables in keys of their own. */
export const codex: Format<CodexDocument> = {
  id: "codex",
  title: "Codex's config.toml",
  // An empty map says nothing of Codex: another system calls its own so too.
  recognises: ({ mcp_servers: servers }) =>
    isObject(servers) &&
    Object.keys(servers).length > 0 &&
    Object.values(servers).every((one) => isObject(one) && !Array.isArray(one["command"]) && !("type" in one)),
  usualFile: /(?:^|\/)(?:[^/]+\.)?config\.toml$/,
  passes: elsewhere(["mcp_servers"], ["mcp_oauth_callback_port", "mcp_oauth_credentials_store", "model_providers"]),
  schema: codexDocument,
  read: ({ mcp_servers: servers }, made) => {
    let asked = 0;
    const spell = respelling(made, ofNobody(made, "a variable is named in `env_vars` or `env_http_headers`"));
    for (const [theirs, one] of Object.entries(servers)) {
      const at = ["mcp_servers", theirs];
      const name = made.serverName(theirs, at);
      putConnection(made, name, one, at, spell);
      if (one.enabled === false) putAway(made, name, [...at, "enabled"]);
      if (one.required === true) made.put(["servers", name, "mustConnect"], true, [...at, "required"]);
      putTimes(made, name, one, at);
      putFilter(made, name, { include: one.enabled_tools, exclude: one.disabled_tools }, at, [
        "enabled_tools",
        "disabled_tools",
      ]);
      asked = putQuestions(made, name, one, at, asked);
      leaveSignIn(made, one.oauth, [...at, "oauth"]);
      if (one.scopes !== undefined) leaveSignIn(made, { scopes: one.scopes }, at);
    }
  },
};

function putConnection(made: Translation, name: string, one: CodexServer, at: KeyPath, spell: Respell): void {
  const to = ["servers", name, "connect", 0];
  if ("command" in one) {
    putProcess(made, name, one, at, { spell });
    (one.env_vars ?? []).forEach((variable, i) => {
      const handed = typeof variable === "string" ? variable : variable.name;
      made.put([...to, "env", handed], `\${${handed}}`, [...at, "env_vars", i]);
    });
    return;
  }
  putAddress(made, name, "http", { url: one.url, headers: one.http_headers }, at, {
    spell,
    keys: ["url", "http_headers"],
  });
  for (const [header, variable] of Object.entries(one.env_http_headers ?? {}))
    made.put([...to, "headers", header], `\${${variable}}`, [...at, "env_http_headers", header]);
  if (one.bearer_token_env_var !== undefined)
    made.put([...to, "headers", "Authorization"], `Bearer \${${one.bearer_token_env_var}}`, [
      ...at,
      "bearer_token_env_var",
    ]);
}

/** There is one time here, for connecting and for calls: that of calls, where both are written. */
function putTimes(made: Translation, name: string, one: CodexServer, at: KeyPath): void {
  const key = one.startup_timeout_sec === undefined ? "startup_timeout_ms" : "startup_timeout_sec";
  const startup = one.startup_timeout_sec === undefined ? one.startup_timeout_ms : one.startup_timeout_sec * 1000;
  const call = one.tool_timeout_sec === undefined ? undefined : one.tool_timeout_sec * 1000;
  const whole = (ms: number | undefined) => (ms === undefined ? undefined : Math.max(1, Math.round(ms)));
  putTimeout(made, name, whole(call ?? startup), [...at, call === undefined ? key : "tool_timeout_sec"]);
  if (startup !== undefined && call !== undefined && startup !== call)
    made.leave([...at, key], `\`${key}\``, "there is one time for connecting and for calls: that of calls is taken");
}
