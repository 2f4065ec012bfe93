import * as z from "zod/mini";

const server = z.strictObject({
  type: z.enum(["local", "sse"]),
  command: z.optional(z.union([z.array(z.string()), z.string()])),
  url: z.optional(z.string()),
  env: z.optional(z.record(z.string(), z.string())),
  enabled: z.boolean(),
  allowedTools: z.optional(z.array(z.string())),
  description: z.optional(z.string()),
});

/** `null` takes a server of an earlier layer out. */
const servers = z.record(z.string(), z.nullable(server));

/** Tools of the product itself, which are no servers. */
const ownTools = {
  slack_notify: z.optional(z.unknown()),
  create_linear_issue: z.optional(z.unknown()),
  email_user: z.optional(z.unknown()),
  create_session: z.optional(z.unknown()),
};
const enabledTools = { ...ownTools, mcp_servers: z.optional(servers) };
const agentConfig = {
  agentType: z.optional(z.string()),
  modelId: z.optional(z.string()),
  mcpServers: z.optional(servers),
};

/** The value of a column, or an object with the column's name around it. */
export const proliferateDocument = () =>
  z.strictObject({
    ...enabledTools,
    ...agentConfig,
    enabledTools: z.optional(z.strictObject(enabledTools)),
    agentConfig: z.optional(z.strictObject(agentConfig)),
    agent_config: z.optional(z.strictObject(agentConfig)),
  });

export type ProliferateDocument = z.infer<ReturnType<typeof proliferateDocument>>;
export type ProliferateServers = z.infer<typeof servers>;
export type ProliferateServer = z.infer<typeof server>;
