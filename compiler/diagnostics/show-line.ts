import { apart, shortened, tokensIn, type Stretch } from "../base/never-shown.ts";
import type { Locate, Located, Place, Span } from "../base/place.ts";

export type Show = (place: Place) => Shown | undefined;

export interface Shown {
  readonly span: Span;
  /** What is masked on that line, as it stands there: a message about it may repeat it without its name. */
  readonly masked: readonly string[];
}

/**
 * Lines go to logs and pull requests, whoever points at them: what may be a secret is masked on the whole line, and
 * only then it is cut. `secrets` are those that were found; a declaration that is broken otherwise isn't searched.
 */
export function showing(secrets: readonly string[], locate: Locate): Show {
  const known = new Map<string, readonly Stretch[]>();
  return (place) => {
    const at = locate(place);
    if (!at) return undefined;
    const line = `${at.line} ${at.file}`;
    const hidden = known.get(line) ?? hiddenIn(at, secrets);
    known.set(line, hidden);
    return { span: cut(at, hidden), masked: hidden.map(([start, end]) => at.text.slice(start, end)) };
  };
}

/** The name of a value may stand on the line above it. */
function hiddenIn({ text, above }: Located, secrets: readonly string[]): Stretch[] {
  const lead = above === undefined ? "" : `${above}\n`;
  const tokens = tokensIn(lead + text).map(([start, end]) => [start - lead.length, end - lead.length] as const);
  const found = secrets.flatMap((secret) => occurrences(text, secret));
  return apart([...tokens.filter(([start]) => start >= 0), ...found]);
}

function occurrences(text: string, secret: string): Stretch[] {
  const found: Stretch[] = [];
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length))
    found.push([at, at + secret.length]);
  return found;
}

const LONGEST = 500;
const BEFORE = 150;

/** The marker stays on what it marks. It takes a token whole that it would cut in two, and so do the ends of the line. */
function cut({ file, line, column, length, text }: Located, hidden: readonly Stretch[]): Span {
  const from = column - 1;
  const first = text.length <= LONGEST ? 0 : Math.max(0, Math.min(from - BEFORE, text.length - LONGEST));
  const last = Math.min(text.length, first + LONGEST);
  const start = startOf(from, hidden);
  const end = Math.max(start, endOf(Math.min(from + length, last), hidden));
  const left = Math.min(start, startOf(first, hidden));
  const right = Math.max(end, endOf(last, hidden));
  const before = (left > 0 ? "…" : "") + shortened(text, hidden, left, start);
  const marked = shortened(text, hidden, start, end);
  const after = shortened(text, hidden, end, right) + (right < text.length ? "…" : "");
  return {
    file,
    line,
    column,
    length: Math.max(1, marked.length),
    text: before + marked + after,
    textColumn: before.length + 1,
  };
}

/** The offset, or the start of the stretch that it lies in. */
function startOf(at: number, hidden: readonly Stretch[]): number {
  return hidden.find(([start, end]) => start < at && at < end)?.[0] ?? at;
}

function endOf(at: number, hidden: readonly Stretch[]): number {
  return hidden.find(([start, end]) => start < at && at < end)?.[1] ?? at;
}
