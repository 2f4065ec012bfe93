import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildAnew } from "../../../compiler/cli/compiling.ts";
import { header, jsonHeader } from "../../../compiler/5-artifacts/header.ts";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { above, at, json, newFolderForEachTest, put, run, text, tree, ts } from "../../support/output-folder.ts";

newFolderForEachTest();

describe("when `out:` has changed", () => {
  const moved = (artifacts: Artifact[], more: { readonly mode?: "write" | "check" } = {}) =>
    run(artifacts, more.mode, { out: "lib/agents", former: { out: "src/mcp", folder: "mcp" } });
  const there = (name: string): Artifact => ({ path: `lib/agents/${name}.ts`, text: `${header}\n` });
  const schema: Artifact = { path: "mcp/schema/source.json", text: `{\n  ${jsonHeader}\n}\n` };

  test("what the old list names goes with it, and nothing else", () => {
    run([ts("a"), json("access"), schema]);
    put("src/mcp/mine.ts", "mine\n");
    put("elsewhere/theirs.ts", `${header}\n`);
    expect(moved([there("a"), schema])).toMatchObject({
      says: [],
      missing: ["lib/agents/a.ts", "lib/agents/files.txt"],
      stale: ["src/mcp/access.json", "src/mcp/files.txt", "src/mcp/roles/a.ts"],
    });
    expect(Object.keys(tree())).toEqual([
      "elsewhere/theirs.ts",
      "lib/agents/a.ts",
      "lib/agents/files.txt",
      "mcp/schema/source.json",
      "src/mcp/mine.ts",
    ]);
  });

  test("a build remembers where the last one wrote, but takes no repository's word for it", () => {
    const how = { check: false, cache: true } as const;
    mkdirSync(at("mcp"));
    const project = (out: string) => put("rolecall.yaml", `version: 1\nproject: harbor\nout: ${out}\n`);
    const written = () => Object.keys(tree()).filter((file) => file.endsWith("files.txt"));
    project("src/mcp");
    buildAnew(at(""), how);
    project("lib/agents");
    expect(buildAnew(at(""), { ...how, check: true }).outcome!.stale).toContain("src/mcp/index.ts");
    expect(buildAnew(at(""), how).outcome!.stale).toContain("src/mcp/index.ts");
    expect(written()).toEqual(["lib/agents/files.txt"]);
    expect(existsSync(at("src"))).toBe(false);
    cpSync(at(".rolecall"), at(".copy"), { recursive: true });
    rmSync(at(".rolecall"), { recursive: true });
    renameSync(at(".copy"), at(".rolecall"));
    project("src/mcp");
    expect(buildAnew(at(""), how).outcome!.stale).toEqual([]);
    expect(written()).toEqual(["lib/agents/files.txt", "src/mcp/files.txt"]);
  });

  test("a check says so and leaves it", () => {
    run([ts("a")]);
    const before = tree();
    expect(moved([there("a")], { mode: "check" }).stale).toEqual(["src/mcp/files.txt", "src/mcp/roles/a.ts"]);
    expect(tree()).toEqual(before);
  });

  test("the last place is named, and a slip in it undone by the next build", () => {
    run([ts("a")]);
    put("src/mcp/roles/a.ts", `${text("src/mcp/roles/a.ts")}// my note\n`);
    const away = moved([there("a")]);
    expect(away.moved).toEqual([{ key: "out", before: "src/mcp" }]);
    expect(away.notes).toEqual([expect.stringContaining("`src/mcp/roles/a.ts`")]);
    const back = run([ts("a")], "write", { former: { out: "lib/agents", folder: "mcp" } });
    expect([back.says, Object.keys(tree())]).toEqual([[], ["src/mcp/files.txt", "src/mcp/roles/a.ts"]]);
  });

  test("files of hosts go with the folder of sources that they lay in", () => {
    const files = ["opencode/a.json", "codex/a.config.toml"];
    for (const file of files) put(`agents/hosts/${file}`, "x\n");
    put("agents/hosts/opencode/notes.md", "mine\n");
    run([], "write", { former: { out: "src/mcp", folder: "agents" } });
    expect(Object.keys(tree())).toEqual(["agents/hosts/opencode/notes.md", "src/mcp/files.txt"]);
  });

  test.each([
    ["somebody else's", "mine\n"],
    ["broken", "<<<<<<<"],
  ])("a list that is %s stays", (_, list) => {
    put("src/mcp/files.txt", list);
    expect(moved([there("a")])).toMatchObject({ says: [], stale: [] });
    expect(text("src/mcp/files.txt")).toBe(list);
  });

  test("a link that now stands there leads nowhere", () => {
    mkdirSync(above("theirs/roles"), { recursive: true });
    run([ts("a")]);
    renameSync(at("src/mcp"), above("theirs/mcp"));
    symlinkSync("../../theirs/mcp", at("src/mcp"));
    expect(moved([there("a")])).toMatchObject({ says: [], stale: [] });
    expect(readdirSync(above("theirs/mcp"))).toEqual(["files.txt", "roles"]);
  });
});
