import { describe, expect, test } from "vitest";
import { compiled } from "../../support/compiled.ts";
import { entry, flaws, follow, found, held, NAMES, role, ROLES, type Files } from "./following.ts";

/** Each row is a slip and what its help says to write: what is built then is looked at. */

describe("rules", () => {
  const rules = (block: string): Files => ({
    ...role("notes: all"),
    "mcp/roles.yaml": ROLES,
    "mcp/rules.yaml": `${block}\n`,
  });
  const policy = (line: string) => rules(`policies: [{ name: p, ${line} }]`);

  test.each<[slip: string, mended: string, holds: string[]]>([
    ["tools: notes.delete_note", "tools: [notes.delete_note]", NAMES.slice(0, 4)],
    ["tools: { notes: [delete_note] }", "tools: [notes.delete_note]", NAMES.slice(0, 4)],
    ["tools: { notes: read-only }", "tools: [notes.is:read-only]", NAMES.slice(2)],
    ["tools: all", 'tools: ["*.*"]', []],
  ])("%s", (slip, mended, holds) => {
    const files = (line: string) => policy(`roles: ["*"], ${line}, effect: deny`);
    expect(held(follow(files, slip, mended), "reader")).toEqual(holds);
  });

  test.each<[slip: string, mended: string, holds: string[]]>([
    ['"notes.{search,write}_*"', '"notes.search_*", "notes.write_*"', ["delete_note"]],
    ['"^notes\\\\.search_.*$"', '"notes.search_*"', NAMES.slice(2)],
    ["notes: delete_note", "notes.delete_note", NAMES.slice(0, 4)],
    ["is: read-only", "is:read-only", NAMES.slice(2)],
    ["read-only", "is:read-only", NAMES.slice(2)],
    ["delete_note", "notes.delete_note", NAMES.slice(0, 4)],
    ["mcp__notes__delete_note", "notes.delete_note", NAMES.slice(0, 4)],
    ['"notes.delete_note, notes.write_all"', "notes.delete_note, notes.write_all", NAMES.slice(0, 3)],
  ])("tools: [%s]", (slip, mended, holds) => {
    const files = (item: string) => policy(`roles: ["*"], tools: [${item}], effect: deny`);
    expect(held(follow(files, slip, mended), "reader")).toEqual(holds);
  });

  test.each([
    [
      'tools: ["notes.*", "!notes.search_notes"]',
      "[notes.delete_note, notes.search_tags, notes.write_all, notes.write_note]",
    ],
    ['tools: ["notes.* & !is:read-only"]', '["notes.* & is:write"]'],
    ['tools: ["notes.!is:read-only"]', "[notes.is:write]"],
  ])("%s", (slip, list) => {
    const files = (line: string) =>
      policy(`roles: ["*"], ${line.startsWith("tools") ? line : `tools: ${line}`}, effect: deny`);
    expect(flaws(files, slip, list)).toEqual([]);
  });

  test.each([
    ["roles: all", 'roles: ["*"]'],
    ["roles: reader", "roles: [reader]"],
    ["roles: { reader: true }", "roles: [reader]"],
  ])("%s", (slip, mended) =>
    expect(flaws((line) => policy(`${line}, tools: [notes.delete_note], effect: deny`), slip, mended)).toEqual([]),
  );

  test("a role that is negated", () => {
    const files = (list: string) => policy(`roles: ${list}, tools: [notes.delete_note], effect: deny`);
    const after = follow(files, '["*", "!writer"]', "[reader]");
    expect(held(after, "reader")).not.toContain("delete_note");
  });

  test.each([
    ["forbid", "deny"],
    ["block", "deny"],
    ["require-approval", "ask"],
    ["confirm", "ask"],
  ])("effect: %s", (slip, mended) =>
    expect(
      flaws((effect) => policy(`roles: ["*"], tools: [notes.delete_note], effect: ${effect}`), slip, mended),
    ).toEqual([]),
  );

  test.each(["allow", "permit", "granted"])("effect: %s grants nothing here", (slip) =>
    expect(found(policy(`roles: ["*"], tools: [notes.delete_note], effect: ${slip}`), "error")[0]?.help).toBe(
      "a policy only narrows; a role's own `tools` grant",
    ),
  );

  test("a `where` with its tools", () => {
    const files = (where: string) => policy(`roles: ["*"], tools: [notes.delete_note], ${where}`);
    expect(
      flaws(files, 'where: { delete_note: { path: { glob: "a/**" } } }', 'where: { path: { glob: "a/**" } }'),
    ).toEqual([]);
  });

  test.each([
    [
      'policies: { no deletes: { roles: ["*"], tools: [notes.delete_note], effect: deny } }',
      'policies: [{ name: "no deletes", roles: ["*"], tools: [notes.delete_note], effect: deny }]',
    ],
    [
      "policies: { roles: [reader], tools: [notes.delete_note], effect: deny }",
      "policies: [{ roles: [reader], tools: [notes.delete_note], effect: deny }]",
    ],
    [
      "invariants: { no one: { never: { roles: [ghost], tools: [notes.delete_note] } } }",
      'invariants: [{ name: "no one", never: { roles: [ghost], tools: [notes.delete_note] } }]',
    ],
  ])("%s", (slip, mended) => {
    const ghost = (block: string): Files => ({
      ...rules(block),
      "mcp/ghost.yaml": "roles: { ghost: { description: nothing } }\n",
    });
    expect(flaws(ghost, slip, mended)).toEqual([]);
  });
});

describe("roles", () => {
  const block = (lines: string): Files => ({ ...role("notes: all"), "mcp/roles.yaml": `${lines}\n` });

  test.each([
    ["roles: [{ name: r, tools: { notes: all } }]", "roles: { r: { tools: { notes: all } } }"],
    ["roles: [{ r: { tools: { notes: all } } }]", "roles: { r: { tools: { notes: all } } }"],
  ])("%s", (slip, mended) => expect(flaws(block, slip, mended)).toEqual([]));

  test.each([
    ["tools: [notes.search_tags, notes.write_note]", "tools: { notes: [search_tags, write_note] }"],
    ["tools: [{ notes: all }]", "tools: { notes: all }"],
    ["tools: notes.search_tags", "tools: { notes: [search_tags] }"],
    ["notes: [search_tags]", "tools: { notes: [search_tags] }"],
    ["delegates: other", "delegates: [other]"],
  ])("%s", (slip, mended) =>
    expect(flaws((line) => block(`roles: { r: { ${line} }, other: { description: o } }`), slip, mended)).toEqual([]),
  );
});

describe("keys of other languages", () => {
  const server = (line: string): Files => ({
    "mcp/servers.yaml": `servers: { notes: { connect: [{ stdio: [srv] }], ${line} } }\n`,
  });

  test.each([
    ["timeout: 30s", "it stands deeper: `limits: { timeout: … }`"],
    ["env: { A: b }", "it stands deeper: `connect: [{ …, env: … }]`"],
    ["disabled: true", "write `enabled: false`"],
  ])("%s of a server", (line, help) => expect(found(server(line), "error")[0]?.help).toBe(help));

  test.each([
    ["inherits: [a]", "did you mean `extends`?"],
    ["mcpServers: { notes: all }", "did you mean `tools`?"],
    ["instructions: x", "did you mean `prompt`?"],
    ["deny: [x]", "write `exclude` under the server that has the tools"],
  ])("%s of a role", (line, help) =>
    expect(found({ ...role("notes: all"), "mcp/b.yaml": `roles: { b: { ${line} } }\n` }, "error")[0]?.help).toBe(help),
  );

  test.each([
    ["allow: [search_tags]", "did you mean `include`?"],
    ["deny: [search_tags]", "did you mean `exclude`?"],
    ["require-approval: [search_tags]", "did you mean `ask`?"],
    ["when: {}", "did you mean `where`?"],
  ])("%s of an entry", (line, help) => expect(found(entry(`{ ${line} }`), "error")[0]?.help).toBe(help));
});

describe("where a key belongs", () => {
  const document = (block: string): Files => ({ ...role("notes: all"), "mcp/more.yaml": `${block}\n` });

  test.each([
    ["rolecall: { roles: { b: { description: x } } }", "take `rolecall` out: what it holds stands at the top"],
    // What doesn't fit its place isn't shown: here the name couldn't be one.
    ["roles: [{ name: Big Reader }]", "write it as in `roles: { reader: { tools: { github: [list_issues] } } }`"],
    ["roles: { b: all }", "write it as in `b: { tools: { github: [list_issues] } }`"],
    ["roles: { b: { tools: { '*': all } } }", "there is no wildcard for servers in a role: name each"],
    [
      "roles: { b: { tools: { notes.search_tags: true } } }",
      "write the server, and the tool below it: `notes: [search_tags]`",
    ],
    [
      "roles: { CodeReviewer: { description: x } }",
      "write `code-reviewer`: lower-case letters, digits, `-` and `_`, a letter first",
    ],
    ["invariants: [{ name: i, roles: [r] }]", "write them under `never`, `always` or `can`"],
  ])("%s", (block, help) => expect(found(document(block), "error").map((one) => one.help)).toEqual([help]));

  test("a condition without its argument", () => {
    const [said, ...more] = found(entry("{ include: [write_note], where: { write_note: { glob: 'a/**' } } }"), "error");
    expect(more).toEqual([]);
    expect(said?.help).toBe('put the argument before the condition, as in `write_note: { path: { glob: "a/**" } }`');
  });

  test("a missing key isn't said beside the word that stands for it", () =>
    expect(compiled({ "rolecall.yaml": "version: 1\nname: p\n" }).diagnostics.map(({ help }) => help)).toEqual([
      "did you mean `project`?",
    ]));
});
