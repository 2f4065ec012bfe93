import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fc } from "../support/generated.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pathRefusalOf } from "../../runtime/path-glob.ts";

/** Held against a walk that was written down without a look at the judge, other resolvers, and real files. */
const ROOT = "/srv/app";

/** Paths as models write them: names, dots of every number, slashes too many, from the root or not. */
const SEGMENTS = ["a", "b", "tests", "tests", "src", ".env", ".git", "a.", "..a", "...", "", ".", ".", "..", ".."];
const writtenPath = (root: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom("", "", "./", `${root}/`, `${root}/./`, `${path.posix.dirname(root)}/`, "/./", "/"),
      fc.array(fc.constantFrom(...SEGMENTS), { maxLength: 7 }),
    )
    .map(([begin, segments]) => begin + segments.join("/"));

/** A walk, step by step, written down without a look at the judge: where it ends below the root, or undefined. */
function walk(text: string, root: string): string | undefined {
  let here: string = "";
  let rest = text;
  if (text.startsWith("/")) {
    const straight = text.replaceAll(/(?<=\/)(?:\.\/)+/g, "").replace(/\/\.$/, "");
    if (straight === root) return text.endsWith("//") ? undefined : "";
    if (!straight.startsWith(`${root}/`)) return undefined;
    rest = straight.slice(root.length + 1);
  }
  for (;;) {
    const [, step, more] = /^([^/]*)(\/.*)?$/s.exec(rest)!;
    if (step === "") return undefined;
    if (step === "..") {
      if (here === "") return undefined;
      here = here.slice(0, Math.max(0, here.lastIndexOf("/")));
    } else if (step !== ".") {
      if (step!.endsWith(".")) return undefined;
      here = here === "" ? step! : `${here}/${step}`;
    }
    if (more === undefined) return here;
    rest = more.slice(1);
  }
}

/** Each glob beside a rule of the same meaning for the place where a walk ended. */
const AREAS: readonly (readonly [string, RegExp])[] = [
  ["**", /^(?:$|(?!\.)[^/]+(?:\/(?!\.)[^/]+)*$)/],
  [".", /^$/],
  ["tests/**", /^tests(?:\/(?!\.)[^/]+)*$/],
  ["./tests/**", /^tests(?:\/(?!\.)[^/]+)*$/],
  ["tests/*", /^tests\/(?!\.)[^/]+$/],
  ["**/.env", /^(?:(?!\.)[^/]+\/)*\.env$/],
  ["*/./b", /^(?!\.)[^/]+\/b$/],
];

describe("paths as models write them", () => {
  test.each(AREAS)("%j judges where a walk ends, and nothing else", (glob, area) => {
    const refusalOf = pathRefusalOf(glob);
    let allowed = 0;
    fc.assert(
      fc.property(writtenPath(ROOT), (text) => {
        const end = text === "" || text.startsWith("//") ? undefined : walk(text, ROOT);
        const isAllowed = refusalOf(text, ROOT) === undefined;
        expect(isAllowed, text).toBe(end !== undefined && area.test(end));
        if (isAllowed) allowed++;
      }),
      { numRuns: 10_000 },
    );
    expect(allowed).toBeGreaterThan(5);
  });

  test("what is allowed lies in the area for who resolves it another way", () => {
    const refusalOf = pathRefusalOf("tests/**");
    let allowed = 0;
    fc.assert(
      fc.property(
        fc.oneof(writtenPath(ROOT), fc.string({ unit: "grapheme", maxLength: 8 }).map(belowTests)),
        (text) => {
          if (refusalOf(text, ROOT) !== undefined) return;
          allowed++;
          expect(`${path.posix.resolve(ROOT, text)}/`).toMatch(/^\/srv\/app\/tests\//);
          expect(`${path.posix.normalize(path.posix.isAbsolute(text) ? text : `${ROOT}/${text}`)}/`).toMatch(
            /^\/srv\/app\/tests\//,
          );
          expect(path.win32.resolve("C:\\srv\\app", text.replace(ROOT, "C:/srv/app"))).toMatch(
            /^C:\\srv\\app\\tests(?:\\|$)/,
          );
        },
      ),
      { numRuns: 20_000 },
    );
    expect(allowed).toBeGreaterThan(200);
  });

  describe("on real files", () => {
    let root: string;
    beforeAll(() => {
      root = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-paths-")));
      for (const folder of ["tests/a/b", "tests/tests", "src/a", "a/tests", "b/src", ".git"])
        mkdirSync(path.join(root, folder), { recursive: true });
      for (const file of ["tests/b", "src/b", "tests/.env", ".env", "a/b"]) writeFileSync(path.join(root, file), file);
    });
    afterAll(() => rmSync(root, { recursive: true }));

    test("what is allowed and there is in the area", () => {
      const refusalOf = pathRefusalOf("tests/**");
      let found = 0;
      fc.assert(
        fc.property(writtenPath(root), (text) => {
          if (refusalOf(text, root) !== undefined) return;
          const there = placeOf(path.isAbsolute(text) ? text : `${root}/${text}`);
          if (there === undefined) return;
          found++;
          expect(`${there}/`.startsWith(`${root}/tests/`), `${text} leads to ${there}`).toBe(true);
        }),
        { numRuns: 20_000 },
      );
      expect(found).toBeGreaterThan(50);
    });
  });
});

function belowTests(text: string): string {
  return `./tests/${text}`;
}

/** As the system itself resolves it; undefined where nothing is. */
function placeOf(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}
