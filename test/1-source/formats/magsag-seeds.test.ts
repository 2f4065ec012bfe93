import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { build, type Built } from "../../support/built-project.ts";
import { compiled, manifest, type ToolSketch } from "../../support/compiled.ts";
import { SHARED } from "../../support/root.ts";
import { temporaryProject, typeCheck } from "../../types/tsc.ts";

/** The files that two guides show, taken out of them letter for letter, where the guides lie beside the project. */

const folder = path.join(SHARED, "seeds");
const here = existsSync(folder);
const guide = (number: string): string => {
  const name = here ? readdirSync(folder).find((file) => file.startsWith(number)) : undefined;
  return name === undefined ? "" : readFileSync(path.join(folder, name), "utf8");
};
const blocksOf = (text: string): string[] => [...text.matchAll(/```yaml\n([^]*?)```/g)].map(([, block]) => block!);
const first = blocksOf(guide("001"));
const second = blocksOf(guide("003"));
const idIn = (block: string, key: string): string | undefined => new RegExp(`^${key}: (.*)$`, "m").exec(block)?.[1];

const reads = (...names: string[]): ToolSketch[] =>
  names.map((name) => ({ name, arguments: ["path"], annotations: { readOnlyHint: true } }));
const writes = (...names: string[]): ToolSketch[] =>
  names.map((name) => ({ name, arguments: ["path"], annotations: { readOnlyHint: false } }));
/** Of the shape that the guides assume: real servers have other tools. */
const ASSUMED: Readonly<Record<string, readonly ToolSketch[]>> = {
  filesystem: [
    ...reads("read_file", "list_directory", "search_files"),
    ...writes("write_file", "create_directory", "move_file"),
  ],
  git: reads("git_status", "git_diff", "git_log", "git_show", "git_blame", "git_search"),
  memory: [
    ...reads("query_entities", "get_entity"),
    ...writes("create_entity", "create_relation", "update_entity", "delete_entity"),
  ],
  fetch: reads("fetch_url", "fetch_html", "fetch_markdown", "fetch_text"),
  "pg-readonly": reads("query_table", "describe_table", "list_tables", "execute_query"),
  "custom-api": writes("fetch_data"),
  notion: [...reads("read_page", "query_database"), ...writes("create_page")],
  supabase: [...reads("sql_select", "list_tables"), ...writes("apply_migration", "deploy_edge_function")],
  github: [...reads("list_issues"), ...writes("create_issue"), { name: "odd" }],
  obsidian: [...reads("read_note"), ...writes("append_note", "delete_file")],
};
const PRESETS: Readonly<Record<string, string>> = {
  "mcp/presets/supabase.yaml": `id: supabase
server:
  connect: [{ http: "https://mcp.supabase.com/mcp?features=database" }]
  scopes: { "db:select": [sql_select], "db:describe": [list_tables], "db:migrate": [apply_migration] }
`,
  "mcp/presets/obsidian.yaml": `id: obsidian
server:
  connect: [{ stdio: [uvx, mcp-obsidian==0.2.2] }]
  scopes: { "vault:read": [read_note], "vault:write": [append_note, delete_file] }
`,
};
const ROLE = `roles:
  everything: { tools: { ${Object.keys(ASSUMED)
    .map((server) => `${server}: all`)
    .join(", ")} } }
`;
const manifestsOf = (tools: typeof ASSUMED): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tools).map(([server, list]) => [`mcp/manifests/${server}.json`, manifest(...list)]),
  );

function projectOf(...more: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  return Object.assign(
    {
      "rolecall.yaml": `version: 1
project: guides
hosts:
  - copilot-sdk
  - claude-code
  - { id: opencode, assume: { OBSIDIAN_HOST: unset, OBSIDIAN_PORT: unset } }
imports: [".mcp/servers/*.yaml", "ops/adk/servers/*.yaml", "catalog/**/*.yaml"]
${ROLE}`,
    },
    ...more,
  ) as Record<string, string>;
}

/** Where the guides say that they lie. Of several with one id, the one that comes first. */
function shownFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const block of first) {
    const id = idIn(block, "server_id");
    if (id !== undefined) files[`.mcp/servers/${id}.yaml`] ??= block;
  }
  for (const block of second) {
    const id = idIn(block, "id");
    files[id === undefined ? "catalog/policies/tools.yaml" : `ops/adk/servers/${id}.yaml`] = block;
  }
  return files;
}

const projects: ReturnType<typeof temporaryProject>[] = [];
afterAll(() => projects.forEach((project) => project.remove()));

describe.skipIf(!here)("the files of two guides", () => {
  const files = shownFiles();
  const whole = (): Built => build(projectOf(files, PRESETS, manifestsOf(ASSUMED)), true);
  const held = ({ effect }: Built, server: string): string =>
    ASSUMED[server]!.map(({ name }) => [name, effect("everything", server, name)])
      .filter(([, effect]) => effect !== "deny")
      .map(([name, effect]) => (effect === "ask" ? `${name}?` : name))
      .toSorted()
      .join(" ");

  test("are all there", () =>
    expect(Object.keys(files).toSorted()).toEqual(
      [
        ...["custom-api", "fetch", "filesystem", "git", "memory", "pg-readonly"].map((id) => `.mcp/servers/${id}.yaml`),
        "catalog/policies/tools.yaml",
        ...["github", "notion", "obsidian", "supabase"].map((id) => `ops/adk/servers/${id}.yaml`),
      ].toSorted(),
    ));

  test("compile as they stand, and mean what they say", () => {
    const built = whole();
    expect(built.errors).toEqual([]);
    expect(Object.fromEntries(Object.keys(ASSUMED).map((server) => [server, held(built, server)]))).toEqual({
      filesystem: "create_directory list_directory move_file read_file search_files write_file",
      git: "git_blame git_diff git_log git_search git_show git_status",
      memory: "create_entity create_relation delete_entity get_entity query_entities update_entity",
      fetch: "fetch_html fetch_markdown fetch_text fetch_url",
      "pg-readonly": "describe_table execute_query list_tables query_table",
      "custom-api": "fetch_data",
      notion: "query_database read_page",
      supabase: "list_tables sql_select",
      github: "create_issue? list_issues odd?",
      obsidian: "append_note read_note",
    });
  });

  test("every field of a server reaches the plan", () => {
    const { plan } = whole();
    const about = new Map(plan.servers.map((server) => [server.name as string, server]));
    expect([...about.values()].map(({ name, limits }) => [name, limits.ratePerMinute, limits.timeoutMs])).toEqual(
      expect.arrayContaining([
        ["filesystem", 60, 30_000],
        ["git", 30, 60_000],
        ["memory", 120, 20_000],
        ["fetch", 30, 30_000],
        ["pg-readonly", 120, 30_000],
      ]),
    );
    const { description, connect, scopes } = about.get("pg-readonly")!;
    expect([description, scopes?.map(({ name }) => name)]).toEqual([
      "Read-only PostgreSQL database access",
      ["read:tables"],
    ]);
    expect(connect[0]!.kind === "stdio" && connect[0]!.command.map(({ written }) => written)).toEqual([
      "npx",
      "-y",
      "@modelcontextprotocol/server-postgres@1.0.0",
      "${PG_RO_URL}",
    ]);
    const { version, notes, connect: ways } = about.get("notion")!;
    expect([version, ways.map(({ kind }) => kind)]).toEqual(["1", ["http", "sse", "stdio"]]);
    expect(notes.join()).toMatch(/primary/);
    expect(about.get("obsidian")!.variables.map((one) => [one.name, one.default])).toEqual([
      ["OBSIDIAN_API_KEY", undefined],
      ["OBSIDIAN_HOST", "127.0.0.1"],
      ["OBSIDIAN_PORT", "27124"],
    ]);
  });

  test("reach three hosts, none of them without a server", () => {
    const { hosts, artifacts } = whole();
    expect(hosts).toHaveLength(3);
    const servers = Object.keys(ASSUMED).toSorted();
    for (const host of hosts)
      expect(host.roles.map((role) => role.servers.map(({ server }) => server.name))).toEqual([servers]);
    const text = [...artifacts]
      .filter(([file]) => file.includes("hosts"))
      .map(([, one]) => one)
      .join("\n");
    for (const word of ["api.githubcopilot.com", "mcp.supabase.com", "CUSTOM_API_KEY", "127.0.0.1"])
      expect(text).toContain(word);
  });

  test("what is generated compiles", async () => {
    const project = temporaryProject();
    projects.push(project);
    for (const [file, text] of whole().artifacts) if (file.endsWith(".ts")) project.write(file, text);
    expect(await typeCheck(project, "7.0", ["src/**/*.ts"])).toEqual([]);
  }, 60_000);

  test("the samples of a restricted server take its writing tools away", () => {
    const onlyReads = first.filter((one) => /\n  - read:/.test(one) && !/\n  - write:/.test(one));
    const samples = onlyReads.filter((one) => idIn(one, "server_id") !== undefined);
    expect(samples.length).toBeGreaterThan(3);
    for (const block of samples) {
      const id = idIn(block, "server_id")!;
      const built = build(projectOf(files, PRESETS, manifestsOf(ASSUMED), { [`.mcp/servers/${id}.yaml`]: block }));
      expect(built.errors).toEqual([]);
      const writing = ASSUMED[id]!.filter(
        ({ annotations }) => !(annotations as { readOnlyHint?: boolean }).readOnlyHint,
      );
      expect(writing.map(({ name }) => built.effect("everything", id, name))).toEqual(writing.map(() => "deny"));
    }
  });

  test("against a preset of a server without hints all its tools have their scope", () => {
    const bare = { ...ASSUMED, filesystem: ASSUMED["filesystem"]!.map(({ name }) => ({ name })) };
    const preset = `id: files
server:
  connect: [{ stdio: [npx, -y, "@modelcontextprotocol/server-filesystem@2026.8.31", .] }]
  scopes:
    "read:files": [read_file, list_directory, search_files]
    "write:files": [write_file, create_directory, move_file]
`;
    const built = build(projectOf(files, PRESETS, { "mcp/presets/files.yaml": preset }, manifestsOf(bare)));
    expect(built.errors).toEqual([]);
    const server = built.plan.servers.find(({ name }) => name === "filesystem")!;
    expect(server.scopes!.map(({ name, tools }) => [name, tools.length])).toEqual([
      ["read:files", 3],
      ["write:files", 3],
    ]);
  });

  test("names that the real servers don't have are errors with the nearest", () => {
    const real = path.join(SHARED, "manifests");
    const capture = (name: string): string => {
      const { tools } = JSON.parse(readFileSync(path.join(real, `${name}.json`), "utf8")) as { tools: unknown };
      return JSON.stringify({ tools });
    };
    const captures = {
      "mcp/manifests/memory.json": capture("memory"),
      "mcp/manifests/supabase.json": capture("supabase"),
      "mcp/manifests/obsidian.json": capture("obsidian-mcp"),
    };
    const lines = "policies: { tools: { memory.create_entity: deny, memory.delete_entity: deny } }\n";
    const { diagnostics } = compiled(
      projectOf(files, manifestsOf(ASSUMED), captures, { "catalog/policies/memory.yaml": lines }),
    );
    const said = diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ says, help }) => `${says}: ${String(help)}`);
    expect(said.join("\n")).toMatch(/`create_entity` is not a tool of `memory`: did you mean `create_entities`/);
    expect(said.join("\n")).toMatch(/`delete_entity` is not a tool of `memory`: did you mean `delete_entities`/);
    expect(said.join("\n")).toMatch(/`delete_file` is not a tool of `obsidian`/);
    expect(said.join("\n")).toMatch(/`sql_select` is not a tool of `supabase`/);
    expect(said.join("\n")).toMatch(/rolecall presets supabase --copy/);
  });

  // Captured read-only it calls `execute_sql` both read-only and destructive: the worse word counts until the author says more.
  test("nothing that may write is held of a real server, however it was captured", () => {
    const map = `id: supabase
server:
  connect: [{ http: https://mcp.supabase.com/mcp }]
  scopes: { "db:select": [execute_sql], "db:describe": [list_tables], "db:migrate": [apply_migration] }
`;
    const captured = (name: string): Built => {
      const { tools } = JSON.parse(readFileSync(path.join(SHARED, "manifests", `${name}.json`), "utf8")) as {
        tools: unknown;
      };
      const { "catalog/policies/tools.yaml": _, ...servers } = files;
      const policies = "policies: { tools: { obsidian.delete_file: deny } }\n";
      const more = { "mcp/presets/supabase.yaml": map, "mcp/manifests/supabase.json": JSON.stringify({ tools }) };
      return build(
        projectOf(servers, PRESETS, manifestsOf(ASSUMED), { "catalog/policies/tools.yaml": policies }, more),
      );
    };
    const may = (built: Built) =>
      ["execute_sql", "list_tables", "apply_migration", "deploy_edge_function"].filter(
        (tool) => built.effect("everything", "supabase", tool) !== "deny",
      );
    expect(may(captured("supabase"))).toEqual(["list_tables"]);
    expect(may(captured("supabase-read-only"))).toEqual(["list_tables"]);
  });
});
