import { describe, expect, test } from "vitest";
import { passedResult, traceOf } from "../../compiler/serve/answer.ts";
import type { JsonObject } from "../../compiler/base/json.ts";
import { loadServerLibrary } from "../../compiler/io/serve/library.ts";

const { isSpecType } = loadServerLibrary();
const passed = (raw: object): object => passedResult(raw as never, isSpecType.ContentBlock);

describe("a result passes", () => {
  test("as it came: every kind of content, structure, failure, and what a server says beside", () => {
    const raw = {
      content: [
        { type: "text", text: "a", annotations: { audience: ["user"] } },
        { type: "image", data: "aGk=", mimeType: "image/png" },
        { type: "audio", data: "aGk=", mimeType: "audio/wav" },
        { type: "resource_link", uri: "http://127.0.0.1/x", name: "x" },
        { type: "resource", resource: { uri: "a://b", text: "t", _meta: { own: 1 } } },
      ],
      structuredContent: { a: [1, null] },
      isError: true,
      _meta: { "example.com/own": 1, plain: "x" },
    };
    expect(passed(raw)).toEqual(raw);
  });

  test("without what speaks for us, in any spelling of the name", () => {
    const reserved = [
      "io.modelcontextprotocol/serverInfo",
      "modelcontextprotocol.io/x",
      "IO.ModelContextProtocol/x",
      "dev.mcp/x",
      "tools.mcp.com/x",
      "progressToken",
      "traceparent",
    ];
    const meta = Object.fromEntries(reserved.map((key) => [key, "forged"]));
    const raw = { content: [{ type: "text", text: "a", _meta: { ...meta, own: 1 } }], _meta: meta, resultType: "x" };
    expect(passed(raw)).toEqual({ content: [{ type: "text", text: "a", _meta: { own: 1 } }], _meta: {} });
  });

  test.each([
    [
      "values beside the text",
      { type: "text", text: "a", _meta: { rows: Array(100_000).fill(1) }, own: Array(100_000).fill(1) },
    ],
    [
      "values of a resource",
      { type: "resource", resource: { uri: "a://b", text: "t", _meta: { rows: Array(100_000).fill(1) } } },
    ],
  ])("with however many %s", (_, block) => {
    expect(passed({ content: [block] })).toEqual({ content: [block] });
  });

  test("with however much content that is known", () => {
    const content = Array.from({ length: 10_000 }, (_, i) => ({ type: "image", data: "aGk=", mimeType: `image/${i}` }));
    expect(passed({ content })).toEqual({ content });
  });

  const strange = { type: "text", text: "", annotations: { audience: Array(200_000).fill("x") } };

  test.each([
    ["in very many blocks", Array.from({ length: 100_000 }, () => ({ type: "x" })), 97_500],
    ["in no blocks at all", Array.from({ length: 100_000 }, () => 1), 95_000],
    ["in a large one", [strange], 1],
    [
      "in one with very many icons",
      [{ type: "resource_link", uri: "a:b", name: "", icons: Array(200_000).fill(1) }],
      1,
    ],
  ])("quickly, however much nobody knows %s", (_, blocks: readonly unknown[], left) => {
    let asked = 0;
    const isContent = (block: JsonObject): boolean => {
      asked += JSON.stringify(block).match(/"x"|1/g)?.length ?? 0;
      return isSpecType.ContentBlock(block);
    };
    const plain = { type: "text", text: "a" };
    const { content } = passedResult({ content: [...blocks, plain] as never }, isContent);
    const told = (content as object[]).slice(-2);
    expect(asked).toBeLessThanOrEqual(5_000);
    expect(told).toEqual([
      plain,
      { type: "text", text: expect.stringContaining(`Left out unread: ${left} block`) as string },
    ]);
    expect((content as object[]).length).toBe(blocks.length - left + 2);
  });

  test("and fails for no content that nobody knows", () => {
    const strange = [{ type: "hologram", text: "x" }, { type: "text" }, "text", null, { type: "image", data: 7 }];
    const { content } = passed({ content: strange }) as { content: { type: string; text: string }[] };
    expect(content.map(({ type }) => type)).toEqual(["text", "text", "text", "text", "text"]);
    expect(content[0]!.text).toContain("`hologram` isn't known here");
    expect(passed({})).toEqual({ content: [] });
  });

  test("unless it is larger than any model takes", () => {
    const answer = passed({ content: [{ type: "text", text: "x".repeat(9 * 1024 * 1024) }] });
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("9.0 MB") }] });
  });
});

test("of a request only the trace goes to the server", () => {
  const meta = {
    traceparent: "00-1",
    baggage: "a=b",
    tracestate: 7,
    progressToken: 1,
    "io.modelcontextprotocol/x": "y",
  };
  expect(traceOf(meta)).toEqual({ traceparent: "00-1", baggage: "a=b" });
  expect(traceOf({ other: 1 })).toBeUndefined();
  expect(traceOf(undefined)).toBeUndefined();
});
