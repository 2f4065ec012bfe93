import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { accessOf } from "../../compiler/3-plan/access.ts";
import { compareAccess } from "../../compiler/3-plan/compare-access.ts";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import { compileProject } from "../../compiler/cli/compiling.ts";
import { openProject } from "../../compiler/io/read/project-files.ts";
import { yamlValue } from "../../compiler/io/read/shipped-presets.ts";
import { captureProject } from "../support/capture-project.ts";
import { runInProcess } from "../support/run-cli.ts";

/** What `import` writes holds what the file gives where rolecall.yaml lists it. */

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const FORMATS = path.join(import.meta.dirname, "../cases/formats");

interface Entry {
  readonly file: string;
  readonly servers?: Record<string, string>;
  readonly role?: string;
}

/** Lines about tools that open servers of other files say no such thing as policies of ours. */
const NARROWER: Readonly<Record<string, number>> = { "catalog/policies/tools.yaml": 2 };

/** Cases that build, each with the files that it lists, globs unfolded. */
const all = readdirSync(FORMATS).flatMap((name) => {
  const dir = path.join(FORMATS, name, "input");
  const { plan, diagnostics } = compileProject(dir);
  const { imports = [] } = yamlValue(readFileSync(path.join(dir, "rolecall.yaml"), "utf8")) as {
    imports?: (string | Entry)[];
  };
  if (diagnostics.some(({ severity }) => severity === "error") || imports.length === 0) return [];
  const files = openProject(dir);
  const entries = imports
    .map((item) => (typeof item === "string" ? { file: item } : item))
    .flatMap((entry) => files.match(entry.file).map(({ path: file }): Entry => ({ ...entry, file })));
  return entries.map((entry) => ({ name, dir, entry, entries, plan, file: entry.file }));
});

test("every format is among them", () => {
  expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThan(12);
});

test.each(all)("$name: $file", async ({ dir, entries, entry, plan }) => {
  const copy = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-same-")));
  try {
    cpSync(dir, copy, { recursive: true });
    const project = yamlValue(readFileSync(path.join(dir, "rolecall.yaml"), "utf8")) as object;
    writeFileSync(path.join(copy, "rolecall.yaml"), JSON.stringify({ ...project, imports: entries }));
    const { exit, printed } = await run(["import", entry.file], copy);
    expect(exit, printed).toBe(0);
    const after = compileProject(copy);
    expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const [before, now] = [accessOf(plan), accessOf(after.plan)];
    const servers = [...plan.servers, ...after.plan.servers].map((server) => server.name);
    const differs = compareAccess(before, now, [...new Set(servers)]);
    for (const { role, server, tool, after } of differs) {
      expect(after.effect).toBe("deny");
      expect(printed).toContain("Not as under `imports`");
      expect(printed).toMatch(new RegExp(`^ {2}(.*, )?${role}(, .*)?: lost .*\\b${server}\\.${tool}\\b`, "m"));
    }
    expect(differs.length).toBe(NARROWER[entry.file] ?? 0);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

describe("an entry of rolecall.yaml", () => {
  const PRODUCT =
    "id: kit\nmcp:\n  servers:\n    - name: tides\n      transport: sse\n      config: { url: https://tides.example/sse }\n";
  const taken = async (imports: string, argv: readonly string[] = []) => {
    const project = captureProject();
    try {
      project.write("rolecall.yaml", `version: 1\nproject: harbor\n${imports}`);
      project.write("product/manifest.yaml", PRODUCT);
      project.write("product/other.yaml", PRODUCT.replaceAll("tides", "winds"));
      const { exit, out } = await project.run(["import", "product/manifest.yaml", ...argv]);
      expect(exit).toBe(0);
      return { out, source: project.read("mcp/manifest.yaml"), written: project.read("rolecall.yaml") };
    } finally {
      project.remove();
    }
  };

  test("says how its file is read, and goes", async () => {
    const { out, source, written } = await taken(
      "imports:\n  - product/other.yaml # stays\n  - { file: product/manifest.yaml, role: kit, servers: { tides: sea } }\n",
    );
    expect(source).toMatch(/^ {2}kit:/m);
    expect(source).toMatch(/^ {2}sea:/m);
    expect(out).toContain("took product/manifest.yaml out of `imports` in rolecall.yaml");
    expect(written).toBe("version: 1\nproject: harbor\nimports:\n  - product/other.yaml # stays\n");
  });

  test("gives way to a flag", async () => {
    const { source, written } = await taken("imports: [{ file: product/manifest.yaml, role: kit }]\n", [
      "--role",
      "mine",
    ]);
    expect(source).toMatch(/^ {2}mine:/m);
    expect(written).toBe("version: 1\nproject: harbor\n");
  });

  test("stays where it names other files too", async () => {
    const imports = "imports: [product/*.yaml]\n";
    const { out, written } = await taken(imports);
    expect(written).toContain(imports);
    expect(out.replace(/\s+/g, " ")).toContain(
      "now take product/manifest.yaml out of `imports` in rolecall.yaml, where `product/*.yaml` finds it: name the others there",
    );
  });
});
