import type { JsonObject } from "../../../base/json.ts";
import { sortedBy } from "../../../base/order.ts";
import type { SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedPlan, HostFacts } from "../../../4-fit/types.ts";
import { hashHeader } from "../../header.ts";
import type { Host } from "../../target.ts";
import { indented, yamlLines } from "../../yaml-lines.ts";
import { asciiText } from "../host-text.ts";
import { limitsWithoutPlace, RATES } from "../limits.ts";
import { unfitName } from "../object-name.ts";
import { KEPT } from "./kept-names.ts";
import { ruleLines } from "./rule.ts";
import { escaped, targetOf, tell } from "./target.ts";

/** A gateway for all roles: each client brings a token, and a claim of it names the role. */
export const agentgateway: Host<SpeltTransport> = {
  id: "agentgateway",
  title: "agentgateway",
  alsoCalled: ["agent-gateway"],
  isData: true,
  takes: ["issuer", "audience", "jwks", "claim", "url"],
  needs: ["issuer", "audience", "jwks"],
  abilities: {
    hide: { holds: "enforced" },
    ask: { holds: "none" },
    conditions: { holds: "none" },
    resources: {
      holds: "enforced",
      but: "prompts and tasks as well: its one rule lets calls of tools through and nothing else",
    },
    delegation: { holds: "enforced", but: "a token has one role" },
    builtins: { holds: "enforced", but: "no agent runs there" },
    references: {
      holds: "enforced",
      but: "one that is unset keeps the gateway from starting, and so does a value with a quote or a backslash in it",
    },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: {
      holds: "none",
      but: "a server with a rate or a concurrency stays away, and how long a call may take is the gateway's own matter",
    },
    roles: true,
    filtersByName: false,
    longestName: undefined,
  },
  kept: KEPT,
  joinedName: (server, tool) => `${server}_${tool}`,
  keepsAway: (server) => unfitName(server) ?? limitsWithoutPlace(server, "a target", RATES),
  tell,
  start: ({ folder }) => ({ byHand: `agentgateway -f ${folder}/hosts/agentgateway/config.yaml` }),
  emit: function* (fitted) {
    const text = configText(fitted);
    if (text !== undefined) yield { path: `${fitted.plan.project.folder}/hosts/agentgateway/config.yaml`, text };
  },
};

/** Undefined: whose tokens open it isn't written, which is an error. */
function configText({ choice, roles }: FittedPlan<HostFacts, SpeltTransport>): string | undefined {
  const { issuer, audience, jwks, claim = "role", url = "http://localhost:3000/mcp" } = choice.door;
  if (issuer === undefined || audience === undefined || jwks === undefined) return undefined;
  const { port, isLocal } = doorAt(url);
  const told = new Map(roles.flatMap(({ servers }) => servers.map(({ server, told }) => [server.name, told] as const)));
  const targets = sortedBy(told, ([name]) => name).map(([name, one]) => targetOf(name, one));
  const jwtAuth = {
    mode: "strict",
    issuer: escaped(issuer),
    audiences: [escaped(audience)],
    jwks: { url: escaped(jwks) },
  };
  const lines = (value: JsonObject, depth: number) => indented(yamlLines(value, asciiText), depth);
  return `${[
    hashHeader,
    "# `failOpen` is about servers that are down: the others go on. Access is the rule at the end.",
    ...lines({ gateways: { default: { port } } }, 0),
    "mcp:",
    ...lines({ targets, prefixMode: "always", failureMode: "failOpen", dnsRebindingProtection: isLocal }, 2),
    "  policies:",
    ...lines({ jwtAuth }, 4),
    "    mcpAuthorization:",
    "      rules:",
    "        - require: |-",
    ...indented(ruleLines(roles, claim).map(escaped), 12),
  ].join("\n")}\n`;
}

/** The protection lets in clients of the same machine alone. Behind another address somebody else hands requests on. */
function doorAt(url: string): { readonly port: number; readonly isLocal: boolean } {
  const { protocol, hostname, port } = new URL(url);
  const isLocal = /^(?:localhost|127(?:\.\d+){3})$/.test(hostname);
  return { isLocal, port: !isLocal || protocol === "https:" ? 3000 : Number(port || 80) };
}
