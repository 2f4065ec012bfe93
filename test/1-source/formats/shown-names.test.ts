import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { compiled, decision, errors, manifest } from "../../support/compiled.ts";

/** Programs show tools under joined names, in other letters: what a rule takes away by such a name is out, whatever the tool is called. */

const TOOLS = ["list", "admin.delete", "admin/purge", "admin_wipe", "admin-drop", "administer"];
const SERVERS = { tracker: { command: "serve" } };

const projectOf = (servers: readonly string[], imports: string) => ({
  "rolecall.yaml": `{ version: 1, project: test, ${imports} roles: { dev: { tools: { ${servers.map((one) => `${one}: all`).join(", ")} } } } }`,
});

const taken = (file: string, files: Readonly<Record<string, string>>, renamed?: ReadonlyMap<string, string>) =>
  translate(
    { file },
    { files: memoryFiles(files), project: DEFAULTS, hosts: allHosts([]), ...(renamed && { renamed }) },
    lazyLibraries(),
  );

describe("Claude Code's rules", () => {
  const FILES = (permissions: object) => ({
    ".mcp.json": JSON.stringify({ mcpServers: SERVERS }),
    ".claude/settings.json": JSON.stringify({ permissions }),
  });
  const pinned = { "mcp/manifests/tracker.json": manifest(...TOOLS) };
  const effects = (permissions: object) => {
    const { translated } = taken(".mcp.json", FILES(permissions));
    const found = compiled({
      ...projectOf(["tracker"], ""),
      ...pinned,
      "mcp/taken.json": JSON.stringify(translated!.blocks),
    });
    if (errors(found).length > 0) return errors(found).join(" ");
    return TOOLS.filter((tool) => decision(found, "dev", "tracker", tool)?.effect !== "allow").join(" ");
  };
  const told = (permissions: object) =>
    compiled({ ...projectOf(["tracker"], "imports: [.mcp.json],"), ...pinned, ...FILES(permissions) })
      .diagnostics.filter(({ code }) => code === "import/taken-beside")
      .flatMap(({ says }) => TOOLS.filter((tool) => says.includes(`\`tracker.${tool}\``)));

  const ADMIN = "admin.delete admin/purge admin_wipe admin-drop administer";
  test.each([
    ["mcp__tracker__admin_*", ADMIN],
    ["mcp__tracker__admin_delete", "admin.delete"],
    ["mcp__tracker__admin_purge", "admin/purge"],
    ["mcp__tracker__admin_wipe", "admin_wipe"],
    ["mcp__tracker__admin-drop", "admin-drop"],
    ["mcp__tracker__list", "list"],
    ["mcp__*__admin_delete", "admin.delete"],
    ["mcp__tracker__*_delete", "admin.delete"],
    ["mcp__*_delete", "admin.delete"],
  ])("%s", (rule, expected) => {
    expect(effects({ deny: [rule] })).toBe(expected);
    expect(effects({ ask: [rule] })).toBe(expected);
    // Of many the first are told.
    const first = told({ deny: [rule] });
    expect(first).toHaveLength(Math.min(3, expected.split(" ").length));
    expect(expected.split(" ")).toEqual(expect.arrayContaining(first));
    expect(told({ ask: [rule] })).toEqual(first);
  });

  test("a star that is there for servers finds tools with parts, in whatever letters", () => {
    const tools = ["x::ns__drop", "x__ns::drop", "x::ns::drop", "ns::drop", "unsandrop", "x::ns__list"];
    const { translated } = taken(".mcp.json", FILES({ deny: ["mcp__*__ns__drop", "mcp__*__admin_drop"] }));
    const found = compiled({
      ...projectOf(["tracker"], ""),
      "mcp/manifests/tracker.json": manifest(...tools, "x::admin.drop", "admin.drop", "badmin.drop"),
      "mcp/taken.json": JSON.stringify(translated!.blocks),
    });
    const open = [...tools, "x::admin.drop", "admin.drop", "badmin.drop"].filter(
      (tool) => decision(found, "dev", "tracker", tool)?.effect === "allow",
    );
    expect([errors(found), open]).toEqual([[], ["unsandrop", "x::ns__list", "badmin.drop"]]);
  });

  test.each([
    ["mcp__tracker__lst", "manifest/unknown-tool"],
    ["mcp__tracker__admin_lost", "manifest/matches-nothing"],
  ])("one that finds no tool is an error: %s", (rule, expected) => {
    expect(effects({ deny: [rule] })).toBe(expected);
  });

  test("a tool that is called otherwise by now is renamed", () => {
    const { translated } = taken(
      ".mcp.json",
      FILES({ deny: ["mcp__tracker__admin_old"] }),
      new Map([["admin_old", "admin.new"]]),
    );
    expect(translated?.blocks["servers"]).toMatchObject({ tracker: { tools: { exclude: ["admin.new"] } } });
  });

  test("two servers that are shown alike are both meant, and neither has to have the tool", () => {
    const files = {
      ".mcp.json": JSON.stringify({ mcpServers: { "my tracker": { command: "serve" }, my_tracker: { command: "s" } } }),
      ".claude/settings.json": JSON.stringify({ permissions: { deny: ["mcp__my_tracker__drop"] } }),
    };
    expect(taken(".mcp.json", files).translated?.blocks["servers"]).toMatchObject({
      "my-tracker": { tools: { exclude: [{ optional: "drop" }] } },
      my_tracker: { tools: { exclude: [{ optional: "drop" }] } },
    });
  });
});

test("Cursor's rules name tools by their own names", () => {
  const { translated } = taken(".cursor/mcp.json", {
    ".cursor/mcp.json": JSON.stringify({ mcpServers: SERVERS }),
    ".cursor/cli.json": JSON.stringify({ permissions: { deny: ["Mcp(tracker, admin_wipe)"] } }),
  });
  expect(translated?.blocks["servers"]).toMatchObject({ tracker: { tools: { exclude: ["admin_wipe"] } } });
});

describe("Gemini's tools.exclude", () => {
  const FILE = ".gemini/settings.json";
  const NAMES = { git: "git", git_hub: "git_hub", "My Tracker": "my-tracker", "a.b": "a-b" };
  const PINS = {
    git: ["status", "hub_delete"],
    git_hub: ["delete", "delete_all", "purge.all"],
    "my-tracker": ["delete", "odd name"],
    "a-b": ["drop"],
  };
  const out = (exclude: readonly string[], more: object = {}) => {
    const servers = Object.fromEntries(Object.keys(NAMES).map((name) => [name, { command: "serve", ...more }]));
    const found = compiled({
      ...projectOf(Object.values(NAMES), `imports: [${FILE}],`),
      [FILE]: JSON.stringify({ mcpServers: servers, tools: { exclude } }),
      ...Object.fromEntries(
        Object.entries(PINS).map(([name, tools]) => [`mcp/manifests/${name}.json`, manifest(...tools)]),
      ),
    });
    const wrong = errors(found).join(" ");
    const all = Object.entries(PINS).flatMap(([server, tools]) => tools.map((tool) => [server, tool] as const));
    return wrong === ""
      ? all
          .filter(([server, tool]) => decision(found, "dev", server, tool)?.effect !== "allow")
          .map(([server, tool]) => `${server}.${tool}`)
      : wrong;
  };

  test.each([
    ["mcp_git_hub_delete", ["git.hub_delete", "git_hub.delete"]],
    ["git_hub__delete", ["git_hub.delete"]],
    ["mcp_git_status", ["git.status"]],
    ["mcp_My_Tracker_delete", ["my-tracker.delete"]],
    ["My_Tracker__odd_name", ["my-tracker.odd name"]],
    ["mcp_git_hub_purge_all", ["git_hub.purge.all"]],
    ["mcp_a.b_drop", ["a-b.drop"]],
    ["mcp_a_b_drop", ["a-b.drop"]],
    ["delete", ["git_hub.delete", "my-tracker.delete"]],
    ["odd_name", ["my-tracker.odd name"]],
    ["mcp_git_nothing", "manifest/unknown-tool"],
  ])("%s", (name, expected) => expect(out([name])).toEqual(expected));

  test("of tools that are listed by name too", () => {
    const { translated } = taken(FILE, {
      [FILE]: JSON.stringify({
        mcpServers: { tracker: { command: "serve", includeTools: ["admin.delete", "odd name", "list"] } },
        tools: { exclude: ["mcp_tracker_odd_name", "mcp_tracker_admin_delete"] },
      }),
    });
    expect(translated?.blocks["servers"]).toMatchObject({ tracker: { tools: { include: ["list"] } } });
  });

  test("what was cut is told", () => {
    const name = `mcp_tracker_${"a".repeat(20)}...${"b".repeat(28)}`;
    const { diagnostics } = taken(FILE, {
      [FILE]: JSON.stringify({ mcpServers: SERVERS, tools: { exclude: [name] } }),
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(["import/left-behind"]);
  });
});
