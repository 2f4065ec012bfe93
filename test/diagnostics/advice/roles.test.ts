import { describe, expect, test } from "vitest";
import { compiled, decision } from "../../support/compiled.ts";
import { entry, flaws, follow, found, held, include, NAMES, role } from "./following.ts";

/** Each row is a slip and what its help says to write: what is built then is looked at. */

describe("what a role holds", () => {
  test.each<[slip: string, mended: string, holds: string[]]>([
    ['["search_*", "!search_tags"]', '{ include: ["search_*"], exclude: [search_tags] }', ["search_notes"]],
    ['["*", "!delete_*"]', '{ include: ["*"], exclude: ["delete_*"] }', NAMES.slice(0, 4)],
    ['["*", -delete_note]', '{ include: ["*"], exclude: [delete_note] }', NAMES.slice(0, 4)],
    ['["*", "not is:read-only"]', '{ include: ["*"], exclude: [is:read-only] }', NAMES.slice(2)],
    ['["*_note & !delete_*"]', '{ include: ["*_note"], exclude: ["*_note & delete_*"] }', ["write_note"]],
    ['["!delete_note"]', "{ exclude: [delete_note] }", NAMES.slice(0, 4)],
  ])("%s", (slip, mended, holds) => expect(held(follow(entry, slip, mended), "r")).toEqual(holds));

  test("a negation under include", () => {
    const files = (line: string) => entry(`{ include: ["*", "!delete_note"], ${line} }`);
    const help = found(files("ask: [write_note]"), "error", "source/negated")[0]?.help;
    expect(help).toBe('write `exclude: [delete_note]` beside `include: ["*"]`');
    expect(held(entry('{ include: ["*"], exclude: [delete_note] }'), "r")).not.toContain("delete_note");
  });

  test.each<[slip: string, mended: string, holds: string[]]>([
    ['"^search_.*$"', '"search_*"', NAMES.slice(0, 2)],
    ['"/^search_/"', '"search_*"', NAMES.slice(0, 2)],
    ['"_note$"', '"*_note"', ["write_note", "delete_note"]],
    ['"{search,write}_*"', '"search_*", "write_*"', NAMES.slice(0, 4)],
    ['"^(search|write)_.*$"', '"search_*", "write_*"', NAMES.slice(0, 4)],
    ['"search_(notes|tags)"', "search_notes, search_tags", NAMES.slice(0, 2)],
    ['"search_notes, write_note"', "search_notes, write_note", ["search_notes", "write_note"]],
    ['"search_notes|write_note"', "search_notes, write_note", ["search_notes", "write_note"]],
    ["notes.search_tags", "search_tags", ["search_tags"]],
    ["mcp__notes__search_tags", "search_tags", ["search_tags"]],
    ["read-only", "is:read-only", NAMES.slice(0, 2)],
    ["read_only", "is:read-only", NAMES.slice(0, 2)],
    ["readOnlyHint", "is:read-only", NAMES.slice(0, 2)],
    ["is: read-only", "is:read-only", NAMES.slice(0, 2)],
    ["written", "label:written", ["write_note"]],
    ["all", '"*"', NAMES],
  ])("[%s]", (slip, mended, holds) => {
    const severity = found(include(slip), "error").length > 0 ? "error" : "warning";
    expect(held(follow(include, slip, mended, severity), "r")).toEqual(holds);
  });

  test.each(['"search_[nt].*"', '"^nothing_.*$"', '"{search,nothing}_*"', '"^search_\\\\w+$"'])(
    "%s: no glob says it and finds something, so none is proposed",
    (slip) => {
      const said = compiled(include(slip)).diagnostics.find(({ code }) => code.startsWith("manifest/"));
      expect(said?.help).toBe("neither regular expressions nor braces are read: `*` is any text, `?` one character");
    },
  );

  test("an expression that no anchor holds restricts all that it is in", () => {
    const files = (item: string) => entry(`{ exclude: [${item}] }`);
    const [said] = found(files('"note.*"'), "error");
    expect(said?.help).toContain('write `"*note*"`');
    expect(held(files('"*note*"'), "r")).toEqual(["search_tags", "write_all"]);
  });
});

describe("the form of an entry", () => {
  test.each<[slip: string, mended: string, holds: string[]]>([
    ["{ include: all }", 'include: ["*"]', NAMES],
    ["{ include: read-only }", "include: [is:read-only]", NAMES.slice(0, 2)],
    ["{ include: search_tags }", "include: [search_tags]", ["search_tags"]],
    ['{ include: "search_tags, write_note" }', "include: [search_tags, write_note]", ["search_tags", "write_note"]],
    ["{ include: { search_tags: true } }", "include: [search_tags]", ["search_tags"]],
    ["{ exclude: delete_note }", "exclude: [delete_note]", NAMES.slice(0, 4)],
  ])("%s", (slip, mended, holds) => {
    const files = (inner: string) => entry(`{ ${inner} }`);
    expect(held(follow(files, slip.slice(2, -2), mended), "r")).toEqual(holds);
  });

  test.each<[slip: string, mended: string, holds: string[]]>([
    ["notes: readonly", "notes: read-only", NAMES.slice(0, 2)],
    ["notes: search_tags", "notes: [search_tags]", ["search_tags"]],
    ['notes: "*"', "notes: all", NAMES],
    [
      "notes: { search_tags: allow, write_note: ask, delete_note: deny }",
      "notes: { include: [search_tags, write_note], ask: [write_note], exclude: [delete_note] }",
      ["search_tags", "write_note"],
    ],
  ])("%s", (slip, mended, holds) => expect(held(follow(role, slip, mended), "r")).toEqual(holds));

  test("`all` in place of an entry is offered only where nothing else is said there", () => {
    expect(found(entry("{ include: all }"), "error")[0]?.help).toContain("or `all` in place of the whole entry");
    expect(found(entry("{ include: all, exclude: [write_all] }"), "error")[0]?.help).toBe('write `include: ["*"]`');
  });

  test.each(["true", "yes", "on"])("ask: %s", (slip) => {
    const files = (line: string) => entry(`{ include: [write_note], ${line} }`);
    const value = slip === "true" ? "ask: true" : `ask: ${slip}`;
    if (slip === "true") expect(flaws(files, value, 'ask: ["*"]')).toEqual([]);
    else expect(found(files(value), "error")).toHaveLength(1);
  });

  test("true is neither all nor some", () =>
    expect(found(entry("true"), "error")[0]?.help).toBe("write it as in `notes: [list_issues, create_issue]`"));
});

describe("where", () => {
  const condition = (line: string) => entry(`{ include: [write_note], where: { write_note: { ${line} } } }`);

  test.each([
    ['path: "drafts/**"', 'path: { glob: "drafts/**" }'],
    ["path: drafts/", 'path: { glob: "drafts/**" }'],
    ["path: drafts/a.md", "path: { enum: [drafts/a.md] }"],
    ["path: [a, b]", "path: { enum: [a, b] }"],
    ['path: "^drafts/.*"', 'path: { pattern: "^drafts/.*" }'],
    ["path: { enum: a }", "path: { enum: [a] }"],
    ['path: { glob: ["a/**"] }', 'path: { glob: "a/**" }'],
  ])("%s", (slip, mended) => {
    const [key] = /\b(enum|glob): /.exec(slip) ?? [];
    if (key === undefined) expect(flaws(condition, slip, mended)).toEqual([]);
    else
      expect(
        flaws(
          (line) => condition(line === slip || line === mended ? line : `path: { ${line} }`),
          slip,
          mended.slice(8, -2),
        ),
      ).toEqual([]);
  });

  test("globs in a list can't be said in one condition, and nothing wider is proposed", () =>
    expect(found(condition('path: ["a/**", "b/**"]'), "error")[0]?.help).toBe(
      'write it as in `path: { glob: "tests/**" }`',
    ));

  test("the tool's name is missing", () => {
    const files = (line: string) => entry(`{ include: [write_note, write_all], ${line} }`);
    expect(
      flaws(
        files,
        'where: { path: { glob: "a/**" } }',
        'where: { write_note: { path: { glob: "a/**" } }, write_all: { path: { glob: "a/**" } } }',
      ),
    ).toEqual([]);
    expect(found(files('where: { path: { glob: "a/**" } }'), "error")).toHaveLength(1);
  });

  test.each([
    ["glob: drafts/", 'glob: "drafts/**"'],
    ['glob: "**.md"', 'glob: "**/*.md"'],
    ["glob: drafts//x", "glob: drafts/x"],
    ["glob: drafts\\x", "glob: drafts/x"],
  ])("%s", (slip, mended) => expect(flaws((line) => condition(`path: { ${line} }`), slip, mended)).toEqual([]));

  test("./ before a glob says nothing more", () => {
    const compilation = compiled(condition('path: { glob: "./drafts/**" }'));
    expect(compilation.diagnostics.map(({ says }) => says)).toEqual([]);
    const where = decision(compilation, "r", "notes", "write_note");
    expect(JSON.stringify(where)).toBe(
      JSON.stringify(decision(compiled(condition('path: { glob: "drafts/**" }')), "r", "notes", "write_note")),
    );
  });

  test.each([
    ["^tests/", "^tests/.*", "^tests/$"],
    ["tests/", "tests/.*", "^tests/$"],
    ["\\.md$", ".*\\.md$", "^\\.md$"],
    ["^[0-9]{4}", "^[0-9]{4}.*", "^[0-9]{4}$"],
  ])("the pattern %s", (slip, open, closed) => {
    const files = (pattern: string) => condition(`path: { pattern: '${pattern}' }`);
    for (const mended of [open, closed])
      expect(flaws(files, slip, mended, "warning", "role/partial-pattern")).toEqual([]);
  });

  test.each(["^tests/.*", "^a$", "a|b", "^a|b$", "main", "[a-z]+$", "^tests/[^/]+", ".*\\.md"])(
    "the pattern %s",
    (pattern) =>
      expect(found(condition(`path: { pattern: '${pattern}' }`), "warning", "role/partial-pattern")).toEqual([]),
  );
});
