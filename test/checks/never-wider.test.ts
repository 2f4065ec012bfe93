import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openProject } from "../../compiler/io/read/project-files.ts";
import { compiled, decision, errors, manifest } from "../support/compiled.ts";
import { newFolderForEachTest, put, run, text, ts } from "../support/output-folder.ts";

/** Ways to widen access, or to lose a file, that were tried once and must stay shut. */

const SERVER = "servers:\n  s: { connect: [{ stdio: [node] }] }\n";
const TOOLS = manifest({ name: "write", arguments: ["path"] }, { name: "drop", arguments: ["path"] });
const project = (rest: string, tools = TOOLS) =>
  compiled({ "mcp/a.yaml": `${SERVER}${rest}`, "mcp/manifests/s.json": tools });

describe("a class is one of four words", () => {
  test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "readonly"])("is:%s isn't one", (word) => {
    expect(errors(project(`roles:\n  r: { tools: { s: { exclude: ["is:${word}"] } } }\n`))).toContain(
      "source/unknown-class",
    );
  });
});

describe("a schema under where restricts something", () => {
  test.each<[string, boolean]>([
    ["true", false],
    ["{ description: any }", false],
    ["{ enmu: [a] }", false],
    ["{ type: string, maxlength: 3 }", false],
    ["{ type: string, format: uri }", false],
    ["{ allOf: [true, {}] }", false],
    ["{ properties: { a: true } }", false],
    ["false", true],
    ["{ type: string, maxLength: 3 }", true],
    ["{ enum: [a] }", true],
    ["{ not: { enum: [a] } }", true],
  ])("%s: %j", (schema, fine) => {
    const result = project(
      `roles:\n  r: { tools: { s: { include: [write], where: { write: { path: { schema: ${schema} } } } } } }\n`,
    );
    expect(errors(result).length === 0).toBe(fine);
  });
});

test("a hint that is neither true nor false counts as the worse of the two", () => {
  const odd = JSON.stringify({
    tools: [
      { name: "a", inputSchema: { type: "object" }, annotations: { readOnlyHint: true, destructiveHint: "true" } },
      { name: "b", inputSchema: { type: "object" }, annotations: { readOnlyHint: "true" } },
      { name: "c", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
    ],
  });
  const result = project("roles:\n  r: { tools: { s: [is:read-only] } }\n", odd);
  expect(["a", "b", "c"].map((tool) => decision(result, "r", "s", tool)?.effect)).toEqual(["deny", "deny", "allow"]);
});

test("one page of several is no manifest", () => {
  const page = JSON.stringify({ ...(JSON.parse(TOOLS) as object), nextCursor: "2" });
  expect(errors(project("roles:\n  r: { tools: { s: all } }\n", page))).toEqual(["manifest/shape"]);
});

test("a source is one whatever the case of its ending", () => {
  const dir = mkdtempSync(path.join(tmpdir(), "rolecall-endings-"));
  try {
    mkdirSync(path.join(dir, "mcp"));
    for (const name of ["a.YAML", "b.Yml", "c.JSON", "d.txt"]) writeFileSync(path.join(dir, "mcp", name), "");
    expect(openProject(dir).list("mcp")).toEqual(
      ["a.YAML", "b.Yml", "c.JSON"].map((name) => ({ path: `mcp/${name}` })),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

describe("files.txt", () => {
  newFolderForEachTest();
  test("can't make a build remove what rolecall didn't write", () => {
    run([ts("a")]);
    put("mcp/policies.json", "{}\n");
    put("src/mcp/files.txt", `${text("src/mcp/files.txt")}mcp/policies.json\n`);
    run([ts("a")]);
    expect(text("mcp/policies.json")).toBe("{}\n");
  });
});
