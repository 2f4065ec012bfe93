import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  expectedOf,
  findCases,
  flawsOf,
  runCase,
  update,
  type Case,
  type CaseSettings,
  type Run,
} from "../support/case.ts";
import { runInProcess } from "../support/run-cli.ts";

/** The runner of the cases itself, with a stand-in for the command. */

let root = "";
beforeEach(() => void (root = mkdtempSync(path.join(tmpdir(), "rolecall-runner-"))));
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

function put(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

function theCase(settings: CaseSettings = {}, files: Readonly<Record<string, string>> = {}): Case {
  put({ "plan/one/input/rolecall.yaml": "# what it guards\nversion: 1\n", ...files });
  if (Object.keys(settings).length > 0) put({ "plan/one/case.json": JSON.stringify(settings) });
  return findCases(root).cases[0]!;
}

/** Writes the command's words as files, `-x` removes one, and prints the rest. */
const fake: Run = async (command, folder) => {
  for (const word of command) {
    const file = path.join(folder, word.replace(/^-/, ""));
    if (word.startsWith("-")) unlinkSync(file);
    else if (word.includes(".")) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, "made\n");
    }
  }
  return { exit: command.includes("fail") ? 1 : 0, printed: `ran ${command.join(" ")}\n` };
};

describe("what a case says", () => {
  test("runs a plain build and reads what it guards from the first comment", async () => {
    const one = theCase();
    expect(one).toMatchObject({ name: "plan/one", guards: "what it guards" });
    expect(await runCase(one, fake)).toEqual({ "output.txt": "ran build\n" });
    expect(flawsOf(one)).toEqual([]);
  });

  test("shows what was written, changed and removed, and an exit other than 0", async () => {
    const one = theCase(
      { command: ["fail", "out/b.ts", "rolecall.yaml", "a.txt", "-old.ts"] },
      { "plan/one/input/old.ts": "", "plan/one/input/a.txt": "made\n" },
    );
    expect(await runCase(one, fake)).toEqual({
      "out/b.ts": "made\n",
      "output.txt": "ran fail out/b.ts rolecall.yaml a.txt -old.ts\n(removed old.ts)\n(exit 1)\n",
      "rolecall.yaml": "made\n",
    });
    expect(readFileSync(path.join(root, "plan/one/input/rolecall.yaml"), "utf8")).toContain("version: 1");
  });

  test("compares neither the cache nor what is proven elsewhere, unless it is named", async () => {
    const command = [
      ".rolecall/a.json",
      "src/mcp/runtime-a.ts",
      "src/mcp/files.txt",
      "mcp/schema/a.json",
      "src/mcp/index.ts",
    ];
    expect(Object.keys(await runCase(theCase({ command }), fake))).toEqual(["output.txt", "src/mcp/index.ts"]);
    const named = theCase({ command, only: ["src/mcp/runtime*", "mcp/**"] });
    expect(Object.keys(await runCase(named, fake))).toEqual(["mcp/schema/a.json", "src/mcp/runtime-a.ts"]);
  });

  test("what is done before isn't compared", async () => {
    const files = await runCase(theCase({ before: [["a.txt"]], command: ["b.txt", "a.txt"] }), fake);
    expect(Object.keys(files)).toEqual(["b.txt", "output.txt"]);
  });

  test("makes links and long files", async () => {
    const seen: string[] = [];
    const look: Run = async (_, folder) => {
      seen.push(readFileSync(path.join(folder, "deep/link.txt"), "utf8"));
      return { exit: 0, printed: "" };
    };
    await runCase(
      theCase({
        make: {
          "long.txt": { before: "<", repeat: "ab", times: 3, after: ">" },
          "deep/link.txt": { link: "../long.txt" },
        },
      }),
      look,
    );
    expect(seen).toEqual(["<ababab>"]);
  });
});

describe("what a case may not do", () => {
  const printing =
    (printed: (folder: string) => string): Run =>
    async (_, folder) => ({ exit: 0, printed: printed(folder) });

  test("end otherwise than case.json says, even when updating", async () => {
    await expect(runCase(theCase({ exit: 0, command: ["fail"] }), fake)).rejects.toThrow(
      "exit 1, and case.json says 0",
    );
  });
  test("print the folder it runs in", async () => {
    await expect(
      runCase(
        theCase(),
        printing((folder) => `in ${folder}`),
      ),
    ).rejects.toThrow("names the folder");
  });
  test("print colour", async () => {
    await expect(
      runCase(
        theCase(),
        printing(() => "\u001B[31mred"),
      ),
    ).rejects.toThrow("coloured");
  });
  test("expect a mistake of the compiler's own", async () => {
    await expect(
      runCase(
        theCase(),
        printing(() => "rolecall: stopped over a mistake of its own: x\n"),
      ),
    ).rejects.toThrow("itself failed");
  });
  test("name what isn't written", async () => {
    await expect(runCase(theCase({ only: ["output.txt", "gone.ts"] }), fake)).rejects.toThrow("gone.ts");
  });

  test("keep silent about what it guards, use unknown settings, or expect more than anyone reads", () => {
    const one = theCase({ commands: [] } as CaseSettings, {
      "plan/one/input/rolecall.yaml": "version: 1\n",
      "plan/one/expected/long.txt": "x\n".repeat(201),
      "plan/one/expected/short.txt": "x\n".repeat(200),
    });
    expect(flawsOf(one)).toEqual([
      expect.stringContaining("doesn't say in a comment"),
      expect.stringContaining("`commands`"),
      expect.stringContaining("expected/long.txt"),
    ]);
  });

  test("lack an input", () => {
    put({ "plan/one/case.json": '{ "guards": "nothing" }' });
    expect(flawsOf(findCases(root).cases[0]!)).toEqual(["it has no input folder"]);
  });
});

test("files and folders that belong to no case are orphans", () => {
  theCase({}, { "plan/notes.md": "", "plan/one/notes.md": "", "readme.md": "", "plan/half/only.txt": "" });
  mkdirSync(path.join(root, "plan/empty"));
  expect(findCases(root).orphans).toEqual([
    "plan/empty",
    "plan/half/only.txt",
    "plan/notes.md",
    "plan/one/notes.md",
    "readme.md",
  ]);
});

test("an update writes what is there and takes away what isn't, and is refused in CI", () => {
  const one = theCase({}, { "plan/one/expected/stale.txt": "" });
  vi.stubEnv("CI", "true");
  expect(() => update(one, { "a/b.txt": "b\n" })).toThrow("CI");
  expect(existsSync(path.join(root, "plan/one/expected/stale.txt"))).toBe(true);
  vi.stubEnv("CI", "");
  update(one, { "a/b.txt": "b\n" });
  expect(expectedOf(one)).toEqual({ "a/b.txt": "b\n" });
});

test("the command runs in this process, in the copy, and both streams are one text", async () => {
  const run = runInProcess(async (argv, terminal) => {
    terminal.out.write(`${argv.join(" ")} at ${terminal.out.width}\n`);
    terminal.err.write(`${terminal.cwd === root} ${terminal.err.isTerminal}\n`);
    return 2;
  });
  expect(await run(["ls", "--json"], root)).toEqual({ exit: 2, printed: "ls --json at 80\ntrue false\n" });
});
