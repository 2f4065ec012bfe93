import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fc } from "../../support/generated.ts";
import { afterAll, describe, expect, test } from "vitest";
import { build } from "../../support/built-project.ts";
import { compiled, errors, heldBy, manifest } from "../../support/compiled.ts";
import { diceOf, tapes, type Dice } from "../../support/dice.ts";
import { blocksOf } from "../../support/markdown.ts";
import { SHARED } from "../../support/root.ts";
import { temporaryProject, typeCheck } from "../../types/tsc.ts";

const importing = (document: object, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  "rolecall.yaml": "version: 1\nproject: squad\nimports: [.squad/mcp-config.json]\n",
  ".squad/mcp-config.json": JSON.stringify(document, undefined, 2),
  "mcp/manifests/files.json": manifest("read", "write", "drop"),
  ...more,
});
const local = { command: "npx", args: ["-y", "files@1.0.0", "${ROOT}"], tools: ["*"] };
const held = (server: object, restricted?: object): string[] => {
  const result = compiled(
    importing({
      servers: { files: { ...local, ...server } },
      agentServers: { lead: ["files"] },
      ...(restricted && { toolRestrictions: { lead: { files: restricted } } }),
    }),
  );
  expect(errors(result)).toEqual([]);
  return heldBy(result, "lead").map((name) => name.replace("files.", ""));
};

describe("what a server says", () => {
  test.each([[{}], [{ type: "local" }], [{ type: "stdio" }]])("one plan, however the kind is spelt: %j", (kind) => {
    const { plan, diagnostics } = compiled(
      importing({
        servers: { files: { ...local, ...kind, env: { LOG: "warn" }, cwd: "${ROOT}", timeout: 30000 } },
        agentServers: {},
      }),
    );
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const [server] = plan.servers;
    const [connect] = server!.connect;
    expect(connect).toMatchObject({ kind: "stdio", cwd: { written: "${ROOT}" } });
    expect(connect?.kind === "stdio" && connect.command.map(({ written }) => written)).toEqual([
      local.command,
      ...local.args,
    ]);
    expect(server!.limits.timeoutMs).toBe(30_000);
    expect(server!.breaker.failures).toBe(1);
  });

  test.each([
    [["*"], ["drop", "read", "write"]],
    [["read"], ["read"]],
    [[], []],
  ])("tools %j", (tools, expected) => expect(held({ tools })).toEqual(expected));
});

describe("what a role gets of it", () => {
  test.each<[string, object, readonly string[], readonly string[]]>([
    ["excluded", { exclude: ["drop"] }, ["*"], ["read", "write"]],
    ["included", { include: ["read"] }, ["*"], ["read"]],
    ["included and excluded", { include: ["read", "drop"], exclude: ["drop"] }, ["*"], ["read"]],
    [
      "included and excluded under the joined name",
      { include: ["read", "drop"], exclude: ["files_drop"] },
      ["*"],
      ["read"],
    ],
    ["both, and nothing left", { include: ["drop"], exclude: ["drop"] }, ["*"], []],
    ["both, of other tools", { include: ["read"], exclude: ["drop"] }, ["*"], ["read"]],
    ["excluded, within the server's own", { exclude: ["read"] }, ["read", "write"], ["write"]],
    ["included, within the server's own", { include: ["read", "drop"] }, ["read", "write"], ["read"]],
    ["nothing included", { include: [] }, ["*"], []],
    ["everything excluded", { exclude: ["*"] }, ["*"], []],
    ["under the joined name", { exclude: ["files_drop"] }, ["*"], ["read", "write"]],
  ])("%s", (_, restricted, tools, expected) => expect(held({ tools }, restricted)).toEqual(expected));

  test("a slip in a tool is an error in that file, with the nearest name", () => {
    const document = {
      servers: { files: local },
      agentServers: { lead: ["files"] },
      toolRestrictions: { lead: { files: { exclude: ["drpo"] } } },
    };
    const { diagnostics } = compiled(importing(document));
    const found = diagnostics.find(({ code }) => code === "manifest/unknown-tool");
    expect([found?.at?.file, found?.help]).toEqual([".squad/mcp-config.json", expect.stringContaining("drop")]);
  });

  test.each([
    [{ agentServers: { lead: ["fils"] } }, "import/not-of-format"],
    [{ agentServers: { lead: ["Files"] } }, "import/not-of-format"],
    [
      { agentServers: { lead: ["files"] }, toolRestrictions: { led: { files: { exclude: ["drop"] } } } },
      "import/not-of-format",
    ],
    [
      { agentServers: { lead: ["files"] }, toolRestrictions: { lead: { Files: { exclude: ["drop"] } } } },
      "import/not-of-format",
    ],
    [
      { servers: { db: { ...local, tools: [] }, DB: { ...local, tools: ["list"] } }, agentServers: {} },
      "import/same-name",
    ],
    [{ agentServers: { lead: ["files"] }, toolRestriction: {} }, "source/unknown-key"],
    [{ servers: { files: { ...local, url: "https://a.example" } }, agentServers: {} }, "source/unknown-key"],
  ])("what isn't understood is an error: %j", (more, code) => {
    expect(errors(compiled(importing({ servers: { files: local }, ...more })))).toContain(code);
  });
});

const seeds = path.join(SHARED, "seeds");
const seed = existsSync(seeds) ? readdirSync(seeds).find((name) => name.startsWith("000")) : undefined;
const sample =
  seed === undefined
    ? undefined
    : blocksOf(readFileSync(path.join(seeds, seed), "utf8")).find(
        ({ language, text }) => language === "json" && text.includes('"agentServers"'),
      );
const project = temporaryProject();
afterAll(() => project.remove());

describe.skipIf(sample === undefined)("the document that the format comes from, word for word", () => {
  const TOOLS = {
    github: ["create_issue", "create_pull_request", "list_issues", "list_pull_requests", "merge_pull_request"],
    filesystem: ["delete_file", "list_directory", "move_file", "read_file", "write_file"],
    postgres: ["describe_table", "drop_table", "list_tables", "query"],
    slack: ["list_channels", "search_messages", "send_message"],
  };
  const files = (hosts: string): Record<string, string> => ({
    "rolecall.yaml": `version: 1\nproject: squad\nhosts: [${hosts}]\nimports: [.squad/mcp-config.json]\n`,
    ".squad/mcp-config.json": sample!.text,
    ...Object.fromEntries(
      Object.entries(TOOLS).map(([name, tools]) => [`mcp/manifests/${name}.json`, manifest(...tools)]),
    ),
  });

  test("is compiled for four hosts and TypeScript, and each role holds what it says", async () => {
    const { errors: wrong, artifacts, plan } = build(files("copilot-sdk, claude-code, opencode, codex"), true);
    expect(wrong).toEqual([]);
    const all = (server: keyof typeof TOOLS, ...without: string[]): string[] =>
      TOOLS[server].filter((tool) => !without.includes(tool)).map((tool) => `${server}.${tool}`);
    const lead = [...all("filesystem"), ...all("github")];
    const postgres = all("postgres", "drop_table");
    expect(Object.fromEntries(plan.roles.map(({ name }) => [name, heldBy({ plan }, name)]))).toEqual({
      lead,
      "backend-dev": [...lead, ...postgres],
      "frontend-dev": lead,
      tester: [...all("filesystem", "delete_file"), ...all("github", "create_pull_request", "merge_pull_request")],
      designer: [...lead, "slack.list_channels", "slack.send_message"],
      scribe: ["filesystem.list_directory", "filesystem.read_file", "filesystem.write_file"],
    });
    for (const [file, text] of artifacts) if (file.startsWith("src/")) project.write(file, text);
    expect(await typeCheck(project, "7.0", ["src"], { isolatedDeclarations: false })).toEqual([]);
    expect([...artifacts.values()].filter((text) => text.includes("GITHUB_TOKEN")).length).toBeGreaterThan(3);
  });
});

/** Read a second time as its own page says, by a reader that knows nothing of ours. */
interface Document {
  readonly servers: Record<string, { readonly tools: string[] }>;
  readonly agentServers: Record<string, string[]>;
  readonly toolRestrictions: Record<string, Record<string, { include?: string[]; exclude?: string[] }>>;
}

const NAMES = ["read", "write", "drop_*", "is:read-only", "a & b", "files_read"];

function naively(
  { servers, agentServers, toolRestrictions }: Document,
  role: string,
  all: Readonly<Record<string, string[]>>,
): string[] {
  return (agentServers[role] ?? []).flatMap((server) => {
    const { include, exclude = [] } = toolRestrictions[role]?.[server] ?? {};
    const [given, wanted] = [servers[server]!.tools, include ?? ["*"]];
    const within = (list: readonly string[], tool: string) => list.includes("*") || list.includes(tool);
    return all[server]!.filter((tool) => within(given, tool) && within(wanted, tool) && !within(exclude, tool)).map(
      (tool) => `${server}.${tool}`,
    );
  });
}

test("over random files nobody holds more or less than it says", () => {
  const some = (dice: Dice, tools: readonly string[]): string[] =>
    dice.chance(20) ? ["*"] : dice.sample(tools, dice.below(4));
  fc.assert(
    fc.property(tapes(80), (tape) => {
      const dice = diceOf(tape);
      const all = { files: NAMES.slice(0, 5), wiki: dice.sample(NAMES.slice(0, 5), 1 + dice.below(5)) };
      const document: Document = {
        servers: Object.fromEntries(
          Object.entries(all).map(([name, tools]) => [name, { ...local, tools: some(dice, tools) }]),
        ),
        agentServers: {
          lead: dice.sample(["files", "wiki"], dice.below(3)),
          scribe: dice.sample(["files", "wiki"], dice.below(3)),
        },
        toolRestrictions: Object.fromEntries(
          ["lead", "scribe"].map((role) => [
            role,
            Object.fromEntries(
              Object.entries(all)
                .filter(() => dice.chance(60))
                .map(([server, tools]) => [
                  server,
                  {
                    ...(dice.chance(50) && { include: some(dice, tools) }),
                    ...(dice.chance(50) && { exclude: some(dice, tools) }),
                  },
                ]),
            ),
          ]),
        ),
      };
      const built = build(
        importing(
          document,
          Object.fromEntries(
            Object.entries(all).map(([name, tools]) => [`mcp/manifests/${name}.json`, manifest(...tools)]),
          ),
        ),
      );
      expect(built.errors).toEqual([]);
      for (const role of ["lead", "scribe"])
        expect([role, heldBy(built, role)]).toEqual([role, naively(document, role, all).sort()]);
    }),
    { numRuns: 150 },
  );
});
