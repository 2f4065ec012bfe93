import * as z from "zod";

/** The small pieces that every document is made of. */

export const name = z
  .string()
  .regex(/^[a-z][a-z0-9_-]*$/, "a name: lower-case letters, digits, `-` and `_`, a letter first");
export const labelName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, "a label: lower-case letters, digits and `-`, a letter first");
export const text = z.string().min(1);
export const duration = z.string().regex(/^[1-9][0-9]*(ms|s|m)$/, "a duration: a whole number and `ms`, `s` or `m`");
export const selector = z.string().min(1);

/** In a place that restricts: a selector, one that may match nothing, or one that must match nothing. */
export const restriction = z.union([
  selector,
  z.strictObject({ optional: selector }),
  z.strictObject({ absent: selector }),
]);
export const grants = z.array(selector).min(1);
export const restrictions = z.array(restriction).min(1);
export const whole = z.enum(["all", "none", "read-only"]);

export const jsonSchema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

export const condition = z
  .strictObject({
    glob: text
      .optional()
      .describe("A path glob: `*` within a segment, `**` any number of segments, `?` one character."),
    enum: z.array(z.unknown()).min(1).optional().describe("The values that are allowed, compared as JSON."),
    pattern: text.max(4096).optional().describe("A regular expression that must match the whole value."),
    schema: jsonSchema.optional().describe("A JSON Schema that the value must satisfy."),
    optional: z.boolean().optional().describe("true: the argument may be left out."),
  })
  .refine(
    (c) => c.glob !== undefined || c.enum !== undefined || c.pattern !== undefined || c.schema !== undefined,
    "one of `glob`, `enum`, `pattern`, `schema`",
  );

export const conditions = z.record(text, condition).refine(notEmpty, "empty");
export const where = z.record(selector, conditions).refine(notEmpty, "empty");

export function notEmpty(map: object): boolean {
  return Object.keys(map).length > 0;
}
