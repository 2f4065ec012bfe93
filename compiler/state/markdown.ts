/** The parts of a Markdown text below its headings; what stands in a fenced block is no heading. */
export interface Section {
  readonly level: number;
  readonly heading: string;
  readonly body: string;
}

export interface MarkdownLine {
  readonly text: string;
  /** Within a fenced block, or one of its ends. */
  readonly isCode: boolean;
}

export function markdownLines(text: string): MarkdownLine[] {
  let fence: string | undefined;
  return text.split("\n").map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const isEnd = fence !== undefined && mark !== undefined && mark.startsWith(fence) && /^\s*[`~]+\s*$/.test(line);
    const isCode = fence !== undefined || mark !== undefined;
    if (isEnd) fence = undefined;
    else fence ??= mark;
    return { text: line, isCode };
  });
}

/** `# Heading #` as level and words. */
export function headingIn({
  text,
  isCode,
}: MarkdownLine): { readonly level: number; readonly words: string } | undefined {
  const found = isCode ? null : /^ {0,3}(#{1,6})([ \t].*)?$/s.exec(text);
  if (found === null) return undefined;
  return { level: found[1]!.length, words: withoutClosing((found[2] ?? "").trim()) };
}

/** Step by step from its end: an expression would try each place of a long run of spaces or hashes. */
function withoutClosing(words: string): string {
  let end = words.length;
  while (words[end - 1] === "#") end--;
  const stands = end === 0 || words[end - 1] === " " || words[end - 1] === "\t";
  return stands ? words.slice(0, end).trimEnd() : words;
}

/** Each heading of this level, with what follows down to the next heading of this level or above. */
export function sectionsOf(text: string, level: number): Section[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [];
  let isOpen = false;
  for (const line of markdownLines(text)) {
    const heading = headingIn(line);
    if (heading !== undefined && heading.level <= level) {
      isOpen = heading.level === level;
      if (isOpen) sections.push({ level, heading: heading.words, lines: [] });
    } else if (isOpen) sections.at(-1)!.lines.push(line.text);
  }
  return sections.map(({ heading, lines }) => ({ level, heading, body: lines.join("\n").trim() }));
}
