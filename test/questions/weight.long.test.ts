import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";
import { describe, expect, test } from "vitest";
import { toolTexts } from "../../compiler/1-source/examine-manifest.ts";
import type { JsonObject } from "../../compiler/base/json.ts";
import type { ToolName } from "../../compiler/base/names.ts";
import { estimateTokens } from "../../compiler/questions/estimate-tokens.ts";
import { createScales, definitionText } from "../../compiler/questions/weight.ts";
import { manifest, planned } from "../support/compiled.ts";
import { ROOT, SHARED } from "../support/root.ts";

/** The estimate beside a real tokenizer, over what real servers send. */

const encoder = new Tiktoken(o200k);
const counted = (text: string): number => encoder.encode(text, "all").length;

const FOLDERS = [
  ...readdirSync(path.join(ROOT, "examples")).map((name) => path.join(ROOT, "examples", name, "mcp/manifests")),
  path.join(ROOT, "test/hosts/project/mcp/manifests"),
  path.join(SHARED, "manifests"),
];

interface Captured {
  readonly name: string;
  readonly texts: readonly string[];
}

const captured: readonly Captured[] = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({
      name: `${path.basename(path.dirname(path.dirname(folder)))}/${name}`,
      texts: textsOf(path.join(folder, name)),
    })),
);

function textsOf(file: string): string[] {
  const { tools } = JSON.parse(readFileSync(file, "utf8")) as { readonly tools: readonly JsonObject[] };
  return tools.map((tool) => definitionText({ name: tool["name"] as ToolName, texts: () => toolTexts(tool) }));
}

describe("an estimate beside what o200k_base counts", () => {
  test("each server is within a tenth, or a small one within five tokens", () => {
    const far = captured.flatMap(({ name, texts }) => {
      const real = texts.reduce((sum, text) => sum + counted(text), 0);
      const guess = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      return Math.abs(guess - real) <= Math.max(real / 10, 5) ? [] : [`${name}: ${guess}, and it is ${real}`];
    });
    expect(captured.length).toBeGreaterThan(10);
    expect(far).toEqual([]);
  });

  test("all together are within a twentieth", () => {
    const texts = captured.flatMap((one) => one.texts);
    const real = texts.reduce((sum, text) => sum + counted(text), 0);
    const guess = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    expect(Math.abs(guess / real - 1)).toBeLessThan(0.05);
  });
});

test("any text is judged in time that grows with its length alone", () => {
  const hostile = [
    "a".repeat(2e6),
    '{"'.repeat(1e6),
    "aB".repeat(1e6),
    "\u4e2d\u{1f600}".repeat(6e5),
    " \n".repeat(1e6),
  ];
  const start = performance.now();
  for (const text of hostile) expect(estimateTokens(text)).toBeGreaterThan(0);
  expect(performance.now() - start).toBeLessThan(3000);
});

describe("what a role weighs", () => {
  const { plan } = planned({
    "mcp/servers.yaml": `servers:
  files: { connect: [{ stdio: [node, files.mjs] }] }
  notes: { connect: [{ stdio: [node, notes.mjs] }] }
  unseen: { connect: [{ stdio: [node, unseen.mjs] }] }
`,
    "mcp/manifests/files.json": manifest({ name: "read", description: "Reads a file." }, "write"),
    "mcp/manifests/notes.json": manifest("look"),
    "mcp/roles.yaml": `roles:
  reader: { tools: { files: [read], unseen: [peek] } }
  nobody: { description: Holds nothing. }
`,
  });
  const [nobody, reader] = plan.roles;
  const weigh = createScales();
  const [read, write] = ["read", "write"].map((name) => {
    const tool = plan.servers[0]!.tools.find((one) => one.name === name)!;
    return estimateTokens(definitionText(tool));
  }) as [number, number];

  test("is the sum of its tools, and what its servers have besides; a tool without a manifest is counted apart", () => {
    expect(weigh(reader!)).toMatchObject({
      held: { tokens: read, unknown: 1 },
      all: { tokens: read + write, unknown: 1 },
      servers: [
        { server: { name: "files" }, held: { tokens: read, unknown: 0 }, all: { tokens: read + write, unknown: 0 } },
        { server: { name: "unseen" }, held: { tokens: 0, unknown: 1 }, all: { tokens: 0, unknown: 1 } },
      ],
    });
  });

  test("is nothing where nothing is held", () => {
    expect(weigh(nobody!)).toEqual({ held: { tokens: 0, unknown: 0 }, all: { tokens: 0, unknown: 0 }, servers: [] });
  });
});
