import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ROOT } from "../support/root.ts";

let top: string;
let dir: string;

beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), "rolecall-kill-"));
  dir = path.join(top, "project");
  mkdirSync(dir);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function at(file: string): string {
  return path.join(dir, file);
}

/** Everything that lies in the project, but for what rolecall keeps for itself. */
function tree(root = dir): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const entries = files.map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return [
      path.relative(root, file).split(path.sep).join("/"),
      entry.isSymbolicLink() ? readlinkSync(file) : readFileSync(file, "utf8"),
    ] as const;
  });
  return Object.fromEntries(
    entries.filter(([file]) => !file.startsWith(".rolecall/")).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe("a build that is killed", () => {
  let writer: string;

  beforeEach(async () => {
    writer = path.join(top, "writer.mjs");
    await build({
      stdin: {
        contents: `
          import { writeArtifacts } from "./compiler/io/write/write-artifacts.ts";
          import { header } from "./compiler/5-artifacts/header.ts";
          import { createReport } from "./compiler/diagnostics/report.ts";
          const [dir, word, count] = process.argv.slice(2);
          function* artifacts() {
            for (let i = 0; i < Number(count); i++) yield { path: "src/mcp/roles/" + word[0] + i + ".ts", text: header + "\\n" + word.repeat(2000) + "\\n" };
            for (let i = 0; i < Number(count); i++) yield { path: "src/mcp/f" + i + ".json", text: JSON.stringify(word.repeat(500)) + "\\n" };
            if (process.send) process.send("written");
          }
          const report = createReport(() => undefined);
          writeArtifacts(artifacts(), { dir, out: "src/mcp", folder: "mcp", hosts: [], mode: "write" }, report);
          for (const d of report.sorted()) console.error(d.says);
          process.exitCode = report.failed ? 1 : 0;
        `,
        resolveDir: ROOT,
        loader: "ts",
      },
      bundle: true,
      platform: "node",
      format: "esm",
      // As scripts/bundle.mjs does: the other form of a package may require its parts.
      mainFields: ["module", "main"],
      outfile: writer,
      logLevel: "error",
    });
  });

  const COUNT = 150;
  const start = (word: string): ChildProcess =>
    spawn(process.execPath, [writer, dir, word, String(COUNT)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.on("exit", resolve));

  async function whole(word: string): Promise<Record<string, string>> {
    const saved = dir;
    dir = path.join(top, `whole-${word}`);
    mkdirSync(dir);
    expect(await ended(start(word))).toBe(0);
    const files = tree();
    dir = saved;
    return files;
  }

  test("leaves the old output whole, or the next build makes the new one whole", async () => {
    const [old, fresh, third] = [await whole("old"), await whole("new"), await whole("third")];
    const outcomes = new Set<string>();
    for (let i = 0; i < 16; i++) {
      rmSync(dir, { recursive: true });
      mkdirSync(dir);
      expect(await ended(start("old"))).toBe(0);
      const child = start("new");
      const exit = ended(child);
      // From before the first byte is staged to after the last rename.
      if (i % 4 === 0) setTimeout(() => child.kill("SIGKILL"), 40 + i * 2);
      else child.once("message", () => setTimeout(() => child.kill("SIGKILL"), (i % 8) * 2));
      await exit;
      const left = tree();
      const inBetween = JSON.stringify(left) !== JSON.stringify(old) && JSON.stringify(left) !== JSON.stringify(fresh);
      outcomes.add(inBetween ? "in between" : JSON.stringify(left) === JSON.stringify(old) ? "old" : "new");
      if (inBetween) expect(readdirSync(at(".rolecall")).some((name) => name.startsWith("staging-"))).toBe(true);
      expect(await ended(start("third"))).toBe(0);
      expect(tree()).toEqual(third);
      expect(readdirSync(at(".rolecall"))).toEqual([".gitignore"]);
    }
    expect(outcomes.has("old")).toBe(true);
  }, 300_000);

  test("in the middle of going into place: the next build finishes it first", async () => {
    const fresh = await whole("new");
    expect(await ended(start("old"))).toBe(0);
    let inBetween = 0;
    for (let i = 0; i < 20 && inBetween < 2; i++) {
      const child = start("new");
      const exit = ended(child);
      child.once("message", () => {
        const timer = setInterval(() => {
          if (!readFileSync(at("src/mcp/f3.json"), "utf8").startsWith('"new')) return;
          clearInterval(timer);
          child.kill("SIGKILL");
        }, 0);
        child.once("exit", () => clearInterval(timer));
      });
      await exit;
      if (JSON.stringify(tree()) !== JSON.stringify(fresh)) inBetween++;
      expect(await ended(start("new"))).toBe(0);
      expect(tree()).toEqual(fresh);
      expect(await ended(start("old"))).toBe(0);
    }
    expect(inBetween).toBeGreaterThan(0);
  }, 300_000);

  test("two at once: both end well and the output is one of theirs, whole", async () => {
    const [old, fresh] = [await whole("old"), await whole("new")];
    for (let i = 0; i < 4; i++) {
      expect(await Promise.all([ended(start("old")), ended(start("new"))])).toEqual([0, 0]);
      expect([JSON.stringify(old), JSON.stringify(fresh)]).toContain(JSON.stringify(tree()));
    }
  }, 60_000);
});
