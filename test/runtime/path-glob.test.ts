import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { pathGlobProblem, pathRefusalOf } from "../../runtime/path-glob.ts";
import { fastest } from "../support/fastest.ts";

const ROOT = "/srv/app";

describe("a path glob", () => {
  test.each([
    ["tests/**", "tests/a.ts"],
    ["tests/**", "tests/deep/er/a.ts"],
    ["tests/**", "tests"],
    ["tests/**", "src/../tests/a.ts"],
    ["tests/**", "/srv/app/tests/a.ts"],
    ["**", "a/b/c"],
    ["**/*.ts", "a.ts"],
    ["**/*.ts", "x/y/a.ts"],
    ["src/**/test/*.ts", "src/test/a.ts"],
    ["src/**/test/*.ts", "src/test/test/a.ts"],
    ["*", "a"],
    ["*.ts", "a.b.ts"],
    ["a?c", "abc"],
    ["a?c", "a\u{1f600}c"],
    ["?", "e\u0301"],
    ["caf\u00e9/*", "cafe\u0301/x"],
    ["cafe\u0301/*", "caf\u00e9/x"],
    [".github/**", ".github/workflows/ci.yml"],
    ["**/.env*", "a/.env.local"],
    ["a b/*", "a b/c d"],
    ["[id]/{x}/*", "[id]/{x}/a"],
    ["50%/*", "50%/a"],
    ["a*b*c", "aXbXbYc"],
    ["**/x/**/y", "x/x/q/y"],
    ["tests/**", "./tests/a.ts"],
    ["tests/**", "././tests/./a.ts"],
    ["tests/**", "tests/."],
    ["tests/**", "tests/./."],
    ["tests/**", "src/./../tests/a.ts"],
    ["tests/**", "/srv/app/./tests/a.ts"],
    ["tests/**", "/./srv/./app/tests/a.ts"],
    ["tests/*", "./tests/./a"],
    [".env", "./.env"],
    ["\u2764\ufe0f/**", "\u2764\ufe0f/a"],
    ["./tests/**", "tests/a.ts"],
    ["./tests/./**", "./tests/a.ts"],
    ["tests/.", "tests"],
    [".", "."],
    [".", "a/.."],
    ["**", "."],
    ["**", "./."],
    ["**", "a/.."],
    ["**", "a/./.."],
    ["**", "./a/../."],
    ["**", "/srv/app"],
    ["**", "/srv/app/."],
    ["**", "/srv/app/a/.."],
    ["**/**", "."],
  ])("%j allows %j", (glob, path) => {
    expect(pathRefusalOf(glob)(path, ROOT)).toBeUndefined();
  });

  test.each([
    ["tests/**", "src/a.ts"],
    ["tests/**", "Tests/a.ts"],
    ["tests/**", "testsuite/a.ts"],
    ["tests/**", "tests/../src/a.ts"],
    ["tests/**", "a/tests/b"],
    ["tests/**", "tests/.env"],
    ["tests/**", "tests/.git/config"],
    ["tests/**", "tests/a/.hidden/b"],
    ["tests/*", "tests/a/b"],
    ["tests/*", "tests"],
    ["*", ".env"],
    ["?env", ".env"],
    ["**/*.ts", "a.ts/b"],
    ["a?c", "ac"],
    ["a?c", "a/c"],
    ["??", "\u{1f600}"],
    ["a*c", "a/c"],
    ["a.c", "abc"],
    ["[ab]", "a"],
    ["{a,b}", "a"],
    ["tests/", "tests"],
    ["./tests/*", "tests/.a"],
    [".", "a"],
    [".", ".a"],
    ["./", "."],
    ["..", "a"],
    ["*", "."],
    ["?", "."],
    [".*", "."],
    ["**/*", "."],
    ["tests/**", "."],
    ["tests/**", "tests/.."],
    ["tests/**", "/srv/app"],
    ["tests/*", "tests/."],
    ["tests/*", "tests/a/.."],
    ["tests/**", "./src/a.ts"],
    ["tests/**", "tests/./../src/a.ts"],
    ["**", "./.env"],
    ["**", "a/./.env"],
    ["", "."],
    ["/srv/app/tests/*", "/srv/app/tests/a"],
    ["", "a"],
  ])("%j doesn't match %j", (glob, path) => {
    expect(pathRefusalOf(glob)(path, ROOT)).toBe(`doesn't match the glob \`${glob}\``);
  });

  test.each([
    ["", "is empty"],
    ["\u200c.git/hooks", "holds a character that nobody sees"],
    [".gi\u200dt/config", "holds a character that nobody sees"],
    ["a\u202eb", "holds a character that nobody sees"],
    ["tests/\u{e0041}a", "holds a character that nobody sees"],
    ["a\ufe0fb", "holds a character that nobody sees"],
    ["a\0", "holds a control character"],
    ["a\nb", "holds a control character"],
    ["a\u007fb", "holds a control character"],
    ["a\u0085b", "holds a control character"],
    ["a\u2028b", "holds a control character"],
    ["a\ud800b", "holds a control character"],
    [" a", "begins or ends with white space or a quote"],
    ["a ", "begins or ends with white space or a quote"],
    ["a\u00a0", "begins or ends with white space or a quote"],
    ["\ufeffa", "begins or ends with white space or a quote"],
    ['"a"', "begins or ends with white space or a quote"],
    ["'a", "begins or ends with white space or a quote"],
    ["a`", "begins or ends with white space or a quote"],
    ["a\u1fef", "begins or ends with white space or a quote"],
    ["~/a", "begins with `~`"],
    ["~root", "begins with `~`"],
    ["$HOME/a", "holds a `$`"],
    ["a/${X}", "holds a `$`"],
    ["%2e%2e/a", "holds a `%` escape"],
    ["a/%2Fb", "holds a `%` escape"],
    ["%ae\u0301", "holds a `%` escape"],
    ["%u002e%u002e/a", "holds a `%` escape"],
    ["%U002E/a", "holds a `%` escape"],
    ["a/%2", "holds a `%` escape"],
    ["\uff0e\uff0e/a", "holds a character that stands for `.`, `/`, `\\` or `:`"],
    ["\u2024\u2024/a", "holds a character that stands for `.`, `/`, `\\` or `:`"],
    ["a\u2026b", "holds a character that stands for `.`, `/`, `\\` or `:`"],
    ["a\uff0fb", "holds a character that stands for `.`, `/`, `\\` or `:`"],
    ["a\uff3cb", "holds a character that stands for `.`, `/`, `\\` or `:`"],
    ["a\ufe68b", "holds a character that stands for `.`, `/`, `\\` or `:`"],
    ["c\uff1aa", "holds a character that stands for `.`, `/`, `\\` or `:`"],
    ["\u2100", "holds a character that stands for `.`, `/`, `\\` or `:`"],
    ["a\\b", "holds a backslash"],
    ["\\\\host\\share", "holds a backslash"],
    ["//host/share", "begins with `//`"],
    ["file:///a", "holds a `:`, as a scheme or a drive does"],
    ["https://x/a", "holds a `:`, as a scheme or a drive does"],
    ["C:/a", "holds a `:`, as a scheme or a drive does"],
    ["c:a", "holds a `:`, as a scheme or a drive does"],
    ["a/b:stream", "holds a `:`, as a scheme or a drive does"],
    ["a./b", "holds a segment that ends in a dot or space"],
    ["a /b", "holds a segment that ends in a dot or space"],
    ["a/b.", "holds a segment that ends in a dot or space"],
    [".../b", "holds a segment that ends in a dot or space"],
    ["a\u3000/b", "holds a segment that ends in a dot or space"],
    ["a//b", "holds an empty segment"],
    ["a//", "holds an empty segment"],
    ["/srv/app//a", "holds an empty segment"],
    ["tests/", "holds an empty segment"],
    ["/srv/app/", "holds an empty segment"],
    ["./", "holds an empty segment"],
    ["tests/./", "holds an empty segment"],
    [".//a", "holds an empty segment"],
    ["a//.", "holds an empty segment"],
    ["a//..", "holds an empty segment"],
    ["/srv/app/./", "holds an empty segment"],
    ["/srv/app//.", "holds an empty segment"],
    ["/.//srv/app/a", "lies outside the root"],
    ["...", "holds a segment that ends in a dot or space"],
    ["./...", "holds a segment that ends in a dot or space"],
    [". /a", "holds a segment that ends in a dot or space"],
    ["a/.. /b", "holds a segment that ends in a dot or space"],
    ["./..", "leaves the root"],
    ["./../a", "leaves the root"],
    ["a/./../../b", "leaves the root"],
    ["/srv/app/./..", "leaves the root"],
    ["..", "leaves the root"],
    ["../app/a", "leaves the root"],
    ["a/../../b", "leaves the root"],
    ["/srv/app/../app/a", "leaves the root"],
    ["/", "lies outside the root"],
    ["/etc/passwd", "lies outside the root"],
    ["/srv/application/a", "lies outside the root"],
    ["/srv/App/a", "lies outside the root"],
    ["/srv", "lies outside the root"],
    ["a".repeat(4097), "is longer than 4096 characters"],
  ])("whatever the glob, %j is refused", (path, why) => {
    expect(pathRefusalOf("**")(path, ROOT)).toBe(why);
  });

  test.each([
    ["/srv/app", "/srv/app/a", "ok"],
    ["/srv/app/", "/srv/app/a", "ok"],
    ["/", "/a", "ok"],
    ["/", "/.", "ok"],
    ["/", "/./a", "ok"],
    ["/", "/", "holds an empty segment"],
    ["/", "/..", "leaves the root"],
    ["/", "/.//a", "holds an empty segment"],
    ["/srv/./app", "/srv/app/a", "lies outside the root"],
    ["/srv/app", "/srv/app/./a", "ok"],
    [undefined, ".", "ok"],
    [undefined, "/.", "is absolute, and the root isn't known"],
    ["/caf\u00e9", "/cafe\u0301/a", "ok"],
    ["/cafe\u0301", "/caf\u00e9/a", "ok"],
    ["/srv//app", "/srv//app/a", "lies outside the root"],
    ["/srv/../app", "/srv/../app/a", "lies outside the root"],
    ["srv/app", "/srv/app/a", "lies outside the root"],
    ["", "/a", "lies outside the root"],
    [undefined, "/srv/app/a", "is absolute, and the root isn't known"],
    [undefined, "a", "ok"],
  ])("below the root %j, %j: %s", (root, path, want) => {
    expect(pathRefusalOf("**")(path, root) ?? "ok").toBe(want);
  });

  test("matches as a regular expression of the same meaning does", () => {
    const dotless = String.raw`(?!\.)[^/]+`;
    const asRegExp = (glob: string): RegExp => {
      const segments = glob.split("/").map((segment) => {
        if (segment === "**") return `(?:${dotless}/)*`;
        const text = segment.replaceAll(".", "\\.").replaceAll("*", "[^/]*").replaceAll("?", "[^/]");
        return `${segment.startsWith(".") ? "" : "(?!\\.)"}${text}/`;
      });
      return new RegExp(`^${segments.join("")}$`, "su");
    };
    const segment = fc
      .array(fc.constantFrom("a", "b", "\u{1f600}"), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join(""));
    const dotted = fc.oneof(
      { weight: 4, arbitrary: segment },
      { weight: 1, arbitrary: segment.map((text) => `.${text}`) },
    );
    const wild = fc
      .array(fc.constantFrom("a", "b", "*", "?"), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join("").replaceAll("**", "*"));
    const pattern = fc.oneof(
      fc.constant("**"),
      wild,
      wild.map((text) => `.${text}`),
    );
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 5 }),
        fc.array(dotted, { minLength: 1, maxLength: 5 }),
        (globs, path) => {
          const glob = globs.join("/");
          expect(pathRefusalOf(glob)(path.join("/"), ROOT) === undefined).toBe(
            asRegExp(glob).test(`${path.join("/")}/`),
          );
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("no path is slow", () => {
    expect(
      fastest(100, () => expect(pathRefusalOf("*a*a*a*a*a*b")("a".repeat(4096), ROOT)).toBeDefined()),
    ).toBeLessThan(100);
    expect(
      fastest(100, () => expect(pathRefusalOf("**/a/**/a/**/a/**/b")("a/".repeat(2048), ROOT)).toBeDefined()),
    ).toBeLessThan(100);
  });

  test.each([
    ["tests/**", undefined],
    ["**/*.ts", undefined],
    [".env*", undefined],
    ["[id]/{x}", undefined],
    ["", "is empty"],
    ["/tmp/**", "begins with `/`; globs are relative to the root"],
    ["!secret/**", "begins with `!`; nothing is negated here"],
    ["src/*.{ts,js}", "holds `{a,b}`, which isn't a choice here; `pattern` can say it"],
    ["src//a", "holds an empty segment"],
    ["src/", "holds an empty segment"],
    ["./src", undefined],
    ["src/./a", undefined],
    [".", undefined],
    ["./", "holds an empty segment"],
    ["./.../a", "holds a segment that ends in a dot or space"],
    ["./..", "holds the segment `..`"],
    ["..", "holds the segment `..`"],
    ["src/../a", "holds the segment `..`"],
    ["src/**.ts", "holds `**` beside other text; it stands alone between slashes"],
    ["src/a./b", "holds a segment that ends in a dot or space"],
    ["src\\*", "holds a backslash"],
    ["${ROOT}/a", "holds a `$`"],
    ["~/a", "begins with `~`"],
    [" a", "begins or ends with white space or a quote"],
  ])("as the author wrote it: %j %s", (glob, problem) => {
    expect(pathGlobProblem(glob)).toBe(problem);
  });
});
