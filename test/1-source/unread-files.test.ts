import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { compiled, manifest } from "../support/compiled.ts";
import { main } from "../../compiler/cli/main.ts";
import { engine } from "../../compiler/cli/engine.ts";
import { runInProcess } from "../support/run-cli.ts";

/** A slip in a file's name never drops what the file says in silence. */

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const POLICIES = "policies:\n  - { name: none drops, roles: ['*'], tools: [db.drop], effect: deny }\n";
const AS_JSON = `// kept\n{\n  "policies": [{ "name": "x", "roles": ["*"], "tools": ["db.drop"], "effect": "deny" }]\n}\n`;
const TEAM = {
  "mcp/team.yaml": `servers:
  db: { connect: [{ http: https://db.example.com/mcp }] }
roles:
  tester: { tools: { db: all } }
`,
  "mcp/manifests/db.json": manifest("read", "drop"),
};

function said(files: Readonly<Record<string, string>>): string[] {
  return compiled({ ...TEAM, ...files })
    .diagnostics.filter(({ code }) => code.startsWith("source/") || code.startsWith("manifest/"))
    .map(({ code, says, help }) => `${code}: ${says}${code === "source/misnamed" ? ` -> ${help!.split("`")[1]}` : ""}`);
}

describe("what holds what a source holds is an error wherever it isn't read", () => {
  test.each([
    ["mcp/policies.ymal", "mcp/policies.yaml"],
    ["mcp/policies.yaml ", "mcp/policies.yaml"],
    ["mcp/policies.yаml", "mcp/policies.yaml"],
    ["mcp/policies.yaml.txt", "mcp/policies.yaml"],
    ["mcp/policies.yaml~HEAD", "mcp/policies.yaml"],
    ["mcp/policies", "mcp/policies.yaml"],
    ["mcp/policies.txt", "mcp/policies.yaml"],
    ["mcp/team/policies.yamls", "mcp/team/policies.yaml"],
    ["mcp/hosts/policies.yaml", "mcp/policies.yaml"],
    ["mcp/schema/policies.json", "mcp/policies.json"],
    ["mcp/manifests/policies.yaml", "mcp/policies.yaml"],
    ["mcp/manifests/more/policies.yaml", "mcp/policies.yaml"],
    ["mcp/presets/policies.yaml", "mcp/policies.yaml"],
    ["mcp/presets/more/policies.yml", "mcp/policies.yml"],
  ])("%s", (file, meant) => {
    expect(said({ [file]: POLICIES })).toEqual([
      `source/misnamed: \`${file}\` holds \`policies\`, and nothing reads it under this name -> ${meant}`,
    ]);
  });

  test.each(["mcp/policies.jsonc", "mcp/policies.json5", "mcp/manifests/policies.jsonc"])(
    "with comments: %s",
    (file) => {
      expect(said({ [file]: AS_JSON })).toEqual([expect.stringContaining("source/misnamed")]);
    },
  );

  test.each([
    "mcp/hosts/opencode/policies.json",
    "mcp/hosts/opencode/p.json~HEAD",
    "mcp/hosts/claude-code/p.settings.json",
    "mcp/hosts/codex/p.config.toml",
    "mcp/schema/source.json",
  ])("where builds write, as YAML, JSON and JSON on one line: %s", (file) => {
    for (const text of [
      POLICIES,
      AS_JSON,
      '{"policies":[{"name":"x","roles":["*"],"tools":["db.drop"],"effect":"deny"}]}',
    ])
      expect(said({ [file]: text })).toEqual([expect.stringContaining("source/misnamed")]);
  });

  test("such a file stays where it lies, below a folder of sources that was left too", async () => {
    const file = "mcp/hosts/opencode/policies.json";
    const text = '{"policies":[]}\n';
    const dir = onDisk({ [file]: text });
    expect((await run(["build"], dir)).printed).toContain("source/misnamed");
    expect(readFileSync(path.join(dir, file), "utf8")).toBe(text);
    rmSync(path.join(dir, file));
    await run(["build"], dir);
    renameSync(path.join(dir, "mcp"), path.join(dir, "agents"));
    mkdirSync(path.join(dir, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
    writeFileSync(path.join(dir, "rolecall.yaml"), "version: 1\nproject: harbor\nfolder: agents\n");
    expect((await run(["build"], dir)).exit).toBe(0);
    expect(readFileSync(path.join(dir, file), "utf8")).toBe(text);
  });

  test("as a manifest of nobody, said once", () => {
    const text = JSON.stringify({ policies: [], tools: [] });
    expect(said({ "mcp/manifests/policies.json": text })).toEqual([expect.stringContaining("source/misnamed")]);
  });

  test.each([
    ["TOML", "mcp/policies.toml", "[[policies]]\nname = 'x'\n"],
    ["YAML that is broken", "mcp/policies.ymal", `${POLICIES}\n  - [unclosed\n`],
    ["every block", "mcp/other.ym", "invariants: []\n"],
  ])("%s", (_, file, text) => {
    expect(said({ [file]: text })).toEqual([expect.stringContaining("source/misnamed")]);
  });

  test("endings in capitals are read", () => {
    const dir = onDisk({ "mcp/policies.YAML": POLICIES });
    return expect(run(["explain", "tester", "db.drop"], dir)).resolves.toMatchObject({
      printed: expect.stringContaining("none drops"),
    });
  });
});

describe("what is something else is a warning", () => {
  test.each([
    "mcp/notes.txt",
    "mcp/server.py",
    "mcp/hosts/notes.yaml",
    "mcp/schema/notes.json",
    "mcp/manifests/notes.yaml",
    "mcp/manifests/more/db.json",
    "mcp/presets/unused.yaml",
    "mcp/presets/unused.yml",
  ])("%s", (file) => {
    expect(said({ [file]: "text: of somebody's\n" })).toEqual([`source/stray: nothing reads \`${file}\``]);
  });

  test("all of them at once", () => {
    const files = Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`mcp/${i}.py`, "x = 1\n"]));
    expect(said(files)).toEqual(["source/stray: nothing reads `mcp/1.py`, `mcp/2.py`, `mcp/3.py` and 2 more"]);
  });

  test("a preset that no server names", () => {
    const preset = "id: db\nserver: { connect: [{ http: https://db.example.com/mcp }] }\npolicies: []\n";
    expect(said({ "mcp/presets/db.yaml": preset })).toEqual(["source/stray: nothing reads `mcp/presets/db.yaml`"]);
  });
});

describe("what passes", () => {
  test.each([
    "mcp/README",
    "mcp/README.md",
    "mcp/README.txt",
    "mcp/prompts/tester.md",
    "mcp/LICENSE",
    "mcp/CODEOWNERS",
    "mcp/.gitkeep",
    "mcp/.policies.yaml.swp",
    "mcp/policies.yaml~",
    "mcp/#policies.yaml#",
    "mcp/policies.yaml.bak",
    "mcp/policies.yaml.orig",
    "mcp/.git/policies.txt",
  ])("%s", (file) => {
    expect(said({ [file]: POLICIES })).toEqual([]);
  });

  test.each(["mcp/hosts/opencode/tester.json", "mcp/hosts/codex/tester.config.toml", "mcp/schema/source.json"])(
    "where builds write: %s",
    (file) => {
      const ours = {
        $schema: "https://example.com/s.json",
        mcp: { policies: {} },
        properties: { roles: {}, servers: {} },
      };
      expect(said({ [file]: JSON.stringify(ours, undefined, 2) })).toEqual([]);
      expect(said({ [file]: "" })).toEqual([]);
    },
  );

  test("a prompt of a role, a preset of a server", () => {
    const files = {
      "mcp/prompts/tester.txt": "roles: none of them is yours",
      "mcp/more.yaml":
        "servers:\n  two: { preset: two }\nroles:\n  lead: { prompt: mcp/prompts/tester.txt, tools: { two: [x] } }\n",
      "mcp/presets/two.yaml": "id: two\nserver: { connect: [{ http: https://two.example.com/mcp }] }\n",
    };
    expect(said(files).filter((text) => text.startsWith("source/"))).toEqual([]);
  });

  test("a preset while the file that may name it is broken", () => {
    const files = { "mcp/more.yaml": "servers: { two: { presett: two } }\n", "mcp/presets/two.yaml": "id: two\n" };
    expect(said(files).filter((text) => text.startsWith("source/stray"))).toEqual([]);
  });

  test("what an earlier build wrote", () => {
    const text = "# Generated by rolecall. Don't edit: change the sources and run `rolecall build`.\n";
    expect(said({ "mcp/hosts/old/tester.toml": text })).toEqual([]);
  });
});

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true })));

function onDisk(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = mkdtempSync(path.join(tmpdir(), "rolecall-unread-"));
  folders.push(dir);
  for (const [file, text] of Object.entries({ "rolecall.yaml": "version: 1\nproject: test\n", ...TEAM, ...files })) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  }
  return dir;
}

test("a build that finds nothing changed finds such a file too", async () => {
  const dir = onDisk({});
  const build = async () => run(["build"], dir);
  expect(await build()).toMatchObject({ exit: 0 });
  expect(await build()).toMatchObject({ exit: 0 });
  writeFileSync(path.join(dir, "mcp/notes.ymal"), "text: of somebody's\n");
  expect(await build()).toMatchObject({ exit: 0, printed: expect.stringContaining("source/stray") });
  expect(await build()).toMatchObject({ exit: 0, printed: expect.stringContaining("source/stray") });
  writeFileSync(path.join(dir, "mcp/notes.ymal"), POLICIES);
  expect(await build()).toMatchObject({ exit: 1, printed: expect.stringContaining("source/misnamed") });
  expect(await build()).toMatchObject({ exit: 1 });
  rmSync(path.join(dir, "mcp/notes.ymal"));
  expect((await build()).printed).not.toContain("source/");
});

test.each([
  ["UTF-16", Buffer.from(`\ufeff${POLICIES}`, "utf16le")],
  ["UTF-16, the other way round", Buffer.from(`\ufeff${POLICIES}`, "utf16le").swap16()],
  ["UTF-16 without its mark", Buffer.from(POLICIES, "utf16le")],
  ["Latin-1", Buffer.from(`# gelöscht wird nie\n${POLICIES}`, "latin1")],
])("a file of the wrong name is looked into when it is saved as %s", async (_, bytes) => {
  const { exit, printed } = await run(["build"], onDisk({ "mcp/policies.ymal": bytes }));
  expect({ exit, printed }).toEqual({ exit: 1, printed: expect.stringContaining("error[source/misnamed]") });
});

test.each([
  ["UTF-16 of somebody's", Buffer.from("\ufefftext: of somebody's\n", "utf16le")],
  ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])],
])("%s is only a stray", async (_, bytes) => {
  const { exit, printed } = await run(["build"], onDisk({ "mcp/picture": bytes }));
  expect({ exit, printed }).toEqual({ exit: 0, printed: expect.stringContaining("source/stray") });
});
