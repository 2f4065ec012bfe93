import type * as z from "zod/mini";
import { writingIn } from "../base/flow-yaml.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import { keyOf, within, type Place } from "../base/place.ts";
import { beginning } from "../base/secret-patterns.ts";
import type { Report } from "../diagnostics/report.ts";
import { shorten } from "./document/text.ts";
import { acceptedKeys, schemaAt } from "./schema-walk.ts";
import { claimOf, type Claim } from "./slips/claims.ts";
import { keyAdvice, wordMeant, wordOfOthers } from "./slips/keys.ts";
import { mend } from "./slips/mend.ts";
import { emptyCase, formHint, mayBeSecret, nameCase, ownerOf, valueFound } from "./shape-words.ts";

type Issue = z.core.$ZodIssue;

/**
 * Holds a document against its schema, reports every difference at its place and returns the paths at fault.
 * The value itself stays as it was read: zod copies objects, and drops keys such as `__proto__`.
 */
export function checkShape(
  schema: z.ZodMiniType,
  value: JsonValue,
  root: Place,
  report: Report,
  {
    isForeign = false,
    otherwise,
  }: { readonly isForeign?: boolean; readonly otherwise?: () => string | undefined } = {},
): readonly (readonly (string | number)[])[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  const context = { schema, value, root, report, isForeign, otherwise: otherwise?.() };
  const issues = withoutEchoes(flatten(result.error.issues, [], value));
  for (const issue of isForeign ? issues : withoutClaimed(issues, context)) describe(issue, context);
  return issues.map((issue) => issue.path);
}

/** Where a key is misspelt, that the right one is missing is no second mistake. */
function withoutEchoes(issues: readonly FlatIssue[]): FlatIssue[] {
  const misspelt = new Set(
    issues.filter((issue) => issue.code === "unrecognized_keys").map((issue) => issue.path.join("\0")),
  );
  return issues.filter((issue) => issue.code !== "custom" || !misspelt.has(issue.path.join("\0")));
}

/** Says what several differences have in common, once, and gives back the others. */
function withoutClaimed(issues: readonly FlatIssue[], context: ShapeContext): FlatIssue[] {
  const claims: Claim[] = [];
  for (const issue of issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    const claim = claimOf({ ...context, path: issue.path, keys, writing: writingIn(context.root.file) });
    if (claim === undefined || claims.some((one) => isBelow(claim.at, one.at))) continue;
    claims.push(claim);
    sayClaim(claim, context);
  }
  return issues.flatMap((issue) => withoutKeysOf(claims, issue) ?? []);
}

/** At the top of a document only the key itself is claimed, elsewhere all that is below. */
function withoutKeysOf(claims: readonly Claim[], issue: FlatIssue): FlatIssue | undefined {
  if (claims.some(({ at }) => at.length > 0 && isBelow(issue.path, at))) return undefined;
  if (issue.code !== "unrecognized_keys" || issue.path.length > 0) return issue;
  const keys = issue.keys.filter((key) => !claims.some((claim) => claim.key === key));
  return keys.length === 0 ? undefined : ({ ...issue, keys } as FlatIssue);
}

function isBelow(path: readonly (string | number)[], above: readonly (string | number)[]): boolean {
  return above.every((step, i) => path[i] === step);
}

function sayClaim({ at, key, expected, found, help, hide }: Claim, { value, root, report }: ShapeContext): void {
  const owner = ownerOf(at, value);
  const path = key === undefined ? at : [...at, key];
  const place: Place = { ...root, path, ...(typeof path.at(-1) === "string" && { at: "key" }), ...(hide && { hide }) };
  if (key !== undefined) report.add("source/unknown-key", place, { key, owner, help });
  else report.add("source/wrong-shape", place, { owner, expected: expected ?? "", found: found ?? "", help });
}

interface ShapeContext {
  readonly schema: z.ZodMiniType;
  readonly value: JsonValue;
  /** The document as a place. */
  readonly root: Place;
  readonly report: Report;
  /** In another system's language the words of ours say nothing. */
  readonly isForeign: boolean;
  /** The next step by which nothing of the whole document would be wrong. */
  readonly otherwise: string | undefined;
}

type FlatIssue = Issue & { readonly path: (string | number)[] };

/** Unions resolved to the alternative that was meant: what is said is about that one. */
function flatten(issues: readonly Issue[], base: readonly (string | number)[], root: JsonValue): FlatIssue[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...(issue.path as (string | number)[])];
    if (issue.code !== "invalid_union") return [{ ...issue, path } as FlatIssue];
    const meant = alternativeMeant(issue.errors, valueAt(root, path));
    return meant ? flatten(meant, path, root) : [{ ...issue, path } as FlatIssue];
  });
}

/** The alternative whose own form fits and that has the fewest complaints; none when no form fits. */
function alternativeMeant(
  alternatives: readonly (readonly Issue[])[],
  value: JsonValue | undefined,
): readonly Issue[] | undefined {
  const fitting = alternatives.filter((issues) => !issues.some((issue) => isAboutForm(issue, value)));
  return fitting.toSorted((a, b) => strangeness(a, value) - strangeness(b, value) || a.length - b.length)[0];
}

/** How many keys are missing or unknown, a misspelt one once: what is wrong in a known key's value tells less. */
function strangeness(issues: readonly Issue[], value: JsonValue | undefined): number {
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  const isMissing = ({ path: [key, ...more] }: Issue) =>
    more.length === 0 && typeof key === "string" && isObject(value) && !Object.hasOwn(value, key);
  const missing = issues.filter(isMissing);
  const isMeant = ({ path }: Issue) => nearest(String(path[0]), unknown) !== undefined;
  return unknown.length + missing.filter((issue) => !isMeant(issue)).length;
}

function isAboutForm(issue: Issue, value: JsonValue | undefined): boolean {
  return (
    issue.path.length === 0 &&
    (issue.code === "invalid_type" ||
      issue.code === "invalid_value" ||
      (issue.code === "invalid_union" && !alternativeMeant(issue.errors, value)))
  );
}

function describe(issue: FlatIssue, context: ShapeContext): void {
  const { report, root } = context;
  const place = within(root, ...issue.path);
  const found = valueAt(context.value, issue.path);
  const owner = ownerOf(issue.path, context.value);
  if (issue.code === "unrecognized_keys") return unknownKeys(issue.keys, issue.path, context);
  if (isNothing(issue, found))
    return report.add("source/nothing-written", keyOf(place), { owner, ...emptyCase(issue.path) });
  if (issue.code === "invalid_key") return badKey(issue.path, context);
  if (found === undefined) return missingKey(issue.path, context);
  if (issue.code === "invalid_value" && typeof found === "string" && issue.values.every((v) => typeof v === "string"))
    return wrongWord(found, issue.values, place, context);
  if (issue.code === "invalid_format") {
    const value = String(found);
    const isHidden = mayBeSecret(value, issue.message);
    return report.add("source/wrong-value", isHidden ? { ...place, hide: value } : place, {
      value: isHidden ? beginning(value) : shorten(value),
      expected: issue.message,
      help: helpWith(issue.path, found, issue.message, context),
    });
  }
  if (issue.code === "custom" && issue.message.startsWith("one of ") && isObject(found))
    return oneOf(issue.message, found, owner, place, report);
  if (issue.code === "custom")
    return report.add("source/wrong-shape", place, { owner, expected: issue.message, found: valueFound(found) });
  const expected = expectedForm(issue, context.schema);
  report.add("source/wrong-shape", place, {
    owner,
    expected,
    found: valueFound(found),
    help: helpWith(issue.path, found, expected, context),
  });
}

function helpWith(
  path: readonly (string | number)[],
  found: JsonValue,
  expected: string,
  { schema, value, root, isForeign }: ShapeContext,
): string | undefined {
  if (isForeign) return undefined;
  const around = valueAt(value, path.slice(0, -1));
  return mend({ schema, path, found, around, writing: writingIn(root.file) }) ?? formHint(found, expected, path);
}

function isNothing(issue: FlatIssue, found: JsonValue | undefined): boolean {
  if (found === null) return true;
  const empty =
    (Array.isArray(found) && found.length === 0) ||
    (isObject(found) && Object.keys(found).length === 0) ||
    found === "";
  return (
    empty &&
    (issue.code === "too_small" ||
      issue.code === "custom" ||
      issue.code === "invalid_union" ||
      issue.code === "invalid_type")
  );
}

function unknownKeys(keys: readonly string[], path: readonly (string | number)[], context: ShapeContext): void {
  const value = valueAt(context.value, path);
  for (const key of keys) {
    context.report.addIfShown("source/unknown-key", keyOf(within(context.root, ...path, key)), () => ({
      params: {
        key,
        owner: ownerOf(path, context.value),
        help: context.otherwise ?? keyAdvice(context.schema, path, key, value, context),
      },
    }));
  }
}

/** Said of the entry that lacks the key, unless a misspelling of that very key was already reported. */
function missingKey(path: readonly (string | number)[], context: ShapeContext): void {
  const key = String(path.at(-1));
  const parentPath = path.slice(0, -1);
  const parent = valueAt(context.value, parentPath);
  const known = acceptedKeys(context.schema, parentPath, parent);
  const meant = (k: string) => (context.isForeign ? undefined : wordOfOthers(parentPath, k)) ?? nearest(k, known);
  const misspelt = isObject(parent) && Object.keys(parent).some((k) => !known.includes(k) && meant(k) === key);
  if (!misspelt)
    context.report.add("source/missing-key", keyOf(within(context.root, ...parentPath)), {
      owner: ownerOf(parentPath, context.value),
      key,
      case: key === "roles" || key === "version" || key === "limits" ? key : "other",
    });
}

function badKey(path: readonly (string | number)[], context: ShapeContext): void {
  const kind =
    { servers: "server", roles: "role", labels: "label", tools: "server", builtins: "host", env: "variable" }[
      String(path.at(-2))
    ] ?? "key";
  const written = String(path.at(-1));
  context.report.add("source/bad-name", keyOf(within(context.root, ...path)), {
    name: written,
    kind,
    ...nameCase(written, kind, path),
  });
}

function wrongWord(
  value: string,
  words: readonly string[],
  place: Place,
  { report, otherwise }: Pick<ShapeContext, "report" | "otherwise">,
): void {
  const near = wordMeant(value, words) ?? nearest(value, words);
  const advice =
    /^(?:allow|permit|grant)(?:ed)?$/i.test(value) && words.includes("deny")
      ? "a policy only narrows; a role's own `tools` grant"
      : undefined;
  const list = words.map((w) => `\`${w}\``).join(", ");
  report.add("source/wrong-value", place, {
    value,
    expected: words.length > 1 ? `one of ${list}` : list,
    help: otherwise ?? advice ?? (near && `did you mean \`${near}\`?`),
  });
}

function expectedForm(issue: FlatIssue, schema: z.ZodMiniType): string {
  if (issue.code === "invalid_type") return formWord(issue.expected);
  if (issue.code === "invalid_union") return formsOf(schemaAt(schema, issue.path));
  if (issue.code === "invalid_value")
    return issue.values.length > 1
      ? `one of ${issue.values.map((v) => `\`${String(v)}\``).join(", ")}`
      : `\`${String(issue.values[0])}\``;
  if (issue.code === "too_small")
    return issue.origin === "array"
      ? `at least ${issue.minimum} items`
      : `a number of at least ${Number(issue.minimum) + (issue.inclusive ? 0 : 1)}`;
  if (issue.code === "too_big")
    return `at most ${issue.maximum} ${issue.origin === "string" ? "characters" : ""}`.trim();
  return issue.message;
}

function formsOf(schema: z.core.$ZodType | undefined): string {
  const def = schema?._zod.def;
  if (def?.type !== "union") return "another form";
  const options = (def as z.core.$ZodUnionDef).options.map((option) => formOf(option));
  const forms = [...new Set(options)];
  return forms.length < 2 ? forms.join() : `${forms.slice(0, -1).join(", ")} or ${forms.at(-1)}`;
}

function formOf(schema: z.core.$ZodType): string {
  const def = schema._zod.def;
  if (def.type === "enum")
    return Object.values((def as z.core.$ZodEnumDef).entries)
      .map((v) => `\`${v}\``)
      .join(", ");
  return formWord(def.type);
}

function formWord(type: string): string {
  const words: Record<string, string> = {
    string: "text",
    int: "a whole number",
    number: "a number",
    boolean: "true or false",
    array: "a list",
    object: "a map",
    record: "a map",
  };
  return words[type] ?? type;
}

/** Of keys that exclude each other, several are written or none. */
function oneOf(message: string, found: JsonObject, owner: string, place: Place, report: Report): void {
  const keys = [...message.matchAll(/`(\w+)`/g)].map(([, key]) => key!);
  const written = keys.filter((key) => Object.hasOwn(found, key));
  const list = keys.map((key) => `\`${key}\``).join(", ");
  if (written.length > 1) {
    const both = written.map((key) => `\`${key}\``).join(" and ");
    report.add("source/one-of", keyOf(within(place, written[1]!)), {
      case: "several",
      owner,
      keys: list,
      both,
    });
  } else report.add("source/one-of", place, { case: "none", owner, keys: list });
}

function valueAt(value: JsonValue, path: readonly (string | number)[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else return undefined;
  }
  return at;
}
