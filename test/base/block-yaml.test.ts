import { fc } from "../support/generated.ts";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { sourceYaml } from "../../compiler/base/block-yaml.ts";
import type { JsonObject, JsonValue } from "../../compiler/base/json.ts";
import { diceOf, tapes } from "../support/dice.ts";

test("looks like what one writes by hand", () => {
  const blocks = {
    servers: {
      github: {
        connect: [{ http: "https://x.example/mcp", headers: { Authorization: "Bearer ${TOKEN}" } }],
        limits: { timeout: "30000ms" },
      },
    },
    roles: { lead: { tools: { github: "all", files: ["read_file", "is:read-only"] } } },
  };
  expect(sourceYaml(blocks)).toBe(`servers:
  github:
    connect:
      - http: "https://x.example/mcp"
        headers: { Authorization: "Bearer \${TOKEN}" }
    limits: { timeout: "30000ms" }

roles:
  lead: { tools: { github: all, files: [read_file, is:read-only] } }
`);
});

test("what can't be seen stands as an escape", () => {
  const text = "--deny=\u202etxt.terces\u202c\u200b";
  const written = sourceYaml({ a: { [text]: [text, 'it\'s \\ "\u200b"'] } });
  expect(written).toMatch(/^[\x20-\x7e\n]+$/);
  expect(written).toContain("\\u202etxt.terces\\u202c\\u200b");
  expect(parse(written)).toEqual({ a: { [text]: [text, 'it\'s \\ "\u200b"'] } });
});

const TEXTS = [
  "a",
  "a\u202eb\u{e0001}'\"\\",
  "is:x",
  "- x",
  "null",
  "1",
  "~",
  "#a",
  "a: b",
  "\n",
  "é",
  "",
  " a ",
  "${X:-y}",
  "x".repeat(120),
  "'\"",
  "&a",
  "*b",
  "{}",
  "[",
  "|",
];

test("is read back as it was, by YAML's own reader", () => {
  fc.assert(
    fc.property(tapes(60), (tape) => {
      const dice = diceOf(tape);
      const value = (depth: number): JsonValue => {
        const kind = dice.one(depth > 3 ? ["text"] : ["text", "map", "list", "number"]);
        if (kind === "text") return dice.one(TEXTS);
        if (kind === "number") return dice.one([0, -1, 1.5, true, false, null]);
        if (kind === "list") return dice.some(1, 3, () => value(depth + 1));
        return Object.fromEntries(dice.sample(TEXTS, 3).map((key) => [key, value(depth + 1)]));
      };
      const blocks = { servers: { s: value(0) }, roles: value(1) } as JsonObject;
      expect(parse(sourceYaml(blocks))).toEqual(blocks);
    }),
    { numRuns: 2000 },
  );
});
