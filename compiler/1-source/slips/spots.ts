import type { KeyPath } from "../../base/place.ts";
import { isObject, type JsonValue } from "../../base/json.ts";
import { conditionMeant } from "./conditions.ts";

/** The kinds of places that a value of another form is mended at. */
export type KindOfPlace =
  | "selectors"
  | "ruleTools"
  | "ruleRoles"
  | "roleNames"
  | "item"
  | "named"
  | "rules"
  | "role"
  | "roleTools"
  | "entry"
  | "where"
  | "arguments"
  | "condition"
  | "oneText"
  | "enum"
  | "claim"
  | "together"
  | "connect"
  | "transport"
  | "stdio"
  | "command"
  | "pairs"
  | "hosts"
  | "builtinNames"
  | "builtins"
  | "texts"
  | "labels"
  | "hint"
  | "limits"
  | "breaker"
  | "version";

/** Where what was meant is open, the form of the place is shown. */
export const EXAMPLES: Readonly<Partial<Record<KindOfPlace, (path: KeyPath, found: JsonValue) => JsonValue>>> = {
  named: (path) =>
    path[0] === "roles"
      ? { reader: { tools: { github: ["list_issues"] } } }
      : { github: { connect: [{ http: "https://example.com/mcp" }] } },
  rules: (path) =>
    path[0] === "policies"
      ? [{ name: "no deletes", roles: ["*"], tools: ["*.delete_*"], effect: "deny" }]
      : [{ name: "testers never merge", never: { roles: ["tester"], tools: ["github.merge_*"] } }],
  entry: () => ["list_issues", "create_issue"],
  role: () => ({ tools: { github: ["list_issues"] } }),
  arguments: (_, found) => ({
    path: isObject(found) ? { glob: "tests/**" } : (conditionMeant(found) ?? { glob: "tests/**" }),
  }),
  claim: () => ({ roles: ["tester"], tools: ["github.merge_*"] }),
  together: () => ["label:private-data", "label:external"],
  hint: () => ({ readOnly: true }),
  roleTools: () => ({ github: ["list_issues"], notes: "read-only" }),
  where: () => ({ write_file: { path: { glob: "tests/**" } } }),
  condition: () => ({ glob: "tests/**" }),
  connect: () => [{ http: "https://example.com/mcp" }],
  labels: ([, , key]) =>
    key === "labels"
      ? { "private-data": ["read_file"] }
      : key === "hints"
        ? { read_file: { readOnly: true } }
        : { "read:files": ["read_file"] },
  limits: () => ({ ratePerMinute: 60, timeout: "30s" }),
  breaker: () => ({ failures: 3, cooldown: "60s" }),
  builtins: () => ({ "claude-code": ["Read", "Grep"] }),
};

const RULE_KEYS: Readonly<Record<string, KindOfPlace>> = {
  roles: "ruleRoles",
  tools: "ruleTools",
  together: "together",
};
const SERVER_KEYS: Readonly<Record<string, KindOfPlace>> = {
  connect: "connect",
  tools: "entry",
  scopes: "labels",
  labels: "labels",
  limits: "limits",
  breaker: "breaker",
  hints: "labels",
};
const ENTRY_KEYS: Readonly<Record<string, KindOfPlace>> = {
  include: "selectors",
  exclude: "selectors",
  ask: "selectors",
  where: "where",
};

/** What kind of place a path leads to. Presets have their server and policies at the top. */
export function spotOf(whole: KeyPath): KindOfPlace | undefined {
  const path = whole[0] === "server" ? ["servers", "preset", ...whole.slice(1)] : whole;
  const [block, , key, inner, part, ...more] = path;
  if (block === "hosts") return path.length === 1 ? "hosts" : undefined;
  if (block === "guards" || block === "imports") return path.length === 1 ? "texts" : undefined;
  if (path.length === 1 && block === "version") return "version";
  if (path.length === 1)
    return block === "roles" || block === "servers"
      ? "named"
      : block === "policies" || block === "invariants"
        ? "rules"
        : undefined;
  if ((block === "serve" || block === "state") && path.length === 2)
    return path[1] === "command" ? "command" : undefined;
  if (typeof path.at(-1) === "number" && block !== "servers") return "item";
  if (block === "policies")
    return key === "where" ? conditionSpot(path.slice(3)) : path.length === 3 ? RULE_KEYS[String(key)] : undefined;
  if (block === "invariants" && path.length === 3) return inner === undefined && key !== "name" ? "claim" : undefined;
  if (block === "invariants") return path.length === 4 ? RULE_KEYS[String(inner)] : undefined;
  if (block === "roles") {
    if (path.length === 2) return "role";
    if (path.length === 3)
      return (
        { tools: "roleTools", extends: "roleNames", delegates: "roleNames", builtins: "builtins" } as Record<
          string,
          KindOfPlace
        >
      )[String(key)];
    if (key === "builtins") return path.length === 4 ? "builtinNames" : undefined;
    if (key !== "tools") return undefined;
    if (path.length === 4) return "entry";
    if (part === "where" && more.length > 0) return conditionSpot(more.slice(1));
    return path.length === 5 ? ENTRY_KEYS[String(part)] : undefined;
  }
  return block === "servers" ? serverSpot(path) : undefined;
}

function conditionSpot([argument, kind, ...more]: KeyPath): KindOfPlace | undefined {
  if (argument === undefined) return "arguments";
  if (kind === undefined) return "condition";
  return more.length > 0
    ? undefined
    : kind === "enum"
      ? "enum"
      : kind === "glob" || kind === "pattern"
        ? "oneText"
        : undefined;
}

function serverSpot(path: KeyPath): KindOfPlace | undefined {
  const [, , key, inner, part] = path;
  if (path.length === 3) return SERVER_KEYS[String(key)];
  if (key === "tools" && path.length === 4) return ENTRY_KEYS[String(inner)];
  if ((key === "labels" || key === "scopes") && path.length === 4) return "selectors";
  if (key === "hints" && path.length === 4) return "hint";
  if (key !== "connect") return typeof path.at(-1) === "number" ? "item" : undefined;
  if (path.length === 4) return "transport";
  if (path.length !== 5) return undefined;
  return part === "stdio" ? "stdio" : part === "env" || part === "headers" ? "pairs" : undefined;
}
