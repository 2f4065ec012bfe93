import { describe, expect, test } from "vitest";
import { fc } from "../support/generated.ts";
import { globsMeet } from "../../compiler/base/uri-globs.ts";
import { templateMayMatch, uriGlobProblem, uriProblem, uriRefusal } from "../../runtime/resource-uri.ts";
import { matchesUri } from "../../runtime/uri-glob.ts";

describe("an address in its normal form", () => {
  test.each([
    "docs://guide",
    "docs://guide/a/b.md",
    "docs:///public/a",
    "file:///etc/hostname",
    "https://example.com/a?b=c&d=%20",
    "http://localhost:8080/x",
    "https://example.com",
    "urn:isbn:0451450523",
    "notes:a/b",
    "demo://resource/static/document/features.md",
    "docs://a/%C3%A9%3F",
    "squad://agents/kit/history",
  ])("%s is judged", (uri) => {
    expect(uriProblem(uri)).toBeUndefined();
  });

  // What a parser would read otherwise, or a server walk otherwise.
  test.each([
    "docs:///public/../secret",
    "docs:///public/./a",
    "docs:///public//a",
    "docs:///public/a/",
    "docs:///public/%2e%2e/secret",
    "docs:///public/%2E%2E/secret",
    "docs:///public%2Fsecret",
    "docs:///public%2fsecret",
    "docs:///public/..\\secret",
    "docs:///public/%5C..",
    "docs:///public/a#../../secret",
    "docs:///public/\t../secret",
    "docs:///public/\n../secret",
    "docs:///public/..;/secret",
    "docs:///public/a?x=/../../secret",
    "docs:///public/a?path=..",
    "docs:///public/%252e%252e/secret",
    "docs:///public/%00",
    "docs:///public/%C0%AE%C0%AE/secret",
    "docs:///public/%C2%85",
    "docs:///public/%41",
    "docs:///public/%zz",
    "docs:///public/%",
    "docs:///public/é",
    "docs:///public/a b",
    "docs:///public/a|b",
    "DOCS:///public/a",
    "docs://Public/a",
    "docs://user@public/a",
    "docs://user:pass@public/a",
    "docs://pub%6cic/a",
    "https://example.com:443/a",
    "https://0x7f.1/a",
    "https://127.1/a",
    "https://example.com./a",
    "http://[::1]/a",
    "file:/etc/passwd",
    "file://localhost/etc/passwd",
    "docs:",
    "docs://",
    "docs:///",
    "/etc/passwd",
    "../secret",
    "",
    ` docs://public/a`,
    `docs://${"a".repeat(9_000)}`,
  ])("%j is refused", (uri) => {
    expect(uriProblem(uri)).toEqual(expect.any(String));
    expect(uriRefusal(uri, { include: ["docs://**", "docs:///public/**", "https://**", "file:///**"] })).toBeDefined();
  });

  test("is what those who parse it read: nothing that is judged is written otherwise", () => {
    const piece = fc.constantFrom(..."a.%2F/\\?#@:&;=~ABé \t", "..", "%2E", "%2e", "//", "docs", "://");
    const addresses = fc.array(piece, { maxLength: 12 }).map((pieces) => `docs:///public/${pieces.join("")}`);
    fc.assert(
      fc.property(addresses, (uri) => {
        if (uriRefusal(uri, { include: ["docs:///public/**"] }) !== undefined) return;
        const { href, pathname } = new URL(uri);
        expect(href).toBe(uri);
        expect(pathname.startsWith("/public/")).toBe(true);
        expect(decodeURIComponent(pathname).split(/[/\\]/)).not.toContain("..");
      }),
    );
  });
});

describe("a glob", () => {
  test.each([
    ["docs://**", "docs://a", true],
    ["docs://**", "docs://a/b/c", true],
    ["docs://**", "docs:///a", true],
    ["docs://**", "docs:a", false],
    ["docs://**", "docsx://a", false],
    ["docs://*", "docs://a", true],
    ["docs://*", "docs://a/b", false],
    ["docs://a/*.md", "docs://a/b.md", true],
    ["docs://a/*.md", "docs://a/.md", true],
    ["docs://a/*.md", "docs://a/b.txt", false],
    ["docs://a/**/c", "docs://a/c", true],
    ["docs://a/**/c", "docs://a/b/b/c", true],
    ["docs://a/**/c", "docs://a/b/d", false],
    ["docs://a", "docs://a", true],
    ["docs://a", "docs://A", false],
    ["docs://a/*", "docs://a/b?c=d", false],
    ["docs://**", "docs://a?c=d", false],
    ["docs://a?c=*", "docs://a?c=d", true],
    ["docs://a?c=*", "docs://a?c=d&e=f", false],
    ["docs://a*b*c", "docs://axbxbxc", true],
    ["docs://a*b*c", "docs://axbxbx", false],
    ["docs://*/x", "docs:///x", false],
    ["urn:isbn:*", "urn:isbn:1", true],
  ])("%s and %s: %s", (glob, uri, expected) => {
    expect(uriGlobProblem(glob)).toBeUndefined();
    expect(matchesUri(glob, uri)).toBe(expected);
  });

  test.each([
    "**",
    "*://a",
    "docs",
    "docs://a/../b",
    "docs://a//b",
    "docs://a**",
    "docs://A/*",
    "docs://%2e/*",
    "docs://a/b/",
    "docs://a#*",
    "",
  ])("%j can't be one", (glob) => {
    expect(uriGlobProblem(glob)).toEqual(expect.any(String));
  });

  test("is taken away by what is excluded, and by what it must lie within", () => {
    const rules = {
      include: ["docs://**"],
      exclude: ["docs://secret/**"],
      within: [["docs://a/**", "docs://secret/**"]],
    };
    expect(uriRefusal("docs://a/b", rules)).toBeUndefined();
    for (const uri of ["docs://secret/a", "docs://b/c", "other://a/b"]) expect(uriRefusal(uri, rules)).toBeDefined();
  });

  test("judges long addresses at once", () => {
    const began = performance.now();
    matchesUri(`docs://${"*a".repeat(500)}b`, `docs://${"a".repeat(7_000)}`);
    matchesUri(`docs://${"**/a/".repeat(300)}b`, `docs://${"a/".repeat(3_000)}a`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

test("a template is shown where an address of it could be read", () => {
  const rules = { include: ["docs://guide/*/page"], within: [["docs://**"]] };
  const may = (template: string): boolean => templateMayMatch(template, rules);
  for (const template of [
    "docs://{+path}",
    "docs://guide/{name}/page",
    "docs://gui{x}",
    "{scheme}://x",
    "docs://guide/a/{x}",
  ])
    expect(may(template)).toBe(true);
  for (const template of [
    "docs://secret/{x}",
    `docs://guide/{x}/${"a/".repeat(5_000)}`,
    "other://{x}",
    "docs://guide/a/pag?{x}",
    "docs://guide/a/page/b{x}",
    "docs://g\u202e{x}",
  ])
    expect(may(template)).toBe(false);
});

test("two globs are said to meet wherever an address fits both", () => {
  const segment = fc.constantFrom("a", "b", "ab", "*", "**", "a*", "*b");
  const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `docs://${segments.join("/")}`);
  const address = fc
    .array(fc.constantFrom("a", "b", "ab", "abb"), { minLength: 1, maxLength: 4 })
    .map((segments) => `docs://${segments.join("/")}`);
  fc.assert(
    fc.property(glob, glob, address, (one, other, uri) => {
      if (matchesUri(one, uri) && matchesUri(other, uri)) expect(globsMeet(one, other)).toBe(true);
      expect(globsMeet(one, other)).toBe(globsMeet(other, one));
    }),
  );
  expect(globsMeet("docs://a/**", "docs://b/**")).toBe(false);
  expect(globsMeet("docs://a/*.md", "docs://a/*.txt")).toBe(false);
  expect(globsMeet("docs://**", "notes://**")).toBe(false);
});
