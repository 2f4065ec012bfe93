import { describe, expect, test } from "vitest";
import { commandWords } from "../../compiler/base/command-words.ts";
import { hasVersion, runnerOf } from "../../compiler/base/package-runner.ts";
import { saysSecret, wordsOf } from "../../runtime/secret-names.ts";

/** Names and commands of a stranger's file may be as long as the file. */

const npx = runnerOf(["npx"])!;

test.each<[string, (text: string) => unknown, readonly string[]]>([
  ["a version", (text) => hasVersion(`p@${text}!`, npx), ["1.1", "1", "1.", "1-", "1+", "v1."]],
  ["a name", (text) => [saysSecret(text), saysSecret(`${text}a`)], ["TOKEN", "A", "1", "aA", "a1", "_", "A1_"]],
  ["a command", commandWords, ["${", "$", '"', "'", "\"'", "${a} ", "${ ", "a ", "}", "{"]],
])("%s is read in linear time", (_, read, units) => {
  for (const unit of units) {
    const text = unit.repeat(100_000 / unit.length);
    const began = process.cpuUsage();
    read(text);
    expect(process.cpuUsage(began).user / text.length, unit).toBeLessThan(10);
  }
});

describe("a command", () => {
  test.each([
    ["npx -y a@1.0.0", ["npx", "-y", "a@1.0.0"]],
    ["  srv\t'a b' \"c d\"e ", ["srv", "a b", "c d", "e"]],
    ["srv ${A:-x y} --b=${C}/d", ["srv", "${A:-x y}", "--b=${C}/d"]],
    ['srv "open ${A', ["srv", '"open', "${A"]],
    ["srv '' x'y z'", ["srv", "", "x'y", "z'"]],
    ["", []],
  ])("%j is taken apart", (text, words) => expect(commandWords(text)).toEqual(words));
});

test.each([
  ["1.2.3", true],
  ["v1.2.3-beta.1", true],
  ["1.2.3+build.5", true],
  ["1.2", true],
  ["1", false],
  ["1.x", false],
  ["^1.2.3", false],
  ["1.2.3+", false],
  ["1.2.3-a+b", false],
])("%s is one version: %j", (version, is) => expect(hasVersion(`p@${version}`, npx)).toBe(is));

test.each([
  ["XMLHttpToken", ["xml", "http", "token"]],
  ["ATest", ["atest"]],
  ["getURLs2Go", ["get", "ur", "ls2", "go"]],
])("%s is made of %j", (name, words) => expect(wordsOf(name)).toEqual(words));
