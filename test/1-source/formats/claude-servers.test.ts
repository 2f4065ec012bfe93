import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { CLAUDE, outcome, OWN, server, SHARED } from "../../support/settings-beside.ts";

/** Which servers of `.mcp.json` Claude Code's settings switch off. */

test("lists of servers that are on add up, and one word puts all of them on", () => {
  const on = (...names: string[]) => ({ enabledMcpjsonServers: names });
  expect(outcome(CLAUDE, { [SHARED]: on("other"), [OWN]: on("tracker") }, "taken")).toBe("silence");
  expect(outcome(CLAUDE, { [SHARED]: on("other"), [OWN]: { enableAllProjectMcpServers: true } }, "taken")).toBe(
    "silence",
  );
  expect(outcome(CLAUDE, { [SHARED]: on("other"), [OWN]: on() }, "taken")).toBe("held");
  const all = (isOn: boolean) => ({ ...on("other"), enableAllProjectMcpServers: isOn });
  expect(outcome(CLAUDE, { [SHARED]: all(true), [OWN]: all(false) }, "taken")).toBe("held");
  expect(outcome(CLAUDE, { [SHARED]: all(false), [OWN]: all(true) }, "taken")).toBe("silence");
});

describe("names of servers in Claude Code's lists", () => {
  const servers = [".mcp.json", { mcpServers: { "My Tracker": server, "a.b": server } }] as const;
  const taken = (settings: object) => {
    const files = memoryFiles({ ".mcp.json": JSON.stringify(servers[1]), [SHARED]: JSON.stringify(settings) });
    const { translated, diagnostics } = translate(
      { file: ".mcp.json" },
      { files, project: DEFAULTS, hosts: allHosts([]) },
      lazyLibraries(),
    );
    const held = translated!.blocks["servers"] as Record<string, { enabled?: boolean }>;
    return [
      ...Object.keys(held).filter((name) => held[name]!.enabled === false),
      ...diagnostics.map(({ code, says, at }) => `${code} ${says} ${at?.line}:${at?.column}`),
    ];
  };

  test.each([
    [{ disabledMcpjsonServers: ["My_Tracker", "a_b"] }, ["my-tracker", "a-b"]],
    [{ disabledMcpjsonServers: ["a b"] }, ["a-b"]],
    [{ disabledMcpServers: ["My_Tracker"] }, ["my-tracker"]],
    [{ deniedMcpServers: [{ serverName: "a_b" }] }, ["a-b"]],
    [{ enabledMcpjsonServers: ["My_Tracker"] }, ["a-b"]],
    [{ enabledMcpjsonServers: ["My_Tracker", "A.B"] }, ["a-b"]],
    [{ disabledMcpjsonServers: ["other"] }, []],
  ])("are compared as it shows them: %j", (settings, off) => expect(taken(settings)).toEqual(off));

  test.each([
    [{ disabledMcpjsonServers: ["my tracker"] }, "`my tracker` in `disabledMcpjsonServers`", "1:28"],
    [{ disabledMcpjsonServers: ["x", "A-B"] }, "`A-B` in `disabledMcpjsonServers`", "1:32"],
    [{ deniedMcpServers: [{ serverName: "MyTracker" }] }, "`MyTracker` in `deniedMcpServers`", "1:22"],
  ])("one that it doesn't find and that a person may mean is told: %j", (settings, what, at) => {
    expect(taken(settings)).toEqual([`import/left-behind ${what} of Claude Code's settings isn't taken along ${at}`]);
  });
});
