import * as z from "zod/mini";

const texts = z.record(z.string(), z.string());
const process = {
  transport: z.literal("stdio"),
  config: z.strictObject({ command: z.string(), args: z.optional(z.array(z.string())), env: z.optional(texts) }),
};
const address = {
  transport: z.enum(["sse", "http"]),
  config: z.strictObject({ url: z.string(), headers: z.optional(texts) }),
};
const id = z.union([z.string(), z.int()]);

const about = { description: z.optional(z.string()), enabled: z.optional(z.boolean()) };
const server = z.union([z.strictObject({ ...process, ...about }), z.strictObject({ ...address, ...about })]);
const named = { name: z.string(), ...about };
const listed = z.union([z.strictObject({ ...process, ...named }), z.strictObject({ ...address, ...named })]);

/** What else a product says of itself is its own business. */
export const productDocument = () =>
  z.looseObject({
    id: z.optional(id),
    mcp: z.strictObject({ servers: z.union([z.array(listed), z.record(z.string(), server)]) }),
  });

const columns = {
  id: z.optional(id),
  project_id: z.optional(id),
  product_id: z.optional(z.nullable(id)),
  name: z.string(),
  description: z.optional(z.nullable(z.string())),
  enabled: z.boolean(),
  created_at: z.optional(z.string()),
  updated_at: z.optional(z.string()),
};

export const productRows = () =>
  z.array(z.union([z.strictObject({ ...process, ...columns }), z.strictObject({ ...address, ...columns })]));

export type ProductDocument = z.infer<ReturnType<typeof productDocument>>;
export type ProductRows = z.infer<ReturnType<typeof productRows>>;
export type ProductServer = z.infer<typeof server>;
