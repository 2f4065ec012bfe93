import * as z from "zod/mini";

/**
 * The small pieces that every document is made of. `zod/mini`, because every build makes these schemas anew: the larger
 * half of zod takes four times as long to load.
 */

/** A key that may be left out. `says` is for editors and the reference. */
export function optional<T extends z.core.$ZodType>(schema: T, says?: string): z.ZodMiniOptional<T> {
  const made = z.optional(schema);
  return says === undefined ? made : made.check(z.describe(says));
}

/** At least one item. */
export function listOf<T extends z.core.$ZodType>(item: T): z.ZodMiniArray<T> {
  return z.array(item).check(z.minLength(1));
}

/** At least one entry. */
export function mapOf<K extends z.core.$ZodRecordKey, V extends z.core.$ZodType>(
  key: K,
  value: V,
): z.ZodMiniRecord<K, V> {
  return z.record(key, value).check(z.refine(notEmpty, "empty"));
}

export function notEmpty(map: object): boolean {
  return Object.keys(map).length > 0;
}

function form(pattern: RegExp, says: string): z.ZodMiniString {
  return z.string().check(z.regex(pattern, says));
}

export const name = form(/^[a-z][a-z0-9_-]*$/, "a name: lower-case letters, digits, `-` and `_`, a letter first");
export const labelName = form(/^[a-z][a-z0-9-]*$/, "a label: lower-case letters, digits and `-`, a letter first");
export const variableName = form(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable");
export const duration = form(/^[1-9][0-9]*(ms|s|m)$/, "a duration of more than 0: a whole number and `ms`, `s` or `m`");
const inside = String.raw`(?![A-Za-z]:)(?:(?!\.\.?(?:\/|$))[^/\\\u0000-\u001f]+)(?:\/(?!\.\.?(?:\/|$))[^/\\\u0000-\u001f]+)*`;
/** `./` before a path, and `/` behind the one of a folder, say nothing more: they are taken away once it is read. */
const here = String.raw`(?:\.\/+)*`;
export const folderPath = form(
  new RegExp(`^${here}${inside}\\/*$`),
  "a path inside the project, with `/` between its parts",
);
export const filePath = form(new RegExp(`^${here}${inside}$`), "a path inside the project, with `/` between its parts");
export const textFile = form(
  new RegExp(`^${here}${inside}\\.(?:md|markdown|txt)$`),
  "the path of a .md, .markdown or .txt file inside the project, with `/` between its parts",
);
export const recordPath = form(
  new RegExp(`^${here}${inside}\\.jsonl$`),
  "the path of a .jsonl file inside the project, with `/` between its parts",
);
/** Of a team's state: a server's name, and the scheme of its addresses. */
export const schemeName = form(
  /^[a-z][a-z0-9-]{0,30}$/,
  "a name of at most 31 lower-case letters, digits and `-`, a letter first",
);
export const listPath = form(
  new RegExp(`^${here}${inside}\\.(?:md|markdown|jsonl)$`),
  "the path of a .md or .jsonl file inside the project, with `/` between its parts",
);
export const backlogPath = form(
  new RegExp(`^${here}${inside}\\.(?:md|markdown|json|jsonl)$`),
  "the path of a .md, .json or .jsonl file inside the project, with `/` between its parts",
);
export const memberPath = form(
  new RegExp(`^(?=[^{}]*\\{name\\}[^{}]*$)${here}${inside}$`),
  "a path inside the project with one `{name}` in it, with `/` between its parts",
);
export const date = form(/^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/, "a date, as `2027-01-31`");
export const accessDigest = form(/^sha256:[0-9a-f]{64}$/, "a digest of `rolecall diff --digest`");
export const login = form(/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?(?:\[bot\])?$/, "a login, without `@`");
export const text = z.string().check(z.minLength(1));
/** For columns of a database. */
export const storedText = form(/^[^\u0000-\u001f]+$/, "text without control characters");
/** Of a command that hosts' files name. What some host would take for a reference isn't in it: the file is the same for all. */
export const commandWord = form(
  /^(?!.*(?:\$[A-Za-z_{]|\{(?:env|file):))[^\u0000-\u001f]+$/,
  "a word of a command, without references",
);
/** For gateways. `scope` means scopes of OAuth to some of them. */
export const claimName = form(
  /^(?!scope$)[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/,
  "the name of a claim that isn't `scope`: letters, digits and `_`, with dots between names of claims within claims",
);
export const keysUrl = form(
  /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)(?=[:/]))[^\s\u0000-\u001f]{1,245}$/,
  "a URL of https, or of http on this machine, of at most 253 characters",
);
export const doorUrl = form(
  /^https?:\/\/[A-Za-z0-9.-]+(?::[1-9][0-9]{0,4})?(?:\/[A-Za-z0-9._~-]+)*$/,
  "a URL of host, port and path alone, without a `/` at its end",
).check(z.refine((url) => URL.canParse(url), "a URL"));
export const variableReference = form(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, "a variable, as `${NAME}`");
export const domainName = form(
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/,
  "a name of a host in lower-case letters, without a port",
);
export const objectName = form(
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  "the name of an object in Kubernetes: at most 63 lower-case letters, digits and `-`",
);
/** Apart from `text`, so that the JSON Schemas can say what it is. */
export const selector = z.string().check(z.minLength(1));

/** In a place that restricts: a selector, one that may match nothing, or one that must match nothing. */
export const restriction = z.union([
  selector,
  z.strictObject({ optional: selector }),
  z.strictObject({ absent: selector }),
]);
export const grants = listOf(selector);
export const restrictions = listOf(restriction);
export const whole = z.enum(["all", "none", "read-only"]);

/** Globs of addresses. */
const addresses = listOf(text);
export const addressEntry = z.union([
  z.enum(["none"]),
  addresses,
  z.strictObject({ include: optional(addresses), exclude: optional(addresses) }).check(z.refine(notEmpty, "empty")),
]);

export const jsonSchema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

export const condition = z
  .strictObject({
    glob: optional(text, "A path glob: `*` within a segment, `**` any number of segments, `?` one character."),
    enum: optional(listOf(z.unknown()), "The values that are allowed, compared as JSON."),
    pattern: optional(text.check(z.maxLength(4096)), "A regular expression that must match the whole value."),
    schema: optional(jsonSchema, "A JSON Schema that the value must satisfy."),
    optional: optional(z.boolean(), "true: the argument may be left out."),
  })
  .check(
    z.refine(
      (c) => c.glob !== undefined || c.enum !== undefined || c.pattern !== undefined || c.schema !== undefined,
      "one of `glob`, `enum`, `pattern`, `schema`",
    ),
  );

export const conditions = mapOf(text, condition);
export const where = mapOf(selector, conditions);
