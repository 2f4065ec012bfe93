// The part of the second opinion that needs no project: conditions on arguments, straight from the language page. The
// readings taken are listed at the top of reference.ts.
import { Ajv2020 } from "ajv/dist/2020.js";
import { asList, isObject, own, wildcard } from "./shapes.ts";
import type { Condition, Conditions, Json } from "./shapes.ts";

// ---------------------------------------------------------------- canonical JSON

/** Arguments are made canonical JSON once: sorted keys, no numbers or strings that JSON can't carry. */
function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === "string" && !/\p{Surrogate}/u.test(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(",")}]`;
  if (isObject(value) && isPlain(value)) return `{${members(value).join(",")}}`;
  throw new TypeError("not JSON");
}

/** The one copy that everything judges; undefined where JSON can't carry the arguments. */
export function canonicalCopy(args: unknown): { args: unknown } | undefined {
  try {
    return { args: JSON.parse(canonicalJson(args === undefined ? {} : args)) };
  } catch {
    return undefined;
  }
}

function members(object: Json): string[] {
  const written = Object.keys(object).filter((key) => object[key] !== undefined);
  return written.sort().map((key) => `${canonicalJson(key)}:${canonicalJson(object[key])}`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

// ---------------------------------------------------------------- one condition

/** Every condition that is written for the tool holds, all at once. */
export function allHold(conditions: Conditions, args: unknown, root: string | undefined): boolean {
  return Object.entries(conditions).every(([path, condition]) => reach(condition, args, steps(path), root));
}

type Step = { readonly key: string } | "each element";

/** The argument is named by its path: `path`, `options.path`, `edits[].path`. */
function steps(path: string): Step[] {
  return path.split(".").flatMap((part): Step[] => {
    const arrays = /(?:\[\])*$/.exec(part)?.[0] ?? "";
    const key = part.slice(0, part.length - arrays.length);
    return [{ key }, ...Array.from({ length: arrays.length / 2 }, (): Step => "each element")];
  });
}

function reach(condition: Condition, value: unknown, path: readonly Step[], root: string | undefined): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return satisfies(condition, value, root);
  if (step === "each element") return everyElement(value, (element) => reach(condition, element, rest, root));
  // A value of another type on the way is refused.
  if (!isObject(value)) return false;
  // A conditioned argument that is left out is refused unless `optional: true`.
  if (!Object.hasOwn(value, step.key)) return condition.optional === true;
  return reach(condition, value[step.key], rest, root);
}

/** An array needs at least one element and each must satisfy; arrays in arrays are refused. */
function everyElement(value: unknown, test: (element: unknown) => boolean): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((element) => !Array.isArray(element) && test(element));
}

function satisfies(condition: Condition, value: unknown, root: string | undefined): boolean {
  if (Array.isArray(value)) return everyElement(value, (element) => satisfies(condition, element, root));
  // A condition is `glob`, `enum`, `pattern` or `schema`; all that are written must hold.
  return (
    (condition.glob === undefined || globHolds(condition.glob, value, root)) &&
    (condition.enum === undefined || enumHolds(condition.enum, value)) &&
    (condition.pattern === undefined || patternHolds(condition.pattern, value)) &&
    (condition.schema === undefined || schemaHolds(condition.schema, value))
  );
}

/** `enum` compares as JSON. */
function enumHolds(values: readonly unknown[], value: unknown): boolean {
  return values.some((one) => canonicalJson(one) === canonicalJson(value));
}

/** `pattern` must match the whole value (`u` flag, at most 4,096 characters). */
function patternHolds(pattern: string, value: unknown): boolean {
  if (typeof value !== "string" || value.length > 4096) return false;
  return new RegExp(`^(?:${pattern})$`, "u").test(value);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, logger: false });

/** `schema` is JSON Schema; only properties of the data itself count. */
function schemaHolds(schema: object | boolean, value: unknown): boolean {
  return ajv.validate(schema, value);
}

// ---------------------------------------------------------------- path globs

/** `glob` judges text, the same on every system, case-sensitively, after NFC. */
function globHolds(glob: string, value: unknown, root: string | undefined): boolean {
  if (typeof value !== "string") return false;
  const segments = segmentsBelowRoot(value.normalize("NFC"), root?.normalize("NFC"));
  const patterns = glob.normalize("NFC").split("/");
  return (
    segments !== undefined &&
    pathMatches(
      patterns.filter((pattern) => pattern !== "."),
      segments,
    )
  );
}

/** Refused, not interpreted. */
const REFUSED: readonly RegExp[] = [
  /\p{Cc}/u, // control characters
  /^[\s`\p{Quotation_Mark}]/u, // white space or a quote at either end
  /[\s`\p{Quotation_Mark}]$/u,
  /^~/, // a leading ~
  /\$/, // $
  /%[0-9a-fu]/i, // %xx, %uxxxx, and what is left of them
  /:/, // a scheme or drive letter, `:` in a segment
  /^\/\//, // leading //
  /\\/, // backslashes
];

/** Other characters that some programs make a dot, a slash, a backslash or a colon of. */
function hasTwin(text: string): boolean {
  return Array.from(text).some((sign) => !/[./\\:]/.test(sign) && /[./\\:]/.test(sign.normalize("NFKC")));
}

function segmentsBelowRoot(text: string, root: string | undefined): string[] | undefined {
  if (text === "" || hasTwin(text) || REFUSED.some((shape) => shape.test(text))) return undefined;
  // Empty segments are refused, also at the end; the one before a leading slash is none.
  const written = text.replace(/^\//, "").split("/");
  if (written.includes("")) return undefined;
  // Segments `.` are dropped before judging (`./tests/a` is `tests/a`, `.` is the root).
  const plain = written.filter((segment) => segment !== ".");
  if (plain.some(isRefusedSegment)) return undefined;
  const relative = text.startsWith("/") ? withoutRoot(root, plain) : plain;
  return relative && climb(relative);
}

/** An absolute path below the root is made relative, any other is refused, and all are where the root isn't known. */
function withoutRoot(root: string | undefined, path: readonly string[]): readonly string[] | undefined {
  if (root === undefined) return undefined;
  const folders = root.split("/").filter((folder) => folder !== "");
  return folders.join("/") === path.slice(0, folders.length).join("/") ? path.slice(folders.length) : undefined;
}

/** A segment that ends in a dot or space is refused; `..` is a step, not a name. */
function isRefusedSegment(segment: string): boolean {
  return segment !== ".." && /[. ]$/.test(segment);
}

/** `..` that leaves the root is refused; `a/..` is the root. */
function climb(segments: readonly string[]): string[] | undefined {
  const path: string[] = [];
  for (const segment of segments) {
    if (segment !== "..") path.push(segment);
    else if (path.pop() === undefined) return undefined;
  }
  return path;
}

/** `**` is any number of segments, every other segment matches one. */
export function pathMatches(glob: readonly string[], path: readonly string[]): boolean {
  const [pattern, ...rest] = glob;
  if (pattern === undefined) return path.length === 0;
  const [segment, ...further] = path;
  if (pattern === "**") {
    const swallows = segment !== undefined && !segment.startsWith(".") && pathMatches(glob, further);
    return swallows || pathMatches(rest, path);
  }
  return segment !== undefined && segmentMatches(pattern, segment) && pathMatches(rest, further);
}

/** A leading dot only where the pattern writes it; `*` within a segment, `?` one character. */
function segmentMatches(pattern: string, segment: string): boolean {
  if (segment.startsWith(".") && !pattern.startsWith(".")) return false;
  const letters = Array.from(pattern, (text) => ({ text, escaped: false }));
  return wildcard(letters, Array.from(segment));
}

// ---------------------------------------------------------------- arguments that the pinned schema names

/** A tool with a `where` takes only arguments that its pinned schema names, at every depth. */
export function takesOnlyNamed(inputSchema: unknown, args: unknown): boolean {
  return onlyNamed(args, [inputSchema], inputSchema);
}

function onlyNamed(value: unknown, schemas: readonly unknown[], root: unknown): boolean {
  const levels = schemas.flatMap((schema) => withItsParts(schema, root, new Set()));
  if (Array.isArray(value)) {
    const items = levels.flatMap((level) => [...asList(level["prefixItems"]), ...asList(level["items"])]);
    return value.every((element) => onlyNamed(element, items, root));
  }
  if (!isObject(value)) return true;
  const names = levels.map((level) => level["properties"]).filter(isObject);
  const free = names.length === 0 && root !== schemas[0];
  return Object.entries(value).every(([key, inner]) => {
    const named = names.filter((properties) => Object.hasOwn(properties, key)).map((properties) => properties[key]);
    const said = [...named, ...levels.flatMap((level) => saidOfValues(level, key))];
    return (named.length > 0 || free) && onlyNamed(inner, said, root);
  });
}

/** Of a map the names are free; what is said of its values names what is in them. */
function saidOfValues(level: Json, key: string): unknown[] {
  const patterns = isObject(level["patternProperties"]) ? Object.values(level["patternProperties"]) : [];
  const isNamed = isObject(level["properties"]) && Object.hasOwn(level["properties"], key);
  return isNamed ? patterns : [...patterns, level["additionalProperties"], level["unevaluatedProperties"]];
}

/** A schema, and what it is put together from. */
function withItsParts(schema: unknown, root: unknown, seen: Set<unknown>): Json[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const combined = ["allOf", "anyOf", "oneOf"].flatMap((word) => asList(schema[word]));
  return [schema, ...[...combined, target(schema["$ref"], root)].flatMap((part) => withItsParts(part, root, seen))];
}

/** What a `$ref` within the same document points at. */
function target(ref: unknown, root: unknown): unknown {
  if (typeof ref !== "string" || !/^#(\/|$)/.test(ref)) return undefined;
  const keys = ref
    .split("/")
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));
  return keys.reduce<unknown>(
    (at, key) => (Array.isArray(at) ? at[Number(key)] : isObject(at) ? own(at, key) : undefined),
    root,
  );
}
