// The project that the tests of the second opinion talk about: `github` and `files` are pinned, `bare` isn't.
import { readReference } from "./files.ts";
import type { ReferenceProject } from "./files.ts";
import { tools, verdict } from "./reference.ts";

const text = { type: "string" };
const GITHUB = [
  { name: "create_issue", inputSchema: { type: "object", properties: { repo: text, labels: { type: "array" } } } },
  { name: "delete_repo", annotations: { destructiveHint: true, idempotentHint: true } },
  { name: "get_issue", annotations: { readOnlyHint: true, openWorldHint: false } },
  { name: "list_issues", annotations: { readOnlyHint: true } },
  { name: "merge_pull", annotations: { destructiveHint: false } },
  { name: "odd", annotations: { readOnlyHint: true, destructiveHint: true } },
];
const EDIT = { type: "object", properties: { path: { $ref: "#/$defs/path" } }, $defs: { path: text } };
const FILES = [
  {
    name: "edit",
    inputSchema: {
      ...EDIT,
      properties: { edits: { type: "array", items: { $ref: "#/$defs/edit" } } },
      $defs: { edit: EDIT },
    },
  },
  { name: "free", inputSchema: { type: "object", properties: { path: text, more: { type: "object" } } } },
  {
    name: "map",
    inputSchema: {
      type: "object",
      properties: {
        path: text,
        more: { type: "object", additionalProperties: { properties: { mode: text } } },
        like: { type: "object", patternProperties: { "^x": { properties: { mode: {} } } } },
      },
    },
  },
  {
    name: "nest",
    inputSchema: {
      type: "object",
      properties: { options: { type: "object", properties: { mode: text, path: text } } },
    },
  },
  {
    name: "write",
    inputSchema: { type: "object", properties: { path: text, content: text }, additionalProperties: true },
  },
];

/** A project of one source. */
export function project(source: string, more: Record<string, string> = {}): ReferenceProject {
  const servers = /^servers:/m.test(source) ? "" : "servers: { github: {}, files: {}, bare: {} }\n";
  return readReference({
    "rolecall.yaml": "version: 1\nproject: harbor\n",
    "mcp/all.yaml": servers + source,
    "mcp/manifests/github.json": JSON.stringify({ server: "github", tools: GITHUB }),
    "mcp/manifests/files.json": JSON.stringify({ server: "files", tools: FILES }),
    ...more,
  });
}

/** What a role holds of a server, sorted; `?` marks what is asked. */
export function held(p: ReferenceProject, role = "r", server = "github"): string {
  const names = tools(p)
    .filter((one) => one.server === server)
    .map((one) => one.tool);
  const marks = { allow: "", ask: "?", deny: undefined };
  return names
    .flatMap((name) => {
      const mark = marks[verdict(p, role, server, name)];
      return mark === undefined ? [] : [name + mark];
    })
    .join(" ");
}

export const role = (entry: string): string => `roles: { r: { tools: { github: ${entry} } } }`;
export const EVERYTHING = "create_issue delete_repo get_issue list_issues merge_pull odd";
