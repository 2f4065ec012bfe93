import { definedBy } from "../../compiler/2-model/definition.ts";
import type { Digest, RoleName, ServerName, ToolName } from "../../compiler/base/names.ts";
import { sortedBy } from "../../compiler/base/order.ts";
import type {
  Decision,
  Effect,
  Plan,
  PlannedRole,
  Server,
  Template,
  Tool,
  Transport,
  Variable,
} from "../../compiler/3-plan/types.ts";
import type { ArgumentRule } from "../../runtime/contract.ts";

/** A plan written by hand, for tests of what is made from plans: no source and no manifest is needed. */
const nowhere = { file: "rolecall.yaml", path: [] };

export function aTool(
  server: string,
  name: string,
  index: number,
  digest: string | null = `sha256:${"0".repeat(64)}`,
): Tool {
  return {
    server: server as ServerName,
    name: name as ToolName,
    index,
    digest: digest as Digest | null,
    ...definedBy(() => ({
      title: undefined,
      description: undefined,
      inputSchema: '{"type":"object"}',
      outputSchema: undefined,
    })),
    resultFrom: undefined,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    strictHints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    labels: [],
    choice: undefined,
    contradiction: undefined,
    slow: undefined,
  };
}

export function aServer(name: string, tools: readonly string[], more: Partial<Server> = {}): Server {
  return {
    name: name as ServerName,
    place: nowhere,
    preset: undefined,
    title: undefined,
    connect: [],
    root: undefined,
    limits: { timeoutMs: 30_000, ratePerMinute: undefined, concurrency: undefined },
    breaker: { failures: 3, cooldownMs: 60_000 },
    cacheMs: undefined,
    connection: "project",
    mustConnect: false,
    whenDown: undefined,
    owner: undefined,
    pin: name,
    manifest: {
      file: `mcp/manifests/${name}.json`,
      instructions: undefined,
      instructionsDigest: undefined,
      capabilities: {},
      serverVersion: undefined,
    },
    tools: sortedBy(tools, (tool) => tool).map((tool, index) => aTool(name, tool, index)),
    ceilings: [],
    scopes: undefined,
    knownScopes: [],
    labels: [],
    variables: [],
    notes: [],
    ...more,
  };
}

export type Held = Readonly<Record<string, Effect | readonly [Effect, ...ArgumentRule[]]>>;

export function aRole(
  name: string,
  grants: readonly (readonly [Server, Held])[],
  more: Partial<PlannedRole> = {},
): PlannedRole {
  return {
    name: name as RoleName,
    place: nowhere,
    description: undefined,
    owner: undefined,
    prompt: undefined,
    lineage: [name as RoleName],
    grants: grants.map(([server, held]) => ({
      server,
      decisions: server.tools.map((tool) => decision(Object.hasOwn(held, tool.name) ? held[tool.name] : undefined)),
    })),
    builtins: [],
    delegates: [],
    reaches: [],
    ...more,
  };
}

function decision(held: Effect | readonly [Effect, ...ArgumentRule[]] | undefined): Decision {
  const [effect, ...where] = typeof held === "string" ? ([held] as const) : (held ?? (["deny"] as const));
  return { effect, where, because: [{ rule: "nothing", written: "", by: undefined, from: nowhere }] };
}

export function aPlan(
  servers: readonly Server[],
  roles: readonly PlannedRole[],
  more: Partial<Plan["project"]> = {},
  guards: Plan["guards"] = [],
): Plan {
  const project = {
    name: "harbor",
    out: "src/mcp",
    folder: "mcp",
    importExtension: "js" as const,
    runtime: "files" as const,
    envExample: ".env.example",
    hosts: [],
    ...more,
  };
  return { project, servers, roles, guards };
}

export function plain(text: string): Template {
  return { written: text, parts: [text] };
}

export function reference(name: string, before = ""): Template {
  return { written: `${before}\${${name}}`, parts: [before, { name, form: "plain", word: [] }] };
}

export function overHttp(url: string, headers: Readonly<Record<string, Template>> = {}): Transport {
  return {
    kind: "http",
    url: plain(url),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    place: nowhere,
  };
}

export function overStdio(command: readonly string[], env: Readonly<Record<string, Template>> = {}): Transport {
  return {
    kind: "stdio",
    command: command.map(plain),
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    cwd: undefined,
    place: nowhere,
  };
}

export function aVariable(name: string, more: Partial<Variable> = {}): Variable {
  return { name, default: undefined, required: true, purpose: undefined, url: undefined, acceptedNames: [], ...more };
}

/** Everything that a stranger may put into a name or a text. */
export const HOSTILE: readonly string[] = [
  "*/ alert(1) /*",
  "`${process.exit()}`",
  "a\nb\r\nc",
  "\u2028\u2029",
  "\u202Egpj.exe",
  "__proto__",
  "constructor",
  "",
  '"]}',
  "\\",
  "a|b",
  "<script>",
  "[x](javascript:0)",
  "\u0000\u001b[31m",
  "zero\u200bwidth",
  "\u{E0041}tag",
  "\ud800",
  "# <<< rolecall <<<",
  "' \" `",
  "$(rm -rf /)",
];
