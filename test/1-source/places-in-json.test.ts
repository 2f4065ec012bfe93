import { fc } from "../support/generated.ts";
import { expect, test } from "vitest";
import * as yaml from "yaml";
import { createDocumentReader } from "../../compiler/1-source/document/read-document.ts";
import type { YamlModule } from "../../compiler/1-source/document/yaml-module.ts";
import type { KeyPath } from "../../compiler/base/place.ts";

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

const key = fc.constantFrom("a", "b c", 'q"q', "", "é", "1", "back\\slash", "]");
const { value: anyValue } = fc.letrec<{ value: Value }>((inner) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(key, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(inner("value"), { maxLength: 4 }),
    fc.dictionary(key, inner("value"), { maxKeys: 4 }),
  ),
}));

function pathsOf(value: Value): KeyPath[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ["gone"], [7], ...inner.flatMap(([key, child]) => pathsOf(child).map((path) => [key, ...path]))];
}

test("a place in JSON is found where the full reader finds it", () => {
  fc.assert(
    fc.property(anyValue, fc.nat(2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const locate = createDocumentReader(() => yaml as unknown as YamlModule).locator(() => text);
      for (const path of pathsOf(value))
        for (const at of [{ at: "key" }, {}] as const) {
          const [found, wanted] = ["x.json", "x.yaml"].map((file) => locate({ file, path, ...at }));
          expect({ ...found, file: "" }).toEqual({ ...wanted, file: "" });
        }
    }),
    { numRuns: 500 },
  );
});

test("sound JSON is no work for the full reader, however long it is", () => {
  const text = `{"tools":[${"{},".repeat(4_000_000)}{"name":1}]}`;
  const locate = createDocumentReader(() => expect.fail("it would take hundreds of bytes for each")).locator(
    () => text,
  );
  const path = ["tools", 4_000_000, "name"];
  expect(locate({ file: "x.json", path })).toMatchObject({ line: 1, column: text.length - 3 });
});

test("a thousand places at one long text take a look at it", () => {
  const text = JSON.stringify({ a: "x".repeat(4_000_000) });
  const locate = createDocumentReader(() => yaml as unknown as YamlModule).locator(() => text);
  const started = process.cpuUsage();
  for (let i = 0; i < 1000; i++) expect(locate({ file: "x.json", path: ["a"] })?.column).toBe(6);
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(4);
});
