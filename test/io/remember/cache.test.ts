import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { header } from "../../../compiler/5-artifacts/header.ts";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { createReport } from "../../../compiler/diagnostics/report.ts";
import type { Diagnostic } from "../../../compiler/diagnostics/types.ts";
import { earlierBuild, saveCache, standingBuild } from "../../../compiler/io/remember/cache.ts";
import { openMemory } from "../../../compiler/io/remember/memory.ts";
import { writeOwnNote } from "../../../compiler/io/remember/work-folder.ts";
import { openProject } from "../../../compiler/io/read/project-files.ts";
import { writeArtifacts } from "../../../compiler/io/write/write-artifacts.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "rolecall-cache-"));
  put("rolecall.yaml", "version: 1\n");
  put("mcp/a.yaml", "roles: {}\n");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(file: string, content: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), content);
}

function at(file: string): string {
  return path.join(dir, file);
}

const warning: Diagnostic = {
  code: "server/unused",
  severity: "warning",
  says: "nobody uses `x`",
  help: undefined,
  at: undefined,
  also: [],
};

/** Reads what a build reads, writes a file made from it, and one into a folder that it has listed. */
function build(meanwhile = () => {}): void {
  const files = openProject(dir);
  const read = [
    "rolecall.yaml",
    ...files.list("mcp").map((f) => f.path),
    ...files.match("guards/*.yaml").map((f) => f.path),
    ...files.match("one/guard.yaml").map((f) => f.path),
  ];
  const made = read
    .filter((file) => !file.startsWith("mcp/schema/"))
    .map((file) => `${file} ${files.read(file)["text" as never]}`)
    .join("");
  meanwhile();
  const artifacts: Artifact[] = [
    { path: "src/mcp/all.ts", text: `${header}\n${made}` },
    { path: "mcp/schema/source.json", text: "{}\n" },
    { path: ".env.example", block: ["A="], comment: "#" },
  ];
  const report = createReport(() => undefined);
  const written = writeArtifacts(
    artifacts,
    { dir, out: "src/mcp", folder: "mcp", hosts: allHosts([]), mode: "write" },
    report,
  );
  expect(report.failed).toBe(false);
  saveCache(dir, "1.0.0", { seen: files.seen, ...written, diagnostics: [warning], summary: { roles: 1 } });
}

const upToDate = () => isUpToDate(dir, "1.0.0") !== undefined;

function isUpToDate(project: string, toolVersion: string) {
  const standing = standingBuild(project, toolVersion);
  return standing?.gone.size === 0 ? standing.last : undefined;
}

/** Once as things are fresh and contents are compared, once when times alone are trusted. */
async function settled(): Promise<void> {
  await pause(150);
  expect(upToDate()).toBe(true);
  const files = JSON.parse(readFileSync(at(".rolecall/cache"), "utf8").split("\n")[1]!).files as unknown[][];
  expect(files.every((print) => print.length === 1 || print[6] === 1)).toBe(true);
}

describe("what another version left", () => {
  const NOTE = ".rolecall/cache";
  test("is known for what it was, and nothing of it is taken for made", () => {
    build();
    const [own, other] = ["1.0.0", "1.0.1"].map((version) => earlierBuild(dir, version)!);
    for (const file of ["src/mcp/all.ts", "mcp/schema/source.json"]) {
      expect(other!.left(file)).toMatch(/^sha256:/);
      expect(other!.left(file)).toBe(own!.left(file));
    }
    expect([...own!.made.keys()]).toContain("src/mcp/all.ts");
    expect([...other!.made.keys()]).toEqual([]);
    const stats = statSync(at("src/mcp/all.ts"));
    expect(other!.digestBy("src/mcp/all.ts", stats)).toBeUndefined();
  });

  test("is nothing where its note has another form", () => {
    build();
    const [, body] = readFileSync(at(NOTE), "utf8").split("\n");
    for (const keys of [[1], [["a", 1]], [null]]) {
      writeOwnNote(at(NOTE), () => JSON.stringify({ ...JSON.parse(body!), tool: "2.0.0", keys }));
      expect(earlierBuild(dir, "1.0.0")).toBeUndefined();
    }
    writeOwnNote(at(NOTE), () => JSON.stringify({ ...JSON.parse(body!), tool: "2.0.0", files: [null] }));
    expect(earlierBuild(dir, "1.0.0")).toBeUndefined();
  });
});

describe.each(["by content", "by times"])("nothing changed, judged %s", (how) => {
  beforeEach(async () => {
    build();
    if (how === "by times") await settled();
  });

  test("says what the last build said", () => {
    expect(isUpToDate(dir, "1.0.0")).toEqual({
      diagnostics: [JSON.parse(JSON.stringify(warning))],
      summary: { roles: 1 },
    });
  });

  test.each<[string, () => void]>([
    ["a source that changed", () => put("mcp/a.yaml", "roles: {x}\n")],
    ["a source that changed and kept its size", () => put("mcp/a.yaml", "roles: []\n")],
    [
      "a source that changed and kept its size and time",
      () => {
        const { atime, mtime } = statSync(at("mcp/a.yaml"));
        put("mcp/a.yaml", "roles: []\n");
        utimesSync(at("mcp/a.yaml"), atime, mtime);
      },
    ],
    [
      "another file in its place",
      () => (
        put("other", "roles: []\n"),
        utimesSync(at("other"), statSync(at("mcp/a.yaml")).atime, statSync(at("mcp/a.yaml")).mtime),
        renameSync(at("other"), at("mcp/a.yaml"))
      ),
    ],
    ["a new source", () => put("mcp/b.yaml", "")],
    ["a new source deep below", () => put("mcp/deep/er/b.yaml", "")],
    ["a source that went", () => rmSync(at("mcp/a.yaml"))],
    ["a guard in a folder that wasn't there", () => put("guards/g.yaml", "")],
    ["a guard that wasn't there", () => put("one/guard.yaml", "")],
    ["an output that went", () => rmSync(at("src/mcp/all.ts"))],
    ["an output that was edited", () => put("src/mcp/all.ts", "x")],
    ["the list of outputs edited", () => put("src/mcp/files.txt", "x")],
    ["a file beside the outputs", () => put("src/mcp/more.ts", "x")],
    ["a file in a folder that a host's files lie in", () => put("mcp/hosts/opencode/x.json", "x")],
    ["the user's block edited", () => put(".env.example", "")],
    ["an output in a listed folder that went", () => rmSync(at("mcp/schema/source.json"))],
    ["a staging folder that a killed build left", () => mkdirSync(at(".rolecall/staging-x"))],
    ["a broken cache", () => put(".rolecall/cache", "{")],
    ["no cache", () => rmSync(at(".rolecall/cache"))],
  ])("sees %s", (_, change) => {
    expect(upToDate()).toBe(true);
    change();
    expect(upToDate()).toBe(false);
  });

  test("another version of the tool builds", () => expect(isUpToDate(dir, "1.0.1")).toBeUndefined());

  test("a touched file that is the same is no change", () => {
    utimesSync(at("mcp/a.yaml"), new Date(), new Date());
    expect(upToDate()).toBe(true);
  });

  test("a file from the future is compared by content, each time", () => {
    const future = new Date(Date.now() + 3_600_000);
    utimesSync(at("mcp/a.yaml"), future, future);
    build();
    expect(upToDate()).toBe(true);
    put("mcp/a.yaml", "roles: []\n");
    utimesSync(at("mcp/a.yaml"), future, future);
    expect(upToDate()).toBe(false);
  });

  test("a cache that was copied along with a project is worth nothing", () => {
    const copy = mkdtempSync(path.join(tmpdir(), "rolecall-copy-"));
    cpSync(dir, copy, { recursive: true });
    expect(isUpToDate(copy, "1.0.0")).toBeUndefined();
    rmSync(copy, { recursive: true });
  });
});

test("a file as young as the look at it is never believed for its times, should they lie", () => {
  build();
  put("mcp/a.yaml", "roles: []\n");
  // As if the clock had stood still: the times that were noted are those of the changed file.
  const [mark, body] = readFileSync(at(".rolecall/cache"), "utf8").split("\n");
  const cache = JSON.parse(body!) as { files: unknown[][] };
  const { size, mtimeMs, ctimeMs, ino } = statSync(at("mcp/a.yaml"));
  cache.files.find((print) => print[0] === "mcp/a.yaml")!.splice(1, 4, size, mtimeMs, ctimeMs, ino);
  writeFileSync(at(".rolecall/cache"), `${mark}\n${JSON.stringify(cache)}`);
  expect(upToDate()).toBe(false);
});

test("what changes while a build runs isn't missed", () => {
  build(() => put("mcp/a.yaml", "roles: []\n"));
  expect(upToDate()).toBe(false);
  build(() => put("mcp/new.yaml", ""));
  expect(upToDate()).toBe(false);
  build(() => rmSync(at("mcp/new.yaml")));
  expect(upToDate()).toBe(false);
  build();
  expect(upToDate()).toBe(true);
});

test("a source that is a link is judged by what it leads to", async () => {
  put("shared/x.yaml", "one\n");
  symlinkSync("../shared/x.yaml", at("mcp/x.yaml"));
  build();
  await settled();
  put("shared/x.yaml", "two\n");
  expect(upToDate()).toBe(false);
});

test("where nothing can be kept, a build is none the worse", () => {
  writeFileSync(at("plain"), "");
  saveCache(at("plain"), "1.0.0", {
    seen: openProject(dir).seen,
    outputs: new Map(),
    made: new Map(),
    keys: new Map(),
    folders: new Map(),
    diagnostics: [],
    summary: null,
  });
  expect(isUpToDate(at("plain"), "1.0.0")).toBeUndefined();
});

describe("what was found out before", () => {
  const key = `sha256:${"1".repeat(64)}`;

  test("is remembered as long as somebody asks", () => {
    const first = openMemory<readonly string[]>(dir, "manifests", "1");
    expect(first.recall(key)).toBeUndefined();
    first.remember(key, ["sha256:a"]);
    first.remember("other", []);
    first.save();
    const second = openMemory<readonly string[]>(dir, "manifests", "1");
    expect(second.recall(key)).toEqual(["sha256:a"]);
    second.save();
    expect(openMemory<readonly string[]>(dir, "manifests", "1").recall("other")).toBeUndefined();
    expect(openMemory<readonly string[]>(dir, "manifests", "1").recall(key)).toEqual(["sha256:a"]);
    expect(openMemory<readonly string[]>(dir, "manifests", "2").recall(key)).toBeUndefined();
  });

  test("a memory that somebody else wrote, or that broke, is empty", () => {
    const memory = openMemory<readonly string[]>(dir, "manifests", "1");
    memory.remember(key, ["sha256:a"]);
    memory.save();
    const text = readFileSync(at(".rolecall/manifests"), "utf8");
    rmSync(at(".rolecall/manifests"));
    put(".rolecall/other.json", "");
    put(".rolecall/manifests", text.replace(/^\d+/, "7"));
    expect(openMemory<readonly string[]>(dir, "manifests", "1").recall(key)).toBeUndefined();
    put(".rolecall/manifests", "nonsense");
    expect(openMemory<readonly string[]>(dir, "manifests", "1").recall(key)).toBeUndefined();
  });
});
