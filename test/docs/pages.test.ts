import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { projectWith } from "./docs-project.ts";
import { ROOT } from "../support/root.ts";
import { HOSTS_WITH_TOOLS } from "../support/known-hosts.ts";
import { allTargets } from "../../compiler/5-artifacts/targets.ts";
import { readArguments } from "../../compiler/cli/arguments.ts";
import { findCommand } from "../../compiler/cli/commands.ts";
import { compile } from "../../compiler/compile.ts";
import { renderText } from "../../compiler/diagnostics/render-text.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { readResources } from "../../compiler/io/read/resources.ts";
import { judgeOf } from "../../runtime/conditions.ts";
import type { Condition, JsonValue } from "../../runtime/contract.ts";
import { pathRefusalOf } from "../../runtime/path-glob.ts";
import { genericSchemas } from "../../scripts/generic-schemas.ts";
import { anchorsOf, blocksOf, inlineCode, localLinks } from "../support/markdown.ts";

/** What the pages for people say is so: examples build, messages are the real ones, links lead somewhere. */

const PAGES = [
  "README.md",
  "docs/language.md",
  "docs/reference.md",
  "docs/access-changes.md",
  "docs/calls.md",
  "docs/deploy.md",
  "docs/runtime.md",
  "docs/testing.md",
  "docs/patterns.md",
  "docs/own-server.md",
  "docs/security-practice.md",
  "docs/troubleshooting.md",
  "docs/questions.md",
  "docs/hosts.md",
  "docs/formats.md",
  "docs/commands.md",
  "docs/embedding.md",
  "docs/formats.md",
  "docs/serve.md",
  "docs/state.md",
  "docs/speed.md",
  "docs/security.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "schemas/README.md",
  "runtime/README.md",
  "examples/README.md",
  "examples/embedding/README.md",
  "examples/first-role/README.md",
  "test/README.md",
];
const language = read("docs/language.md");
const targets = allTargets(readResources());
const ajv = new Ajv2020({ strict: false, logger: false });

test.each(PAGES)("%s sends nobody to a name that a registry doesn't have yet", (page) => {
  expect(read(page)).not.toMatch(/npm (?:i|install|add)(?: -{1,2}[\w-]+)* rolecall\b/);
});

describe("docs/language.md", () => {
  const blocks = blocksOf(language);
  const examples = blocks
    .map((block, i) => ({ ...block, next: blocks[i + 1] }))
    .filter((block) => block.language === "yaml");

  test("has examples of both kinds, and each says its file", () => {
    expect(examples.filter((example) => example.marks["error"] === undefined).length).toBeGreaterThan(10);
    expect(examples.filter((example) => example.marks["error"] !== undefined).length).toBeGreaterThan(10);
    expect(examples.filter((example) => example.marks["file"] === undefined).map((example) => example.line)).toEqual(
      [],
    );
  });

  test.each(examples.filter((e) => e.marks["error"] === undefined))(
    "builds: line $line, $marks.file",
    ({ marks, text }) => {
      const { diagnostics, artifacts } = built(marks["file"]!, text);
      expect(shown(diagnostics.filter(({ severity, code }) => severity !== "note" && code !== "server/unused"))).toBe(
        "",
      );
      expect([...artifacts].length).toBeGreaterThan(5);
    },
  );

  test.each(examples.filter((e) => e.marks["error"] !== undefined))(
    "fails as it says: line $line, $marks.error",
    ({ marks, text, next }) => {
      const errors = built(marks["file"]!, text).diagnostics.filter(({ severity }) => severity === "error");
      expect(errors.map(({ code }) => code)).toEqual([marks["error"]]);
      expect(next?.language).toBe("text");
      expect(next?.text).toBe(shown(errors));
    },
  );

  test("what it says of paths is what the judge says", () => {
    const rows = tableUnder(language, "| glob | value | verdict |");
    expect(rows.length).toBeGreaterThan(15);
    for (const [glob, value, verdict] of rows) {
      expect(pathRefusalOf(code(glob!))(code(value!), "/srv/harbor") ?? "allowed", `${glob} ${value}`).toBe(verdict);
    }
  });

  test("what it says of arguments is what the judge says", () => {
    const schema = JSON.parse(blocks.find((block) => block.language === "json")!.text) as JsonValue;
    const rows = tableUnder(language, "| conditions | arguments | verdict |");
    expect(rows.length).toBeGreaterThan(15);
    for (const [conditions, args, verdict] of rows)
      expect(verdictOf(code(conditions!), code(args!), schema), `${conditions} ${args}`).toBe(verdict);
  });

  test("names the hosts that `builtins` knows", () => {
    expect(HOSTS_WITH_TOOLS.filter((host) => !inlineCode(language).includes(host))).toEqual([]);
  });

  test("speaks of every key", () => {
    const spoken = new Set(
      [...inlineCode(language), ...blocks.map((block) => block.text)].flatMap((text) => text.match(/[A-Za-z]+/g) ?? []),
    );
    expect(keysOf(genericSchemas()).filter((key) => !spoken.has(key))).toEqual([]);
  });
});

describe.each(PAGES)("%s", (page) => {
  const text = read(page);

  test("links lead somewhere", () => {
    const dead = localLinks(text).filter((link) => {
      const [file, anchor] = link.split("#");
      const target = path.join(ROOT, file === "" ? page : path.join(path.dirname(page), file!));
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(readFileSync(target, "utf8")).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  test("commands exist, with the flags that are named", async () => {
    const named = [
      ...inlineCode(text),
      ...blocksOf(text)
        .filter((block) => block.language === "sh")
        .flatMap((block) => block.text.split("\n")),
    ];
    const calls = named
      .filter((line) => line.startsWith("rolecall "))
      .map((line) =>
        line
          .replace(/\s+#.*$/, "")
          .split(" ")
          .slice(1),
      );
    const wrong = await Promise.all(
      calls.map(async (words) => ({ words: words.join(" "), problem: await problemOf(words) })),
    );
    expect(wrong.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });
});

test.each(["schemas", "runtime"])("%s/README.md names every file that lies there", (folder) => {
  const files = readdirSync(path.join(ROOT, folder)).filter((file) => file.endsWith(".ts"));
  expect(files.filter((file) => !localLinks(read(`${folder}/README.md`)).includes(file))).toEqual([]);
});

test("no page is left out", () => {
  const there = readdirSync(path.join(ROOT, "docs")).map((file) => `docs/${file}`);
  expect(there.filter((file) => file.endsWith(".md") && !PAGES.includes(file))).toEqual([]);
});

function built(file: string, text: string) {
  return compile(memoryFiles(projectWith(file, text)), targets, lazyLibraries());
}

/** Without the line that counts them. */
function shown(diagnostics: readonly Diagnostic[]): string {
  return renderText(diagnostics, { colour: false, width: 80 }).replace(/\n[^\n]*\n$/, "");
}

async function problemOf(words: readonly string[]): Promise<string | undefined> {
  const [name, ...rest] = words;
  const command = await findCommand(name!)?.load();
  if (!command) return "isn't a command";
  const args = readArguments(rest, command.flags);
  return "problem" in args ? args.problem : undefined;
}

/** Of one line of a `where` and the arguments of a call, both as YAML. */
function verdictOf(conditions: string, args: string, schema: JsonValue): string {
  const rules = Object.entries(parse(conditions) as Record<string, Condition>).map(([argument, condition]) => ({
    argument,
    conditions: [condition],
  }));
  const satisfies = (wanted: JsonValue, value: JsonValue): boolean => ajv.validate(wanted as object, value);
  const judged = judgeOf(rules, { schema, satisfies })(parse(args) as JsonValue, undefined);
  return judged.ok ? "allowed" : judged.why;
}

function tableUnder(page: string, head: string): string[][] {
  const [, ...rows] = page.slice(page.indexOf(head)).split("\n").slice(1);
  const end = rows.findIndex((row) => !row.startsWith("|"));
  return rows.slice(0, end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function code(cell: string): string {
  return cell.replace(/^`|`$/g, "");
}

/** Every key of every document, at every level. */
function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  // Keys of a map are names, not keys of the language.
  const isForm = "properties" in value && "type" in value && !("propertyNames" in value);
  const own = isForm ? Object.keys(value.properties as object) : [];
  return [...new Set([...own, ...Object.values(value).flatMap(keysOf)])];
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}
