import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText } from "../../compiler/base/canonical.ts";
import { digestOf } from "../../compiler/base/digest.ts";
import type { JsonObject, JsonValue } from "../../compiler/base/json.ts";
import { toolDigest, toolTexts } from "../../compiler/1-source/examine-manifest.ts";

const COVERED = ["annotations", "description", "inputSchema", "name", "outputSchema", "title"];
const anyTool = fc
  .record(Object.fromEntries([...COVERED, "_meta", "icons"].map((key) => [key, fc.jsonValue()])), {
    requiredKeys: [],
  })
  .map((tool) => JSON.parse(JSON.stringify(tool)) as JsonObject);

test("a digest is over the canonical text of what it covers, as the runtime has it", () => {
  fc.assert(
    fc.property(anyTool, (tool) => {
      const covered = Object.fromEntries(Object.entries(tool).filter(([key]) => COVERED.includes(key)));
      expect(toolDigest(tool)).toBe(digestOf(canonicalText(covered)));
    }),
  );
});

test("the schemas cut out of that text are the schemas as sent; what is no schema says nothing", () => {
  const isSchema = (value: JsonValue | undefined) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  fc.assert(
    fc.property(anyTool, (tool) => {
      const { inputSchema, outputSchema } = toolTexts(tool);
      expect(JSON.parse(inputSchema)).toEqual(isSchema(tool["inputSchema"]) ? tool["inputSchema"] : {});
      if (isSchema(tool["outputSchema"])) expect(JSON.parse(outputSchema!)).toEqual(tool["outputSchema"]);
      else expect(outputSchema).toBeUndefined();
    }),
  );
});
