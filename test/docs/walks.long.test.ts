import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledCli } from "../support/bundled-cli.ts";
import { build } from "../support/built-project.ts";
import { blocksOf, type Block } from "../support/markdown.ts";
import { installPackages } from "../support/packages.ts";
import { ROOT } from "../support/root.ts";

/**
 * Pages that are walked: every file that they write and every command that they name is played, section by section, and
 * the text below a command is found in what it printed. `exit=2` is the exit code of a block's last command.
 */

const cli = bundledCli();
afterAll(() => cli.remove());
const page = (name: string): string => readFileSync(path.join(ROOT, "docs", `${name}.md`), "utf8");
const isBuiltHere = (file: string): boolean => /\.rolecall|src\/mcp$/.test(file);

describe.each(["troubleshooting", "security-practice"])("docs/%s.md", (name) => {
  let garden: string;
  beforeAll(async () => {
    garden = cli.folder(name);
    for (const { marks, text } of blocksOf(readFileSync(path.join(ROOT, "README.md"), "utf8")))
      if (marks["file"]?.endsWith(".yaml")) write(garden, marks["file"], text);
      else if (marks["adds"] === "rolecall.yaml") appendFileSync(path.join(garden, "rolecall.yaml"), text);
    write(garden, "notes/garden.md", "Compost in spring.\n");
    mkdirSync(path.join(garden, "notes/drafts"));
    await installPackages(garden);
    const { exit, err } = cli.run("rolecall capture --accept && rolecall build", garden);
    if (exit !== 0) throw new Error(err);
  }, 120_000);

  test.each(sectionsOf(page(name)))("$title", ({ title, blocks }) => {
    const folder = path.join(path.dirname(garden), `${name}-${title.replace(/\W+/g, "-")}`);
    cpSync(garden, folder, { recursive: true, verbatimSymlinks: true });
    expect(play(blocks, folder)).toEqual([]);
  });
});

test("docs/own-server.md", async () => {
  const folder = cli.folder("custom-server");
  const example = path.join(ROOT, "examples/custom-server");
  cpSync(example, folder, { recursive: true, filter: (file) => !isBuiltHere(file) });
  await installPackages(folder);
  const blocks = blocksOf(page("own-server"));
  const shown = blocks.find(({ marks }) => marks["is"] !== undefined)!;
  expect(readFileSync(path.join(example, shown.marks["is"]!), "utf8")).toBe(shown.text);
  expect(play(blocks, folder)).toEqual([]);
  expect(readFileSync(path.join(folder, "mcp/manifests/orders.json"), "utf8")).toBe(
    readFileSync(path.join(example, "mcp/manifests/orders.json"), "utf8"),
  );
}, 60_000);

describe("docs/patterns.md", () => {
  const text = page("patterns");
  const patterns = sectionsOf(text).filter(({ blocks }) => blocks.length > 0);

  test("has the four", () => {
    expect(patterns.map(({ title }) => title)).toEqual(["A. Boards", "B. Databases", "C. Chat", "D. Documents"]);
  });

  test.each(patterns)("$title: compiles, and its table is what came out", ({ title, blocks: [block] }) => {
    const table = tableIn(text, `## ${title}`);
    const [server] = table[1]![0]!.replaceAll("`", "").split(".");
    const tools = table.slice(1).map(([cell]) => cell!.replaceAll("`", "").split(".")[1]!);
    const { errors, effect, plan } = build({
      "rolecall.yaml": "version: 1\nproject: patterns\n",
      [block!.marks["file"]!]: block!.text,
      [`mcp/manifests/${server}.json`]: JSON.stringify({
        server,
        tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })),
      }),
    });
    expect(errors).toEqual([]);
    const roles = table[0]!.slice(1);
    expect(roles.every((role) => plan.roles.some(({ name }) => name === role))).toBe(true);
    for (const [i, tool] of tools.entries())
      expect(roles.map((role) => effect(role, server!, tool))).toEqual(
        table[i + 1]!.slice(1).map((cell) => cell || "deny"),
      );
  });

  const captures = path.join(ROOT, "../shared/manifests");
  test.skipIf(!existsSync(captures))("the real names are in what was captured, and those on paper aren't", () => {
    const names = new Map(
      readdirSync(captures)
        .filter((file) => file.endsWith(".json"))
        .map((file) => [file.slice(0, -5), toolsIn(path.join(captures, file))]),
    );
    const rows = tableIn(text, "## Names on paper").slice(1);
    expect(rows.length).toBeGreaterThan(8);
    for (const [written, real] of rows) {
      const [, server, list] = /^(\w+): (.*)$/.exec(written!) ?? [];
      if (server === undefined) continue;
      const known = names.get(server === "obsidian" ? "obsidian-mcp" : server)!;
      expect(
        codesIn(list!).filter((name) => known.includes(name)),
        written,
      ).toEqual([]);
      const said = codesIn(real!).filter((name) => !name.startsWith("{"));
      expect(
        said.filter((name) => !known.includes(name)),
        written,
      ).toEqual([]);
    }
  });
});

/** What wasn't as the page has it. */
function play(blocks: readonly Block[], folder: string): string[] {
  const wrong: string[] = [];
  let printed = "";
  let exported = "";
  for (const { language, marks, text, line } of blocks) {
    if (marks["file"] !== undefined) write(folder, marks["file"], text);
    else if (language === "sh") {
      const lines = text.trimEnd().split("\n");
      for (const [i, typed] of lines.entries()) {
        if (typed.startsWith("export ")) exported += `${typed}; `;
        const { exit, out, err } = cli.run(`${exported}${typed}`, folder);
        printed = `${out}\n${err}`;
        const wanted = i === lines.length - 1 ? Number(marks["exit"] ?? 0) : 0;
        if (exit !== wanted) wrong.push(`line ${line}: ${typed} ends with ${exit}\n${printed}`);
      }
    } else if (language === "text") {
      const lost = text
        .trimEnd()
        .split("\n")
        .filter((wanted) => !flat(printed).includes(flat(wanted)));
      wrong.push(...lost.map((wanted) => `line ${line}: nothing said \`${wanted}\`\n${printed}`));
    }
  }
  return wrong;
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ");
}

function sectionsOf(text: string): { readonly title: string; readonly blocks: readonly Block[] }[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ title: section.split("\n")[0]!, blocks: blocksOf(section) }));
}

function tableIn(text: string, heading: string): string[][] {
  const lines = text.slice(text.indexOf(heading)).split("\n");
  const start = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith("|"));
  const rows = lines.slice(start, end).filter((_, i) => i !== 1);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

function toolsIn(file: string): string[] {
  return (JSON.parse(readFileSync(file, "utf8")) as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

function write(folder: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}
