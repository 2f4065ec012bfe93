// Who may do what, read back from the files that a build made: as lines, sorted, to be compared with the plan's.
import type { Plan } from "../../compiler/3-plan/types.ts";

type Artifacts = ReadonlyMap<string, string>;

export function line(role: string, server: string, tool: string, effect: string): string {
  return JSON.stringify([role, server, tool, effect]);
}

export function plannedLines(plan: Plan): string[] {
  const lines = plan.roles.flatMap((role) =>
    role.grants.flatMap(({ server, decisions }) =>
      server.tools.flatMap((tool) => {
        const { effect } = decisions[tool.index]!;
        return effect === "deny" ? [] : [line(role.name, server.name, tool.name, effect)];
      }),
    ),
  );
  return lines.sort();
}

/** `Pick<..., names>` of each role's module; a type doesn't say the effect. */
export function typedLines(artifacts: Artifacts): string[] {
  return roleModules(artifacts)
    .flatMap(([role, text]) =>
      Array.from(text.matchAll(/^ {2}readonly (\S+): Pick<\w+, ([^>]*)>;$/gm)).flatMap(([, server, names]) =>
        Array.from(names!.matchAll(LITERAL), ([literal]) => line(role, keyOf(server!), valueOf(literal), "held")),
      ),
    )
    .sort();
}

/** The data of each role's module, which is what the runtime goes by. */
export function dataLines(artifacts: Artifacts): string[] {
  return roleModules(artifacts)
    .flatMap(([role, text]) => {
      const data = JSON.parse(
        valueOf(new RegExp(`data: (${LITERAL.source}),$`, "m").exec(text)?.[1] ?? "''"),
      ) as AccessRole;
      return linesOf(role, data);
    })
    .sort();
}

export function accessJsonLines(artifacts: Artifacts): string[] {
  const access = JSON.parse(artifacts.get("src/mcp/access.json") ?? "{}") as { roles: Record<string, AccessRole> };
  return Object.entries(access.roles)
    .flatMap(([role, held]) => linesOf(role, held))
    .sort();
}

/** The lists of ACCESS.md. Names in generated projects need no escapes in Markdown. */
export function accessPageLines(artifacts: Artifacts): string[] {
  const lines: string[] = [];
  let at: readonly [string, string] | undefined;
  let effect = "";
  for (const text of (artifacts.get("src/mcp/ACCESS.md") ?? "").split("\n")) {
    const [, role, server] = /^#### (.*): (.*)$/.exec(text) ?? [];
    if (text.startsWith("#")) at = role === undefined ? undefined : [role, server!];
    if (text === "Allowed:") effect = "allow";
    if (text === "Asked at each call:") effect = "ask";
    const tool = /^- `([^`]*)`/.exec(text)?.[1];
    if (at !== undefined && tool !== undefined) lines.push(line(...at, tool, effect));
  }
  return lines.sort();
}

interface AccessRole {
  readonly servers: Readonly<Record<string, { readonly tools: Readonly<Record<string, string>> }>>;
}

function linesOf(role: string, { servers }: AccessRole): string[] {
  return Object.entries(servers).flatMap(([server, { tools }]) =>
    Object.entries(tools).map(([tool, effect]) => line(role, server, tool, effect)),
  );
}

function roleModules(artifacts: Artifacts): [string, string][] {
  return [...artifacts].flatMap(([path, text]) => {
    const role = /^src\/mcp\/roles\/([\w-]+)\.ts$/.exec(path)?.[1];
    return role === undefined ? [] : [[role, text] as [string, string]];
  });
}

const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

function keyOf(key: string): string {
  return /^["']/.test(key) ? valueOf(key) : key;
}

function valueOf(literal: string): string {
  if (literal.startsWith('"')) return JSON.parse(literal) as string;
  const inner = literal
    .slice(1, -1)
    .replace(/\\.|"/gs, (found) => (found === '"' ? '\\"' : found === "\\'" ? "'" : found));
  return JSON.parse(`"${inner}"`) as string;
}
