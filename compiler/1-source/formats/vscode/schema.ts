import * as z from "zod/mini";
import { common, oauth, texts, words } from "../host-server.ts";

const shared = {
  dev: z.optional(z.unknown()),
  gallery: z.optional(z.union([z.boolean(), z.string()])),
  version: z.optional(z.string()),
  ...common,
};
const server = z.union([
  z.strictObject({
    type: z.optional(z.literal("stdio")),
    command: z.string(),
    args: z.optional(words),
    env: z.optional(texts),
    envFile: z.optional(z.string()),
    cwd: z.optional(z.string()),
    sandboxEnabled: z.optional(z.boolean()),
    sandbox: z.optional(z.unknown()),
    ...shared,
  }),
  z.strictObject({
    type: z.optional(z.enum(["http", "sse"])),
    url: z.string(),
    headers: z.optional(texts),
    oauth: z.optional(oauth),
    ...shared,
  }),
]);
const input = z.looseObject({ id: z.string(), type: z.string() });

export const vscodeDocument = () =>
  z.strictObject({
    $schema: z.optional(z.string()),
    servers: z.record(z.string(), server),
    inputs: z.optional(z.array(input)),
  });

export type VscodeDocument = z.infer<ReturnType<typeof vscodeDocument>>;
export type VscodeServer = VscodeDocument["servers"][string];
export type VscodeInput = z.infer<typeof input>;
