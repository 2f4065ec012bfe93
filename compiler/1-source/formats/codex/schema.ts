import * as z from "zod/mini";
import { oauth, texts, words } from "../host-server.ts";

const seconds = z.number().check(z.positive());
const mode = z.enum(["auto", "prompt", "approve"]);
const shared = {
  enabled: z.optional(z.boolean()),
  required: z.optional(z.boolean()),
  startup_timeout_sec: z.optional(seconds),
  startup_timeout_ms: z.optional(z.int().check(z.positive())),
  tool_timeout_sec: z.optional(seconds),
  enabled_tools: z.optional(words),
  disabled_tools: z.optional(words),
  default_tools_approval_mode: z.optional(mode),
  tools: z.optional(z.record(z.string(), z.strictObject({ approval_mode: z.optional(mode) }))),
  supports_parallel_tool_calls: z.optional(z.boolean()),
  oauth: z.optional(oauth),
  scopes: z.optional(words),
  oauth_resource: z.optional(z.string()),
};
const server = z.union([
  z.strictObject({
    command: z.string(),
    args: z.optional(words),
    cwd: z.optional(z.string()),
    env: z.optional(texts),
    env_vars: z.optional(
      z.array(z.union([z.string(), z.strictObject({ name: z.string(), source: z.optional(z.literal("local")) })])),
    ),
    ...shared,
  }),
  z.strictObject({
    url: z.string(),
    bearer_token_env_var: z.optional(z.string()),
    http_headers: z.optional(texts),
    env_http_headers: z.optional(texts),
    ...shared,
  }),
]);

export const codexDocument = () => z.strictObject({ mcp_servers: z.record(z.string(), server) });

export type CodexDocument = z.infer<ReturnType<typeof codexDocument>>;
export type CodexServer = CodexDocument["mcp_servers"][string];
