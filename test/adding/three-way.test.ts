import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { mergeThreeWays } from "../../compiler/adding/three-way.ts";
import type { JsonObject, JsonValue } from "../../compiler/base/json.ts";
import { stableText } from "../../compiler/base/stable-text.ts";
import { editSource } from "../../compiler/source-edits/edit-source.ts";
import { diceOf, tapes, type Dice } from "../support/dice.ts";

/** A preset as it was, as it is here, and as rolecall brings it now. */

function presetFrom(dice: Dice): JsonObject {
  const names = () => dice.sample(["read_a", "read_b", "write_c", "list_*"], 1 + dice.below(4));
  const optional = <Value extends JsonValue>(key: string, value: Value) => (dice.chance(60) ? { [key]: value } : {});
  return {
    id: "a",
    ...optional("title", dice.one(["A", "B"])),
    server: {
      connect: dice.some(1, 2, () => ({
        stdio: ["npx", "-y", dice.one(["a@1.0.0", "a@2.0.0"])],
        ...optional("env", { A: dice.one(["1", "2"]) }),
      })),
      ...optional("limits", { timeout: dice.one(["1s", "2s"]), ...optional("ratePerMinute", dice.below(3)) }),
      ...optional("scopes", { "read:a": names(), ...optional("write:a", names()) }),
      ...optional("labels", { destructive: names() }),
    },
  };
}

/** What is said, where the order of names says nothing. */
function said(value: JsonValue, path: readonly string[] = []): JsonValue {
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => said(item, path));
    return path[1] === "scopes" || path[1] === "labels" ? items.map((item) => stableText(item)).sort() : items;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, said(held, [...path, key])]));
}

function merged(base: JsonValue, mine: JsonValue, theirs: JsonValue): JsonValue {
  const { edits, conflicts } = mergeThreeWays(base, mine, theirs);
  expect(conflicts).toEqual([]);
  const edited = editSource("preset.yaml", yaml.stringify(mine), edits, yaml);
  expect(edited.problem).toBe(undefined);
  return yaml.parse(edited.text!) as JsonValue;
}

test("where one side is as it was, the other one holds, whatever that is", () => {
  fc.assert(
    fc.property(tapes(60), (tape) => {
      const dice = diceOf(tape);
      const [base, other] = [presetFrom(dice), presetFrom(dice)];
      expect(said(merged(base, base, other))).toEqual(said(other));
      expect(mergeThreeWays(base, other, base)).toEqual({ edits: [], changes: [], conflicts: [] });
      expect(mergeThreeWays(base, other, other)).toEqual({ edits: [], changes: [], conflicts: [] });
    }),
    { numRuns: 300 },
  );
});

describe("where both changed something", () => {
  const base = {
    server: {
      connect: [{ stdio: ["npx", "-y", "a@1.0.0"], env: { A: "1" } }],
      limits: { timeout: "1s", concurrency: 2 },
      scopes: { "read:a": ["read_a", "read_b"] },
    },
  };
  const changed = (change: (copy: { server: Record<string, never> & typeof base.server }) => void) => {
    const copy = structuredClone(base) as never;
    change(copy);
    return copy as JsonValue;
  };

  test("other keys, other words of a command and other names of a list are both taken", () => {
    const mine = changed(({ server }) => {
      server.limits.timeout = "9s";
      server.connect[0]!.env.A = "mine";
      server.scopes["read:a"] = ["read_b", "read_mine"];
    });
    const theirs = changed(({ server }) => {
      server.limits.concurrency = 4;
      server.connect[0]!.stdio[2] = "a@2.0.0";
      server.scopes["read:a"] = ["read_a", "read_b", "read_new"];
    });
    expect(merged(base, mine, theirs)).toEqual({
      server: {
        connect: [{ stdio: ["npx", "-y", "a@2.0.0"], env: { A: "mine" } }],
        limits: { timeout: "9s", concurrency: 4 },
        scopes: { "read:a": ["read_b", "read_mine", "read_new"] },
      },
    });
  });

  test("policies in another order are no changes of one another: a question that was narrowed stays where it was", () => {
    const [asks, denies] = [
      { name: "sending is asked", tools: ["mail.send"], effect: "ask" },
      { name: "filters stay", tools: ["mail.filter"], effect: "deny" },
    ];
    const before = { server: {}, policies: [denies, asks] } as JsonValue;
    const here = { server: {}, policies: [{ ...denies, roles: ["junior"] }, asks] } as JsonValue;
    const after = { server: {}, policies: [asks, denies] } as JsonValue;
    const { edits, conflicts } = mergeThreeWays(before, here, after);
    expect(conflicts.map(({ path }) => path)).toEqual([["policies"]]);
    expect(edits).toEqual([]);
    // In the same order each is its own.
    const renewed = { server: {}, policies: [denies, { ...asks, effect: "deny" }] } as JsonValue;
    expect(mergeThreeWays(before, here, renewed).edits.map(({ path }) => path)).toEqual([["policies", 1, "effect"]]);
  });

  test.each<[string, JsonValue, JsonValue, string]>([
    [
      "the same value",
      changed(({ server }) => (server.limits.timeout = "9s")),
      changed(({ server }) => (server.limits.timeout = "5s")),
      "server.limits.timeout",
    ],
    [
      "what is gone here",
      changed(({ server }) => delete (server as Partial<typeof server>).limits),
      changed(({ server }) => (server.limits.timeout = "5s")),
      "server.limits",
    ],
    [
      "what is gone there",
      changed(({ server }) => (server.limits.timeout = "9s")),
      changed(({ server }) => delete (server as Partial<typeof server>).limits),
      "server.limits",
    ],
    [
      "transports of another number",
      changed(({ server }) => (server.connect[0]!.env.A = "mine")),
      changed(({ server }) => server.connect.push(server.connect[0]!)),
      "server.connect",
    ],
  ])("%s is a conflict", (_, mine, theirs, at) => {
    expect(mergeThreeWays(base, mine, theirs).conflicts.map(({ path }) => path.join("."))).toEqual([at]);
  });
});
