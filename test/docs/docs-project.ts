import { parse } from "yaml";

/** The project that the examples in docs/ belong to: what an example doesn't say itself is said here. */

const text = { type: "string" };

/** `tool(arguments)`; `!` marks a tool as destructive, `?` as read-only. */
const MANIFESTS: Readonly<Record<string, readonly string[]>> = {
  github: [
    "?list_issues(repo)",
    "?get_issue(repo)",
    "create_issue(repo,title,assignee)",
    "update_issue(repo,title)",
    "add_comment(repo,text)",
    "!merge_pull_request(repo)",
    "!delete_branch(repo,branch)",
  ],
  files: [
    "?read_file(path)",
    "?list_folder(path)",
    "write_file(path,text)",
    "edit_file(path,edits)",
    "move_file(source,destination)",
  ],
  db: ["?list_tables()", "?list_migrations()", "query(sql)", "!apply_migration(sql)"],
  notes: ["?search_notes(text)", "write_note(path,text)", "!delete_note(path)"],
};

const SERVERS: Readonly<Record<string, string>> = {
  github: "{ connect: [{ http: 'https://github.example.com/mcp' }] }",
  files: "{ connect: [{ stdio: [files-server] }], root: '${WORKSPACE_ROOT}' }",
  db: "{ connect: [{ http: 'https://db.example.com/mcp' }] }",
  notes: "{ connect: [{ http: 'https://notes.example.com/mcp' }] }",
};

/** Of the hosts that examples choose. */
const OWN = ", builtins: { claude-code: [Read], codex: all, gemini-cli: [read_file], opencode: [read] }";

const ROLES: Readonly<Record<string, string>> = {
  tester: "tools: { github: [list_issues, create_issue] }",
  lead: "tools: { github: all }",
  "backend-dev": "tools: { db: [query] }",
  writer: "tools: { notes: all }",
};

const GUARD = 'policies: [{ name: merging is asked everywhere, roles: ["*"], tools: [github.merge_*], effect: ask }]\n';

/** The project with one example in it, as files. */
export function projectWith(file: string, example: string): Readonly<Record<string, string>> {
  const said = declared(example);
  const presets = file.startsWith("mcp/presets/") ? { notes: "{ preset: notes }" } : {};
  const servers = Object.entries({ ...SERVERS, ...presets }).filter(([name]) => !said.servers.includes(name));
  const own = /^hosts:/m.test(example) ? OWN : "";
  const roles = Object.entries(ROLES).map(([name, role]) => [name, `{ ${role}${own} }`] as const);
  return {
    "rolecall.yaml": `version: 1\nproject: docs\n${file.startsWith("guards/") ? "guards: [guards/*.yaml]\n" : ""}`,
    "guards/company.yaml": GUARD,
    "mcp/prompts/tester.md": "Write a test before you say that something fails.\n",
    "mcp/rest.yaml": block("servers", servers) + block("roles", said.roles.length > 0 ? [] : roles),
    ...Object.fromEntries(
      Object.entries(MANIFESTS).map(([name, tools]) => [`mcp/manifests/${name}.json`, manifest(name, tools)]),
    ),
    [file]: example,
  };
}

/** Names that the example declares; none when it isn't YAML, which may be its point. */
function declared(example: string): { readonly servers: readonly string[]; readonly roles: readonly string[] } {
  try {
    const value = parse(example, { logLevel: "silent" }) as { servers?: object; roles?: object };
    return { servers: Object.keys(value.servers ?? {}), roles: Object.keys(value.roles ?? {}) };
  } catch {
    return { servers: [], roles: ["those of the example"] };
  }
}

function block(name: string, entries: readonly (readonly [string, string])[]): string {
  return entries.length === 0 ? "" : `${name}:\n${entries.map(([key, value]) => `  ${key}: ${value}\n`).join("")}`;
}

function manifest(server: string, tools: readonly string[]): string {
  return JSON.stringify({ server, tools: tools.map(toolOf) });
}

function toolOf(shown: string): object {
  const [, mark, name, list] = /^([!?]?)(\w+)\((.*)\)$/.exec(shown)!;
  const properties = Object.fromEntries(
    list!
      .split(",")
      .filter((argument) => argument !== "")
      .map((argument) => [argument, argument === "edits" ? edits : text]),
  );
  const annotations = mark === "?" ? { readOnlyHint: true } : { destructiveHint: mark === "!" };
  return { name, inputSchema: { type: "object", properties }, annotations };
}

const edits = { type: "array", items: { type: "object", properties: { from: text, to: text } } };
