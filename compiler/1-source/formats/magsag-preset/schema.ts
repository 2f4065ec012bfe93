import * as z from "zod/mini";

const texts = z.record(z.string(), z.string());
const remote = z.strictObject({
  type: z.enum(["http", "sse"]),
  url: z.string(),
  headers: z.optional(texts),
});
const local = z.strictObject({
  type: z.literal("stdio"),
  command: z.string(),
  args: z.optional(z.array(z.string())),
  env: z.optional(texts),
  cwd: z.optional(z.string()),
});
const transport = z.union([remote, local]);
/** A reference, or what one comes to. */
const yesOrNo = z.union([z.boolean(), z.string()]);

export const magsagPresetDocument = () =>
  z.strictObject({
    id: z.string(),
    version: z.optional(z.string()),
    description: z.optional(z.string()),
    transport,
    fallback: z.optional(z.array(transport)),
    read_only: z.optional(yesOrNo),
    options: z.optional(z.strictObject({ read_only: z.optional(yesOrNo) })),
    permissions: z.optional(
      z.strictObject({
        scope: z.optional(z.array(z.string())),
        read_only: z.optional(yesOrNo),
        write_requires_approval: z.optional(yesOrNo),
      }),
    ),
    notes: z.optional(z.union([z.string(), z.array(z.string())])),
  });

export type MagsagPresetDocument = z.infer<ReturnType<typeof magsagPresetDocument>>;
export type MagsagTransport = z.infer<typeof transport>;
