import { describe, expect, test } from "vitest";
import { compiled } from "../support/compiled.ts";

/** Slips in what rolecall.yaml says of rolecall's own servers: said once, where they stand. */

const said = (rolecall: string, more: Readonly<Record<string, string>> = {}) =>
  compiled({ "rolecall.yaml": `version: 1\nproject: harbor\n${rolecall}`, ...more }).diagnostics.map(
    ({ severity, code, says, help }) => `${severity} ${code}: ${says}; ${help}`,
  );
const ROLES = "roles: { lead: { tools: { squad: all }, resources: { squad: ['squad://**'] } } }\n";

describe("what follows from a declaration that isn't understood isn't said beside it", () => {
  test.each<[what: string, written: string, only: string]>([
    ["a key of `state`", "state: { name: squad, member: { kit: { role: lead } } }\n", "did you mean `members`?"],
    ["a key of a member", "state: { name: squad, members: { kit: { rol: lead } } }\n", "did you mean `role`?"],
    ["the name itself", "state: { nam: squad }\n", "did you mean `name`?"],
    ["a name that can't be one", "state: { name: Squad }\n", "`Squad` is not a name"],
    ["`state` itself", "stat: { name: squad }\n", "did you mean `state`?"],
    ["`servers`", "sevrers: { squad: { connect: [{ stdio: [squad] }] } }\n", "did you mean `servers`?"],
  ])("%s", (_, written, only) => {
    const all = said(written + ROLES);
    expect(all).toEqual([expect.stringContaining(only)]);
  });

  test("a name that has nothing to do with it is said", () => {
    const all = said("state: { name: squad, member: {} }\nroles: { lead: { tools: { notes: all } } }\n");
    expect(all.map((one) => one.split(":")[0])).toEqual(["error source/unknown-key", "error server/unknown"]);
  });

  test("nor beside one in another file", () => {
    expect(said(ROLES, { "mcp/a.yaml": "sevrers: { squad: { connect: [{ stdio: [squad] }] } }\n" })).toHaveLength(1);
  });

  test("nor is a folder missed where the word holds what there is", () => {
    expect(said("sevrers: { squad: { connect: [{ stdio: [squad] }] } }\n")).toHaveLength(1);
  });

  test("an unknown word that holds nothing leaves nothing out", () => {
    expect(said(`desc: of the harbor\n${ROLES}`)).toHaveLength(3);
  });
});

test.each([
  ["serve: { command: npx rolecall }\n", "write `command: [npx, rolecall]`"],
  ["serve: { command: npx --no rolecall }\n", "write `command: [npx, --no, rolecall]`"],
  ["state: { command: npx --no rolecall state }\n", "write `command: [npx, --no, rolecall, state]`"],
  ["serve: { command: rolecall }\n", "write `command: [rolecall]`"],
])("a command in one text is shown word by word: %s", (written, help) => {
  expect(said(`${written}roles: { lead: {} }\n`)).toEqual([
    expect.stringMatching(new RegExp(`; ${help.replace(/[[\]]/g, "\\$&")}$`)),
  ]);
});

test("a command in one item is no program, rolecall's own neither", () => {
  expect(said("serve: { command: [npx rolecall] }\nroles: { lead: {} }\n")).toContain(
    "warning server/command-in-one: `npx rolecall` is started as one word, and no program is called so; write `[npx, rolecall]`, each word an item",
  );
});
