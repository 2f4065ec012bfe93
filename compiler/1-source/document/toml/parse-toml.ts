import { deepestNesting, tooDeep } from "../limits.ts";
import type { DocumentProblem } from "../problem.ts";
import { type TomlCursor, fail, notToml, passBlanks, passLines, passRest, stop, takeWord } from "./cursor.ts";
import { type Key, readKeys } from "./keys.ts";
import { tableNode, type TomlNode, type TomlTable } from "./nodes.ts";
import { readScalar } from "./scalars.ts";
import { readText } from "./strings.ts";
import { addTable, close, openTable, putValue } from "./tables.ts";

export interface ParsedToml {
  /** As far as it could be read. */
  readonly root: TomlNode & { readonly content: TomlTable };
  /** The first one. */
  readonly problem: DocumentProblem | undefined;
}

/** TOML 1.0. The text has LF alone, and none of the characters that no document may hold. */
export function parseToml(text: string): ParsedToml {
  const root = tableNode("header", undefined);
  const c: TomlCursor = { text, at: 0, problem: undefined };
  try {
    readLines(c, root.content);
  } catch (thrown) {
    if (thrown !== notToml) throw thrown;
  }
  return { root, problem: c.problem };
}

function readLines(c: TomlCursor, root: TomlTable): void {
  let table = root;
  let depth = 0;
  for (passLines(c); c.at < c.text.length; passLines(c)) {
    if (c.text[c.at] === "[") {
      const { path, isItem } = readHeader(c);
      holdDepth(c, path.length + Number(isItem));
      table = isItem ? addTable(c, root, path) : openTable(c, root, path);
      depth = path.length + Number(isItem);
    } else readPair(c, table, depth);
    endLine(c);
  }
}

function readHeader(c: TomlCursor): { readonly path: readonly Key[]; readonly isItem: boolean } {
  const start = c.at;
  const isItem = takeWord(c, "[[");
  if (!isItem) c.at++;
  const path = readKeys(c);
  const end = isItem ? "]]" : "]";
  if (!takeWord(c, end)) fail(c, "a header has no end", `close it with \`${end}\``, start);
  return { path, isItem };
}

function readPair(c: TomlCursor, table: TomlTable, depth: number): void {
  const start = c.at;
  const path = readKeys(c);
  if (c.text[c.at] !== "=") fail(c, "a key without a value", "write `key = value`", start);
  c.at++;
  passBlanks(c);
  const around = depth + path.length - 1;
  holdDepth(c, around);
  putValue(c, table, path, readValue(c, around));
}

function endLine(c: TomlCursor): void {
  passRest(c);
  if (c.at < c.text.length && c.text[c.at] !== "\n")
    fail(c, "something stands behind what ends here", "one entry is one line; text stands in quotes");
}

/** `depth`: levels of lists and tables around it, the document's own aside. */
function readValue(c: TomlCursor, depth: number): TomlNode {
  const start = c.at;
  const first = c.text[start];
  const content =
    first === "["
      ? readList(c, depth + 1)
      : first === "{"
        ? readInline(c, depth + 1)
        : scalar(readText(c) ?? readScalar(c));
  return { range: [start, c.at], key: undefined, content };
}

function scalar(value: string | number | boolean): TomlNode["content"] {
  return { kind: "scalar", value };
}

function readList(c: TomlCursor, depth: number): TomlNode["content"] {
  const start = c.at;
  holdDepth(c, depth);
  c.at++;
  const items: TomlNode[] = [];
  for (;;) {
    passLines(c);
    if (takeWord(c, "]")) return { kind: "list", grows: false, items };
    if (c.at < c.text.length) items.push(readValue(c, depth));
    passLines(c);
    if (c.at === c.text.length) fail(c, "a list has no end", "close it with `]`", start);
    if (!takeWord(c, ",") && c.text[c.at] !== "]")
      fail(c, "a list goes on without a comma", "write `,` between two items");
  }
}

/** On one line, without a comma before the end. */
function readInline(c: TomlCursor, depth: number): TomlNode["content"] {
  const start = c.at;
  holdDepth(c, depth);
  const { content } = tableNode("dotted", undefined);
  c.at++;
  passBlanks(c);
  if (!takeWord(c, "}"))
    for (;;) {
      if (c.at === c.text.length || c.text[c.at] === "\n")
        fail(c, "a table in braces is one line", "close it with `}`, or write it under a header of its own", start);
      readPair(c, content, depth);
      passBlanks(c);
      if (takeWord(c, "}")) break;
      if (!takeWord(c, ","))
        fail(c, "a table in braces goes on without a comma", "write `,` between two entries, on one line");
      passBlanks(c);
    }
  close(content);
  return content;
}

function holdDepth(c: TomlCursor, depth: number): void {
  if (depth >= deepestNesting) stop(c, tooDeep(c.at));
}
