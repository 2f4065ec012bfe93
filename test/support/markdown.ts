/** A fenced block of a Markdown page: ```` ```yaml file=rolecall.yaml ```` */
export interface Block {
  readonly language: string;
  /** What stands behind the language: `error=role/unknown` is `{ error: "role/unknown" }`. */
  readonly marks: Readonly<Record<string, string>>;
  readonly text: string;
  /** Of the line with the fence, counted from 1. */
  readonly line: number;
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)[ \t]*([^\n]*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    language: found[1]!,
    marks: readMarks(found[2]!),
    text: found[3]!,
    line: page.slice(0, found.index).split("\n").length,
  }));
}

function readMarks(text: string): Record<string, string> {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return Object.fromEntries(words.map((word) => [word.split("=")[0]!, word.split("=").slice(1).join("=")]));
}

/** The page without its blocks; lines keep their numbers. */
export function proseOf(page: string): string {
  return page.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ""));
}

/** What stands between back-ticks in the prose, `\|` of tables read as `|`. */
export function inlineCode(page: string): string[] {
  return [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!.replaceAll("\\|", "|"));
}

/** Targets of links that aren't to the web. */
export function localLinks(page: string): string[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/i.test(target));
}

/** The anchors of a page, as GitHub makes them from headings. */
export function anchorsOf(page: string): string[] {
  const headings = [...proseOf(page).matchAll(/^#{1,6} +(.+)$/gm)];
  return headings.map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
}

/**
 * What of a page isn't code, as CommonMark has it: a fence or a run of back-ticks ends at one as long. Escaped characters go too, but
 * for `@` and `#`: GitHub looks for mentions and references in the text that is left when Markdown is done.
 */
export function outsideCode(page: string): string {
  const lines: string[] = [];
  let fence = "";
  for (const line of page.split("\n")) {
    const [run] = /^ {0,3}`{3,}(?=[^`]*$)/.exec(line) ?? [];
    const marks = run?.trim() ?? "";
    if (fence === "" && marks !== "") fence = marks;
    else if (fence === "") lines.push(line);
    else if (marks.length >= fence.length && line.trim() === marks) fence = "";
  }
  return lines
    .join("\n")
    .split(/\n{2,}/)
    .map((block) =>
      block.replace(/\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)[^]*?(?<!`)\2(?!`)/g, (_, escaped: string | undefined) =>
        escaped === "@" || escaped === "#" ? escaped : "",
      ),
    )
    .join("\n\n");
}
