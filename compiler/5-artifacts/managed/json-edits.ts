import type { JSONScanner, Node } from "jsonc-parser";
import type { JsonValue } from "../../base/json.ts";
import { type Layout, printed } from "./json-text.ts";

/**
 * Changes to the text of one object. What `insertKey` adds is exactly what `removeProperty` takes out again, wherever
 * comments and commas stand.
 */
export interface Site {
  readonly text: string;
  readonly object: Node;
  readonly root: Node;
  /** Over the whole text. */
  readonly scanner: JSONScanner;
}

/** As the last key of the object. An object without keys opens up, unless all of the file is one line. */
export function insertKey(site: Site, name: string, value: JsonValue, layout: Layout): string {
  const { text, object } = site;
  const property = (indent: string | undefined) => `${JSON.stringify(name)}: ${printed(value, indent, layout)}`;
  const last = object.children?.at(-1);
  if (last !== undefined) return insertedAfter(site, last, property, layout);
  const close = endOf(object) - 1;
  const outer = indentAt(text, object.offset);
  const [start, inner] = [object.offset + 1, text.slice(object.offset + 1, close)];
  if (isBlank(inner)) {
    const filled = isInline(site.root, text)
      ? property(undefined)
      : layout.eol + outer + layout.unit + property(outer + layout.unit) + layout.eol + outer;
    return text.slice(0, start) + filled + text.slice(close);
  }
  const at = endOfLineOf(text, tokensBetween(site, start, close), start);
  const opened = text.slice(at, close).includes("\n");
  const added = opened ? layout.eol + outer + layout.unit + property(outer + layout.unit) : ` ${property(undefined)}`;
  return text.slice(0, at) + added + text.slice(at);
}

function insertedAfter(
  site: Site,
  last: Node,
  property: (indent: string | undefined) => string,
  layout: Layout,
): string {
  const { text, object } = site;
  const after = tokensBetween(site, endOf(last), endOf(object) - 1);
  const comma = after.find((token) => token.kind === "comma");
  const sameLine = comma ? after.slice(after.indexOf(comma) + 1) : after;
  const at = endOfLineOf(text, sameLine, comma?.end ?? endOf(last));
  const endsInLineComment = sameLine.some((token) => token.kind === "line" && token.end === at);
  const inline = !endsInLineComment && !startsLine(text, last.offset) && !isAfterBreak(site, last);
  const indent = startsLine(text, last.offset)
    ? indentAt(text, last.offset)
    : indentAt(text, object.offset) + layout.unit;
  const added = inline ? ` ${property(undefined)}` : layout.eol + indent + property(indent);
  return (
    text.slice(0, endOf(last)) +
    (comma ? "" : ",") +
    text.slice(endOf(last), at) +
    added +
    (comma ? "," : "") +
    text.slice(at)
  );
}

/** Takes one out with its comma and the space before it; comments stay. */
export function removeProperty(site: Site, property: Node): string {
  const { text, object } = site;
  const siblings = object.children!;
  const previous = siblings[siblings.indexOf(property) - 1];
  const before = tokensBetween(site, previous ? endOf(previous) : object.offset + 1, property.offset);
  const next = siblings[siblings.indexOf(property) + 1];
  const after = tokensBetween(site, endOf(property), next ? next.offset : endOf(object) - 1);
  const comma = after.find((token) => token.kind === "comma") ?? before.find((token) => token.kind === "comma");
  const gap = before.at(-1)?.end ?? (previous ? endOf(previous) : object.offset + 1);
  // What follows in this line would become a part of the comment before it.
  const keepsBreak = before.at(-1)?.kind === "line" && !/^[ \t,]*(?:\r?\n|$)/.test(text.slice(endOf(property)));
  const cuts = [{ start: keepsBreak ? property.offset : gap, end: endOf(property) }, ...(comma ? [comma] : [])];
  return cuts
    .sort((a, b) => b.start - a.start)
    .reduce((shorter, { start, end }) => shorter.slice(0, start) + shorter.slice(end), text);
}

interface Token {
  readonly kind: "comma" | "line" | "block";
  readonly start: number;
  readonly end: number;
}

/** `SyntaxKind` of jsonc-parser: its own object would have to be loaded for four numbers. */
const KINDS: Readonly<Record<number, Token["kind"]>> = { 5: "comma", 12: "line", 13: "block" };

/** Commas and comments. */
function tokensBetween({ scanner }: Site, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  scanner.setPosition(from);
  while (scanner.getPosition() < to) {
    const kind = KINDS[scanner.scan()];
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    if (kind !== undefined) tokens.push({ kind, start, end });
  }
  return tokens;
}

/** Behind the comments that begin in the line in which `from` lies. */
function endOfLineOf(text: string, tokens: readonly Token[], from: number): number {
  let end = from;
  for (const token of tokens) {
    if (token.kind === "comma" || text.slice(end, token.start).includes("\n")) break;
    end = token.end;
  }
  return end;
}

function isAfterBreak({ text, object }: Site, last: Node): boolean {
  const previous = object.children!.at(-2);
  return text.slice(previous ? endOf(previous) : object.offset + 1, last.offset).includes("\n");
}

function isInline(root: Node, text: string): boolean {
  return (root.children ?? []).length > 0 && !text.slice(root.offset, endOf(root)).includes("\n");
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim() === "" && offset > 0;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))![0];
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** Of what JSON takes for space; an odd one is text. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}
