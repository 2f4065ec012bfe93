import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { watch } from "../../../compiler/io/read/watch.ts";

let dir: string;
let calls: string[][];
let close: () => void = () => {};

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "rolecall-watch-"));
  calls = [];
  put("rolecall.yaml");
  put("mcp/a.yaml");
  put("node_modules/x/y.yaml");
});
afterEach(() => {
  close();
  rmSync(dir, { recursive: true, force: true });
});

function put(file: string, text = "a: 1\n"): void {
  mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
  writeFileSync(path.join(dir, file), text);
}

async function called(times: number): Promise<void> {
  const until = performance.now() + 5000;
  while (calls.length < times && performance.now() < until) await pause(10);
  expect(calls.length).toBeGreaterThanOrEqual(times);
}

describe("files that aren't sources", () => {
  let others: string[];
  const start = async () => {
    close = watch(dir, (files) => calls.push([...files]), { others: () => others });
    await pause(30);
  };
  const looked = () => pause(600);

  test("are followed wherever they lie, from the moment they are named", async () => {
    put(".squad/a.md");
    await pause(100);
    others = [".squad/a.md", "prompts/b.md"];
    await start();
    await looked();
    expect(calls).toEqual([]);
    put(".squad/a.md", "changed");
    await called(1);
    put("prompts/b.md");
    await called(2);
    rmSync(path.join(dir, ".squad/a.md"));
    await called(3);
    expect(calls).toEqual([[".squad/a.md"], ["prompts/b.md"], [".squad/a.md"]]);
  });

  test("through a link too", async () => {
    put("real.md");
    symlinkSync("real.md", path.join(dir, "link.md"));
    await pause(100);
    others = ["link.md"];
    await start();
    await looked();
    put("real.md", "changed");
    await called(1);
    expect(calls).toEqual([["link.md"]]);
  });

  test("that changed between two looks and are named only then are told, others aren't followed", async () => {
    put("a.md");
    others = [];
    await start();
    await looked();
    put("a.md", "changed");
    put("b.md", "changed");
    others = ["a.md"];
    await called(1);
    await looked();
    expect(calls).toEqual([["a.md"]]);
  });
});

describe.each(["notices", "poll"] as const)("watching by %s", (by) => {
  const start = async () => {
    close = watch(dir, (files) => calls.push([...files]), { by, ignore: (file) => file.startsWith("src/mcp/") });
    await pause(30);
  };

  test("says once what changed when several files are saved together", async () => {
    await start();
    put("mcp/a.yaml", "b: 2\n");
    put("rolecall.yaml", "version: 1\n");
    await called(1);
    await pause(120);
    expect(calls).toEqual([["mcp/a.yaml", "rolecall.yaml"]]);
  });

  test("sees what appears in a new folder, and what goes", async () => {
    await start();
    put("mcp/deep/er/new.yaml");
    await called(1);
    expect(calls.flat()).toContain("mcp/deep/er/new.yaml");
    await pause(200);
    const before = calls.length;
    put("mcp/deep/er/new.yaml", "changed: true\n");
    await called(before + 1);
    await pause(200);
    const again = calls.length;
    rmSync(path.join(dir, "mcp/deep"), { recursive: true });
    await called(again + 1);
  });

  test("goes on with a folder that was taken away and made again before anybody heard of it", async () => {
    await start();
    for (const text of ["b: 2\n", "c: 3\n"]) {
      rmSync(path.join(dir, "mcp"), { recursive: true });
      put("mcp/a.yaml", text);
      const before = calls.length;
      await called(before + 1);
      await pause(200);
    }
    const before = calls.length;
    put("mcp/a.yaml", "d: 4\n");
    await called(before + 1);
    expect(calls.at(-1)).toEqual(["mcp/a.yaml"]);
  });

  test.each(["notices", "poll"] as const)("by %s: sees whatever changes in the folder of sources", async (by) => {
    close = watch(dir, (files) => calls.push([...files]), { by, folder: () => "mcp" });
    await pause(30);
    put("mcp/policies.ymal");
    await called(1);
    put("mcp/new/policies");
    await called(2);
    put("mcp/.policies.yaml.swp");
    put("mcp/a.yaml~");
    put("other/policies.ymal");
    await pause(700);
    expect(calls).toEqual([["mcp/policies.ymal"], ["mcp/new/policies"]]);
  });

  test("sees a file that an editor puts in the old one's place", async () => {
    await start();
    put("mcp/.a.yaml.swp", "new\n");
    renameSync(path.join(dir, "mcp/.a.yaml.swp"), path.join(dir, "mcp/a.yaml"));
    await called(1);
    expect(calls.flat()).toContain("mcp/a.yaml");
  });

  test("goes on where something can't be looked at", async () => {
    symlinkSync("before.yaml", path.join(dir, "mcp/before.yaml"));
    await start();
    symlinkSync("loop.yaml", path.join(dir, "mcp/loop.yaml"));
    await called(1);
    expect(calls.flat()).toContain("mcp/loop.yaml");
    await pause(600);
    put("mcp/a.yaml", "b: 2\n");
    await called(2);
    expect(calls.at(-1)).toEqual(["mcp/a.yaml"]);
  });

  test("is silent about our own files, other people's, and after it was closed", async () => {
    await start();
    put("src/mcp/access.json");
    put(".rolecall/cache");
    put("node_modules/x/y.yaml", "changed\n");
    put("src/app.ts");
    await pause(700);
    expect(calls).toEqual([]);
    close();
    put("mcp/a.yaml", "changed\n");
    await pause(700);
    expect(calls).toEqual([]);
  });
});
