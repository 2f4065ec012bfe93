import { manifest, planned, type Planned, type ToolSketch } from "./compiled.ts";

const SOURCES = `servers:
  files:
    connect: [{ stdio: [files] }]
  github:
    title: GitHub
    connect:
      - http: https://api.example.com/mcp/
        headers: { Authorization: "Bearer \${GITHUB_TOKEN}" }
      - stdio: [npx, -y, github-mcp@1.0.0]
        env: { TOKEN: "\${GITHUB_TOKEN}", LEVEL: "\${LOG_LEVEL:-warn}" }
    limits: { ratePerMinute: 60, concurrency: 4 }
    labels: { external: [create_issue] }
    preset: github
  notes:
    connect: [{ stdio: [notes] }]
roles:
  reader:
    tools:
      github: { include: [list_*], exclude: [merge_*] }
      notes: [search]
  tester:
    tools:
      files:
        include: ["*"]
        where:
          write_file: { path: { glob: "tests/**" } }
      github: { include: ["*"], exclude: [merge_*] }
policies:
  - name: creating is asked
    roles: ["*"]
    tools: [github.create_*]
    effect: ask
invariants:
  - name: testers never merge
    never: { roles: [tester], tools: [github.merge_*] }
`;
const PRESET = `id: github
title: GitHub
variables:
  - { name: GITHUB_TOKEN, for: a token that may read issues, also: [GH_TOKEN] }
server: {}
`;

const tool = (name: string, annotations: object): ToolSketch => {
  return { name, annotations, arguments: ["path"], description: `Does ${name}. And more that nobody reads.` };
};

/** A small project, for tests of what people see: two servers with manifests, one without. `first` is a tool of `files`. */
export function sampleProject(first = tool("read_file", { readOnlyHint: true })): Planned {
  return planned({
    "rolecall.yaml": "version: 1\nproject: harbor\n",
    "mcp/team.yaml": SOURCES,
    "mcp/presets/github.yaml": PRESET,
    "mcp/manifests/files.json": manifest(first, tool("write_file", { destructiveHint: false })),
    "mcp/manifests/github.json": manifest(
      tool("create_issue", { destructiveHint: false }),
      tool("list_issues", { readOnlyHint: true }),
      tool("merge_pull_request", { destructiveHint: true }),
    ),
  });
}

/** `roles` roles with long names and `servers` servers: what a matrix must be able to take. */
export function wideProject(roles: number, servers: number, tools = 12): Planned {
  const numbers = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);
  const names = numbers(servers).map((i) => `server-number-${i}`);
  const asked = numbers(tools).filter((i) => i % 3 === 0);
  const held = `{ include: ["*"], ask: [${asked.map((i) => `tool_number_${i}`).join(", ")}] }`;
  return planned({
    "mcp/team.yaml": [
      "servers:",
      ...names.map((name) => `  ${name}: { connect: [{ stdio: [x] }] }`),
      "roles:",
      ...numbers(roles).map(
        (i) => `  role-of-team-${i}: { tools: { ${names.map((n) => `${n}: ${held}`).join(", ")} } }`,
      ),
    ].join("\n"),
    ...Object.fromEntries(
      names.map((n) => [`mcp/manifests/${n}.json`, manifest(...numbers(tools).map((i) => `tool_number_${i}`))]),
    ),
  });
}
