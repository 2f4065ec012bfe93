import type { Node } from "jsonc-parser";
import { keyLibraries } from "../libraries.ts";

export interface HeldName {
  readonly at: readonly string[];
  readonly name: string;
  /** `enabled: false` stands in it. */
  readonly isOff: boolean;
}

/** JSON as people write it, with comments; no node: nothing but these is in it. */
export interface JsonText {
  readonly root: Node | undefined;
}

/** Undefined: it can't be read, or not as every host would read it. */
export function readJson(text: string): JsonText | undefined {
  const written = text.replace(/^\uFEFF/, "");
  if (isReplacedAcross(written)) return undefined;
  try {
    const errors: object[] = [];
    const options = { allowTrailingComma: true, allowEmptyContent: true };
    const root = keyLibraries()
      .jsonc()
      .parseTree(written, errors as never[], options);
    return errors.length > 0 || commentsOf(written).some(mayEndElsewhere) ? undefined : { root };
  } catch {
    // So many brackets in each other that the parser's stack has no room for them.
    return undefined;
  }
}

/** The keys of a map, each as often as it is there: readers differ about which of two counts. */
export function jsonNames({ root }: JsonText, at: readonly string[]): readonly HeldName[] {
  return mapsAt(root, at, []).flatMap(({ map, way }) =>
    propertiesOf(map).map(({ name, value }) => ({ at: [...way, name], name, isOff: isOff(value) })),
  );
}

/** What stands at a path, as often as it does; a map or a list as what is in it, so that none is empty. */
export function jsonValues({ root }: JsonText, at: readonly string[]): readonly unknown[] {
  return mapsAt(root, at, []).flatMap(({ map }) =>
    map === undefined ? [] : [map.type === "object" || map.type === "array" ? (map.children ?? []) : map.value],
  );
}

/** OpenCode puts a text in its place: such a key may be any. */
const REPLACED = /\{(?:env|file):/;

/** OpenCode replaces before it parses: from one text into another this takes away what is between. */
function isReplacedAcross(text: string): boolean {
  return [...text.matchAll(/\{(?:env|file):[^}]*/g)].some(([one]) => /["\\\n\r]/.test(one));
}

/** Whether one of these places lies within a comment, as far as the text can be read. */
export function hasInComment(text: string, places: readonly number[]): boolean {
  return commentsOf(text).some(({ start, text: { length } }) =>
    places.some((place) => place >= start && place < start + length),
  );
}

interface Comment {
  readonly start: number;
  readonly text: string;
  readonly next: string;
}

function commentsOf(text: string): readonly Comment[] {
  if (!/\/[/*]/.test(text)) return [];
  const scanner = keyLibraries().jsonc().createScanner(text);
  const comments: Comment[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (kind !== LINE_COMMENT && kind !== BLOCK_COMMENT) continue;
    const end = scanner.getTokenOffset() + scanner.getTokenLength();
    comments.push({
      start: scanner.getTokenOffset(),
      text: text.slice(scanner.getTokenOffset(), end),
      next: text.slice(end, end + 2),
    });
  }
  return comments;
}

/** `SyntaxKind` of jsonc-parser, an enum of which nothing is left at run time. */
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const END = 17;

/** Some hosts take a carriage return for the end of a line, some U+2028; and what a replaced text brings may end a comment. */
function mayEndElsewhere({ text, next }: Comment): boolean {
  if (text.startsWith("/*")) return REPLACED.test(text);
  return (next.startsWith("\r") && next !== "\r\n") || /[\u2028\u2029]/.test(text);
}

function mapsAt(
  node: Node | undefined,
  [step, ...rest]: readonly string[],
  way: readonly string[],
): readonly { readonly map: Node | undefined; readonly way: readonly string[] }[] {
  if (step === undefined) return [{ map: node, way }];
  return propertiesOf(node)
    .filter(({ name }) => name === step || REPLACED.test(name))
    .flatMap(({ name, value }) => mapsAt(value, rest, [...way, name]));
}

function propertiesOf(node: Node | undefined): { readonly name: string; readonly value: Node | undefined }[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).map(({ children: [key, value] = [] }) => ({ name: String(key?.value), value }));
}

function isOff(entry: Node | undefined): boolean {
  return propertiesOf(entry).some(({ name, value }) => name === "enabled" && value?.value === false);
}
