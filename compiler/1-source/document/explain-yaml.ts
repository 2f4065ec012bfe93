import { explainStar } from "./explain-star.ts";
import { sourceCodes } from "../../diagnostics/catalogue/source.ts";
import type { Explanation, DocumentProblem } from "./problem.ts";
import { lineEndAt, lineStartAt, phraseAt, quoted } from "./phrase.ts";
import { shorten } from "./text.ts";
import type { YamlError } from "./yaml-module.ts";

/**
 * Says what a person most likely meant where the `yaml` package found an error: it names the slip and shows
 * the right spelling. Slips that have a look of their own come first, then what the package's own code says.
 */
export function explainYaml(text: string, error: YamlError): DocumentProblem {
  const at = error.pos[0];
  const found =
    reference(text, at) ??
    explainStar(text, at) ??
    byCode[error.code]?.(text, at, error.message) ??
    fallback(at, error);
  return { code: "source/yaml", at: [found.at, found.end ?? found.at + 1], problem: found.problem, help: found.help };
}

type Explain = (text: string, at: number, message: string) => Explanation | undefined;

function reference(text: string, at: number): Explanation | undefined {
  if (text[at - 1] !== "$" || text[at] !== "{") return undefined;
  const [start, end] = phraseAt(text, at);
  const problem = "inside `{ }` and `[ ]`, `${` begins a map";
  return { at: start, end, problem, help: `quote it: \`${quoted(text.slice(start, end))}\`` };
}

const byCode: Readonly<Partial<Record<string, Explain>>> = {
  TAB_AS_INDENT: oddIndentation,
  BAD_SCALAR_START: (text, at) => {
    const [start, end] = phraseAt(text, at);
    const problem = `text can't begin with ${text[at] === "`" ? "a backtick" : `\`${text[at] ?? ""}\``}`;
    return { at, end, problem, help: `quote it: ${shownQuoted(text, start, end)}` };
  },
  BLOCK_AS_IMPLICIT_KEY: nestedKey,
  BLOCK_IN_FLOW: missingComma,
  MULTILINE_IMPLICIT_KEY: (text, at, message) =>
    message.includes("flow") ? missingComma(text, at) : keyWithoutColon(text, at),
  MISSING_CHAR: (text, at, message) => {
    if (message.startsWith("Implicit map keys")) return keyWithoutColon(text, at);
    return {
      at,
      problem: "something is missing between two entries",
      help: "write a comma between them, or quote the text",
    };
  },
  UNEXPECTED_TOKEN: unexpected,
  BAD_INDENT: oddIndentation,
  BAD_DQ_ESCAPE: (text, at) => ({
    at,
    end: at + 2,
    problem: `\`${shorten(text.slice(at, at + 2))}\` is not an escape`,
    help: `write \`\\${text.slice(at, at + 2)}\`, or use single quotes: nothing is escaped inside them`,
  }),
  RESOURCE_EXHAUSTION: (_, at) => ({ at, ...sourceCodes["source/too-large"].cases.value }),
  COMMENT_SPACE: (_, at) => ({
    at,
    problem: "a comment needs a space before its `#`",
    help: "write a space, or quote the text",
  }),
  KEY_OVER_1024_CHARS: (_, at) => ({
    at,
    problem: "this key is longer than 1,024 characters",
    help: "write a shorter key",
  }),
};

function oddIndentation(text: string, reported: number): Explanation {
  // The package may point to an empty line before the one that it means.
  const lineStart = lineStartAt(text, nextWritten(text, lineStartAt(text, reported)));
  const at = Math.max(reported, lineStart);
  const blanks = /^[ \t]*/.exec(text.slice(lineStart, lineEndAt(text, at)))![0];
  const tab = blanks.indexOf("\t");
  if (tab !== -1) return { at: lineStart + tab, problem: "a tab is used as indentation", help: "indent with spaces" };
  const mixed = mixedEntries(text, lineStart, blanks.length);
  if (mixed) return mixed;
  return {
    at: lineStart + blanks.length,
    problem: `an indentation of ${blanks.length} fits none of the lines above`,
    help: "indent the line like the entries that it belongs to",
  };
}

function nextWritten(text: string, from: number): number {
  const written = /\S/g;
  written.lastIndex = from;
  return written.exec(text)?.index ?? from;
}

/** At the same depth above stand entries of the other kind: items and keys don't mix. */
function mixedEntries(text: string, lineStart: number, depth: number): Explanation | undefined {
  const at = lineStart + depth;
  const lineEnd = lineEndAt(text, at);
  const above = lineAbove(text, lineStart, depth);
  if (above === undefined) return undefined;
  const isItem = ITEM.test(text.slice(at, lineEnd));
  if (isItem === ITEM.test(above)) return undefined;
  const end = at + text.slice(at, lineEnd).trimEnd().length;
  if (isItem) return itemInMap(text.slice(at, end), at);
  const problem = "an entry of a map stands among the items of a list";
  return { at, end, problem, help: "take out the `- ` of the lines above, or indent the line like what it belongs to" };
}

function itemInMap(item: string, at: number): Explanation {
  const [, name] = /^-\s+(?:name|id):\s+([\w-]+)$/.exec(item) ?? [];
  const entry = /^-\s+[^\s:]+:(?:\s|$)/.test(item) ? "take out the `- `" : "put the list below a key of its own";
  const help = name === undefined ? entry : `write \`${shorten(name)}:\` there, and what belongs to it indented below`;
  return { at, end: at + item.length, problem: "a list item stands among the entries of a map", help };
}

const ITEM = /^-(?:\s|$)/;

/** The nearest line above that begins at this depth, without its blanks; undefined where one that is less deep comes first. */
function lineAbove(text: string, lineStart: number, depth: number): string | undefined {
  for (let start = lineStart; start > 0;) {
    const end = start - 1;
    start = lineStartAt(text, end);
    const line = text.slice(start, end);
    const begin = line.search(/[^ ]/);
    if (begin === -1 || line[begin] === "#" || line[begin] === "\r" || begin > depth) continue;
    return begin === depth ? line.slice(begin) : undefined;
  }
  return undefined;
}

function missingComma(text: string, at: number): Explanation {
  const [start, end] = phraseAt(text, at);
  const problem = "a comma is missing, or text with a colon lacks quotes";
  return {
    at,
    end,
    problem,
    help: `write a comma between two entries, or quote the text: ${shownQuoted(text, start, end)}`,
  };
}

function nestedKey(text: string, at: number, message: string): Explanation | undefined {
  if (message.includes("block sequence")) return oddIndentation(text, at);
  const end = lineEndAt(text, at);
  const line = text.slice(at, end);
  if (line.startsWith("? ")) return { at, problem: "a `?` can't begin a value", help: "quote the text" };
  if (/:(?:\s|$)/.test(line)) {
    const [start, stop] = phraseAt(text, at);
    const problem = "a value can't hold a colon with a space behind it";
    return { at, end: stop, problem, help: `quote the text: ${shownQuoted(text, start, stop)}` };
  }
  // The value goes on below, and there a key shows up.
  const next = /\S[^\n]*/g;
  next.lastIndex = end;
  const below = next.exec(text);
  if (!below) return undefined;
  return {
    at: below.index,
    end: below.index + below[0].length,
    problem: `\`${shorten(below[0])}\` is indented below a value that was complete`,
    help: "indent it like the key above, or remove the value above",
  };
}

function keyWithoutColon(text: string, at: number): Explanation {
  const end = lineEndAt(text, at);
  const line = text.slice(at, end).trimEnd();
  const joined = /^([^\s:#]+):([^\s].*)$/.exec(line);
  if (joined) {
    const spelling = shorten(`${joined[1]!}: ${joined[2]!}`);
    return { at, end: at + line.length, problem: "there is no space behind the colon", help: `write \`${spelling}\`` };
  }
  if (ITEM.test(line)) return itemInMap(line, at);
  const problem = `\`${shorten(line)}\` has no \`:\` behind it`;
  return {
    at,
    end: at + line.length,
    problem,
    help: "a line of a map is `key: value`; text that goes on from the line above is indented further",
  };
}

function unexpected(text: string, at: number, message: string): Explanation | undefined {
  const before = text.slice(lineStartAt(text, at), at);
  if (message.includes("block-seq-ind on same line")) {
    const problem = "a list can't begin on the line of its key";
    return { at, problem, help: "put `- ` on the next line, or write `[a, b]`" };
  }
  if (text[at] === ":" && /["'\]}]$/.test(before))
    return { at, problem: "there is no space behind the colon", help: "write `: `" };
  if (message.includes("Block scalar header")) {
    return {
      at,
      problem: "text stands on the line of `|` or `>`",
      help: "begin the text on the next line, indented; or quote it",
    };
  }
  if (/["']\s*$/.test(before)) {
    const problem = "there is text behind the closing quote";
    return { at, problem, help: "put the quotes around all of it; inside single quotes a `'` is written `''`" };
  }
  if (/[\]}]\s*$/.test(before)) {
    return {
      at,
      problem: "there is text behind the closing bracket",
      help: "put the whole value in quotes, or write a comma",
    };
  }
  if (/^\s*$/.test(before)) {
    const problem = "this line doesn't continue the list above";
    return { at, end: lineEndAt(text, at), problem, help: "begin it with `- `, or indent it like what it belongs to" };
  }
  return undefined;
}

function shownQuoted(text: string, start: number, end: number): string {
  const spelling = quoted(shorten(text.slice(start, end)));
  return spelling.includes("`") ? spelling : `\`${spelling}\``;
}

/** The package's own words, in the house's style. */
function fallback(at: number, error: YamlError): Explanation {
  const words = shorten(error.message, 120).replace(/\.$/, "");
  return { at, problem: words.charAt(0).toLowerCase() + words.slice(1) };
}
