import * as z from "zod/mini";
import {
  addressEntry,
  duration,
  filePath,
  grants,
  jsonSchema,
  labelName,
  listOf,
  mapOf,
  name,
  notEmpty,
  optional,
  restrictions,
  selector,
  storedText,
  text,
  variableName,
  whole,
} from "./parts.ts";

/** Text with references, or text that is meant to stand there as it is. */
export const written = z.union([
  z.string(),
  z.strictObject({
    literal: z
      .string()
      .check(z.describe("Taken as it stands, without references, also under a name that says secret.")),
  }),
]);
const headers = optional(mapOf(text, written));
const http = z.strictObject({ http: text, headers });
const sse = z.strictObject({ sse: text, headers });
const stdio = z.strictObject({
  stdio: listOf(written).check(z.refine((command) => command[0] !== "", "a command first")),
  env: optional(mapOf(variableName, written)),
  cwd: optional(text),
});

export const transport = z.union([http, sse, stdio]);

/** A server's `tools:` takes what a role's entry takes, without `ask` and `where`. */
export const ceiling = z.union([
  whole,
  grants,
  z.strictObject({ include: optional(grants), exclude: optional(restrictions) }).check(z.refine(notEmpty, "empty")),
]);

export const scopes = z.union([listOf(text), mapOf(text, restrictions)]);

export const hints = z
  .strictObject({
    readOnly: optional(z.boolean()),
    destructive: optional(z.boolean()),
    idempotent: optional(z.boolean()),
    openWorld: optional(z.boolean()),
  })
  .check(z.refine(notEmpty, "empty"));

const count = z.int().check(z.positive());

export const limits = z
  .strictObject({ ratePerMinute: optional(count), timeout: optional(duration), concurrency: optional(count) })
  .check(z.refine(notEmpty, "empty"));

const breaker = z
  .strictObject({ failures: optional(count), cooldown: optional(duration) })
  .check(z.refine(notEmpty, "empty"));

const product = z.union([
  storedText,
  z
    .strictObject({
      id: optional(storedText),
      name: optional(storedText, "What the server is called there; its name here when left out."),
    })
    .check(z.refine(notEmpty, "empty")),
]);

export const server = z.strictObject({
  preset: optional(
    name,
    "Reads mcp/presets/<name>.yaml; what is written here replaces connection, limits and scopes field by field.",
  ),
  from: optional(filePath, "Refines a server of that name which this file under `imports` or `layers` brings."),
  title: optional(text),
  description: optional(text, "What it is for; shown to people."),
  version: optional(text, "Of this definition; shown to people."),
  notes: optional(z.union([text, listOf(text)]), "What whoever sets it up should know."),
  enabled: optional(z.boolean(), "false: no role holds anything of it; names are checked all the same."),
  product: optional(product, "The id of the product that brings it; for hosts that keep servers by product."),
  connect: optional(listOf(transport), "How the server is reached, in order of preference."),
  root: optional(text, "What relative paths in conditions are relative to; `cwd` when left out."),
  tools: optional(ceiling, "A ceiling for every role."),
  resources: optional(addressEntry, "A ceiling for what roles read of it beside its tools: globs of addresses."),
  scopes: optional(scopes, "Also a ceiling: a map from scope to tools, or a list of scopes."),
  limits: optional(limits),
  breaker: optional(breaker),
  cache: optional(duration, "For so long an answer of a read-only tool counts for equal calls of the same role."),
  connection: optional(z.enum(["project", "session"])),
  mustConnect: optional(z.boolean(), "true: a session can't start without this server."),
  manifest: optional(name, "Shares another server's manifest."),
  whenDown: optional(text, "What an agent is told while the server can't be reached."),
  hints: optional(mapOf(selector, hints), "Corrects the server's annotations, and wins."),
  labels: optional(mapOf(labelName, restrictions)),
  results: optional(mapOf(text, jsonSchema), "JSON Schema of a result that the server doesn't promise."),
  owner: optional(text),
});
