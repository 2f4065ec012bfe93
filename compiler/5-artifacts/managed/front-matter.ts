import { oddAt } from "../../base/plain-lines.ts";
import { plainEntries } from "./plain-front-matter.ts";
import type { BrokenKeys, HeaderEntries, KeyFormat, KeyLibraries, NamePath, LookedInto } from "./types.ts";
import { yamlEntries } from "./yaml-front-matter.ts";
import { entryText } from "./yaml-text.ts";

/**
 * YAML between two lines `---` at the top of a Markdown file. Only whole lines of our own keys change, and the text below
 * where that is ours: it has the empty path, and what space there is around it is the user's.
 */
export function frontMatterFormat(yaml: KeyLibraries["yaml"]): KeyFormat {
  const read = (header: string): HeaderEntries => {
    const entries = plainEntries(header);
    return entries ? { entries } : yamlEntries(header, yaml());
  };
  const entryOf = (header: string, [key]: NamePath) => read(header).entries?.find((entry) => entry.key === key);
  return {
    look: (text) => look(text, read),
    set: (text, at, value) => {
      const parts = split(text ?? "");
      if (parts.problem !== undefined) return text ?? "";
      if (parts.header === undefined) {
        const eol = /\r?\n/.exec(parts.rest)?.[0] ?? "\n";
        return `${parts.mark}---${eol}${entryText(at[0]!, value, eol)}---${eol}${parts.rest}`;
      }
      const { header } = parts;
      const eol = parts.open.endsWith("\r\n") ? "\r\n" : "\n";
      if (at.length === 0) return whole(withBody(parts, String(value), eol), header);
      const entry = entryOf(header, at) ?? { start: header.length, end: header.length };
      return whole(parts, header.slice(0, entry.start) + entryText(at[0]!, value, eol) + header.slice(entry.end));
    },
    remove: (text, at) => {
      const parts = split(text);
      if (parts.header === undefined) return text;
      if (at.length === 0) return whole(withoutBody(parts), parts.header);
      const entry = entryOf(parts.header, at);
      return entry ? emptied(parts, parts.header.slice(0, entry.start) + parts.header.slice(entry.end)) : text;
    },
    gist: (text) => text.replaceAll("\r\n", "\n").trim(),
    endOfKeys: (text) => {
      const { header, rest } = split(text);
      if (rest === undefined) return undefined;
      // A header may stand in one side of a conflict.
      return header === undefined && rest.includes("---") ? undefined : text.length - rest.length;
    },
    flaw,
  };
}

function look(text: string, read: (header: string) => HeaderEntries): LookedInto {
  const parts = split(text);
  if (parts.problem !== undefined) return { problem: parts.problem };
  const { entries, problem } = read(parts.header ?? "");
  if (problem !== undefined) return { problem };
  const body = bodyJson(parts.rest);
  return {
    valueAt: ([key]) => {
      if (key === undefined) return { json: body };
      const entry = entries.find((one) => one.key === key);
      return entry === undefined
        ? {}
        : { json: entry.json, isUnsafe: parts.header!.slice(entry.start, entry.end).includes("---") };
    },
  };
}

/**
 * One reader ends a header at the first `---`, wherever that stands, another begins a line at more than line feeds: then a
 * list of ours would stand outside of it, or something else inside.
 */
function flaw(text: string): BrokenKeys | undefined {
  const { header } = split(text);
  if (header === undefined) return undefined;
  const at = (found: number) => String(header.slice(0, found).split("\n").length + 1);
  const end = header.indexOf("---");
  if (end >= 0) return { case: "early-end", line: at(end) };
  const odd = oddAt(header);
  return odd < 0 ? undefined : { case: "odd-line", line: at(odd) };
}

function bodyJson(rest: string): string | undefined {
  const text = rest.replaceAll("\r\n", "\n").trim();
  return text === "" ? undefined : JSON.stringify(text);
}

function withBody(parts: WithHeader, text: string, eol: string): WithHeader {
  const lines = text.replaceAll("\n", eol);
  const { above, below, body } = spaced(parts.rest);
  const rest = body === "" ? eol + lines + eol + parts.rest : above + lines + below;
  return { ...parts, rest };
}

/** The line breaks that came with it go with it. */
function withoutBody(parts: WithHeader): WithHeader {
  const { above, below } = spaced(parts.rest);
  return { ...parts, rest: above.replace(/\r?\n$/, "") + below.replace(/^\r?\n/, "") };
}

function spaced(rest: string): { readonly above: string; readonly body: string; readonly below: string } {
  const body = rest.trim();
  const start = rest.length - rest.trimStart().length;
  return { above: rest.slice(0, start), body, below: rest.slice(start + body.length) };
}

/** A header goes with its last line, and a file that held nothing else goes with it. */
function emptied(parts: WithHeader, header: string): string | undefined {
  if (header !== "") return whole(parts, header);
  return parts.rest.trim() === "" ? undefined : parts.mark + parts.rest;
}

interface WithHeader {
  readonly mark: string;
  /** The first `---` with its line break. */
  readonly open: string;
  readonly header: string;
  readonly close: string;
  readonly rest: string;
  readonly problem?: never;
}

type Parts =
  | WithHeader
  | { readonly mark: string; readonly header?: never; readonly rest: string; readonly problem?: never }
  | { readonly problem: BrokenKeys; readonly header?: never; readonly rest?: never };

function split(text: string): Parts {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const open = /^---[ \t]*(?:\r?\n|$)/.exec(body)?.[0];
  if (open === undefined) return { mark, rest: body };
  const inside = body.slice(open.length);
  const close = /(?<![^\n])---[ \t]*(?:\r?\n|$)/.exec(inside);
  if (close === null || !open.endsWith("\n")) return { problem: { case: "open-header" } };
  const header = inside.slice(0, close.index);
  return { mark, open, header, close: close[0], rest: inside.slice(close.index + close[0].length) };
}

function whole({ mark, open, close, rest }: WithHeader, header: string): string {
  return mark + open + header + close + rest;
}
