import * as z from "zod/mini";
import { conditions, listOf, optional, restriction, restrictions, selector, text } from "./parts.ts";

const roles = restrictions;

export const policy = z
  .strictObject({
    name: optional(text),
    roles,
    tools: optional(restrictions),
    resources: optional(listOf(text), "Addresses that they may not read, `server:glob`; `deny` alone."),
    effect: optional(z.enum(["deny", "ask"])),
    where: optional(conditions),
  })
  .check(
    z.refine((p) => (p.effect === undefined) !== (p.where === undefined), "one of `effect` and `where`"),
    z.refine((p) => p.tools !== undefined || p.resources !== undefined, "`tools` or `resources`"),
    z.refine((p) => p.resources === undefined || p.effect === "deny", "`effect: deny` for `resources`"),
  );

const never = z
  .strictObject({
    roles,
    tools: optional(restrictions),
    together: optional(z.array(restriction).check(z.minLength(2))),
    asked: optional(z.enum(["count", "ignore"])),
  })
  .check(z.refine((n) => (n.tools === undefined) !== (n.together === undefined), "one of `tools` and `together`"));

export const invariant = z
  .strictObject({
    name: optional(text),
    never: optional(never),
    always: optional(z.strictObject({ roles, tools: restrictions, effect: z.enum(["ask", "allow"]) })),
    can: optional(z.strictObject({ roles, tools: listOf(selector) })),
  })
  .check(
    z.refine(
      (i) => [i.never, i.always, i.can].filter((claim) => claim !== undefined).length === 1,
      "one of `never`, `always`, `can`",
    ),
  );
