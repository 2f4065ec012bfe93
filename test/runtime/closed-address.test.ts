import { describe, expect, test } from "vitest";
import { mayClose } from "../../runtime/closed-address.ts";
import { uriGlobProblem, uriProblem, uriRefusal } from "../../runtime/resource-uri.ts";
import { matchesUri } from "../../runtime/uri-glob.ts";
import { fc } from "../support/generated.ts";

const EVERYTHING = ["notes://**", "notes:///**", "notes:**"].flatMap((one) => [one, `${one}/*?*`, `${one}/*?*&*`]);

function isRead(uri: string, exclude: readonly string[], include: readonly string[] = [...EVERYTHING, uri]): boolean {
  return uriRefusal(uri, { include, exclude }) === undefined;
}

describe("an address that a server may read as a closed one is closed", () => {
  test.each([
    ["notes://secret/**", "notes://secret/key?v=1"],
    ["notes://secret/**", "notes://secret/key?v="],
    ["notes://secret/**", "notes://secret/key?v=1&w=/a/b"],
    ["notes://secret/**", "notes://secret?v=/a"],
    ["notes://secret/key", "notes://secret/key&v=1"],
    ["notes://secret/key", "notes://secret/key%3Fv=1"],
    ["notes://secret/key", "notes://secret/key/%3Fv=1"],
    ["notes://secret/key", "notes://secret/key%23v"],
    ["notes://desk/secret*", "notes://desk/secret?id=1"],
    ["notes://desk/private/**", "notes://desk/private;v=1/x"],
    ["notes://desk/private/x", "notes://desk/private;v=1;w=2/x;y"],
    ["notes://desk/private/x", "notes://desk/private%3Bv/x"],
    ["notes://desk/board(2026)/**", "notes://desk/board%282026%29/pay"],
    ["notes://desk/board(2026)/**", "notes://desk/board(2026%29/pay"],
    ["notes://desk/board%282026%29/**", "notes://desk/board(2026)/pay"],
    ["notes://desk/team@home/**", "notes://desk/team%40home/x"],
    ["notes://desk/a:b/**", "notes://desk/a%3Ab/x"],
    ["notes://desk/a%20b", "notes://desk/a+b"],
    ["notes://desk/private/**", "notes://desk/Private/x"],
    ["notes://desk/%C3%A9/**", "notes://desk/e%CC%81/x"],
    ["notes://desk/secret/**", "notes://desk/%EF%BD%93ecret/x"],
    ["notes://desk/stra%C3%9Fe/**", "notes://desk/strasse/x"],
    ["notes://desk/strasse/**", "notes://desk/STRA%E1%BA%9EE/x"],
    ["notes://desk/%C5%BFecret/**", "notes://desk/secret/x"],
    ["notes://desk/%CF%83%CE%B1%CF%82/**", "notes://desk/%CF%83%CE%B1%CF%83/x"],
    ["notes://desk/%CF%83%CE%B1%CF%83*", "notes://desk/%CE%A3%CE%91%CE%A3"],
    ["notes://desk/private/**", "notes://desk/pr%C4%B1vate/x"],
    ["notes://desk/pr%C4%B1vate/**", "notes://desk/PRIVATE/x"],
    ["notes://desk/private/**", "notes://desk/PR%C4%B0VATE/x"],
    ["notes://desk/secret/**", "notes://desk/secret./key"],
    ["notes://desk/secret/**", "notes://desk/secret%20/key"],
    ["notes://desk/secret/**", "notes://desk/secret+/key"],
    ["notes://desk/secret/**", "notes://desk/Secret.%20./key"],
    ["notes://desk/secret/**", "notes://desk/secret%C2%A0/key"],
    ["notes://desk/secret/**", "notes://desk/.../secret/key"],
    ["notes://desk/secret/**", "notes://desk/secret.;v=1/key"],
    ["notes://desk/secret/key", "notes://desk/secret/key.?v=1"],
    ["notes://desk/secret./**", "notes://desk/secret/key"],
    ["notes://desk/se*t/**", "notes://desk/secret./key"],
    ["notes://desk/secret.*", "notes://desk/Secret."],
    ["notes://desk/a/b", "notes://desk/a%EF%BC%8Fb"],
    ...["%EF%BB%BF", "%E2%80%8B", "%E2%80%AE", "%C2%AD", "%EF%B8%8F", "%CD%8F"].flatMap(
      (unseen): [string, string][] => [
        ["notes://secret/key", `notes://secret/key${unseen}`],
        ["notes://desk/private/**", `notes://desk/pri${unseen}vate/x`],
      ],
    ),
    ["notes://secret/**", "notes://secret:80/key"],
    ["notes://secret/**", "notes:///secret/key"],
    ["notes://secret/**", "notes:secret/key"],
    ["notes://find?q=secret*", "notes://find?q=secrets"],
    ["notes://find?q=secret*", "notes://find?a=1&q=secrets&b=2"],
    ["notes://find?q=secret*", "notes://find?a=1;q=%73ecrets".replace("%73", "s")],
    ["notes://find?q=secret*", "notes://find?q=a&q=Secret%26b"],
    ["notes://find?q=a*b", "notes://find?q=a%26b"],
    ["notes://find?p=a/**", "notes://find?p=a/b/c"],
    ["notes://find?p=a/**", "notes://find?p=a"],
    ["notes://find?b=1&a=*", "notes://find?a=1&b=1"],
  ])("%s closes %s", (glob, uri) => {
    expect([uriGlobProblem(glob), uriProblem(uri)]).toEqual([undefined, undefined]);
    expect(isRead(uri, [])).toBe(true);
    expect(isRead(uri, [glob])).toBe(false);
    expect(mayClose(glob, uri)).toBe(true);
  });

  test.each([
    ["notes://secret/**", "notes://secrets/key"],
    ["notes://secret/*", "notes://secret/a/b"],
    ["notes://desk/private/**", "notes://desk/privately?v=private"],
    ["notes://desk/private", "notes://desk/private;v=1/x"],
    ["notes://desk/file.*", "notes://desk/files"],
    ["notes://desk/*./x", "notes://desk/open/x"],
    ["notes://desk/git/**", "notes://desk/.git/x"],
    ["notes://secret:80/**", "notes://secret/x"],
    ["notes://secret:80/**", "notes://secret:90/x"],
    ["notes://find?q=secret*", "notes://find?q=open"],
    ["notes://find?q=secret*", "notes://find?s=secrets"],
    ["notes://find?q=*", "notes://find"],
    ["other://secret/**", "notes://secret/x"],
  ])("%s leaves %s open", (glob, uri) => {
    expect(isRead(uri, [glob])).toBe(true);
  });
});

test("dots that some read in it are refused", () => {
  for (const uri of ["notes://a/%E2%80%A5/b", "notes://a/%EF%BC%8E%EF%BC%8E%EF%BC%8Fb"])
    expect(uriProblem(uri)).toContain("`..`");
});

test("nobody adds a parameter by a semicolon", () => {
  expect(matchesUri("notes://find?q=*", "notes://find?q=a;admin=1")).toBe(false);
  expect(matchesUri("notes://find/**", "notes://find/a;admin=1/b")).toBe(false);
});

const LETTERS = ["a", "b", "k", "secret", "%20", "(", "@", "x:y", "%C3%A9", "!"];
const words = fc.array(
  fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join("")),
  { minLength: 1, maxLength: 4 },
);
/** Of an address, with stars in some places. */
const starred = fc
  .tuple(words, fc.array(fc.constantFrom("", "*", "x*", "*x"), { minLength: 4, maxLength: 4 }), fc.boolean())
  .map(([segments, stars, deep]) => {
    const written = segments.map((segment, i) => {
      const star = stars[i]!;
      return star === "" ? segment : star === "x*" ? `${segment}*` : star === "*x" ? `*${segment}` : star;
    });
    return { glob: uriOf(deep ? [...written.slice(0, -1), "**"] : written), uri: uriOf(segments) };
  });

function uriOf(segments: readonly string[]): string {
  return `notes://h/${segments.join("/")}`;
}

/** What a client may write instead. */
const WRITERS: readonly ((uri: string) => string)[] = [
  (uri) => `${uri}?v=1`,
  (uri) => `${uri}?v=/x&w`,
  (uri) => `${uri}&v=1`,
  (uri) => `${uri};v=1`,
  (uri) => `${uri}%3Fv`,
  (uri) => `${uri}/%23v`,
  (uri) => uri.replace(/(\w)\//, "$1;p/"),
  (uri) => uri.replace("//h", "//h:7"),
  (uri) => uri.replace("secret", "Secret"),
  (uri) => uri.replaceAll("(", "%28"),
  (uri) => uri.replace("@", "%40"),
  (uri) => uri.replace("x:y", "x%3Ay"),
  (uri) => uri.replace("%C3%A9", "e%CC%81"),
  (uri) => uri.replace("k", "%E2%84%AA"),
];
/** What servers do before they look: in any order, and more than once. */
const READERS: readonly ((uri: string) => string)[] = [
  (uri) => uri.replace(/[?#].*/s, ""),
  (uri) => uri.replace(/&.*/s, ""),
  (uri) => uri.replace(/;[^/?#]*/g, ""),
  (uri) => uri.replace(/:[0-9]+(?=\/)/, ""),
  (uri) => uri.toLowerCase(),
  (uri) => uri.normalize("NFC"),
  (uri) => uri.normalize("NFKC"),
  (uri) => decodeURIComponent(uri),
  (uri) => uri.replace(/(?<=h.*[^/])\/+$/, ""),
];
const spelled = fc
  .tuple(starred, fc.array(fc.constantFrom(...WRITERS), { maxLength: 4 }))
  .map(([{ glob, uri }, writers]) => ({ glob, uri, other: writers.reduce((text, write) => write(text), uri) }));

/** The glob, as one who looks at decoded addresses understands it. */
function decodedGlob(glob: string): RegExp {
  const text = decodeURIComponent(glob)
    .toLowerCase()
    .replace(/[.?()+^$|[\]\\]/g, "\\$&");
  const source = text.replaceAll("/**", "<deep>").replaceAll("*", "[^/]*").replaceAll("<deep>", "(?:/.*)?");
  return new RegExp(`^${source}$`, "su");
}

describe("of any globs and addresses", () => {
  test("what is denied is denied in any other spelling", () => {
    let others = 0;
    fc.assert(
      fc.property(spelled, ({ glob, uri, other }) => {
        if (!matchesUri(glob, uri) || uriProblem(other) !== undefined) return;
        if (!matchesUri(glob, other)) others++;
        expect(isRead(other, [glob], [other])).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(others).toBeGreaterThan(20);
  });

  test("an address whose canonical form is denied is never let through", () => {
    let others = 0;
    fc.assert(
      fc.property(spelled, fc.array(fc.constantFrom(...READERS), { maxLength: 6 }), ({ glob, other }, readers) => {
        if (uriProblem(other) !== undefined) return;
        const canonical = readers.reduce((text, read) => read(text), other);
        if (!decodedGlob(glob).test(canonical)) return;
        if (!matchesUri(glob, other)) others++;
        expect(isRead(other, [glob], [other])).toBe(false);
      }),
      { numRuns: 2000 },
    );
    expect(others).toBeGreaterThan(20);
  });

  test("what closes an address that is opened is felt when it is compiled", () => {
    let closed = 0;
    fc.assert(
      fc.property(spelled, starred, ({ glob, uri, other }, { glob: another }) => {
        for (const opening of [
          glob,
          another,
          "notes://h/**",
          "notes://h/*",
          "notes://h/*/*",
          "notes://h/*?*",
          "notes://h/**/*?v=*",
        ]) {
          if (uriProblem(other) !== undefined || !matchesUri(opening, other)) continue;
          for (const closing of [glob, another, uri])
            if (!isRead(other, [closing], [other])) {
              closed++;
              expect(mayClose(closing, opening), `${closing} ${opening} ${other}`).toBe(true);
            }
        }
      }),
      { numRuns: 500 },
    );
    expect(closed).toBeGreaterThan(50);
    expect(mayClose("notes://secret/**", "notes://desk/**")).toBe(false);
    expect(mayClose("notes://secret/**", "notes://*/*?v=*")).toBe(true);
    expect(mayClose("notes://desk/**", "notes://desk/*?id=*")).toBe(true);
    expect(mayClose("other://**", "notes://**")).toBe(false);
  });
});

test("long addresses are judged at once", () => {
  const began = performance.now();
  const uri = (part: string): string => `notes://h/${part.repeat(Math.floor(7_900 / part.length))}b`;
  for (const part of ["a", "a;", "a/", "a&", "a%3F", "%3B"])
    for (const glob of [`notes://h/${"*a".repeat(300)}c`, `notes://h/${"**/a/".repeat(200)}c`, "notes://h/x?a=*&b=*&*"])
      isRead(uri(part), [glob], [uri(part)]);
  expect(performance.now() - began).toBeLessThan(6_000);
});
