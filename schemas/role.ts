import * as z from "zod";
import { grants, name, notEmpty, restrictions, text, where, whole } from "./parts.ts";

export const roleEntry = z.union([
  whole,
  grants,
  z
    .strictObject({
      include: grants.optional(),
      exclude: restrictions.optional(),
      ask: restrictions.optional(),
      where: where.optional(),
    })
    .refine(notEmpty, "empty"),
]);

export const builtins = z.union([z.enum(["all", "none"]), z.array(text).min(1)]);

export const role = z.strictObject({
  description: text.optional(),
  extends: z.union([name, z.array(name).min(1)]).optional(),
  owner: text.optional(),
  tools: z.record(name, roleEntry).refine(notEmpty, "empty").optional(),
  builtins: z
    .record(name, builtins)
    .refine(notEmpty, "empty")
    .optional()
    .describe("The host's own tools, by host: exact names, `all` or `none`."),
  delegates: z.array(name).min(1).optional().describe("Roles that this one may hand work to."),
});
