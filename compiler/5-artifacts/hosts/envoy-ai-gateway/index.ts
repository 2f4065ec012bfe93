import type { JsonObject } from "../../../base/json.ts";
import { sortedBy } from "../../../base/order.ts";
import type { FittedPlan, HostFacts } from "../../../4-fit/types.ts";
import type { Server } from "../../../3-plan/types.ts";
import { hashHeader } from "../../header.ts";
import type { Host } from "../../target.ts";
import type { Artifact } from "../../types.ts";
import { yamlLines } from "../../yaml-lines.ts";
import { asciiText } from "../host-text.ts";
import { limitsWithoutPlace, RATES } from "../limits.ts";
import { unfitName } from "../object-name.ts";
import { backendObjects, secretName, tell, type ToldBackend } from "./backend.ts";
import { KEPT } from "./kept-names.ts";
import { routeOf, type Door } from "./route.ts";

/** A route for each role in a cluster, below one address; a token's claim has to name the role as well. */
export const envoyAiGateway: Host<ToldBackend> = {
  id: "envoy-ai-gateway",
  title: "Envoy AI Gateway",
  alsoCalled: ["envoy", "aigw", "ai-gateway"],
  isData: true,
  takes: ["issuer", "audience", "jwks", "claim", "url", "gateway"],
  needs: ["issuer", "audience", "url", "gateway"],
  abilities: {
    hide: { holds: "enforced" },
    ask: { holds: "none" },
    conditions: { holds: "none" },
    resources: { holds: "none" },
    delegation: { holds: "enforced", but: "a token has one role" },
    builtins: { holds: "enforced", but: "no agent runs there" },
    references: { holds: "enforced", but: "secrets of the cluster, which you make; a header each and nothing else" },
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
  joinedName: (server, tool) => `${server}__${tool}`,
  keepsAway: (server) => unfitName(server) ?? openPrompts(server) ?? limitsWithoutPlace(server, "a route", RATES),
  tell,
  start: ({ folder, project }) => ({
    byHand: `kubectl apply -R -f ${folder}/hosts/envoy-ai-gateway --prune -l ${PROJECT}=${labelOf(project)} --prune-allowlist=aigateway.envoyproxy.io/v1beta1/MCPRoute`,
  }),
  emit,
};

/** The label by which routes of roles that are gone are found, and taken away. */
const PROJECT = "rolecall.project";

function openPrompts({ manifest }: Server): string | undefined {
  return manifest?.capabilities["prompts"] === undefined
    ? undefined
    : "a server's prompts can't be closed there, and this one has some";
}

function* emit({ plan, choice, roles }: FittedPlan<HostFacts, ToldBackend>): Iterable<Artifact> {
  const { issuer, audience, url, gateway } = choice.door;
  if (issuer === undefined || audience === undefined || url === undefined || gateway === undefined) return;
  const door: Door = { ...choice.door, issuer, audience, url, gateway };
  const folder = `${plan.project.folder}/hosts/envoy-ai-gateway`;
  const labels = { "app.kubernetes.io/managed-by": "rolecall", [PROJECT]: labelOf(plan.project.name) };
  const metadata = (name: string): JsonObject => ({ name, labels });
  const held = roles.filter(({ servers }) => servers.length > 0);
  const told = new Map(held.flatMap(({ servers }) => servers.map((one) => [one.server.name, one.told] as const)));
  const servers = sortedBy(told, ([name]) => name);
  if (servers.length === 0) return;
  const secrets = servers.flatMap(([name, { key }]) =>
    key === undefined
      ? []
      : [`# ${name}: kubectl create secret generic ${secretName(name)} --from-literal=apiKey="$${key.variable}"`],
  );
  const objects = servers.flatMap(([name, one]) => backendObjects(name, one, metadata));
  yield { path: `${folder}/backends.yaml`, text: fileText(secrets, objects) };
  for (const role of held)
    yield { path: `${folder}/routes/${role.name}.yaml`, text: fileText([], [routeOf(role, door, metadata)]) };
}

function fileText(comments: readonly string[], objects: readonly JsonObject[]): string {
  const documents = objects.map((one) => yamlLines(one, asciiText).join("\n"));
  return `${[hashHeader, ...comments, documents.join("\n---\n")].join("\n")}\n`;
}

/** What a label may hold; of a name and of what is left of it for a shell it is the same. */
function labelOf(name: string): string {
  const words = name.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-/, "");
  return words.slice(0, 63).replace(/-$/, "") || "project";
}
