import { canonicalText } from "../../base/canonical.ts";
import { digestOf } from "../../base/digest.ts";
import { sorted } from "../../base/order.ts";
import { held } from "../../3-plan/held.ts";
import type { Grant, Plan, PlannedRole, Server } from "../../3-plan/types.ts";
import type { ArgumentRule } from "../../../runtime/contract.ts";
import type { Artifact, Target } from "../types.ts";
import { connection } from "./connection.ts";
import { block, type Entry, inline, inlineSorted, list, object, quoted } from "./json-lines.ts";

/** `<out>/access.json`: who may do what, made to be read in a diff. One tool to a line, no reasons, no line numbers. */
export const accessJson: Target = {
  id: "access-json",
  title: "the plan for reviewers",
  emit: function* (plan: Plan): Iterable<Artifact> {
    yield { path: `${plan.project.out}/access.json`, text: accessText(plan) };
  },
};

export function accessText(plan: Plan): string {
  const heldTools = toolsHeldOf(plan);
  const names = new Map(plan.servers.map((server) => [server, server.tools.map((tool) => quoted(tool.name))]));
  const servers = plan.servers.flatMap((server): Entry[] => {
    const tools = heldTools.get(server);
    return tools ? [[server.name, serverText(server, tools, names.get(server)!)]] : [];
  });
  const parts: Entry[] = [
    ["format", "1"],
    ["project", quoted(plan.project.name)],
    ["guards", object(plan.guards.map(({ name, text }): Entry => [name, quoted(digestOf(canonicalText(text)))]), "  ")],
    ["servers", object(servers, "  ")],
    ["roles", object(plan.roles.map((role): Entry => [role.name, roleText(role, names)]), "  ")],
  ];
  return `${object(parts, "")}\n`;
}

type Names = ReadonlyMap<Server, readonly string[]>;

/** By server: which tools some role holds, by index. A server of which nobody holds anything isn't there. */
function toolsHeldOf(plan: Plan): Map<Server, boolean[]> {
  const servers = new Map<Server, boolean[]>();
  for (const role of plan.roles) {
    for (const grant of role.grants) {
      for (let i = 0; i < grant.decisions.length; i++) {
        if (grant.decisions[i]!.effect === "deny") continue;
        let tools = servers.get(grant.server);
        if (!tools) servers.set(grant.server, (tools = []));
        tools[i] = true;
      }
    }
  }
  return servers;
}

function serverText(server: Server, heldTools: readonly boolean[], names: readonly string[]): string {
  const tools = server.tools.filter((tool) => heldTools[tool.index]);
  const instructions = server.manifest?.instructionsDigest;
  const parts: Entry[] = [["connect", list(server.connect.map((transport) => inline(connection(transport))), "      ")]];
  if (server.root) parts.push(["root", quoted(server.root.written)]);
  if (instructions !== undefined) parts.push(["instructions", quoted(instructions)]);
  const lines = tools.map((tool) => `${names[tool.index]!}: ${tool.digest === null ? "null" : quoted(tool.digest)}`);
  parts.push(["tools", block("{", lines, "}", "      ")]);
  return object(parts, "    ");
}

function roleText(role: PlannedRole, names: Names): string {
  const servers = role.grants.flatMap((grant): Entry[] => {
    const text = grantText(grant, names.get(grant.server)!);
    return text === undefined ? [] : [[grant.server.name, text]];
  });
  const parts: Entry[] = [["servers", object(servers, "      ")]];
  if (role.builtins.length > 0) {
    parts.push(["builtins", object(role.builtins.map(({ host, names: builtins }): Entry => [host, inline(sorted(builtins))]), "      ")]);
  }
  if (role.delegates.length > 0) parts.push(["delegates", inline(sorted(role.delegates))]);
  return object(parts, "    ");
}

/** Undefined when the role holds nothing there. There may be 340,000 of these lines: names come quoted, and nothing is made twice. */
function grantText(grant: Grant, names: readonly string[]): string | undefined {
  const tools: string[] = [];
  const conditions: string[] = [];
  for (const [tool, decision] of held(grant)) {
    const name = names[tool.index]!;
    tools.push(decision.effect === "allow" ? `${name}: "allow"` : `${name}: "ask"`);
    if (decision.where.length === 0) continue;
    conditions.push(`${name}: { ${decision.where.map((rule) => `${quoted(rule.argument)}: ${conditionsText(rule)}`).join(", ")} }`);
  }
  if (tools.length === 0) return undefined;
  const parts: Entry[] = [["tools", block("{", tools, "}", "          ")]];
  if (conditions.length > 0) parts.push(["where", block("{", conditions, "}", "          ")]);
  return object(parts, "        ");
}

/** One condition, or a list when several hold at once; their order means nothing. */
function conditionsText(rule: ArgumentRule): string {
  const texts = sorted(new Set(rule.conditions.map(inlineSorted)));
  return texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
}
