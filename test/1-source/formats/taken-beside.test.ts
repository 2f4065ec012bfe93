import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { asInProject, translate } from "../../../compiler/translate.ts";
import { compiled, manifest } from "../../support/compiled.ts";
import { fastest } from "../../support/fastest.ts";
import { server, SHARED } from "../../support/settings-beside.ts";

/** What a build that reads `.mcp.json` as it lies there says of Claude Code's settings: what is lost, and nothing else. */

const TOOLS = ["list", "drop", "wipe.all", "airdrop", "wipe1all"];
const files = (permissions: object, roles: string, tools: readonly string[] = TOOLS) => ({
  ".mcp.json": JSON.stringify({ mcpServers: { tracker: server } }),
  [SHARED]: JSON.stringify({ permissions }),
  "mcp/manifests/tracker.json": manifest(...tools),
  "rolecall.yaml": `{ version: 1, project: test, imports: [.mcp.json], ${roles} }`,
});
const said = (permissions: object, roles: string): readonly string[] =>
  compiled(files(permissions, roles))
    .diagnostics.filter(({ code }) => code === "import/taken-beside")
    .map(({ says }) => says.replace("Claude Code's settings ", ""));

const DEV = "roles: { dev: { tools: { tracker: all } } }";
const BOTH = "roles: { dev: { tools: { tracker: all } }, lead: { tools: { tracker: [list, wipe.all] } } }";

describe("nothing is said", () => {
  test.each<readonly [permissions: object, project: string]>([
    [{ deny: ["mcp__tracker__drop"] }, "roles: { dev: { tools: { tracker: [list] } } }"],
    [{ deny: ["mcp__tracker__drop"] }, "roles: { dev: { tools: { tracker: { exclude: [drop] } } } }"],
    [{ deny: ["mcp__tracker__drop"] }, "roles: {}"],
    [{ deny: ["mcp__tracker__gone"] }, DEV],
    [{ deny: ["mcp__other__drop"] }, DEV],
    [{ deny: ["mcp__*__drop"] }, "roles: { dev: { tools: { tracker: [airdrop] } } }"],
    [{ deny: ["mcp__tracker__wipe_all"] }, "roles: { dev: { tools: { tracker: [wipe1all] } } }"],
    [{ deny: ["mcp__tracker__wipe_*"] }, "roles: { dev: { tools: { tracker: [wipe1all] } } }"],
    [{ ask: ["mcp__tracker__drop"] }, "roles: { dev: { tools: { tracker: { include: [drop], ask: [drop] } } } }"],
    [{ ask: ["mcp__tracker"] }, "roles: { dev: { tools: { tracker: { include: [drop], ask: [drop] } } } }"],
    [
      { deny: ["mcp__tracker__drop"] },
      `${DEV}, policies: [{ name: p, roles: ["*"], tools: [tracker.drop], effect: deny }]`,
    ],
    [
      { ask: ["mcp__tracker__drop"] },
      `${DEV}, policies: [{ name: p, roles: ["*"], tools: [tracker.drop], effect: ask }]`,
    ],
    [{ deny: ["mcp__tracker__drop"] }, `${BOTH}, hosts: [{ id: claude-code, role: lead }]`],
  ])("%j where %s", (permissions, project) => expect(said(permissions, project)).toEqual([]));
});

describe("what is lost is said, once", () => {
  test.each<readonly [permissions: object, project: string, says: readonly string[]]>([
    [{ deny: ["mcp__tracker__wipe_*"] }, DEV, ["take away `tracker.wipe.all`, which `dev` may call here"]],
    [{ deny: ["mcp__*_drop"] }, DEV, ["take away `tracker.drop`, which `dev` may call here"]],
    [
      { deny: ["mcp__tracker__wipe_all"] },
      `${BOTH}, hosts: [{ id: claude-code, role: lead }]`,
      ["take away `tracker.wipe.all`, which `lead` may call here"],
    ],
    [
      { deny: ["mcp__tracker__drop"] },
      `${BOTH}, hosts: [{ id: cursor, role: lead }]`,
      ["take away `tracker.drop`, which `dev` may call here"],
    ],
    [
      { deny: ["mcp__tracker__drop"], ask: ["mcp__tracker__drop", "mcp__tracker__list"] },
      DEV,
      [
        "take away `tracker.drop`, which `dev` may call here",
        "ask about `tracker.list`, which `dev` may call unasked here",
      ],
    ],
  ])("%j where %s", (permissions, project, says) => expect(said(permissions, project)).toEqual(says));
});

test("thousands of rules about thousands of tools are read, taken over and told in a moment", () => {
  const tools = Array.from({ length: 4000 }, (_, i) => `tool_${i}_x`);
  const deny = tools.map((tool) => `mcp__tracker__${tool}`);
  const read = files({ deny }, DEV, tools);
  const reading = { files: memoryFiles(read), project: DEFAULTS, hosts: allHosts([]) };
  const limit = 1500;
  expect(fastest(limit, () => void compiled(read))).toBeLessThan(limit);
  const taken = () => {
    const { translated } = translate({ file: ".mcp.json" }, reading, lazyLibraries());
    return asInProject(translated!, ".mcp.json", reading, lazyLibraries()).blocks;
  };
  expect(fastest(limit, () => void taken())).toBeLessThan(limit);
  const excluded = tools.map((tool) => tool.replaceAll("_", "?"));
  const block = { connect: [{ stdio: ["serve"] }], tools: { exclude: excluded } };
  const written = { ...read, "rolecall.yaml": `{ version: 1, project: test, ${DEV} }` };
  const source = { ...written, "mcp/taken.json": JSON.stringify({ servers: { tracker: block } }) };
  expect(fastest(limit, () => void compiled(source))).toBeLessThan(limit);
});
