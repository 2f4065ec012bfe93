import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { madeTokens, roleTokens, tokensOfVariables } from "../../compiler/io/serve/http/tokens.ts";

const LONG = "a-token-of-the-tests-own";

describe("tokens of variables", () => {
  const thrown = (env: Readonly<Record<string, string>>): unknown => {
    try {
      return [
        ...tokensOfVariables(
          [
            ["tester", "A"],
            ["reader", "B"],
          ],
          env,
        ),
      ];
    } catch (problem) {
      return (problem as { says: string }).says;
    }
  };

  test("are by role", () =>
    expect(thrown({ A: LONG, B: `${LONG}2` })).toEqual([
      ["tester", LONG],
      ["reader", `${LONG}2`],
    ]));
  test.each([
    [{ A: LONG }, "`B`, the token of `reader`, isn't set"],
    [{ A: "", B: LONG }, "`A`, the token of `tester`, isn't set"],
    [{ A: "short", B: LONG }, "is no token of at least 20"],
    [{ A: `${LONG} ${LONG}`, B: LONG }, "is no token of at least 20"],
    [{ A: `${LONG}\n`, B: LONG }, "is no token of at least 20"],
    [{ A: LONG, B: LONG }, "`reader` and `tester` have one token"],
  ])("%j don't do", (env, says) => {
    expect(thrown(env as never)).toContain(says);
    expect(thrown(env as never)).not.toContain(LONG);
  });

  test("are whole or none", () => {
    const tokens = roleTokens(new Map([["tester", LONG]]));
    expect(tokens.principalOf(LONG)?.roles).toEqual(["tester"]);
    for (const other of [LONG.slice(1), LONG.slice(0, -1), `${LONG}x`, LONG.toUpperCase(), "", "undefined"])
      expect(tokens.principalOf(other)).toBeUndefined();
  });
});

describe("tokens that are made", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "rolecall-tokens-"));
    file = path.join(folder, "own", "a.tokens.json");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("stay, and are completed when there is a new role", () => {
    const first = madeTokens(file, ["tester"]);
    const second = madeTokens(file, ["reader", "tester"]);
    expect(second.get("tester")).toBe(first.get("tester"));
    expect(second.get("reader")).not.toBe(first.get("tester"));
    expect([...madeTokens(file, ["reader"]).keys()]).toEqual(["reader"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")) as object).sort()).toEqual(["reader", "tester"]);
  });

  test.each(["{", "[]", "7", '{"tester":""}', '{"tester":7}', `{"tester":"${LONG}","reader":"${LONG}"}`])(
    "what others wrote there, `%s`, is refused and stays",
    (text) => {
      madeTokens(file, []);
      writeFileSync(file, text, { mode: 0o600 });
      expect(() => madeTokens(file, ["tester"])).toThrow(
        expect.objectContaining({ says: expect.stringContaining("isn't what rolecall wrote") }),
      );
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  test("a file that others could read, and a link, are refused", () => {
    madeTokens(file, ["tester"]);
    const open = path.join(folder, "own", "open.json");
    writeFileSync(open, readFileSync(file), { mode: 0o644 });
    symlinkSync(file, path.join(folder, "own", "link.json"));
    for (const other of [open, path.join(folder, "own", "link.json")])
      expect(() => madeTokens(other, ["tester"])).toThrow(
        expect.objectContaining({ says: expect.stringContaining(other) }),
      );
  });
});
