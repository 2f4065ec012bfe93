import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";

/** `rolecall init` in a large folder: 20,000 files, half of them of a kind that is looked into. */

let cli: BundledCli;
beforeAll(() => void (cli = bundledCli()), 120_000);
afterAll(() => cli.remove());

test("looks at 20,000 files in less than two seconds, and says what it left", () => {
  const dir = cli.folder("large");
  const filler = "# mcp servers, with their tools and transport\n".repeat(20);
  for (let i = 0; i < 200; i++) {
    const folder = path.join(dir, `packages/p${i % 20}/part-${i}`);
    mkdirSync(folder, { recursive: true });
    for (let k = 0; k < 50; k++) {
      writeFileSync(path.join(folder, `code-${k}.ts`), filler);
      writeFileSync(path.join(folder, `data-${k}.yaml`), `${filler}name: n${k}\nlist: [1, 2, 3]\n`);
    }
  }
  mkdirSync(path.join(dir, "agents"));
  writeFileSync(path.join(dir, "agents/writer.yaml"), "slug: writer\nrequires:\n  mcp: [notes]\n");
  const started = performance.now();
  const { exit, out } = cli.run("rolecall init --yes --json", dir);
  const took = performance.now() - started;
  expect(exit).toBe(0);
  const { found } = JSON.parse(out) as { found: Readonly<Record<string, readonly string[]>> };
  expect(found["reads"]!.join()).toContain("agents/writer.yaml");
  expect(found["not looked at"]).toEqual(["8001 more files, behind the first 2000"]);
  expect(took).toBeLessThan(2000);
}, 60_000);
