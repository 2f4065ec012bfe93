import { isObject, type JsonValue } from "../base/json.ts";

/** What a person calls the place at this path: "role `tester`", "`include` of server `github` in role `tester`". */
export function ownerOf(path: readonly (string | number)[]): string {
  const [block, name, ...rest] = path;
  if (block === undefined) return "this document";
  const kind = { servers: "server", roles: "role", policies: "policy", invariants: "invariant" }[String(block)];
  if (!kind || name === undefined) return [`\`${path.join(".")}\``].join("");
  const subject = typeof name === "number" ? `${kind} ${name + 1}` : `${kind} \`${name}\``;
  if (rest.length === 0) return subject;
  if (kind === "role" && rest[0] === "tools" && rest.length === 2) return `server \`${rest[1]}\` in ${subject}`;
  if (kind === "role" && rest[0] === "tools" && rest.length > 2) return `\`${joined(rest.slice(2))}\` of server \`${rest[1]}\` in ${subject}`;
  return `\`${joined(rest)}\` of ${subject}`;
}

function joined(path: readonly (string | number)[]): string {
  return path.map((step, i) => (typeof step === "number" ? `[${step}]` : i === 0 ? step : `.${step}`)).join("");
}

/** The word to write instead of nothing. */
export function emptyAdvice(path: readonly (string | number)[]): string {
  const last = path.at(-1);
  const entryOfRole = path.length === 4 && path[0] === "roles" && path[2] === "tools";
  const ceilingOfServer = path.length === 3 && path[0] === "servers" && last === "tools";
  if (entryOfRole || ceilingOfServer) return "write `none` for no tool, `all` for every tool, or name them";
  if (last === "include") return "name the tools, or write `none` in place of the whole entry";
  if (last === "exclude") return "name the tools, or remove the key; `none` in place of the whole entry excludes everything";
  if (last === "roles" && path.length > 1) return 'name the roles, or write ["*"] for all of them';
  if (last === "tools" && path.length === 3 && path[0] === "roles") return "name the servers, or remove the key";
  if (last === "builtins" || path.at(-2) === "builtins") return "name the tools, or write `none` or `all`";
  return typeof last === "string" ? `write what is meant, or remove \`${last}\`` : "write what is meant, or remove it";
}

export function valueFound(value: JsonValue): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (isObject(value)) return "a map";
  if (typeof value === "string") return `\`${value.length > 60 ? `${value.slice(0, 60)}…` : value}\``;
  return `\`${String(value)}\``;
}
