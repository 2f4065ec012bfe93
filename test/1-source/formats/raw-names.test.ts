import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { asInProject, translate } from "../../../compiler/translate.ts";
import { compiled, heldBy, manifest } from "../../support/compiled.ts";

/**
 * Hosts compare the names in their own lists with the tools' own: a name that is another's only as some host shows it gives
 * nothing there, and takes away all the same.
 */

const server = { command: "serve" };
const TOOLS = ["list", "admin.delete", "create_issue"];

const FORMATS: readonly (readonly [file: string, allowing: (tools: readonly string[]) => object | string])[] = [
  [".gemini/settings.json", (includeTools) => ({ mcpServers: { tracker: { ...server, includeTools } } })],
  [".copilot/mcp-config.json", (tools) => ({ mcpServers: { tracker: { ...server, tools } } })],
  [
    ".codex/config.toml",
    (tools) => `[mcp_servers.tracker]\ncommand = "serve"\nenabled_tools = ${JSON.stringify(tools)}\n`,
  ],
  [
    ".squad/mcp-config.json",
    (tools) => ({ servers: { tracker: { ...server, tools } }, agentServers: { dev: ["tracker"] } }),
  ],
];

/** What the role holds of it, where the file is read as it lies there, and where it is taken over. */
function given(file: string, document: object | string): readonly string[][] {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const role = file.includes("squad") ? "" : "roles: { dev: { tools: { tracker: all } } },";
  const projectOf = (imports: string) => `{ version: 1, project: test, ${role} ${imports} }`;
  const pin = { "mcp/manifests/tracker.json": manifest(...TOOLS) };
  const files = { [file]: text, ...pin, "rolecall.yaml": projectOf(`imports: [${file}]`) };
  const reading = { files: memoryFiles(files), project: DEFAULTS, hosts: allHosts([]) };
  const { translated } = translate({ file }, reading, lazyLibraries());
  const { blocks } = asInProject(translated!, file, reading, lazyLibraries());
  const taken = { ...pin, "rolecall.yaml": projectOf(""), "mcp/taken.json": JSON.stringify(blocks) };
  return [compiled(files), compiled(taken)].map((found) => heldBy(found, "dev").toSorted());
}

describe.each(FORMATS)("%s", (file, allowing) => {
  test.each(["tracker_create_issue", "tracker-create_issue", "tracker.create_issue", "admin_delete", "admin-delete"])(
    "%s gives nothing",
    (name) => expect(given(file, allowing(["list", name]))).toEqual([["tracker.list"], ["tracker.list"]]),
  );

  test("a tool's own name gives it", () => {
    const held = ["tracker.admin.delete", "tracker.list"];
    expect(given(file, allowing(["admin.delete", "list"]))).toEqual([held, held]);
  });
});

test.each([
  [".gemini/settings.json", { mcpServers: { tracker: { ...server, excludeTools: ["tracker_create_issue"] } } }],
  [".copilot/mcp-config.json", { mcpServers: { tracker: { ...server, excludeTools: ["tracker-create_issue"] } } }],
  [".mcp.json", { mcpServers: { tracker: { ...server, disabledTools: ["tracker_create_issue"] } } }],
])("what a list takes away by a shown name is out: %s", (file, document) => {
  const left = ["tracker.admin.delete", "tracker.list"];
  expect(given(file, document)).toEqual([left, left]);
});

test("lists that name tools as a host shows them give these", () => {
  const squad = {
    servers: { tracker: server },
    agentServers: { dev: ["tracker"] },
    toolRestrictions: { dev: { tracker: { include: ["tracker_create_issue"] } } },
  };
  const held = ["tracker.create_issue"];
  expect(given(".squad/mcp-config.json", squad)).toEqual([held, held]);
});

describe("Copilot's agents name a tool as it is behind `/`, and as it is shown behind `-`", () => {
  const file = ".github/agents/dev.agent.md";
  const page = (tools: readonly string[], of?: readonly string[]): string =>
    `---\ntools: ${JSON.stringify(tools)}\nmcp-servers: ${JSON.stringify({ tracker: { type: "local", ...server, ...(of && { tools: of }) } })}\n---\n`;

  test.each<readonly [tools: readonly string[], of: readonly string[] | undefined, held: readonly string[]]>([
    [["tracker/list", "tracker-create_issue"], undefined, ["tracker.create_issue", "tracker.list"]],
    [["tracker/admin.delete"], undefined, ["tracker.admin.delete"]],
    [["tracker/list", "tracker-admin.delete"], undefined, ["tracker.list"]],
    [["tracker/list", "tracker/admin-delete"], ["list", "admin.delete"], ["tracker.list"]],
    [["tracker-admin-delete"], ["list", "admin.delete"], ["tracker.admin.delete"]],
    [["tracker/list", "tracker-admin.delete"], ["list", "admin.delete"], ["tracker.list"]],
  ])("%j of %j", (tools, of, held) => expect(given(file, page(tools, of))).toEqual([held, held]));
});
