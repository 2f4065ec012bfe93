/**
 * A path as files.txt has it: its parts with `/` between them, `~1` for a slash in a part, `~0` for a tilde, `~u` and
 * four digits for what would end a line or a column. The empty path is the text below front matter.
 */
export function textOfPath(at: readonly string[]): string {
  return at
    .map((part) =>
      part
        .replaceAll("~", "~0")
        .replaceAll("/", "~1")
        .replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, (one) => `~u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
    )
    .join("/");
}

export function pathOfText(text: string): readonly string[] {
  const part = (written: string) =>
    written
      .replace(/~u([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
      .replaceAll("~1", "/")
      .replaceAll("~0", "~");
  return text === "" ? [] : text.split("/").map(part);
}
