import * as z from "zod/mini";
import { isObject } from "../../../base/json.ts";
import { putAddress, putProcess } from "../connection.ts";
import { elsewhere } from "../elsewhere.ts";
import { leaveSignIn, milliseconds, oauth, putAway, putTimeout, texts, words } from "../host-server.ts";
import { plain, type References, respelling } from "../references.ts";
import type { Format, Translation } from "../types.ts";
import { opencodeSettings } from "./beside.ts";
import { leaveRules } from "./rules.ts";

const shared = { enabled: z.optional(z.boolean()), timeout: z.optional(milliseconds) };
const server = z.union([
  z.strictObject({
    type: z.literal("local"),
    command: words.check(z.minLength(1)),
    environment: z.optional(texts),
    cwd: z.optional(z.string()),
    ...shared,
  }),
  z.strictObject({
    type: z.literal("remote"),
    url: z.string(),
    headers: z.optional(texts),
    oauth: z.optional(oauth),
    ...shared,
  }),
  z.strictObject({ enabled: z.boolean() }),
]);
const OWN_KEYS =
  "$schema theme keybinds tui command model small_model lsp formatter plugin provider share autoshare autoupdate instructions username layout snapshot watcher experimental server logLevel compaction enterprise default_agent enabled_providers disabled_providers skills".split(
    " ",
  );
const rules = z.optional(z.unknown());
const opencodeDocument = () =>
  z.strictObject({ mcp: z.record(z.string(), server), tools: rules, permission: rules, agent: rules, mode: rules });

type OpencodeDocument = z.infer<ReturnType<typeof opencodeDocument>>;

/** `opencode.json`: its `mcp`. What its rules say of tools is about its agents, and is told, not read. */
export const opencode: Format<OpencodeDocument> = {
  id: "opencode",
  title: "opencode.json",
  recognises: ({ mcp }) =>
    isObject(mcp) &&
    Object.values(mcp).some((one) => isObject(one) && (one["type"] === "local" || one["type"] === "remote")),
  usualFile: /(?:^|\/)(?:opencode|\.opencode\/config)\.jsonc?$/,
  passes: elsewhere(["mcp", "tools", "permission", "agent", "mode"], OWN_KEYS),
  schema: opencodeDocument,
  beside: opencodeSettings,
  read: (document, made) => {
    const spell = respelling(made, references(made));
    const names: string[] = [];
    for (const [theirs, one] of Object.entries(document.mcp)) {
      const at = ["mcp", theirs];
      if (!("type" in one)) {
        made.leave(at, `\`${theirs}\` without a \`type\``, "what it switches is brought by another file of OpenCode's");
        continue;
      }
      const name = made.serverName(theirs, at);
      names.push(theirs);
      if (one.type === "local") {
        const { command, environment: env, cwd } = one;
        putProcess(made, name, { command, env, cwd }, at, { spell, keys: { env: "environment" } });
      } else {
        // It can't be chosen there: HTTP is tried first.
        putAddress(made, name, "http", one, at, { spell });
        putAddress(made, name, "sse", one, at, { i: 1, spell });
        leaveSignIn(made, one.oauth, [...at, "oauth"]);
      }
      if (one.enabled === false) putAway(made, name, [...at, "enabled"]);
      putTimeout(made, name, one.timeout, [...at, "timeout"]);
    }
    leaveRules(document, names, made.leave);
  },
};

/** `{env:NAME}`; dollars are dollars. */
function references(made: Translation): References {
  return {
    like: /\{(?:env|file):[^}]{0,4000}\}|\$\{(?!(?:env|file):)[^}]{0,4000}\}/,
    ours: (found, written) => {
      const name = /^\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(found)?.[1];
      if (name !== undefined) return `\${${name}}`;
      if (!found.startsWith("$")) return undefined;
      made.leave(written, `\`${found}\``, "it is text there, and stays text here; a variable is written `{env:NAME}`");
      return plain(found);
    },
    help: "write `{env:NAME}`, and put what a file holds into that variable",
  };
}
