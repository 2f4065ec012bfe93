import type { JsonObject, JsonValue } from "../../../base/json.ts";
import type { DoorChoice } from "../../../3-plan/types.ts";
import type { FittedRole, FittedServer } from "../../../4-fit/types.ts";
import { secretName, type ToldBackend } from "./backend.ts";

/** What the definition of the route takes. */
const MOST_NAMED = 32;
const MOST_RULES = 32;
const MOST_OF_RULE = 16;

export type Door = DoorChoice & {
  readonly issuer: string;
  readonly audience: string;
  readonly url: string;
  readonly gateway: string;
};

/** The way of one role, for tokens of that role alone. */
export function routeOf(
  role: FittedRole<ToldBackend>,
  { issuer, audience, jwks, claim = "role", url, gateway }: Door,
  metadata: (name: string) => JsonObject,
): JsonObject {
  const source = { jwt: { claims: [{ name: claim, valueType: "String", values: [role.name] }] } };
  const tools = role.servers.flatMap(({ server, tools }) =>
    tools.map(({ tool }) => ({ backend: server.name as string, tool: tool.name as string })),
  );
  return {
    apiVersion: "aigateway.envoyproxy.io/v1beta1",
    kind: "MCPRoute",
    metadata: metadata(routeName(role.name)),
    spec: {
      parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: gateway }],
      path: `${new URL(url).pathname.replace(/\/$/, "")}/${role.name}`,
      backendRefs: role.servers.map(backendRef),
      securityPolicy: {
        oauth: {
          issuer,
          audiences: [audience],
          ...(jwks === undefined ? {} : { jwks: { remoteJWKS: { uri: jwks } } }),
          protectedResourceMetadata: { resource: `${url}/${role.name}` },
        },
        authorization: { defaultAction: "Deny", rules: rulesOf(source, tools) },
      },
    },
  };
}

/** Tools by name as often as there is room for; of more, the list of each server is what holds, and the rule is the role's. */
function rulesOf(source: JsonObject, tools: readonly JsonObject[]): JsonValue {
  if (tools.length > MOST_RULES * MOST_OF_RULE) return [{ action: "Allow", source }];
  const parts = Array.from({ length: Math.ceil(tools.length / MOST_OF_RULE) }, (_, i) =>
    tools.slice(i * MOST_OF_RULE, (i + 1) * MOST_OF_RULE),
  );
  return parts.map((part) => ({ action: "Allow", source, target: { tools: part } }));
}

function backendRef({ server, tools, told: { path, key } }: FittedServer<ToldBackend>): JsonObject {
  const names = tools.map(({ tool }) => tool.name);
  const header = key?.header;
  const apiKey = { secretRef: { name: secretName(server.name) }, ...(header === undefined ? {} : { header }) };
  return {
    group: "gateway.envoyproxy.io",
    kind: "Backend",
    name: server.name,
    path,
    toolSelector: names.length > MOST_NAMED ? { includeRegex: [exactly(names)] } : { include: names },
    ...(key === undefined ? {} : { securityPolicy: { apiKey } }),
  };
}

/** One of these names and nothing else: an expression finds a part of a name where it isn't held at both ends. */
export function exactly(names: readonly string[]): string {
  return `^(?:${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})$`;
}

/**
 * Kubernetes takes dots in a name and no `_`, a role's name the other way round. What isn't a name so either begins with a
 * digit, as no role's name does: no two become one.
 */
export function routeName(role: string): string {
  const dotted = role.replaceAll("_", ".");
  if (/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(dotted)) return dotted;
  return `0.${role.replace(/[_-]/g, (char) => (char === "_" ? ".u" : ".d"))}`;
}
