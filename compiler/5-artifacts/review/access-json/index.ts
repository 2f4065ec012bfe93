import { canonicalText } from "../../../base/canonical.ts";
import { digestOf } from "../../../base/digest.ts";
import { sorted } from "../../../base/order.ts";
import { held, heldByServer } from "../../../3-plan/held.ts";
import type { Grant, Plan, PlannedRole, Server } from "../../../3-plan/types.ts";
import type { ArgumentRule } from "../../../../runtime/contract.ts";
import type { Target } from "../../target.ts";
import type { Artifact } from "../../types.ts";
import { connection } from "./connection.ts";
import { block, type Entry, inline, inlineSorted, list, object, quoted } from "./json-lines.ts";

/** `<out>/access.json`: who may do what, made to be read in a diff. One tool to a line, no reasons, no line numbers. */
export const accessJson: Target = {
  id: "access-json",
  title: "the plan for reviewers",
  emit: function* (plan: Plan): Iterable<Artifact> {
    yield { path: `${plan.project.out}/access.json`, madeFrom: madeFrom(plan), chunks: accessChunks(plan) };
  },
};

function madeFrom({ decidedFrom, servers }: Plan): string | undefined {
  if (decidedFrom === undefined) return undefined;
  return digestOf(JSON.stringify([decidedFrom, servers.map((server) => server.tools.map((tool) => tool.digest))]));
}

/** The text of the file, a server or role at a time: all of it may be 15 MB. */
export function* accessChunks(plan: Plan): Generator<string> {
  const heldTools = heldByServer(plan);
  const names = new Map(plan.servers.map((server) => [server, server.tools.map((tool) => quoted(tool.name))]));
  const guards = object(
    plan.guards.map(({ name, text, matches }): Entry => [
      name,
      quoted(digestOf(canonicalText(matches === undefined ? text : { text, matches }))),
    ]),
    "  ",
  );
  yield `{\n  "format": 1,\n  "project": ${quoted(plan.project.name)},\n  "guards": ${guards},\n  "servers": `;
  const servers = plan.servers.filter((server) => heldTools.has(server.name));
  yield* entries(servers, (server) => serverText(server, heldTools.get(server.name)!, names.get(server)!));
  yield `,\n  "roles": `;
  yield* entries(plan.roles, (role) => roleText(role, names));
  yield "\n}\n";
}

/** An object on the second level, one entry at a time. */
function* entries<T extends { readonly name: string }>(
  things: readonly T[],
  text: (thing: T) => string,
): Generator<string> {
  if (things.length === 0) return yield "{}";
  for (const [i, thing] of things.entries()) yield `${i === 0 ? "{" : ","}\n    ${quoted(thing.name)}: ${text(thing)}`;
  yield "\n  }";
}

type Names = ReadonlyMap<Server, readonly string[]>;

function serverText(server: Server, heldTools: readonly boolean[], names: readonly string[]): string {
  const tools = server.tools.filter((tool) => heldTools[tool.index]);
  const instructions = server.manifest?.instructionsDigest;
  const parts: Entry[] = [
    [
      "connect",
      list(
        server.connect.map((transport) => inline(connection(transport))),
        "      ",
      ),
    ],
  ];
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
    parts.push([
      "builtins",
      object(
        role.builtins.map(({ host, names: builtins }): Entry => [host, inline(sorted(builtins))]),
        "      ",
      ),
    ]);
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
    conditions.push(
      `${name}: { ${decision.where.map((rule) => `${quoted(rule.argument)}: ${conditionsText(rule)}`).join(", ")} }`,
    );
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
