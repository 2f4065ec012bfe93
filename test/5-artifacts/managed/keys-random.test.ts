import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { fc } from "../../support/generated.ts";
import * as jsonc from "jsonc-parser";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { withKeys } from "../../../compiler/5-artifacts/managed/keys.ts";
import { plainEntries } from "../../../compiler/5-artifacts/managed/plain-front-matter.ts";
import { yamlEntries } from "../../../compiler/5-artifacts/managed/yaml-front-matter.ts";
import type { ManagedKey, ManagedKeys } from "../../../compiler/5-artifacts/types.ts";
import type { JsonValue } from "../../../compiler/base/json.ts";
import { inHeader, libraries, listed, nothing, put } from "./keyed-file.ts";

/** Documents as people write them: every kind of space, comment and comma, in every place. */
describe("for random files", () => {
  const pick = <T>(...values: T[]) => fc.constantFrom(...values);
  const gap = pick("", "", " ", "\n", "\n  ", "\r\n\t", " // c\n", " /* c */ ", '\n  // c, "d": {\n', "/*\n*/", "\n\n");
  const name = pick('"a"', '"b"', '"c"', '"mcp"', '"x/y~"', '"\\u0061b"', '"__proto__"', '"0"');
  const arbitraryJson = fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      pick("1", '"t"', "null", "[ ]", "[1, // c\n 2]", "1e3"),
      tie("object"),
    ),
    object: fc
      .tuple(
        gap,
        fc.uniqueArray(fc.tuple(name, gap, gap, tie("value"), gap, gap), {
          selector: ([n]) => JSON.parse(n),
          maxLength: 4,
        }),
        fc.boolean(),
      )
      .map(([open, properties, comma]) => {
        const texts = properties.map(
          ([n, before, colon, value, after, lead]) => `${lead}${n}${before}:${colon}${value}${after}`,
        );
        return `{${open}${texts.join(",")}${comma && texts.length > 0 ? `,${open}` : ""}}`;
      }),
  })).object;
  const json = fc.tuple(pick("", "\uFEFF"), gap, arbitraryJson, gap).map((parts) => parts.join(""));

  const line = pick(
    "model: opus",
    "# mine",
    "",
    "a: 'x' # y",
    "b: |\n  t\n  # no comment\n",
    "c:\n  - 1\n  # in it\n  - d: 2",
    "e:\n- 1\n- 2",
    "f: {a: 1}",
    '"g h": "\\t"',
    "i: a\n  b",
    "k:",
    "l: &x 1",
    "m: >-\n\n  t\n\n",
    "n: null",
    "o: 1.5",
    "p: Read, Grep",
  );
  const header = fc
    .tuple(
      pick("", "\uFEFF"),
      fc.option(fc.uniqueArray(line, { maxLength: 6 })),
      pick("", "# Body\n", "\n\ntext", "---\n", "tools: x\n"),
      pick("\n", "\r\n"),
    )
    .map(
      ([mark, lines, body, eol]) =>
        mark +
        (lines ? ["---", ...lines, `---\n${body}`].join("\n") : body.replace(/^---\n$/, "")).replaceAll("\n", eol),
    );

  const value = fc.jsonValue({ maxDepth: 2 }).map((v) => v as JsonValue);
  const prose = fc
    .array(pick("# A", "---", "name: x", "", "\ttext ", "\u2028"), { minLength: 1, maxLength: 4 })
    .map((lines) => lines.join("\n").trim())
    .filter((text) => text !== "");
  const path = pick("new", "mcp", "a", "x/y~", "__proto__", "n2", "0").map((name) => [name]);

  /** Paths that can be put into one file together. */
  const apart = (keys: ManagedKey[]) =>
    keys.filter((one, i) =>
      keys.slice(0, i).every((other) => {
        if (one.at.length === 0 || other.at.length === 0) return one.at.length !== other.at.length;
        const length = Math.min(one.at.length, other.at.length);
        return one.at.slice(0, length).join("\0") !== other.at.slice(0, length).join("\0");
      }),
    );
  const isAmong = (at: readonly string[], keys: readonly ManagedKey[]) =>
    keys.some((one) => one.at.join("\0") === at.join("\0"));
  const keysFor = (at: fc.Arbitrary<readonly string[]>) =>
    fc.array(fc.record({ at, value }), { minLength: 1, maxLength: 3 }).map(apart);

  /** Some of them with the text below. */
  const withProse = (keys: fc.Arbitrary<ManagedKey[]>) =>
    fc.tuple(keys, fc.option(prose)).map(([all, text]) => (text === null ? all : [...all, { at: [], value: text }]));

  function roundTrip(text: string, first: ManagedKeys, second: ManagedKeys): void {
    const all = [...first.keys, ...second.keys.filter(({ at }) => !isAmong(at, first.keys))];
    fc.pre(apart(all).length === all.length && holdsSomething(text));
    // A key that was there and equal is taken over, and goes with the others.
    const probe = all.map(({ at }) => ({ at, value: "no such" }));
    fc.pre(withKeys(text, { ...first, keys: probe }, nothing, libraries, allHosts([])).change !== undefined);
    const one = withKeys(text, first, nothing, libraries, allHosts([]));
    fc.pre(one.change !== undefined);
    const two = withKeys(one.change.text, second, listed(first), libraries, allHosts([]));
    fc.pre(two.change !== undefined);
    for (const [changed, wanted] of [
      [one.change, first],
      [two.change, second],
    ] as const) {
      const again = withKeys(changed.text, wanted, listed(wanted), libraries, allHosts([])).change;
      expect(again).toEqual({ text: changed.text, replaced: [] });
      expect(put(changed.text, { ...wanted, keys: [] }, listed(wanted)).text).toBe(text);
      // Neither what the keys hold nor a merge in the middle of them changes what is the user's.
      if (!changed.text!.endsWith("\n")) continue;
      expect(put(inConflict(changed.text!, wanted), { ...wanted, keys: [] }, listed(wanted)).text).toBe(text);
    }
  }

  /** The whole file is one hunk, with other values of our keys on the other side. */
  function inConflict(text: string, wanted: ManagedKeys): string {
    const keys = wanted.keys.map(({ at }) => ({ at, value: "other" }));
    const other = put(text, { ...wanted, keys }, listed(wanted)).text!;
    return `<<<<<<< HEAD\n${text}=======\n${other}>>>>>>> b\n`;
  }

  /** What is empty before our keys come goes with them, and isn't put back. */
  function holdsSomething(text: string): boolean {
    const json = text.replace(/^\uFEFF/, "");
    if (/^---[ \t]*\r?\n---/.test(json) || json.trim() === "") return false;
    const root = jsonc.parseTree(json, [], { allowTrailingComma: true });
    const isEmpty = (node: jsonc.Node) =>
      node.type === "object" && /^\{\s*\}$/.test(json.slice(node.offset, node.offset + node.length));
    if (root?.type !== "object") return true;
    const mcp = jsonc.findNodeAtLocation(root, ["mcp"]);
    return !isEmpty(root) && !(mcp && isEmpty(mcp));
  }

  test("keys put into JSON, changed and taken out leave every byte as it was", () => {
    fc.assert(
      fc.property(json, keysFor(path), keysFor(path), (text, first, second) => {
        const places = (keys: ManagedKey[]): ManagedKeys => ({
          path: "opencode.json",
          format: "json",
          keys: keys.map((k) => ({ ...k, at: ["mcp", ...k.at] })),
        });
        roundTrip(text, places(first), places(second));
      }),
      { numRuns: 200 },
    );
  });

  test("keys put into front matter, changed and taken out leave every byte as it was", () => {
    fc.assert(
      fc.property(
        header,
        withProse(keysFor(pick(["name"], ["description"], ["tools"]))),
        withProse(keysFor(pick(["name"], ["tools"]))),
        (text, first, second) => {
          roundTrip(text, inHeader(...first), inHeader(...second));
        },
      ),
      { numRuns: 120 },
    );
  });

  test("both readers of front matter say the same", () => {
    const plainLine = pick(
      "model: opus",
      "# c",
      "",
      "a: 12",
      "b: true",
      'c: "t\\u00e9 \\" #"',
      "d:\n  - x y\n  - 1",
      "e: []",
      "f: It's A, b (c)!",
      "g: - x",
      "h: x # c",
      "i: ~",
      "j: No",
      "k: 0x1",
      "l:",
      'm: "a" b',
      "n: a:b",
      "o:\n  -  x",
      "p: 1_0",
      "q: 1.5",
      "r: .inf",
      "s: =",
      "t: a  b",
    );
    let plain = 0;
    fc.assert(
      fc.property(fc.uniqueArray(plainLine, { maxLength: 3 }), pick("\n", "\r\n"), (lines, eol) => {
        const inside = lines.map((text) => `${text}\n`.replaceAll("\n", eol)).join("");
        const fast = plainEntries(inside);
        if (fast === undefined) return;
        plain++;
        expect(fast).toEqual(yamlEntries(inside, yaml).entries);
      }),
      { numRuns: 1000 },
    );
    expect(plain).toBeGreaterThan(100);
  });
});
