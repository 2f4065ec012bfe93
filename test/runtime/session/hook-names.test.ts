import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { HOSTS_OWN } from "../../../runtime/session/tool-names.ts";
import { fakeRole, fakeServer, fakeTeam } from "../../support/fake-link.ts";

/** What a host's name for a tool may mean: closed against governed servers, and the host's own business otherwise. */

/** What the hooks say of names, to a role that holds `held` of one server, or nothing. */
function judgeNames(server: string, tools: readonly string[], held: readonly string[] = []) {
  const governed = fakeServer(server, Object.fromEntries(tools.map((name) => [name, {}])));
  const holding = { tools: Object.fromEntries(held.map((name) => [name, "allow"] as const)) };
  const { $hooks } = fakeTeam([governed], [fakeRole("holder", [[governed, holding]])]).as("holder");
  return async (toolName: string) => (await $hooks.onPreToolUse({ toolName, toolArgs: {} }))?.permissionDecision;
}

const plain = (text: string, sign: string) => text.replace(/[^A-Za-z0-9_-]/g, sign);

const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** As hosts spell a tool of a server, and as what stands between a host and a server may have it. */
const SPELLINGS: readonly ((server: string, tool: string) => string)[] = [
  (server, tool) => `${plain(server, "-")}-${plain(tool, "-")}`.slice(0, 64),
  (server, tool) => `${server}/${tool}`,
  (server, tool) => `${server}.${tool}`,
  (server, tool) => `mcp:${server}-${tool}`,
  (server, tool) => `${server}(${tool})`,
  (server, tool) => `mcp__${plain(server, "_")}__${plain(tool, "_")}`,
  (server, tool) => `mcp__plugin_p_${plain(server, "_")}__${plain(tool, "_")}`,
  (server, tool) => `${plain(server, "_")}_${plain(tool, "_")}`,
  (server, tool) => `mcp_${server}_${plain(tool, "_")}`,
  (server, tool) => `mcp_${server}__${tool}`,
  (server, tool) => `functions.${server}_${tool}`,
  (server, tool) => `mcp__${server}.${tool}`,
  (server, tool) => `${tool}@${server}`,
];

const word = fc.constantFrom(
  ..."read web list fetch ask bash write todo task search git hub github time a mcp edit view exec".split(" "),
);
const name = fc
  .array(fc.oneof(word, fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/)), { minLength: 1, maxLength: 3 })
  .chain((words) => fc.constantFrom("-", "_", "__", ".").map((sign) => words.join(sign)));
const toolName = fc.oneof(
  name,
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9_./-]{0,12}$/),
  fc.constant("\u0434\u043e\u043c"),
);

const OWN = [...new Set(allHosts([]).flatMap(({ ownTools }) => [...(ownTools?.tools.keys() ?? [])]))];

describe("names that hosts give to tools", () => {
  test("what means a tool of a governed server that the role doesn't hold is denied, in every spelling", async () => {
    const spelling = fc.constantFrom(...SPELLINGS);
    await fc.assert(
      fc.asyncProperty(name, toolName, spelling, fc.boolean(), async (server, tool, spell, isPinned) => {
        expect(await judgeNames(server, isPinned ? [tool] : ["other"])(spell(server, tool))).toBe("deny");
      }),
      { numRuns: 1_000, examples: [["read", "mcp__todo__h", (server, tool) => `${tool}@${server}`, false]] },
    );
  });

  test("whatever a server is called, each host's own tools pass, but for what is spelled like a tool of its", async () => {
    const part = fc
      .constantFrom(...new Set(OWN.flatMap((own) => own.match(/[A-Z]?[a-z]+/g) ?? [])))
      .map((one) => one.toLowerCase());
    await fc.assert(
      fc.asyncProperty(fc.oneof(part, word, name), toolName, async (server, tool) => {
        const verdict = judgeNames(server, [tool]);
        for (const own of OWN) {
          const isSpelled = Array.from(own.matchAll(/[-_/.]/g)).some(
            ({ index }) => letters(own.slice(0, index)) === letters(server),
          );
          expect([own, await verdict(own)]).toEqual([own, isSpelled ? "deny" : undefined]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("every own tool that is known of a host is in the list", () => {
    expect(OWN.filter((own) => !HOSTS_OWN.has(own))).toEqual([]);
    for (const older of ["BashOutput", "KillShell", "MultiEdit", "TodoRead", "NotebookRead", "TeamCreate"])
      expect(HOSTS_OWN.has(older)).toBe(true);
  });

  test("what says nothing of a governed server is the host's business", async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[b-z]{2,8}$/), name, toolName, async (server, other, tool) => {
        const spelled = [`${other}-${tool}`, `mcp__${other}__${tool}`, `${other}_${tool}`];
        fc.pre(
          spelled.every(
            (one) =>
              /^[ -~]+$/.test(one) &&
              !one
                .toLowerCase()
                .replace(/[^a-z]/g, "")
                .includes(server),
          ),
        );
        for (const one of spelled) expect(await judgeNames(server, ["known"])(one)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test("of `mcp__server__tool` the server alone is read", async () => {
    const verdict = judgeNames("time", ["now"], ["now"]);
    const names = ["mcp__time__now", "mcp__other__get_time", "get_time", "time", "mcp__time", "mcp__time__x__y"];
    expect(await Promise.all(names.map(verdict))).toEqual([undefined, undefined, "deny", undefined, "deny", "deny"]);
  });

  const LONG = "internal-production-database-of-the-harbor-in-the-european-region";
  const CUT = `${LONG}-drop_every_table`;
  test.each([
    [
      "Gemini CLI, in the middle",
      "production-database",
      `mcp_${"production-database_drop_every".slice(0, 26)}...${CUT.slice(-30)}`,
    ],
    ["Gemini CLI, within the server", LONG, `mcp_${CUT.slice(0, 26)}...${CUT.slice(-30)}`],
    ["Gemini CLI of 2025", LONG, `mcp_${CUT.slice(0, 24)}___${CUT.slice(-32)}`],
    ["Copilot, at the end", LONG, CUT.slice(0, 64)],
    ["Copilot, with a number", LONG, `${CUT.slice(0, 63)}2`],
    ["VS Code", "internal-database", "mcp_internal-data_drop_table"],
    ["VS Code, with a number", "internal-database", "mcp_internal-dat2_drop_table"],
    ["VS Code, at a dash", "internal-two-databases", "mcp_internal-two-_drop_table"],
  ])("%s: a name that is cut", async (_, server, cut) => {
    expect(await judgeNames(server, ["other"])(cut)).toBe("deny");
  });

  test("what only begins like a governed server isn't cut", async () => {
    const verdict = judgeNames("internal-database", ["drop"]);
    const names = ["mcp_internal-dashboard_drop_table", "mcp_internal_drop_table", "internal-dat_drop_table"];
    expect(await Promise.all(names.map(verdict))).toEqual([undefined, undefined, undefined]);
  });

  test("a tool's bare name is that tool, where no host has one of its own", async () => {
    const verdict = judgeNames("github", ["merge_pr", "issues.get", "read_file", "list_prs"], ["list_prs"]);
    const names = ["merge_pr", "issues.get", "issues_get", "issues-get", "read_file", "list_prs", "merge"];
    expect(await Promise.all(names.map(verdict))).toEqual([
      ...Array.from({ length: 4 }, () => "deny"),
      ...Array.from({ length: 3 }, () => undefined),
    ]);
    const shared = [fakeServer("a", { stop_all: {} }), fakeServer("b", { stop_all: {} })];
    const role = fakeRole(
      "holder",
      shared.map((server, i) => [server, { tools: i === 0 ? { stop_all: "allow" } : {} }]),
    );
    const { $hooks } = fakeTeam(shared, [role]).as("holder");
    expect((await $hooks.onPreToolUse({ toolName: "stop_all", toolArgs: {} }))?.permissionDecision).toBe("deny");
  });

  test("a known tool's bare name in another spelling, or as models write it, is nobody's", async () => {
    const verdict = judgeNames("github", ["merge_pr", "delete.repo", "tools_list", "webFetch"], ["merge_pr"]);
    const denied =
      'merge-pr MERGE_PR mergePr merge.pr merge_pr2 merge_pr_1 merge_pr() "merge_pr" functions.merge_pr ' +
      "functions:merge_pr default_api.merge_pr multi_tool_use.merge_pr mcp_merge_pr mcp__merge_pr mcp.merge-pr " +
      "deleteRepo delete/repo DELETE_REPO functions.delete_repo functions.tools_list functions.mcp_merge_pr";
    for (const name of [...denied.split(" "), "merge_pr ", "merge pr"])
      expect([name, await verdict(name)]).toEqual([name, "deny"]);
    const passing =
      "merge_pr merge_prs merge pr web_fetch WebFetch list mcp__other__merge_pr functions.bash functions mcp";
    for (const name of passing.split(" ")) expect([name, await verdict(name)]).toEqual([name, undefined]);
  });

  test("a tool that a server grew, spelled like one of a host's own", async () => {
    const names = [
      "custom-agent",
      "web_fetch",
      "web/fetch",
      "read_file",
      "vscode/runCommand",
      "WebFetch",
      "Read",
      "read",
    ];
    for (const server of ["custom", "web", "read", "vscode"]) {
      const verdict = judgeNames(server, ["other"]);
      for (const own of names) {
        const isSpelled = new RegExp(`^${server}[-_/]`).test(own);
        expect([own, await verdict(own)]).toEqual([own, isSpelled ? "deny" : undefined]);
      }
    }
  });

  test("a tool of a host's own stays the host's, as it is written there", async () => {
    const verdict = judgeNames("web", ["search", "fetch"], ["search"]);
    const names = ["WebSearch", "WebFetch", "webfetch", "websearch", "Websearch", "web_search", "web_fetch"];
    expect(await Promise.all(names.map(verdict))).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      "deny",
      undefined,
      "deny",
    ]);
  });
});

test.each(["mcp__", "plugin_", "functions."])("a name that nobody would write is denied at once: %s", async (unit) => {
  const judge = judgeNames("github", ["merge"]);
  await judge("x");
  const began = process.cpuUsage();
  expect(await judge(unit.repeat(40_000 / unit.length))).toBe("deny");
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(300);
});
