import { digestOf } from "../../../base/digest.ts";
import { madeOnce } from "../../../base/made-once.ts";
import {
  guardAccess,
  roleAccess,
  serversAccess,
  type RoleAccess,
  type ServerAccess,
  type ServerHeld,
  type ToolAccess,
} from "../../../3-plan/access.ts";
import type { Plan } from "../../../3-plan/types.ts";
import type { Target } from "../../target.ts";
import type { Artifact } from "../../types.ts";
import { block, type JsonEntry, inline, inlineSorted, list, object, quoted } from "./json-lines.ts";

/** `<out>/access.json`: who may do what, made to be read in a diff. One tool to a line, no reasons, no line numbers. */
export const accessJson: Target = {
  id: "access-json",
  title: "the plan for reviewers",
  emit: function* (plan: Plan): Iterable<Artifact> {
    yield { path: `${plan.project.out}/access.json`, fingerprint: fingerprintOf(plan), chunks: accessChunks(plan) };
  },
};

function fingerprintOf({ fingerprint, servers }: Plan): string | undefined {
  if (fingerprint === undefined) return undefined;
  return digestOf(JSON.stringify([fingerprint, servers.map((server) => server.tools.map((tool) => tool.digest))]));
}

/** The text of the file, a server or role at a time: all of it may be 15 MB. */
export function* accessChunks(plan: Plan): Generator<string> {
  const guards = object(
    plan.guards.map(guardAccess).map(({ name, digest }): JsonEntry => [name, quoted(digest)]),
    "  ",
  );
  yield `{\n  "format": 1,\n  "project": ${quoted(plan.project.name)},\n  "guards": ${guards},\n  "servers": `;
  yield* entries(serversAccess(plan), serverText);
  yield `,\n  "roles": `;
  yield* entries(rolesAccess(plan), roleText);
  yield "\n}\n";
}

function* rolesAccess({ roles }: Plan): Generator<RoleAccess> {
  for (const role of roles) yield roleAccess(role);
}

/** An object on the second level, one entry at a time. */
function* entries<T extends { readonly name: string }>(
  things: Iterable<T>,
  text: (thing: T) => string,
): Generator<string> {
  let before = "{";
  for (const thing of things) {
    yield `${before}\n    ${quoted(thing.name)}: ${text(thing)}`;
    before = ",";
  }
  yield before === "{" ? "{}" : "\n  }";
}

function serverText({ connect, root, instructions, tools }: ServerAccess): string {
  const parts: JsonEntry[] = [["connect", list(connect.map(inline), "      ")]];
  if (root !== undefined) parts.push(["root", quoted(root)]);
  if (instructions !== undefined) parts.push(["instructions", quoted(instructions)]);
  const lines = tools.map(({ name, digest }) => `${quoted(name)}: ${digest === null ? "null" : quoted(digest)}`);
  parts.push(["tools", block("{", lines, "}", "      ")]);
  return object(parts, "    ");
}

function roleText({ servers, builtins, delegates }: RoleAccess): string {
  const grants = servers.map((server): JsonEntry => [server.name, grantText(server)]);
  const parts: JsonEntry[] = [["servers", object(grants, "      ")]];
  if (builtins.length > 0) {
    const own = builtins.map(({ host, names }): JsonEntry => [host, inline(names)]);
    parts.push(["builtins", object(own, "      ")]);
  }
  if (delegates.length > 0) parts.push(["delegates", inline(delegates)]);
  return object(parts, "    ");
}

/** There may be 340,000 of these lines. */
function grantText({ tools: held, resources }: ServerHeld): string {
  const tools = held.map(({ name, effect }) => `${quoted(name)}: ${effect === "allow" ? '"allow"' : '"ask"'}`);
  const rulesText = madeOnce((where: ToolAccess["where"]) => where.map(ruleText).join(", "));
  const conditions = held
    .filter(({ where }) => where.length > 0)
    .map(({ name, where }) => `${quoted(name)}: { ${rulesText(where)} }`);
  const parts: JsonEntry[] = [["tools", block("{", tools, "}", "          ")]];
  if (conditions.length > 0) parts.push(["where", block("{", conditions, "}", "          ")]);
  if (resources !== undefined) parts.push(["resources", resourcesText(resources)]);
  return object(parts, "        ");
}

/** A glob to a line. */
function resourcesText({ include, exclude = [], within = [] }: NonNullable<ServerHeld["resources"]>): string {
  const globs = (list: readonly string[]): string => block("[", list.map(quoted), "]", "            ");
  const parts: JsonEntry[] = [["include", globs(include)]];
  if (exclude.length > 0) parts.push(["exclude", globs(exclude)]);
  if (within.length > 0) parts.push(["within", block("[", within.map(inline), "]", "            ")]);
  return object(parts, "          ");
}

/** One condition, or a list when several hold at once. */
function ruleText({ argument, conditions }: ToolAccess["where"][number]): string {
  const texts = conditions.map(inlineSorted);
  return `${quoted(argument)}: ${texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`}`;
}
