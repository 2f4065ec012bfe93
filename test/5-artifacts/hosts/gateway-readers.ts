// Gateways' files, read and judged as those gateways do it. From facts/gateways.md and their own programs; nothing here knows
// how the files are made.
import { parse as parseCel } from "@marcbachmann/cel-js";
import { parse as parseYaml, parseAllDocuments } from "yaml";

export type Claims = Readonly<Record<string, unknown>>;

export interface AgentgatewayConfig {
  readonly gateways: { readonly default: { readonly port: number } };
  readonly mcp: {
    readonly targets: readonly { readonly name: string; readonly [kind: string]: unknown }[];
    readonly prefixMode: string;
    readonly dnsRebindingProtection: boolean;
    readonly policies: {
      readonly jwtAuth: { readonly mode: string };
      readonly mcpAuthorization: { readonly rules: readonly { readonly require: string }[] };
    };
  };
}

/** Variables are put into the text before it is read as YAML; one that isn't set stops the gateway. */
export function agentgatewayConfig(text: string, env: Readonly<Record<string, string>> = {}): AgentgatewayConfig {
  const expanded = text.replace(
    /\$(?:\$|\{([^}:]*)(?::-([^}]*))?\}|(\w+))/g,
    (all, braced?: string, fallback?: string, bare?: string) => {
      if (all === "$$") return "$";
      const value = env[braced ?? bare ?? ""] ?? fallback;
      if (value === undefined) throw new Error(`${all} isn't set`);
      return value;
    },
  );
  return parseYaml(expanded, { merge: true, version: "1.1" }) as AgentgatewayConfig;
}

const read = new Map<string, (claims: Claims, mcp: object) => boolean>();

/** A server and its tool. */
export type Reached = readonly [server: string, tool: string];

/** What a call of this name reaches, for a token that is good. */
export function agentgatewayReaches(text: string, claims: Claims, name: string): Reached | undefined {
  const [target = "", ...rest] = name.split("_");
  const tool = rest.join("_");
  const goes = rest.length > 0 && agentgatewayJudge(text)(claims, { tool: { target, name: tool } });
  return goes ? [target, tool] : undefined;
}

/** `mcp`: what is known of the request before it is handed on. */
export function agentgatewayJudge(text: string): (claims: Claims, mcp: object) => boolean {
  const known = read.get(text);
  if (known !== undefined) return known;
  const { targets, policies } = agentgatewayConfig(text, new Proxy({}, { get: () => "set" })).mcp;
  const rules = policies.mcpAuthorization.rules.map(({ require }) => parseCel(require));
  const judge = (claims: Claims, mcp: object): boolean => {
    const target = Object.values(mcp as Record<string, { readonly target?: string }>)[0]?.target;
    if (!targets.some((one) => one.name === target)) return false;
    // No rule at all lets everything through.
    return rules.every((rule) => isTrue(() => rule({ jwt: claims, mcp })));
  };
  read.clear();
  read.set(text, judge);
  return judge;
}

function isTrue(judged: () => unknown): boolean {
  try {
    return judged() === true;
  } catch {
    return false;
  }
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: unknown;
}

interface McpRoute {
  readonly path: string;
  readonly backendRefs: readonly {
    readonly name: string;
    readonly toolSelector?: { readonly include?: readonly string[]; readonly includeRegex?: readonly string[] };
  }[];
  readonly securityPolicy?: {
    readonly authorization?: { readonly defaultAction?: string; readonly rules?: readonly Rule[] };
  };
}

interface Rule {
  readonly action?: string;
  readonly source?: {
    readonly jwt: { readonly claims: readonly { readonly name: string; readonly values: readonly string[] }[] };
  };
  readonly target?: { readonly tools: readonly { readonly backend: string; readonly tool: string }[] };
}

/** In the order in which `kubectl apply` takes them: of two with one kind and name the later one is there. */
export function objectsIn(
  files: ReadonlyMap<string, string>,
  folder = "mcp/hosts/envoy-ai-gateway",
): KubernetesObject[] {
  const texts = [...files].filter(([path]) => path.startsWith(`${folder}/`)).map(([, text]) => text);
  const all = texts
    .flatMap((text) => parseAllDocuments(text, { version: "1.1" }))
    .map((one) => {
      if (one.errors.length > 0) throw one.errors[0]!;
      return one.toJS() as KubernetesObject;
    });
  return [...new Map(all.map((one) => [`${one.kind} ${one.metadata.name}`, one])).values()];
}

const applied = new WeakMap<object, readonly KubernetesObject[]>();

/** What a call of this name reaches on a path, for a token that is good. */
export function envoyReaches(
  files: ReadonlyMap<string, string>,
  path: string,
  claims: Claims,
  name: string,
): Reached | undefined {
  const routes = applied.get(files) ?? objectsIn(files).filter(({ kind }) => kind === "MCPRoute");
  applied.set(files, routes);
  const at = name.indexOf("__");
  if (at < 0) return undefined;
  const [backend, tool] = [name.slice(0, at), name.slice(at + 2)];
  const goes = routes.some(
    ({ spec }) => (spec as McpRoute).path === path && letsThrough(spec as McpRoute, backend, tool, claims),
  );
  return goes ? [backend, tool] : undefined;
}

function letsThrough(
  { backendRefs, securityPolicy }: McpRoute,
  backend: string,
  tool: string,
  claims: Claims,
): boolean {
  const ref = backendRefs.find((one) => one.name === backend);
  if (ref === undefined || !selects(ref.toolSelector, tool)) return false;
  const { authorization } = securityPolicy ?? {};
  if (authorization === undefined) return true;
  const rule = authorization.rules?.find((one) => isOf(one, backend, tool, claims));
  return (rule === undefined ? (authorization.defaultAction ?? "Deny") : (rule.action ?? "Allow")) === "Allow";
}

/** An empty list, and none, select everything. */
function selects(selector: McpRoute["backendRefs"][number]["toolSelector"], tool: string): boolean {
  const { include = [], includeRegex = [] } = selector ?? {};
  if (include.length > 0) return include.includes(tool);
  return includeRegex.length === 0 || includeRegex.some((one) => new RegExp(one, "u").test(tool));
}

function isOf({ source, target }: Rule, backend: string, tool: string, claims: Claims): boolean {
  const isTold =
    target === undefined ||
    target.tools.length === 0 ||
    target.tools.some((one) => one.backend === backend && one.tool === tool);
  return (
    isTold &&
    (source?.jwt.claims ?? []).every(({ name, values }) => values.some((one) => one === valueAt(claims, name)))
  );
}

function valueAt(claims: Claims, name: string): unknown {
  return name.split(".").reduce<unknown>((at, key) => (at as Claims | undefined)?.[key], claims);
}
