// The prompt of a role: which file it is, who inherits it, and that every host tells it as it is written.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fc } from "../../support/generated.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import type { Artifact } from "../../../compiler/5-artifacts/types.ts";
import { replacedIn as replacedByGemini } from "../../../compiler/5-artifacts/hosts/gemini-cli/prompt.ts";
import { replacedIn as replacedByOpencode } from "../../../compiler/5-artifacts/hosts/opencode/servers.ts";
import { compile } from "../../../compiler/compile.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { openProject } from "../../../compiler/io/read/project-files.ts";
import { readResources } from "../../../compiler/io/read/resources.ts";
import { textOf } from "../../support/artifact-text.ts";
import { compiled, manifest } from "../../support/compiled.ts";
import { put as putKeys } from "../managed/keyed-file.ts";
import { PROMPT_READERS } from "./prompt-readers.ts";

const SERVER = "servers: { notes: { connect: [{ http: https://notes.example/mcp }] } }\n";
const NOTES = { "mcp/servers.yaml": SERVER, "mcp/manifests/notes.json": manifest("read") };

describe("who inherits which", () => {
  const prompts = (roles: string) => {
    const texts = ["a", "b", "c"].map((name) => [`prompts/${name}.md`, `I am ${name}.\n`] as const);
    const { plan, diagnostics } = compiled({ "mcp/roles.yaml": `roles:\n${roles}`, ...Object.fromEntries(texts) });
    const found = diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    const told = plan.roles.map(({ name, prompt }) => `${name}: ${prompt?.text ?? "none"}`);
    return found.length > 0 ? found : told;
  };
  test.each([
    ["its own", "  x: { prompt: prompts/a.md }\n", ["x: I am a."]],
    ["none", "  x: {}\n", ["x: none"]],
    ["a parent's", "  x: { extends: y }\n  y: { prompt: prompts/a.md }\n", ["x: I am a.", "y: I am a."]],
    [
      "a grandparent's",
      "  x: { extends: y }\n  y: { extends: [z] }\n  z: { prompt: prompts/a.md }\n",
      ["x: I am a.", "y: I am a.", "z: I am a."],
    ],
    [
      "its own, and not its parent's",
      "  x: { extends: y, prompt: prompts/b.md }\n  y: { prompt: prompts/a.md }\n",
      ["x: I am b.", "y: I am a."],
    ],
    [
      "that of one parent of two",
      "  x: { extends: [y, z] }\n  y: {}\n  z: { prompt: prompts/a.md }\n",
      ["x: I am a.", "y: none", "z: I am a."],
    ],
    [
      "one file, by whatever ways",
      "  x: { extends: [y, z] }\n  y: { prompt: prompts/a.md }\n  z: { prompt: prompts/a.md }\n",
      ["x: I am a.", "y: I am a.", "z: I am a."],
    ],
    [
      "the parent's that stands in place of another's, in whatever order they are written",
      "  x: { extends: [z, y] }\n  y: { extends: z, prompt: prompts/a.md }\n  z: { prompt: prompts/b.md }\n",
      ["x: I am a.", "y: I am a.", "z: I am b."],
    ],
    [
      "neither of two",
      "  x: { extends: [y, z] }\n  y: { prompt: prompts/a.md }\n  z: { prompt: prompts/b.md }\n",
      ["role/prompts-differ"],
    ],
    [
      "its own in place of two",
      "  x: { extends: [y, z], prompt: prompts/c.md }\n  y: { prompt: prompts/a.md }\n  z: { prompt: prompts/b.md }\n",
      ["x: I am c.", "y: I am a.", "z: I am b."],
    ],
  ])("%s", (_, roles, wanted) => expect(prompts(roles)).toEqual(wanted));
});

describe("which file it is", () => {
  let top: string;
  let dir: string;
  beforeEach(() => {
    top = mkdtempSync(path.join(tmpdir(), "rolecall-prompt-"));
    dir = path.join(top, "project");
    put("rolecall.yaml", "version: 1\nproject: x\nroles: { x: { prompt: p/x.md } }\n");
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  function put(file: string, content: string | Buffer): void {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), content);
  }
  const read = () => {
    const { plan, diagnostics } = compile(openProject(dir), [], lazyLibraries());
    const said = diagnostics.find(({ severity }) => severity === "error");
    return said === undefined ? plan.roles[0]?.prompt?.text : /: (it .*)$/.exec(said.says)?.[1];
  };

  test.each([
    ["LF", "# X\n\nBe kind.\n"],
    ["CRLF", "# X\r\n\r\nBe kind.\r\n"],
    ["a byte order mark, and lines without anything around it", "\uFEFF\n \n# X\n\nBe kind.\n\n"],
    ["no line break at the end", "# X\n\nBe kind."],
  ])("with %s it is the same text", (_, text) => {
    put("p/x.md", text);
    expect(read()).toBe("# X\n\nBe kind.");
  });

  test("a link within the project is followed", () => {
    put("p/real.md", "Be kind.\n");
    symlinkSync("real.md", path.join(dir, "p/x.md"));
    expect(read()).toBe("Be kind.");
  });

  test.each<[string, () => unknown]>([
    ["it isn't there", () => {}],
    ["it is a folder", () => put("p/x.md/y.md", "Be kind.")],
    [
      "it is a link that leaves the project",
      () => (
        mkdirSync(path.join(dir, "p")),
        writeFileSync(path.join(top, "x.md"), "Be kind."),
        symlinkSync("../../x.md", path.join(dir, "p/x.md"))
      ),
    ],
    ["it isn't UTF-8 text", () => put("p/x.md", Buffer.from([0x42, 0xff, 0x0a]))],
    ["it holds a NUL character", () => put("p/x.md", "Be\0kind.")],
    ["it holds a carriage return without a line feed", () => put("p/x.md", "Be\rkind.")],
    ["it holds the invisible character U+001B", () => put("p/x.md", "Be \u001B[1mkind.")],
    ["it is longer than 100,000 characters", () => put("p/x.md", "x".repeat(100_001))],
    ["it is longer than 100,000 characters", () => put("p/x.md", "x".repeat(50_000_001))],
    ["it is empty", () => put("p/x.md", "\uFEFF \r\n")],
  ])("%s", (problem, arrange) => {
    arrange();
    expect(read()).toBe(problem);
  });

  test.skipIf(process.getuid?.() === 0)("one that the system keeps to itself", () => {
    put("p/x.md", "Be kind.");
    chmodSync(path.join(dir, "p/x.md"), 0);
    expect(read()).toBe("it can't be read: the system refuses");
  });

  test("whoever is told something else has another plan", () => {
    const from = (text: string) => (
      put("p/x.md", text),
      compile(openProject(dir), [], lazyLibraries()).plan.fingerprint
    );
    expect(from("Be kind.")).toBeDefined();
    expect(from("Be kind.")).toBe(from("Be kind."));
    expect(from("Be kind.")).not.toBe(from("Be calm."));
  });

  test("as long as it may be", () => {
    put("p/x.md", `${"x".repeat(100_000)}\n`);
    expect(read()).toHaveLength(100_000);
  });
});

test("a place in it is the place in its file, whatever stands before it", () => {
  const text = `\uFEFF\r\n\r\n# X\r\n\r\nSee ${"gh"}p_${"a1".repeat(18)}.\r\n`;
  const { diagnostics } = compiled({
    ...NOTES,
    "mcp/roles.yaml": "roles: { x: { prompt: p/x.md } }\n",
    "p/x.md": text,
  });
  expect(diagnostics.find(({ code }) => code === "role/prompt-secret")?.at).toMatchObject({
    file: "p/x.md",
    line: 5,
    column: 5,
    text: "See ghp_….",
  });
});

describe("what a host would put something else in place of", () => {
  test.each([
    ["Go {env:HOME}.", "{env:HOME}"],
    ["{file:./x y.md}", "{file:./x y.md}"],
    ["{env:\n}", "{env:\n}"],
    ["{env:", undefined],
    ["{ env:HOME} ${HOME} {{x}} {environment:x}", undefined],
  ])("OpenCode: %j", (text, part) => expect(replacedByOpencode(text)?.part).toBe(part));

  test.each([
    ["See @docs/x.md.", "@docs/x.md."],
    ["@x", "@x"],
    ["a\n@./x b", "@./x"],
    ["a\t@/etc/passwd", "@/etc/passwd"],
    ["see `this` @x`y`", "@x`"],
    ["mail@example.com, @ x, @1, (@x), @", undefined],
    ["`@x` and ```\n@x\n``` and ``a ` @x``", undefined],
    ["one ` and @x", "@x"],
    [`${"`".repeat(300)} @x ${"`".repeat(100)}`, "@x"],
  ])("Gemini CLI: %j", (text, part) => {
    const found = replacedByGemini(text, "prompt")?.part;
    expect(part === undefined ? found : found?.startsWith(part)).toBe(part === undefined ? undefined : true);
  });
});

// ---------------------------------------------------------------- what every host is told

const hosts = allHosts(readResources().hosts);
const NAMES = Object.keys(PROMPT_READERS);

test("every host that can tell an agent something is read here", () => {
  expect(NAMES).toEqual(hosts.flatMap(({ id, isData, gateway }) => (isData || gateway === "must" ? [] : [id])));
});

const FRAGMENTS = [
  ..."`$ {}'\"\\#:|>-*/!%&@[],?=.".split(""),
  "---",
  "\n---\n",
  "\n",
  "\n\n",
  "---\ntools: [Bash]\n---",
  "*/",
  "/*",
  "//",
  "`",
  "${",
  "${process.exit()}",
  "{{",
  "}}",
  '"""',
  "'''",
  "</script>",
  "<!--",
  "\\u0041",
  "\\",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u200b",
  "\u{e0041}",
  "é",
  "🙂",
  "!{ls}",
  "!`ls`",
  "$ARGUMENTS",
  '"; throw 1; "',
  "'; throw 1; '",
  "`; throw 1; `",
  "\n[mcp_servers.x]\n",
  '"\ndeveloper_instructions = "',
  '", "permission": {"*": "allow"}, "x": "',
  "__proto__",
  "# a",
  "word",
  " ",
];
const arbitraryPrompt = fc
  .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join("").trim())
  .filter((text) => text !== "");

describe.each(NAMES)("%s", (host) => {
  const told = (prompt: string | undefined) => {
    const said = prompt === undefined ? "" : ", prompt: prompts/x.md";
    const { artifacts, diagnostics } = compile(
      memoryFiles({
        ...NOTES,
        "rolecall.yaml": `version: 1\nproject: x\nhosts: [${host}]\n`,
        "mcp/roles.yaml": `roles: { x: { tools: { notes: all }${said} } }\n`,
        ...(prompt !== undefined && { "prompts/x.md": `${prompt}\n` }),
      }),
      hosts,
      lazyLibraries(),
    );
    const replaced = diagnostics.some(({ code }) => code === "host/prompt-replaced");
    return { replaced, files: new Map(Array.from(artifacts, (one) => [one.path, whole(one)])) };
  };
  const bare = PROMPT_READERS[host]!(told(undefined).files, "x");

  test("without a prompt nothing is told", () => expect(bare.prompt).toBeUndefined());

  test("tells whatever a prompt holds as it is written, and nothing else changes", () => {
    let fit = 0;
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const { files, replaced } = told(prompt);
        if (replaced) return;
        fit++;
        expect(PROMPT_READERS[host]!(files, "x")).toEqual({ prompt, rest: bare.rest });
      }),
      { numRuns: 60 },
    );
    expect(fit).toBeGreaterThan(30);
  });
});

/** Keys as the file that they are put into. */
function whole(artifact: Artifact): string {
  return "keys" in artifact ? putKeys(undefined, artifact).text! : textOf(artifact);
}
