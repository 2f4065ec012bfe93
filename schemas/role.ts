import * as z from "zod/mini";
import {
  addressEntry,
  grants,
  listOf,
  mapOf,
  name,
  notEmpty,
  optional,
  restrictions,
  text,
  textFile,
  where,
  whole,
} from "./parts.ts";

export const roleEntry = z.union([
  whole,
  grants,
  z
    .strictObject({
      include: optional(grants),
      exclude: optional(restrictions),
      ask: optional(restrictions),
      where: optional(where),
    })
    .check(z.refine(notEmpty, "empty")),
]);

/** `optional`: a name that this version of rolecall may not know, as of a newer version of the host. */
const builtin = z.union([text, z.strictObject({ optional: text })]);
export const builtins = z.union([z.enum(["all", "none"]), listOf(builtin)]);

export const role = z.strictObject({
  description: optional(text),
  prompt: optional(textFile, "A Markdown or text file with the role's charter, which hosts tell the agent."),
  extends: optional(z.union([name, listOf(name)])),
  owner: optional(text),
  tools: optional(mapOf(name, roleEntry)),
  resources: optional(
    mapOf(name, addressEntry),
    "What it may read of servers beside their tools: globs of addresses, by server; nothing when left out.",
  ),
  builtins: optional(mapOf(name, builtins), "The host's own tools, by host: exact names, `all` or `none`."),
  delegates: optional(listOf(name), "Roles that this one may hand work to."),
  keep: optional(text, "Why its grants stay, seldom used as they may be: `rolecall unused` leaves them alone."),
});
