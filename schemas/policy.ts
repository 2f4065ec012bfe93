import * as z from "zod";
import { conditions, restriction, restrictions, selector, text } from "./parts.ts";

const roles = restrictions;

export const policy = z
  .strictObject({
    name: text.optional(),
    roles,
    tools: restrictions,
    effect: z.enum(["deny", "ask"]).optional(),
    where: conditions.optional(),
  })
  .refine((p) => (p.effect === undefined) !== (p.where === undefined), "one of `effect` and `where`");

export const invariant = z
  .strictObject({
    name: text.optional(),
    never: z
      .strictObject({
        roles,
        tools: restrictions.optional(),
        together: z.array(restriction).min(2).optional(),
        asked: z.enum(["count", "ignore"]).optional(),
      })
      .refine((n) => (n.tools === undefined) !== (n.together === undefined), "one of `tools` and `together`")
      .optional(),
    always: z.strictObject({ roles, tools: restrictions, effect: z.enum(["ask", "allow"]) }).optional(),
    can: z.strictObject({ roles, tools: z.array(selector).min(1) }).optional(),
  })
  .refine(
    (i) => [i.never, i.always, i.can].filter((claim) => claim !== undefined).length === 1,
    "one of `never`, `always`, `can`",
  );
