import * as z from "zod";
import { invariant, policy } from "./policy.ts";
import { name, notEmpty, text } from "./parts.ts";
import { role } from "./role.ts";
import { server } from "./server.ts";

const blockShape = {
  servers: z.record(name, server).refine(notEmpty, "empty").optional(),
  roles: z.record(name, role).refine(notEmpty, "empty").optional(),
  policies: z.array(policy).min(1).optional(),
  invariants: z.array(invariant).min(1).optional(),
};

/** Any source file of a project. All of them together are one program. */
export const blocks = z.strictObject({ version: z.literal(1).optional(), ...blockShape });

/** A file of `guards`: only what narrows. */
export const guard = z.strictObject({
  version: z.literal(1).optional(),
  policies: blockShape.policies,
  invariants: blockShape.invariants,
});

const relativePath = text.regex(
  /^(?![A-Za-z]:)(?:(?!\.\.?(?:\/|$))[^/\\]+)(?:\/(?!\.\.?(?:\/|$))[^/\\]+)*$/,
  "a path inside the project, with `/` between its parts",
);

/** rolecall.yaml. */
export const project = z.strictObject({
  version: z.literal(1),
  project: text,
  out: relativePath.optional().describe("Where generated TypeScript and JSON go; src/mcp when left out."),
  folder: relativePath.optional().describe("Where sources, manifests and presets lie; mcp when left out."),
  hosts: z.array(z.unknown()).optional(),
  imports: z.array(z.unknown()).optional(),
  layers: z.array(z.unknown()).optional(),
  guards: z
    .array(text)
    .optional()
    .describe("Globs of files with policies and invariants that nothing in the project can switch off."),
  severities: z.record(z.string(), z.enum(["off", "note", "warning", "error"])).optional(),
  importExtension: z.enum(["js", "ts", "none"]).optional(),
  envExample: relativePath.optional().describe("A marked block in this file is kept up to date."),
  ...blockShape,
});

const presetVariable = z.strictObject({
  name: text,
  for: text.optional(),
  url: text.optional().describe("Where to get it."),
  also: z.array(text).min(1).optional().describe("Other names that are accepted."),
});

/** mcp/presets/<id>.yaml. */
export const preset = z.strictObject({
  id: name,
  title: text.optional(),
  variables: z.array(presetVariable).min(1).optional(),
  verified: z.strictObject({ name: text, version: text.optional() }).optional(),
  notes: z.union([text, z.array(text).min(1)]).optional(),
  server: server.omit({ preset: true }),
  policies: z.array(policy).min(1).optional(),
});
