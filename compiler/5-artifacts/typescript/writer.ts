import { visibleJson } from "../../base/visible.ts";
import type { ProjectSettings } from "../../3-plan/types.ts";
import { typeScriptHead } from "../header.ts";

/**
 * The only maker of TypeScript text. In the tag `code` the fixed text is code and every slot is data, printed as a
 * literal, unless it was built here. A stranger's text can therefore be put into any slot: it stays data.
 */
class FinishedText {
  /** So that nothing else has this type. */
  declare private readonly made: never;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Finished TypeScript text. Only this file can make one: what JSON holds is an instance of no class. */
export type Code = FinishedText;

export type Slot = string | number | boolean | null | Code | readonly Code[];

export function code(fixed: TemplateStringsArray, ...slots: readonly Slot[]): Code {
  let text = fixed[0]!;
  for (let i = 0; i < slots.length; i++) text += print(slots[i]!) + fixed[i + 1]!;
  return make(text);
}

/** An identifier. What isn't one is a bug of the caller: identifiers never come from a stranger as they are. */
export function name(identifier: string): Code {
  if (!identifierShape.test(identifier)) throw new Error(`not an identifier: ${JSON.stringify(identifier)}`);
  return make(identifier);
}

/** The key of a property in a type: as it is, quoted where it is no plain identifier. */
export function key(property: string): Code {
  return make(identifierShape.test(property) && property !== "__proto__" ? property : literal(property));
}

export interface DocTags {
  /** The default of a property, as JSON. */
  readonly default?: string | undefined;
  readonly deprecated?: boolean | undefined;
}

/** A doc comment of its own line or lines, line break included; nothing when there is nothing to say. */
export function doc(text: string | undefined, indent: Code, tags?: DocTags): Code {
  let all = text === undefined ? "" : comment(text);
  if (tags?.default !== undefined) all += `${all === "" ? "" : "\n"}@default ${comment(tags.default)}`;
  if (tags?.deprecated === true) all += `${all === "" ? "" : "\n"}@deprecated`;
  if (all === "") return nothing;
  if (!all.includes("\n")) return make(`${indent.text}/** ${all} */\n`);
  const margin = `\n${indent.text} *`;
  return make(
    `${indent.text}/**${margin} ${all.replace(/\n(\n*)/g, (_, blank: string) => margin.repeat(blank.length + 1) + " ")}\n${indent.text} */\n`,
  );
}

/** `level` steps of two spaces. */
export function indentation(level: number): Code {
  return make("  ".repeat(level));
}

export function join(parts: readonly Code[], separator: Code): Code {
  if (parts.length === 1) return parts[0]!;
  let text = "";
  for (let i = 0; i < parts.length; i++) text += i === 0 ? parts[i]!.text : separator.text + parts[i]!.text;
  return make(text);
}

/** A whole file. */
export function typeScriptFile(body: Code): string {
  return `${typeScriptHead}\n${body.text}`;
}

export const nothing: Code = make("");

/** More of a description than this is cut: nobody reads it in an editor, and one server sends megabytes. */
const longestComment = 10_000;

const identifierShape = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/** Nothing to escape between double quotes, and between single quotes. */
const plainInDouble = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const plainInSingle = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/;
/** Nothing that a comment must change: no `*` or `/`, `@`, `#`, and no character that can't be seen. */
const plainInComment = /^[\x20-\x22\x24-\x29\x2b-\x3f\x41-\x7e\n]*$/;

function make(text: string): Code {
  return new FinishedText(text);
}

function print(slot: Slot): string {
  if (typeof slot === "string") return literal(slot);
  if (typeof slot === "object" && slot !== null) {
    if (slot instanceof FinishedText) return slot.text;
    if (!Array.isArray(slot)) throw new Error("a slot takes plain data or code");
    let text = "";
    for (const part of slot as readonly Code[]) text += print(part);
    return text;
  }
  return String(slot === 0 ? 0 : slot);
}

function literal(text: string): string {
  if (plainInDouble.test(text)) return `"${text}"`;
  // Text that holds double quotes, as JSON does, is easier to read between single ones.
  const quotes = text.includes('"') && !text.includes("'") ? "'" : '"';
  return quotes + between(quotes, text) + quotes;
}

function between(quotes: '"' | "'", text: string): string {
  if ((quotes === '"' ? plainInDouble : plainInSingle).test(text)) return text;
  const escaped = visibleJson(JSON.stringify(text)).slice(1, -1);
  return quotes === '"' ? escaped : escaped.replaceAll('\\"', '"');
}

function comment(text: string): string {
  const whole = text.length > longestComment ? cut(text) : text;
  return (plainInComment.test(whole) ? whole : keepInside(whole)).trim();
}

/**
 * Text that can neither end its comment nor speak to a tool that reads comments: what begins with `@` counts
 * only at the start of a word, `# sourceMappingURL=` only as it stands.
 */
function keepInside(text: string): string {
  const safe = text
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/(?<! ) +$/gm, "")
    .replace(/\*\//g, "*\\/")
    .replace(/[@#](?=\s*source(?:Mapping)?URL)/g, "\\$&")
    .replace(/(?<![^\s{(*/|,;:])@/g, "\\@");
  return visibleJson(safe);
}

function cut(text: string): string {
  const end = /[\ud800-\udbff]/.test(text[longestComment - 1]!) ? longestComment - 1 : longestComment;
  return `${text.slice(0, end)}\n(and ${text.length - end} characters more)`;
}

/** What stands behind the name of a module in an import. */
export function importSuffix(extension: ProjectSettings["importExtension"]): string {
  return extension === "none" ? "" : `.${extension}`;
}
