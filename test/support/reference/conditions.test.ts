// Pins the readings of the second opinion on conditions, each straight from a sentence of the language page.
import { describe, expect, test } from "vitest";
import { project, role } from "./example.ts";
import type { ReferenceProject } from "./files.ts";
import { may } from "./reference.ts";

const WRITE = (condition: string, server = ""): ReferenceProject =>
  project(
    `servers: { files: { ${server} } }\nroles: { r: { tools: { files: { include: [write], where: { write: { path: ${condition} } } } } } }`,
  );

describe("conditions", () => {
  test.each([
    ["glob", "{ glob: 'tests/**' }", { path: "tests/a.ts" }, "allow"],
    ["an argument left out", "{ glob: 'tests/**' }", {}, "deny"],
    ["left out, optional", "{ glob: 'tests/**', optional: true }", {}, "allow"],
    ["undefined is left out", "{ glob: 'tests/**', optional: true }", { path: undefined }, "allow"],
    ["null is a value", "{ glob: 'tests/**', optional: true }", { path: null }, "deny"],
    ["null may be listed", "{ enum: [null] }", { path: null }, "allow"],
    ["another type", "{ glob: '**' }", { path: 7 }, "deny"],
    ["no arguments", "{ enum: [a], optional: true }", undefined, "allow"],
    ["no object", "{ enum: [a], optional: true }", null, "deny"],
    ["enum: text is no number", "{ enum: ['1'] }", { path: 1 }, "deny"],
    ["pattern matches the whole value", "{ pattern: 'a|b' }", { path: "ab" }, "deny"],
    ["pattern", "{ pattern: 'a.' }", { path: "a😀" }, "allow"],
    ["pattern and a line break", "{ pattern: 'a' }", { path: "a\n" }, "deny"],
    ["pattern and a long value", "{ pattern: 'a*' }", { path: "a".repeat(4097) }, "deny"],
    ["schema", "{ schema: { type: string, maxLength: 2 } }", { path: "abc" }, "deny"],
    ["all that are written", "{ enum: [a, b], pattern: 'b|c' }", { path: "a" }, "deny"],
    ["all that are written, held", "{ enum: [a, b], pattern: 'b|c' }", { path: "b" }, "allow"],
    ["an argument that the schema doesn't name", "{ enum: [a] }", { path: "a", file: "b" }, "deny"],
    ["one that it names", "{ enum: [a] }", { path: "a", content: "b" }, "allow"],
    ["each element", "{ enum: [a, b] }", { path: ["a", "b"] }, "allow"],
    ["one element that isn't", "{ enum: [a, b] }", { path: ["a", "c"] }, "deny"],
    ["an empty array", "{ enum: [a], optional: true }", { path: [] }, "deny"],
    ["arrays in arrays", "{ enum: [a, [a]] }", { path: [["a"]] }, "deny"],
    ["not a JSON number", "{ enum: [a] }", { path: "a", content: Number.NaN }, "deny"],
  ])("%s", (_, condition, args, expected) => {
    expect(may(WRITE(condition), "r", "files", "write", args)).toBe(expected);
  });

  const at = (tool: string, path: string, condition = "{ glob: 'tests/**' }"): ReferenceProject =>
    project(`roles: { r: { tools: { files: { include: ['*'], where: { ${tool}: { '${path}': ${condition} } } } } } }`);
  test.each([
    ["a path into an object", "nest", "options.path", { options: { path: "tests/a" } }, "allow"],
    ["a wrong one", "nest", "options.path", { options: { path: "src/a" } }, "deny"],
    ["another type on the way", "nest", "options.path", { options: "tests/a" }, "deny"],
    ["an unnamed member", "nest", "options.path", { options: { path: "tests/a", to: "src" } }, "deny"],
    ["each element's member", "edit", "edits[].path", { edits: [{ path: "tests/a" }, { path: "tests/b" }] }, "allow"],
    ["one that isn't", "edit", "edits[].path", { edits: [{ path: "tests/a" }, { path: "b" }] }, "deny"],
    ["one left out", "edit", "edits[].path", { edits: [{ path: "tests/a" }, {}] }, "deny"],
    ["no elements", "edit", "edits[].path", { edits: [] }, "deny"],
    ["not an array", "edit", "edits[].path", { edits: { path: "tests/a" } }, "deny"],
    ["a free-form object is free within its argument", "free", "path", { path: "tests/a", more: { a: "/b" } }, "allow"],
    ["and frees no other argument", "free", "path", { path: "tests/a", more: { a: "/b" }, other: "x" }, "deny"],
    ["values of a map are named", "map", "path", { path: "tests/a", more: { k: { mode: "a" } } }, "allow"],
    ["and nothing else is in them", "map", "path", { path: "tests/a", more: { k: { mode: "a", to: "b" } } }, "deny"],
    ["by a pattern too", "map", "path", { path: "tests/a", like: { x: { mode: "a", to: "b" } } }, "deny"],
    ["a map in the map", "map", "path", { path: "tests/a", like: { x: { mode: { to: "b" } } } }, "allow"],
    ["an empty one is taken", "free", "path", { path: "tests/a", more: {} }, "allow"],
  ])("%s", (_, tool, path, args, expected) => {
    expect(may(at(tool, path), "r", "files", tool, args)).toBe(expected);
  });

  test("enum compares as JSON, whatever the order of keys", () => {
    const p = at("nest", "options", "{ enum: [{ path: a, mode: b }] }");
    expect(may(p, "r", "files", "nest", { options: { mode: "b", path: "a" } })).toBe("allow");
    expect(may(p, "r", "files", "nest", { options: { path: "a" } })).toBe("deny");
  });

  test("a tool without where takes any arguments that are JSON", () => {
    const p = project(role("[odd]"));
    expect(may(p, "r", "github", "odd", { any: ["thing"] })).toBe("allow");
    expect(may(p, "r", "github", "odd", { bad: "\ud800" })).toBe("deny");
  });

  test("every where holds at once: parent, child and policy, also for a tool that a child adds", () => {
    const p = project(`roles:
  p: { tools: { files: { include: [edit], where: { '*rite': { path: { glob: 'tests/**' } } } } } }
  r: { extends: p, tools: { files: { include: [write], ask: [write], where: { write: { path: { pattern: '.*[.]ts' } } } } } }
policies: [{ roles: [p], tools: [files.write], where: { content: { enum: [x], optional: true } } }]`);
    const call = (args: unknown): string => may(p, "r", "files", "write", args);
    expect(call({ path: "tests/a.ts" })).toBe("ask");
    expect(call({ path: "src/a.ts" })).toBe("deny");
    expect(call({ path: "tests/a.js" })).toBe("deny");
    expect(call({ path: "tests/a.ts", content: "y" })).toBe("deny");
  });

  test("a policy's where on a tool without a pin refuses every argument", () => {
    const p = project(
      "roles: { r: { tools: { bare: [one] } } }\npolicies: [{ roles: [r], tools: [bare.one], where: { a: { enum: [1] } } }]",
    );
    expect(may(p, "r", "bare", "one", { a: 1 })).toBe("deny");
  });
});

describe("path globs", () => {
  const allowed = (glob: string, path: string, server = ""): boolean =>
    may(WRITE(JSON.stringify({ glob }), server), "r", "files", "write", { path }) === "allow";

  test.each([
    ["tests/*", "tests/a.ts", true],
    ["tests/*", "tests/a/b.ts", false],
    ["tests/**", "tests/a/b/c.ts", true],
    ["tests/**", "tests", true],
    ["tests/**", "testsuite/a", false],
    ["**/a", "a", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a?c", "abc", true],
    ["a?c", "a😀c", true],
    ["a?c", "a/c", false],
    ["A", "a", false],
    ["caf\u00e9", "cafe\u0301", true],
    ["*", ".env", false],
    ["?env", ".env", false],
    [".*", ".env", true],
    ["**", "a/.git/b", false],
    ["**/.git/**", "a/.git/b", true],
    ["tests/**", "tests/../src/a", false],
    ["src/**", "tests/../src/a", true],
    ["**", "../a", false],
    ["**", "a/../../b", false],
    ["**", "a/..", true],
    ["**", ".", true],
    ["**", "./", false],
    ["**", "./.", true],
    ["**", "./..", false],
    ["tests/**", ".", false],
    ["tests/**", "tests/.", true],
    ["tests/**", "./tests/./a", true],
    ["tests/**", "./tests/../src/a", false],
    ["./tests/**", "tests/a", true],
    ["**", "./.env", false],
    [".env", "./.env", true],
    ["**", "a./b", false],
    ["**", "a /b", false],
    ["**", "./a", true],
    ["**", "a//b", false],
    ["**", ".//a", false],
    ["**", "a/", false],
    ["**", "", false],
    ["**", " a", false],
    ["**", "a\u00a0", false],
    ["**", "'a", false],
    ["**", "a`", false],
    ["**", "a\u201d", false],
    ["**", "it's", true],
    ["**", "a b", true],
    ["**", "~/a", false],
    ["**", "a~", true],
    ["**", "$HOME", false],
    ["**", "a/$b", false],
    ["**", "a%2fb", false],
    ["**", "100%", true],
    ["**", "100% sure", true],
    ["**", "a%u002e", false],
    ["**", "a%2", false],
    ["**", "\uff0e\uff0e/a", false],
    ["**", "a\u2024b", false],
    ["**", "a\uff0fb", false],
    ["**", "a\u2215b", true],
    ["**", "\u00bd", true],
    ["**", "file:a", false],
    ["**", "C:a", false],
    ["**", "a/b:c", false],
    ["**", "a\\b", false],
    ["**", "a\u0000b", false],
    ["**", "/a", false],
    ["**", "//a", false],
    ["[ab]", "a", false],
    ["{a,b}", "a", false],
    ["a**", "a/b", false],
  ])("%s on %j: %s", (glob, path, expected) => {
    expect(allowed(glob, path)).toBe(expected);
  });

  test.each([
    ["root: /srv/x", "/srv/x/tests/a", true],
    ["root: /srv/x/", "/srv/x/tests/a", true],
    ["root: /srv/x", "tests/a", true],
    ["root: /srv/x", "/srv/xy/tests/a", false],
    ["root: /srv/x", "/srv/x", false],
    ["root: /srv/x", "/srv/x/.", false],
    ["root: /srv/x", "/srv/./x/./tests/a", true],
    ["root: /srv/x", "/srv/x/tests/", false],
    ["root: /srv/x", "/srv/x/../x/tests/a", false],
    ["root: /srv/x", "/srv/y/../x/tests/a", false],
    ["root: '${ROOT}'", "/srv/x/tests/a", false],
    ["connect: [{ stdio: [x], cwd: /srv/x }]", "/srv/x/tests/a", true],
    ["connect: [{ stdio: [x], cwd: /srv/x }, { stdio: [y], cwd: /srv/y }]", "/srv/x/tests/a", false],
  ])("%s, %s: %s", (server, path, expected) => {
    expect(allowed("tests/**", path, server)).toBe(expected);
  });
});
