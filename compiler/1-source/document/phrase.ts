import type { Stretch } from "../../base/place.ts";

export function lineStartAt(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

export function lineEndAt(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/**
 * The value around an offset as a person reads the line, valid YAML or not: from behind the key, the dash, the bracket
 * or the comma before it, to the comma, the bracket, the comment or the end of the line. Braces of `${X}` belong to it.
 */
export function phraseAt(text: string, at: number): Stretch {
  const lineStart = lineStartAt(text, at);
  const lineEnd = lineEndAt(text, at);
  const before = text.slice(Math.max(lineStart, at - longest), at);
  const inFlow = /(?:^|[^$])[[{]/.test(before);
  const boundary = inFlow ? /^.*(?:: |(?:^|[^$])[[{]|,|^\s*- )\s*/ : /^(?:.*: |\s*(?:- +)*)\s*/;
  const start = at - before.length + (boundary.exec(before)?.[0].length ?? 0);
  const rest = text.slice(start, Math.min(lineEnd, start + longest));
  return [start, start + (inFlow ? flowLength(rest) : blockLength(rest))];
}

/** Lines can be megabytes long; nobody reads a longer phrase. */
const longest = 1000;

function blockLength(rest: string): number {
  const comment = rest.search(/\s#/);
  return (comment === -1 ? rest : rest.slice(0, comment)).trimEnd().length;
}

function flowLength(rest: string): number {
  let braces = 0;
  for (let i = 0; i < rest.length; i++) {
    const code = rest[i];
    if (code === "{" && rest[i - 1] === "$") braces++;
    else if (code === "}" && braces > 0) braces--;
    else if (braces === 0 && (code === "," || code === "]" || code === "}")) return rest.slice(0, i).trimEnd().length;
  }
  return rest.trimEnd().length;
}

/** The text in the quotes that need the least escaping. */
export function quoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}
