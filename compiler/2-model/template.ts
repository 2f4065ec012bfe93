import type { Place } from "../base/place.ts";
import { namesValue } from "../base/secret-names.ts";
import type { CaseOf, Report } from "../diagnostics/report.ts";
import type { Template, TemplatePart } from "./types.ts";

/**
 * Parses `${NAME}`, `${NAME:-default}`, `${NAME:+text}`, `${NAME:?message}`, nested, with `$$` for a dollar. Nothing is
 * ever expanded here. What looks like a reference and isn't is an error that shows our spelling; nothing more is said of
 * such a text, so it has no parts.
 */
export function parseTemplate(written: string, place: Place, report: Report): Template {
  const foreign = foreignSpelling(written);
  if (foreign) {
    report.add("reference/foreign-spelling", place, mayBeSecret(foreign.written, place) ? OF_A_DOLLAR : foreign);
    return { written, parts: [] };
  }
  const result = readParts(written, 0, 0);
  if ("case" in result) {
    report.add("reference/malformed", place, { written, ...result });
    return { written, parts: [] };
  }
  return { written, parts: result.parts };
}

/** What a password that begins with a dollar could be taken for isn't repeated. */
const OF_A_DOLLAR = { written: "$...", ours: "${NAME}` for a variable or `$$..." };

function mayBeSecret(written: string, { path }: Place): boolean {
  const name = path.at(-1);
  return typeof name === "string" && namesValue(name) && /^\$[A-Z\d_]*[a-z]\w*$/.test(written);
}

/** Taken as it stands: a `$` in it is a dollar. `written` is the same text as a reference-free template. */
export function literalTemplate(text: string): Template {
  return { written: text.replaceAll("$", "$$$$"), parts: text === "" ? [] : [text], literal: true };
}

export function isOneReference(template: Template): boolean {
  return template.parts.length === 1 && typeof template.parts[0] !== "string";
}

/** Every reference in the template, those inside default and `:+` texts included. */
export function* references(parts: readonly TemplatePart[]): Generator<Exclude<TemplatePart, string>> {
  for (const part of parts) {
    if (typeof part === "string") continue;
    yield part;
    yield* references(part.word);
  }
}

/** Nobody needs more, and a stack has an end. */
const DEEPEST = 20;

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;

/** What is wrong with a reference, in the catalogue's cases. */
type Malformed = CaseOf<"reference/malformed", "written">;

/** Reads to the end, or inside a reference to its closing brace. */
function readParts(text: string, start: number, depth: number): { parts: TemplatePart[]; end: number } | Malformed {
  const parts: TemplatePart[] = [];
  let literal = "";
  let at = start;
  const flush = (): void => {
    if (literal !== "") parts.push(literal);
    literal = "";
  };
  while (at < text.length) {
    const char = text[at]!;
    if (depth > 0 && char === "}") break;
    if (char !== "$") {
      literal += char;
      at += 1;
    } else if (text[at + 1] === "$") {
      literal += "$";
      at += 2;
    } else {
      const reference = readReference(text, at, depth);
      if ("case" in reference) return reference;
      flush();
      parts.push(reference.part);
      at = reference.end;
    }
  }
  if (depth > 0 && at >= text.length) return { case: "open" };
  flush();
  return { parts, end: at };
}

const FORMS = { "-": "default", "+": "if-set", "?": "required" } as const;

function readReference(text: string, start: number, depth: number): { part: TemplatePart; end: number } | Malformed {
  if (text[start + 1] !== "{") return { case: "alone" };
  if (depth >= DEEPEST) return { case: "deep", most: String(DEEPEST) };
  NAME.lastIndex = start + 2;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return { case: "nameless" };
  const after = start + 2 + name.length;
  if (text[after] === "}") return { part: { name, form: "plain", word: [] }, end: after + 1 };
  const form = text[after] === ":" ? FORMS[text[after + 1] as keyof typeof FORMS] : undefined;
  if (form === undefined)
    return after >= text.length ? { case: "open" } : { case: "stranger", character: text[after]! };
  const word = readParts(text, after + 2, depth + 1);
  return "case" in word ? word : { part: { name, form, word: word.parts }, end: word.end + 1 };
}

const FOREIGN: readonly { readonly spelling: RegExp; readonly ours: (found: RegExpExecArray) => string }[] = [
  {
    spelling: /\$\{(?:env|input|secrets?|vars?):([A-Za-z_][\w-]*)\}/,
    ours: (found) => `\${${variableName(found[1]!)}}`,
  },
  { spelling: /(?<!\$)\{(?:env|file):([A-Za-z_][\w-]*)\}/, ours: (found) => `\${${variableName(found[1]!)}}` },
  { spelling: /\$\{\{\s*(?:\w+\.)*([A-Za-z_]\w*)\s*\}\}/, ours: (found) => `\${${found[1]}}` },
  { spelling: /\$env:([A-Za-z_]\w*)/, ours: (found) => `\${${found[1]}}` },
  { spelling: /(?<!\$)\$([A-Za-z_]\w*)/, ours: (found) => `\${${found[1]}}\` for the variable or \`$$${found[1]}` },
  {
    spelling: /\$\{\s+([A-Za-z_][\w-]*)\s*\}|\$\{([A-Za-z_]\w*)\s+\}/,
    ours: (found) => `\${${variableName(found[1] ?? found[2]!)}}`,
  },
  {
    spelling: /\$\{(?:process\.env|env|secrets?|vars?)\.([A-Za-z_][\w-]*)\}/,
    ours: (found) => `\${${variableName(found[1]!)}}`,
  },
  // Joined by dashes or dots and in one case, it is a name; `${LOG_LEVEL-warn}` is the default of a shell.
  {
    spelling: /\$\{((?:[a-z_][a-z0-9_]*(?:[-.][a-z_][a-z0-9_]*)+)|(?:[A-Z_][A-Z0-9_]*(?:[-.][A-Z_][A-Z0-9_]*)+))\}/,
    ours: (found) => `\${${variableName(found[1]!)}}`,
  },
  { spelling: /\$\{([A-Za-z_]\w*)(:?=|-|:)(?![-+?])([^$}]*)\}/, ours: (found) => `\${${found[1]}:-${found[3]}}` },
];

function foreignSpelling(written: string): { written: string; ours: string } | undefined {
  const text = written.replaceAll("$$", "\u0000\u0000");
  for (const { spelling, ours } of FOREIGN) {
    const found = spelling.exec(text);
    if (found) return { written: written.slice(found.index, found.index + found[0].length), ours: ours(found) };
  }
  return undefined;
}

function variableName(name: string): string {
  return name.replace(/[-.]/g, "_").toUpperCase();
}
