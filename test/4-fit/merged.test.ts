import { describe, expect, test } from "vitest";
import { openBeside, ourNames, overrulings, type FoundName } from "../../compiler/4-fit/merged.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";

/** What of all that hosts find beside our files is a name of ours. */
const host = (id: string) => allHosts([]).find((one) => one.id === id)!;
const OURS = { servers: ["my-files", "rolecall"], agents: ["tester"], written: new Set() as ReadonlySet<string> };
const name = (more: Partial<FoundName>): FoundName => ({
  file: "opencode.json",
  of: "servers",
  at: ["mcp", more.name ?? ""],
  name: "other",
  isOpen: false,
  ...more,
});
const keys = (found: FoundName, id = "opencode", ours = OURS) =>
  overrulings([found], ours, host(id)).map(({ key }) => key);

describe("a name of ours", () => {
  test("as the host joins it", () => {
    expect(keys(name({ name: "my-files" }))).toEqual(["mcp.my-files"]);
    expect(keys(name({ name: "my_files" }))).toEqual([]);
    expect(keys(name({ name: "my_files" }), "codex")).toEqual(["mcp.my_files"]);
    expect(keys(name({ name: "rolecall" }))).toEqual(["mcp.rolecall"]);
  });

  test("agents and servers apart", () => {
    expect(keys(name({ of: "agents", at: ["mode", "tester"], name: "tester" }))).toEqual(["mode.tester"]);
    expect(keys(name({ of: "agents", at: ["name"], name: " tester " }))).toEqual([" tester "]);
    expect(keys(name({ name: "tester" }))).toEqual([]);
    expect(keys(name({ of: "agents", name: "my-files" }))).toEqual([]);
  });

  test("what may be any counts", () => {
    expect(keys(name({ name: undefined }))).toEqual([undefined]);
    expect(keys(name({ name: "{file:./k}" }))).toEqual(["mcp.{file:./k}"]);
    expect(keys(name({ name: "{file:./k}" }), "codex")).toEqual([]);
  });

  test("what a build puts there itself doesn't", () => {
    const made = [{ path: "opencode.json", keys: [{ at: ["mcp", "rolecall"] }] }, { path: "a.json" }];
    const ours = { ...OURS, written: ourNames([], made).written };
    expect(keys(name({ name: "rolecall" }), "opencode", ours)).toEqual([]);
    expect(keys(name({ name: "rolecall", file: ".opencode/opencode.json" }), "opencode", ours)).toEqual([
      "mcp.rolecall",
    ]);
    expect(openBeside([name({ name: "rolecall", isOpen: true })], new Set(), ours)).toEqual([]);
  });
});

test.each([
  ["HOME", true],
  ["XDG_STATE_HOME", true],
  ["NODE_OPTIONS", true],
  ["LD_PRELOAD", true],
  ["Path", true],
  ["GITHUB_TOKEN", false],
  ["MY_HOME", false],
])("the variable %s moves what is started: %s", (variable, moves) =>
  expect(keys(name({ of: "variables", at: [variable], name: variable }), "gemini-cli")).toEqual(
    moves ? [variable] : [],
  ),
);
