import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { describe, expect, test } from "vitest";
import { withKeys } from "../../../compiler/5-artifacts/managed/keys.ts";
import { body, inHeader, key, libraries, nothing, put } from "./keyed-file.ts";

describe("a text below front matter", () => {
  const NAME = key("name", "a");
  const OURS = new Set(["name", ""]);
  const TEXT = body("# A\n\nBe kind.\n---\nname: b\n---");
  const BODY = "# A\n\nBe kind.\n---\nname: b\n---";
  test.each<[string, string | undefined, string]>([
    ["a new file", undefined, `---\nname: a\n---\n\n${BODY}\n`],
    ["blank lines", "---\nmodel: opus\n---\n\n \n", `---\nmodel: opus\nname: a\n---\n\n${BODY}\n\n \n`],
    ["CRLF", "---\r\nmodel: opus\r\n---\r\n", `---\nmodel: opus\nname: a\n---\n\n${BODY}\n`.replaceAll("\n", "\r\n")],
  ])("is put into %s, and taken out again", (_, text, wanted) => {
    const first = put(text, inHeader(NAME, TEXT));
    expect(first.text).toBe(wanted);
    expect(put(first.text, inHeader(NAME, TEXT), OURS).text).toBe(wanted);
    expect(put(first.text, inHeader(), OURS).text).toBe(text);
    const alone = put(first.text, inHeader(NAME), OURS);
    expect(alone.text).toBe(put(text, inHeader(NAME)).text);
  });

  test("is ours with other line ends and more space around it, and what takes its place has both", () => {
    const first = put(undefined, inHeader(NAME, TEXT));
    const spaced = first.text!.replace(BODY, `\n${BODY}\n`).replaceAll("\n", "\r\n");
    expect(put(spaced, inHeader(NAME, TEXT), OURS).text).toBe(spaced);
    expect(put(spaced, inHeader(NAME, body("B\nC")), OURS).text).toBe(
      "---\r\nname: a\r\n---\r\n\r\n\r\nB\r\nC\r\n\r\n",
    );
  });

  test.each(["Be quick.\n", "---\nmodel: opus\n---\nBe quick.\n"])("one of the user's is an error: %j", (text) => {
    expect(withKeys(text, inHeader(NAME, TEXT), nothing, libraries, allHosts([])).taken).toEqual([[]]);
  });

  test.each<[string, (text: string) => string]>([
    ["changed", (text) => text.replace("kind", "quick")],
    ["longer", (text) => `${text}\nMine.\n`],
    ["in conflict", (text) => text.replace("Be kind.", "<<<<<<< HEAD\nBe quick.\n=======\nBe calm.\n>>>>>>> b")],
  ])("ours is written anew or goes, whatever it holds: %s", (_, change) => {
    const changed = change(put(undefined, inHeader(NAME, TEXT)).text!);
    expect(put(changed, inHeader(NAME, TEXT), OURS).text!.trimEnd()).toBe(`---\nname: a\n---\n\n${BODY}`);
    expect(put(changed, inHeader(NAME), OURS).text).toBe("---\nname: a\n---\n");
    expect(put(changed, inHeader(), OURS).text).toBeUndefined();
  });

  test("one that is equal is taken over", () => {
    expect(put(`${BODY}\n`, inHeader(NAME, TEXT)).text).toBe(`---\nname: a\n---\n${BODY}\n`);
  });
});
