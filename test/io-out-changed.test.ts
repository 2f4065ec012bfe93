import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildAnew } from "../compiler/cli/compiling.ts";
import { header, jsonHeader } from "../compiler/4-artifacts/header.ts";
import type { Artifact } from "../compiler/4-artifacts/types.ts";
import { above, at, json, newFolderForEachTest, put, run, text, tree, ts } from "./support/output-folder.ts";

newFolderForEachTest();

describe("when `out:` has changed", () => {
  const moved = (artifacts: Artifact[], more: { readonly mode?: "write" | "check" } = {}) =>
    run(artifacts, more.mode, { out: "lib/agents", formerOut: "src/mcp" });
  const there = (name: string): Artifact => ({ path: `lib/agents/${name}.ts`, text: `${header}\n` });
  const schema: Artifact = { path: "mcp/schema/source.json", text: `{\n  ${jsonHeader}\n}\n` };

  test("what the old list names goes with it, and nothing else", () => {
    run([ts("a"), json("access"), schema]);
    put("src/mcp/mine.ts", `${header}\n`);
    expect(moved([there("a"), schema])).toMatchObject({
      says: [],
      missing: ["lib/agents/a.ts", "lib/agents/files.json"],
      stale: ["src/mcp/access.json", "src/mcp/files.json", "src/mcp/roles/a.ts"],
    });
    expect(Object.keys(tree())).toEqual([
      "lib/agents/a.ts",
      "lib/agents/files.json",
      "mcp/schema/source.json",
      "src/mcp/mine.ts",
    ]);
  });

  test("a build remembers where the last one wrote, but takes no repository's word for it", () => {
    const how = { check: false, cache: true } as const;
    const project = (out: string) => put("rolecall.yaml", `version: 1\nproject: harbor\nout: ${out}\n`);
    const written = () => Object.keys(tree()).filter((file) => file.endsWith("files.json"));
    project("src/mcp");
    buildAnew(at(""), how);
    project("lib/agents");
    expect(buildAnew(at(""), { ...how, check: true }).outcome!.stale).toContain("src/mcp/index.ts");
    expect(buildAnew(at(""), how).outcome!.stale).toContain("src/mcp/index.ts");
    expect(written()).toEqual(["lib/agents/files.json"]);
    expect(existsSync(at("src"))).toBe(false);
    cpSync(at(".rolecall"), at(".copy"), { recursive: true });
    rmSync(at(".rolecall"), { recursive: true });
    renameSync(at(".copy"), at(".rolecall"));
    project("src/mcp");
    expect(buildAnew(at(""), how).outcome!.stale).toEqual([]);
    expect(written()).toEqual(["lib/agents/files.json", "src/mcp/files.json"]);
  });

  test("a check says so and leaves it", () => {
    run([ts("a")]);
    const before = tree();
    expect(moved([there("a")], { mode: "check" }).stale).toEqual(["src/mcp/files.json", "src/mcp/roles/a.ts"]);
    expect(tree()).toEqual(before);
  });

  test("one that somebody edited stops the build", () => {
    run([ts("a")]);
    put("src/mcp/roles/a.ts", `${text("src/mcp/roles/a.ts")}// my note\n`);
    const before = tree();
    expect(moved([there("a")]).says).toEqual([
      "output/edited `src/mcp/roles/a.ts` isn't as rolecall wrote it: somebody changed it, and no source makes it any more",
    ]);
    expect(tree()).toEqual(before);
  });

  test.each([
    ["somebody else's", '{"mine":1}'],
    ["broken", "<<<<<<<"],
  ])("a list that is %s stays", (_, list) => {
    put("src/mcp/files.json", list);
    expect(moved([there("a")])).toMatchObject({ says: [], stale: [] });
    expect(text("src/mcp/files.json")).toBe(list);
  });

  test("a link that now stands there leads nowhere", () => {
    mkdirSync(above("theirs/roles"), { recursive: true });
    run([ts("a")]);
    renameSync(at("src/mcp"), above("theirs/mcp"));
    symlinkSync("../../theirs/mcp", at("src/mcp"));
    expect(moved([there("a")])).toMatchObject({ says: [], stale: [] });
    expect(readdirSync(above("theirs/mcp"))).toEqual(["files.json", "roles"]);
  });
});
