import { describe, expect, test } from "vitest";
import { withKeys } from "../compiler/4-artifacts/managed-keys.ts";
import { body, inHeader, key, libraries, nothing, put } from "./support/keyed-file.ts";

describe("a text below front matter", () => {
  const NAME = key("name", "a");
  const TEXT = body("# A\n\nBe kind.\n---\nname: b\n---");
  const BODY = "# A\n\nBe kind.\n---\nname: b\n---";
  test.each<[string, string | undefined, string]>([
    ["a new file", undefined, `---\nname: a\n---\n\n${BODY}\n`],
    ["a file without text", "", `---\nname: a\n---\n\n${BODY}\n`],
    ["blank lines", "---\nmodel: opus\n---\n\n \n", `---\nmodel: opus\nname: a\n---\n\n${BODY}\n\n \n`],
    ["CRLF", "---\r\nmodel: opus\r\n---\r\n", `---\nmodel: opus\nname: a\n---\n\n${BODY}\n`.replaceAll("\n", "\r\n")],
  ])("is put into %s, and taken out again", (_, text, wanted) => {
    const first = put(text, inHeader(NAME, TEXT));
    expect(first.text).toBe(wanted);
    expect(put(first.text, inHeader(NAME, TEXT), first.owned).text).toBe(wanted);
    expect(put(first.text, inHeader(), first.owned).text).toBe(text);
    const alone = put(first.text, inHeader(NAME), first.owned);
    expect(alone.text).toBe(put(text, inHeader(NAME)).text);
  });

  test("is ours with other line ends and more space around it, and what takes its place has both", () => {
    const first = put(undefined, inHeader(NAME, TEXT));
    const spaced = first.text!.replace(BODY, `\n${BODY}\n`).replaceAll("\n", "\r\n");
    expect(put(spaced, inHeader(NAME, TEXT), first.owned).text).toBe(spaced);
    expect(put(spaced, inHeader(NAME, body("B\nC")), first.owned).text).toBe(
      "---\r\nname: a\r\n---\r\n\r\n\r\nB\r\nC\r\n\r\n",
    );
  });

  test.each<[string, (text: string) => string, boolean, string | undefined]>([
    ["taken", () => "Be quick.\n", false, undefined],
    ["taken", () => "---\nmodel: opus\n---\nBe quick.\n", false, undefined],
    ["edited", (text) => text.replace("kind", "quick"), true, "name"],
    ["edited", (text) => `${text}\nMine.\n`, true, "name"],
    ["stale", (text) => text.replace("kind", "quick"), true, undefined],
  ])("%s: one of the user's is an error", (kind, change, isOurs, wanted) => {
    const first = put(undefined, inHeader(NAME, TEXT));
    const keys = kind === "stale" ? inHeader(NAME) : inHeader(...(wanted === undefined ? [] : [NAME]), TEXT);
    const answer = withKeys(change(first.text!), keys, isOurs ? first.owned : nothing, libraries);
    expect(answer.conflicts).toEqual([{ at: [], kind }]);
  });

  test("one that is equal is taken over", () => {
    const theirs = `${BODY}\n`;
    const { text, owned } = put(theirs, inHeader(NAME, TEXT));
    expect(text).toBe(`---\nname: a\n---\n${BODY}\n`);
    expect(owned.keys.has("")).toBe(true);
  });
});
