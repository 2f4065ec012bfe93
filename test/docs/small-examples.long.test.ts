import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { installPackages } from "../support/packages.ts";
import { ROOT } from "../support/root.ts";
import { runInProcess } from "../support/run-cli.ts";
import { typeCheck } from "../types/tsc.ts";

/** The examples whose output isn't committed: captured again, built, compiled and run, on real servers and offline. */

const FOLDER = path.join(ROOT, "examples");
const names = readdirSync(FOLDER).filter((name) => existsSync(path.join(FOLDER, name, ".gitignore")));
const home = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-small-")));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  cli.remove();
});

const env: Record<string, string> = {
  ...(process.env as Record<string, string>),
  ORDERS_KEY: "any-key-will-do",
  MEMORY_FILE_PATH: path.join(home, "almanac.jsonl"),
  REPOSITORY: path.join(home, "repository"),
  // As `npm link` puts the command there, and with a home of its own.
  PATH: `${path.join(home, "bin")}:${process.env["PATH"]}`,
  HOME: home,
};
let cli: BundledCli;
const rolecall = runInProcess((argv, terminal) => main(argv, terminal, engine), env);
const at = (name: string): string => path.join(home, name);
const access = (name: string) =>
  JSON.parse(readFileSync(path.join(at(name), "src/mcp/access.json"), "utf8")) as {
    readonly roles: Record<string, { readonly servers: Record<string, { readonly tools: Record<string, string> }> }>;
  };

beforeAll(async () => {
  for (const name of names) {
    const filter = (file: string): boolean => !/\.rolecall|src\/mcp$|almanac/.test(file);
    cpSync(path.join(FOLDER, name), at(name), { recursive: true, filter });
    writeFileSync(path.join(at(name), "package.json"), '{ "type": "module" }\n');
    await installPackages(at(name));
  }
  makeRepository(env["REPOSITORY"]!);
  cli = bundledCli();
  mkdirSync(path.join(home, "bin"));
  const command = `#!/bin/sh\nexec ${process.execPath} ${cli.entry} "$@"\n`;
  writeFileSync(path.join(home, "bin", "rolecall"), command, { mode: 0o755 });
}, 120_000);

test("there are six", () => {
  expect(names).toEqual(["custom-server", "file-analyzer", "gateway", "git-history", "knowledge-base", "squad-import"]);
});

describe.each(names)("%s", (name) => {
  test("its pins are what its servers say, and it builds without an error", async () => {
    if (name !== "squad-import") {
      // `npx` finds the pinned package where the repository has it.
      const captured = await rolecall(["capture", "--check"], at(name));
      expect(captured.exit, captured.printed).toBe(0);
    }
    const built = await rolecall(["build"], at(name));
    expect(built.exit, built.printed).toBe(0);
  });

  test("its code compiles", async () => {
    const write = (file: string, text: string) => writeFileSync(path.join(at(name), file), text);
    rmSync(path.join(at(name), "src/mcp/runtime-copilot-sdk.ts"), { force: true });
    rmSync(path.join(at(name), "src/mcp/hosts"), { recursive: true, force: true });
    expect(await typeCheck({ folder: at(name), write, remove() {} }, "7.0", ["src"])).toEqual([]);
  });

  test("its README is a page of at most 25 lines", () => {
    expect(readFileSync(path.join(FOLDER, name, "README.md"), "utf8").split("\n").length).toBeLessThanOrEqual(26);
  });
});

test("custom-server: takes an order", async () => {
  expect(await runs("custom-server", "src/app.ts")).toBe(
    "order 3: seed rolls, open\nrye bread, plum cake, seed rolls\na clerk throws no order away\n",
  );
});

test("file-analyzer: reads texts, on the real server", async () => {
  expect(await runs("file-analyzer", "src/app.ts")).toBe(
    "stores.txt: 3 lines, 3 words\ntides.md: 4 lines, 10 words\nnot read: settings.ini\n",
  );
});

test("file-analyzer: its own test, against a fake", async () => {
  const printed = await runs("file-analyzer", "src/analyze.test.ts", "--test");
  expect(printed).toMatch(/^# pass 1$/m);
  expect(printed).toMatch(/^# fail 0$/m);
});

test("gateway: the entry of a host's file holds what the host can't", async () => {
  expect(await runs("gateway", "src/app.ts")).toBe(
    [
      "notes__delete_note, notes__read_note, notes__write_note",
      "written: tests/tides.md",
      "notes.write_note: `path` doesn't match the glob `tests/**`. Call it with other arguments.",
      "A person has to say yes to this call, and nobody is there to be asked. Nothing was done. Tell the user to open `rolecall asks` in a terminal of their own, then make the same call again.\n",
    ].join("\n"),
  );
  expect(execFileSync("rolecall", ["serve", "--stop"], { cwd: at("gateway"), env, encoding: "utf8" })).toContain(
    "ended",
  );
});

test("git-history: tells what happened in a repository", async () => {
  expect(await runs("git-history", "src/app.ts")).toMatch(
    /^(\w+) Ada: sail home\n\w+ Ada: set out\n\1 sail home\nrefused: --output\na historian commits nothing\n$/,
  );
});

test("knowledge-base: entities are written, and read back", async () => {
  expect(await runs("knowledge-base", "src/app.ts")).toBe(`argument-refused
asked: Delete Entities
ask-refused
Gull Rock (place), Marigold (ship)
Marigold passed Gull Rock
`);
});

test("squad-import: the squad's own file, and what stands beside it", async () => {
  const { roles } = access("squad-import");
  const held = (role: string, server: string) => roles[role]?.servers[server]?.tools;
  expect(Object.keys(roles)).toEqual(["backend-dev", "lead", "scribe", "tester"]);
  expect(held("tester", "github")).toEqual({
    create_issue: "allow",
    list_issues: "allow",
    list_pull_requests: "allow",
  });
  expect(held("lead", "github")?.["merge_pull_request"]).toBe("ask");
  expect(held("backend-dev", "ledger")).toEqual({ list_tables: "allow", query: "allow" });
  expect(held("scribe", "workspace")).toEqual({ list_directory: "allow", read_file: "allow", write_file: "allow" });
  expect(held("scribe", "github")).toBeUndefined();
  const config = path.join(at("squad-import"), ".squad/mcp-config.json");
  const before = readFileSync(config, "utf8");
  writeFileSync(config, before.replace('"create_pull_request", "merge', '"create_pull_reqest", "merge'));
  const { exit, printed } = await rolecall(["build"], at("squad-import"));
  writeFileSync(config, before);
  expect([exit, printed]).toEqual([1, expect.stringContaining(".squad/mcp-config.json:")]);
  expect(printed).toContain("did you mean `create_pull_request`?");
});

async function runs(name: string, file: string, ...flags: readonly string[]): Promise<string> {
  const outfile = path.join(at(name), `${path.basename(file, ".ts")}.mjs`);
  const entryPoints = [path.join(at(name), file)];
  await build({ entryPoints, outfile, bundle: true, packages: "external", format: "esm", platform: "node" });
  const reporter = flags.includes("--test") ? ["--test-reporter=tap"] : [];
  return execFileSync(process.execPath, [...flags, ...reporter, outfile], { cwd: at(name), encoding: "utf8", env });
}

function makeRepository(folder: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args]);
  execFileSync("git", ["init", "--quiet", folder]);
  for (const message of ["set out", "sail home"]) git("commit", "--quiet", "--allow-empty", "-m", message);
}
