import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../compiler/base/json.ts";
import { toolDigest, toolTexts } from "../../compiler/1-source/examine-manifest.ts";

describe("a digest", () => {
  // Each was made by sha256sum of text that was written by hand as RFC 8785 has it: not by this code.
  test.each<[what: string, tool: string, digest: string]>([
    ["nothing", "{}", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"],
    ["a name", '{ "name": "x" }', "0229d37e33daae149bf40543a5ce1db4459d10f830d5139279aa2bfd5f6485a1"],
    [
      "null, which isn't nothing",
      '{ "name": "x", "title": null }',
      "2d5e22beb3b7e4e29cc82484e9cf074fd3590a1938c8518b7bcf2f51582dab10",
    ],
    [
      "a whole tool, its keys in any order, with what isn't covered",
      `{
        "title": "Read",
        "_meta": { "version": 7 },
        "name": "read_file",
        "icons": [{ "src": "read.png" }],
        "inputSchema": {
          "type": "object",
          "required": ["path"],
          "properties": { "path": { "type": "string", "minLength": 1 }, "encoding": { "enum": ["utf8", null] } }
        },
        "outputSchema": { "type": "object" },
        "description": "Reads a file.",
        "annotations": { "readOnlyHint": true, "openWorldHint": false }
      }`,
      "e9bf928948796caaaf51e6668ec0579689f38bfd7dfb59c2504b215b66bebff3",
    ],
    [
      "numbers",
      '{ "name": "numbers", "inputSchema": { "maximum": 1000000000000000000000, "minimum": -0.0, "n": 0.0000001, "multipleOf": 1e-6 } }',
      "290768408361653989bc48f49be9e5b1dc42a992b92002e12d53e97e493e4115",
    ],
    [
      "texts",
      String.raw`{ "name": "\u65e5本", "description": "Z\u00fcrich \u2028 \u000a\u000F \u0022" }`,
      "9645f64b10e526bee505ea27fadc38468f426ee55cd76ab3388dc648ffa2bb06",
    ],
    [
      "keys, sorted by UTF-16",
      String.raw`{ "name": "keys", "inputSchema": { "€": 4, "\r": 1, "\ufb33": 6, "1": 2, "😀": 5, "ö": 3 } }`,
      "7f3a0521faaca38af7e067e2ac3878327c5843ba380e87074de12f7ff16ac030",
    ],
  ])("%s", (_, tool, digest) => expect(toolDigest(JSON.parse(tool) as JsonObject)).toBe(`sha256:${digest}`));

  const tool = { name: "x", title: "t", description: "d", inputSchema: {}, outputSchema: {}, annotations: {} };
  test.each(Object.keys(tool))("is another one when %s changes, or goes", (key) => {
    const { [key]: _, ...without } = tool as JsonObject;
    const digests = [tool, without, { ...tool, [key]: { changed: true } }].map((one) => toolDigest(one as JsonObject));
    expect(new Set(digests).size).toBe(3);
  });
});

const anyTool = fc
  .record(
    Object.fromEntries(
      ["annotations", "inputSchema", "name", "outputSchema", "title", "_meta"].map((key) => [key, fc.jsonValue()]),
    ),
    { requiredKeys: [] },
  )
  .map((tool) => JSON.parse(JSON.stringify(tool)) as JsonObject);

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
