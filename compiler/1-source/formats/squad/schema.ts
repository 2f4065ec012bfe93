import * as z from "zod/mini";

const texts = z.record(z.string(), z.string());
const common = { tools: z.optional(z.array(z.string())), timeout: z.optional(z.int().check(z.positive())) };

const local = z.strictObject({
  type: z.optional(z.enum(["local", "stdio"])),
  command: z.string(),
  args: z.optional(z.array(z.string())),
  env: z.optional(texts),
  cwd: z.optional(z.string()),
  ...common,
});
const remote = z.strictObject({
  type: z.enum(["http", "sse"]),
  url: z.string(),
  headers: z.optional(texts),
  ...common,
});
const restricted = z.strictObject({
  include: z.optional(z.array(z.string())),
  exclude: z.optional(z.array(z.string())),
});

export const squadDocument = () =>
  z.strictObject({
    servers: z.record(z.string(), z.union([local, remote])),
    agentServers: z.optional(z.record(z.string(), z.array(z.string()))),
    toolRestrictions: z.optional(z.record(z.string(), z.record(z.string(), restricted))),
  });

export type SquadDocument = z.infer<ReturnType<typeof squadDocument>>;
export type SquadServer = SquadDocument["servers"][string];
export type Restricted = z.infer<typeof restricted>;
