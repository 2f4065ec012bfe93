import type { HostChoice, NamedTemplate, Template, TemplatePart, Transport } from "../../../3-plan/types.ts";
import { asAssumed, isNowhere, NOWHERE } from "../../../4-fit/assumed.ts";
import type { Spelt } from "../../../4-fit/types.ts";

/** Keys of a `[mcp_servers.NAME]` table, in their order. */
export type CodexConnection = readonly (readonly [key: string, value: CodexValue])[];
export type CodexValue = string | readonly string[] | Readonly<Record<string, string>>;

/** Codex has no references: a variable is named in a key of its own, and gives the whole value. */
export function connection(written: Transport, choice: HostChoice): Spelt<CodexConnection> {
  const transport = asAssumed(written, choice);
  const problems: string[] = isNowhere(transport) ? [NOWHERE] : [];
  const literal = ({ parts }: Template, where: string): string => {
    if (parts.some((part) => typeof part !== "string")) problems.push(`takes no variable in ${where}`);
    return parts.filter((part) => typeof part === "string").join("");
  };
  const found = transport.kind === "stdio" ? stdio(transport, literal) : remote(transport, literal);
  const problem = [...problems, ...found.unclear, ...(transport.kind === "sse" ? ["doesn't speak SSE"] : [])][0];
  return problem === undefined ? { value: found.keys } : { problem };
}

type Literal = (template: Template, where: string) => string;
interface Found {
  readonly keys: CodexConnection;
  /** Why an entry can't be told: completes "it ...". */
  readonly unclear: readonly string[];
}

function stdio(transport: Extract<Transport, { kind: "stdio" }>, literal: Literal): Found {
  const [command = "", ...args] = transport.command.map((word) => literal(word, "a command"));
  const env = sorted(transport.env);
  // A child inherits nothing; a variable comes through by its own name alone.
  const renamed = env.variables
    .filter(([name, variable]) => name !== variable)
    .map(([name, variable]) => `is handed a variable under its own name alone, and \`${name}\` is \`\${${variable}}\``);
  return {
    keys: [
      ["command", command],
      ["args", args],
      ...(transport.cwd ? [["cwd", literal(transport.cwd, "`cwd`")] as const] : []),
      ...list(
        "env_vars",
        env.variables.map(([name]) => name),
      ),
      ...table("env", env.texts),
    ],
    unclear: [...env.unclear, ...renamed],
  };
}

function remote(transport: Exclude<Transport, { kind: "stdio" }>, literal: Literal): Found {
  const bearer = transport.headers
    .filter(({ name }) => name.toLowerCase() === "authorization")
    .map(({ value }) => value.parts)
    .find((parts) => parts.length === 2 && parts[0] === "Bearer " && isVariable(parts[1]))?.[1];
  const others = bearer
    ? transport.headers.filter(({ name }) => name.toLowerCase() !== "authorization")
    : transport.headers;
  const headers = sorted(others);
  return {
    keys: [
      ["url", literal(transport.url, "a URL")],
      ...(isVariable(bearer) ? [["bearer_token_env_var", bearer.name] as const] : []),
      ...table("http_headers", headers.texts),
      ...table("env_http_headers", headers.variables),
    ],
    unclear: headers.unclear,
  };
}

interface Sorted {
  readonly texts: (readonly [string, string])[];
  readonly variables: (readonly [string, string])[];
  readonly unclear: string[];
}

function sorted(entries: readonly NamedTemplate[]): Sorted {
  const found: Sorted = { texts: [], variables: [], unclear: [] };
  for (const { name, value } of entries) {
    const [part = "", ...more] = value.parts;
    if (more.length > 0) found.unclear.push(`can't build \`${name}\` from a variable and other text`);
    else if (isVariable(part)) found.variables.push([name, part.name]);
    else if (typeof part !== "string")
      found.unclear.push(`can't be told what \`${name}\` is where \`${part.name}\` isn't set`);
    else found.texts.push([name, part]);
  }
  return found;
}

type Variable = Exclude<TemplatePart, string> & { readonly form: "plain" | "required" };

function isVariable(part: TemplatePart | undefined): part is Variable {
  return typeof part === "object" && (part.form === "plain" || part.form === "required");
}

function list(key: string, values: readonly string[]): CodexConnection {
  return values.length === 0 ? [] : [[key, values]];
}

function table(key: string, entries: readonly (readonly [string, string])[]): CodexConnection {
  return entries.length === 0 ? [] : [[key, Object.fromEntries(entries)]];
}
