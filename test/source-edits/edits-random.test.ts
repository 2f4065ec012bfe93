import { fc } from "../support/generated.ts";
import { expect, test } from "vitest";
import * as yaml from "yaml";
import type { JsonValue } from "../../compiler/base/json.ts";
import type { KeyPath } from "../../compiler/base/place.ts";
import { editSource } from "../../compiler/source-edits/edit-source.ts";
import type { SourceEdit } from "../../compiler/source-edits/types.ts";
import { sourceText } from "../support/arbitrary/source-text.ts";
import { diceOf, tapes, type Dice } from "../support/dice.ts";

/** Random sources as people write them: the edited text says exactly what was meant, and nothing else of it changed. */

function valueOf(text: string): JsonValue {
  return yaml.parse(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")) as JsonValue;
}

function pathsIn(value: JsonValue, path: KeyPath = []): KeyPath[] {
  if (typeof value !== "object" || value === null) return [path];
  const steps = Array.isArray(value) ? value.map((_, i) => i) : Object.keys(value);
  return [path, ...steps.flatMap((step) => pathsIn((value as never)[step], [...path, step]))];
}

const VALUES: readonly JsonValue[] = [
  "read-only",
  { preset: "github" },
  { connect: [{ stdio: ["npx", "-y", "some@1.0.0"], env: { A: "${A}" } }], hints: { "a:b": { readOnly: true } } },
  ["one", "is:read-only", "true", "# no", ""],
  { optional: "a" },
];

function editFrom(dice: Dice, value: JsonValue): SourceEdit {
  const all = pathsIn(value);
  const isAt = (test: (held: JsonValue) => boolean) => all.filter((path) => test(heldAt(value, path)));
  const maps = isAt((held) => typeof held === "object" && !Array.isArray(held));
  const lists = isAt(Array.isArray);
  const held = all.filter((path) => path.length > 0);
  const made = dice.one(VALUES);
  const kind = dice.one(["add", "add", "append", "remove", "remove", "replace"] as const);
  if (kind === "append" && lists.length > 0) return { kind, path: dice.one(lists), value: made };
  if (kind === "remove" && held.length > 0) return { kind, path: dice.one(held) };
  if (kind === "replace" && held.length > 0) return { kind, path: dice.one(held), value: made };
  return { kind: "add", path: [...dice.one(maps), ...dice.one([["new"], ["new", "one: more"]])], value: made };
}

function heldAt(value: JsonValue, path: KeyPath): JsonValue {
  return path.reduce<JsonValue>((held, step) => (held as never)[step], value);
}

/** What is meant, by plain JavaScript. */
function meant(value: JsonValue, edit: SourceEdit): JsonValue {
  const copy = structuredClone({ root: value }) as { root: never };
  const path = ["root", ...edit.path];
  const last = path.at(-1)!;
  let holder: never = copy as never;
  for (const step of path.slice(0, -1)) holder = (holder[step] ??= {} as never) as never;
  if (edit.kind === "append") (holder[last] as JsonValue[]).push(edit.value);
  else if (edit.kind !== "remove") (holder as Record<string, JsonValue>)[last] = edit.value;
  else if (Array.isArray(holder)) (holder as JsonValue[]).splice(Number(last), 1);
  else delete holder[last];
  return copy.root;
}

function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function comments(text: string): string[] {
  return text.match(/# c\d+;/g) ?? [];
}

test.each([
  ["YAML", "mcp/a.yaml", 600],
  ["JSON", "mcp/a.json", 300],
])("%s: the text says what was meant, and keeps the rest", (_, file, numRuns) => {
  const seen = { done: 0, unsafe: 0 };
  fc.assert(
    fc.property(tapes(120), (tape) => {
      const dice = diceOf(tape);
      const text = sourceText(dice, file.endsWith(".json"));
      const value = valueOf(text);
      const edit = editFrom(dice, value);
      const edited = editSource(file, text, [edit], yaml);
      if (edited.problem === "unsafe") return void seen.unsafe++;
      expect(edited).not.toHaveProperty("problem");
      seen.done++;
      const after = edited.text!;
      expect(valueOf(after)).toEqual(meant(value, edit));
      if (file.endsWith(".json")) expect(JSON.parse(after.replace(/^\uFEFF/, ""))).toEqual(meant(value, edit));
      expect(after.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
      if (text.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
      else expect(after).not.toContain("\r");
      if (text.endsWith("\n") || edit.kind === "add") expect(after.endsWith("\n")).toBe(text.endsWith("\n"));
      if (edit.kind === "add" || edit.kind === "append") expect(isWithin(text, after)).toBe(true);
      else expect(comments(text)).toEqual(expect.arrayContaining(comments(after)));
      if (edit.kind === "add" || edit.kind === "append") expect(comments(after)).toEqual(comments(text));
    }),
    { numRuns },
  );
  // It may refuse what it can't do; these it can.
  expect(seen).toEqual({ done: numRuns, unsafe: 0 });
});
