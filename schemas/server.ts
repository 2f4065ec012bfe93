import * as z from "zod";
import {
  duration,
  grants,
  jsonSchema,
  labelName,
  name,
  notEmpty,
  restrictions,
  selector,
  text,
  whole,
} from "./parts.ts";

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable");

const headers = z.record(text, z.string()).refine(notEmpty, "empty");
const http = z.strictObject({ http: text, headers: headers.optional() });
const sse = z.strictObject({ sse: text, headers: headers.optional() });
const stdio = z.strictObject({
  stdio: z
    .array(z.string())
    .min(1)
    .refine((command) => command[0] !== "", "a command first"),
  env: z.record(variable, z.string()).refine(notEmpty, "empty").optional(),
  cwd: text.optional(),
});

export const transport = z.union([http, sse, stdio]);

/** A server's `tools:` takes what a role's entry takes, without `ask` and `where`. */
export const ceiling = z.union([
  whole,
  grants,
  z.strictObject({ include: grants.optional(), exclude: restrictions.optional() }).refine(notEmpty, "empty"),
]);

export const scopes = z.union([z.array(text).min(1), z.record(text, restrictions).refine(notEmpty, "empty")]);

export const hints = z
  .strictObject({
    readOnly: z.boolean().optional(),
    destructive: z.boolean().optional(),
    idempotent: z.boolean().optional(),
    openWorld: z.boolean().optional(),
  })
  .refine(notEmpty, "empty");

export const limits = z
  .strictObject({
    ratePerMinute: z.int().positive().optional(),
    timeout: duration.optional(),
    concurrency: z.int().positive().optional(),
  })
  .refine(notEmpty, "empty");

export const server = z.strictObject({
  preset: name
    .optional()
    .describe(
      "Reads mcp/presets/<name>.yaml; what is written here replaces connection, limits and scopes field by field.",
    ),
  title: text.optional(),
  connect: z.array(transport).min(1).optional().describe("How the server is reached, in order of preference."),
  root: text.optional().describe("What relative paths in conditions are relative to; `cwd` when left out."),
  tools: ceiling.optional().describe("A ceiling for every role."),
  scopes: scopes.optional().describe("Also a ceiling: a map from scope to tools, or a list of scopes."),
  limits: limits.optional(),
  breaker: z
    .strictObject({ failures: z.int().positive().optional(), cooldown: duration.optional() })
    .refine(notEmpty, "empty")
    .optional(),
  connection: z.enum(["project", "session"]).optional(),
  mustConnect: z.boolean().optional().describe("true: a session can't start without this server."),
  manifest: name.optional().describe("Shares another server's manifest."),
  whenDown: text.optional().describe("What an agent is told while the server can't be reached."),
  hints: z
    .record(selector, hints)
    .refine(notEmpty, "empty")
    .optional()
    .describe("Corrects the server's annotations, and wins."),
  labels: z.record(labelName, restrictions).refine(notEmpty, "empty").optional(),
  results: z
    .record(text, jsonSchema)
    .refine(notEmpty, "empty")
    .optional()
    .describe("JSON Schema of a result that the server doesn't promise."),
  owner: text.optional(),
});
