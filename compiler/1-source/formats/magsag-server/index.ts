import * as z from "zod/mini";
import { putProcess } from "../connection.ts";
import { magsagSpelled, putScopes } from "../magsag-spelling.ts";
import type { Format } from "../types.ts";

const texts = z.record(z.string(), z.string());
const magsagServerDocument = () =>
  z.strictObject({
    server_id: z.string(),
    type: z.literal("mcp"),
    command: z.string(),
    args: z.optional(z.array(z.string())),
    env: z.optional(texts),
    cwd: z.optional(z.string()),
    description: z.optional(z.string()),
    scopes: z.optional(z.array(z.string())),
    limits: z.optional(
      z.strictObject({
        rate_per_min: z.optional(z.int().check(z.positive())),
        timeout_s: z.optional(z.number().check(z.positive())),
      }),
    ),
  });

type MagsagServerDocument = z.infer<ReturnType<typeof magsagServerDocument>>;

/** A server of MAGSAG's first generation, `.mcp/servers/<server_id>.yaml`. */
export const magsagServer: Format<MagsagServerDocument> = {
  id: "magsag-server",
  title: "MAGSAG's server file",
  recognises: (value) => "server_id" in value,
  schema: magsagServerDocument,
  read: (server, made) => {
    const name = made.serverName(server.server_id, ["server_id"]);
    putProcess(made, name, server, [], { spell: magsagSpelled });
    made.put(["servers", name, "description"], server.description, ["description"]);
    putScopes(made, name, server.scopes, ["scopes"]);
    const { rate_per_min: rate, timeout_s: seconds } = server.limits ?? {};
    const limits = ["servers", name, "limits"];
    made.put([...limits, "ratePerMinute"], rate, ["limits", "rate_per_min"]);
    if (seconds !== undefined)
      made.put([...limits, "timeout"], `${Math.max(1, Math.round(seconds * 1000))}ms`, ["limits", "timeout_s"]);
  },
};
