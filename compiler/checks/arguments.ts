import { heirsOf } from "../2-model/lineage.ts";
import type { JsonObject } from "../base/json.ts";
import { firstOf } from "../base/list-words.ts";
import { toolPath, type RoleName, type ServerName } from "../base/names.ts";
import { keyOf, type Place } from "../base/place.ts";
import type { CaseOf, Report } from "../diagnostics/report.ts";
import { argumentAt } from "../2-model/argument-path.ts";
import type { ArgumentCondition, Server, Tool } from "../2-model/types.ts";
import { neverText } from "./never-text.ts";
import type { Check, Subject } from "./types.ts";
import { whoHolds } from "./who-holds.ts";

/** A held tool that a condition is written for and that lacks the argument would be unscoped. */
export const checkArguments: Check = (subject, report) => {
  const scopes = scopesOf(subject);
  const found = new Map<ArgumentCondition, Finding>();
  for (const server of subject.model.servers) {
    if (server.manifest) judgeServer(server, scopes.get(server.name) ?? [], subject, found);
  }
  for (const [condition, finding] of found) say(condition, finding, report);
};

/** Conditions on tools of one server, for whichever of the roles hold them. */
interface Scope {
  readonly roles: readonly RoleName[];
  readonly tools: readonly number[];
  readonly conditions: readonly ArgumentCondition[];
}

/** A tool that a condition doesn't fit, with the roles that hold it. */
interface Misfit {
  readonly tool: Tool;
  readonly roles: readonly RoleName[];
}

interface Finding {
  /** With the arguments that the tool does have. */
  readonly missing: Map<Tool, Misfit & { readonly known: readonly string[] }>;
  readonly having: Set<Tool>;
  notText: (Misfit & { readonly kind: string; readonly type: string }) | undefined;
}

function scopesOf(subject: Subject): Map<ServerName, Scope[]> {
  const scopes = new Map<ServerName, Scope[]>(subject.model.servers.map((server) => [server.name, []]));
  const heirs = heirsOf(subject.plan.roles);
  for (const role of subject.model.roles) {
    for (const entry of role.entries) {
      for (const { selection, conditions } of entry.where) {
        const roles = heirs.get(role.name)!.map(({ name }) => name);
        scopes.get(entry.server)!.push({ roles, tools: selection.tools, conditions });
      }
    }
  }
  for (const { roles, selections, conditions } of subject.model.policies) {
    if (conditions.length === 0) continue;
    for (const [server, tools] of selections.flatMap((selection) => [...selection.tools])) {
      scopes.get(server)!.push({ roles, tools, conditions });
    }
  }
  return scopes;
}

function judgeServer(
  server: Server,
  scopes: readonly Scope[],
  { grant }: Subject,
  found: Map<ArgumentCondition, Finding>,
): void {
  const byTool = new Map<number, Scope[]>();
  for (const scope of scopes) {
    for (const index of scope.tools) {
      const known = byTool.get(index);
      if (known) known.push(scope);
      else byTool.set(index, [scope]);
    }
  }
  for (const [index, about] of byTool) {
    const tool = server.tools[index]!;
    let schema: JsonObject | undefined;
    for (const { roles, conditions } of about) {
      const holding = roles.filter((role) => (grant(role, server.name)?.decisions[index]!.effect ?? "deny") !== "deny");
      if (holding.length === 0) continue;
      schema ??= tool.definition().inputSchema;
      for (const condition of conditions) judge(condition, { tool, roles: holding }, schema, found);
    }
  }
}

function judge(
  condition: ArgumentCondition,
  misfit: Misfit,
  schema: JsonObject,
  found: Map<ArgumentCondition, Finding>,
): void {
  const answer = argumentAt(schema, condition.argument);
  const kind = textKind(condition);
  const type = answer.found && kind !== undefined ? neverText(schema, answer.schema) : undefined;
  const finding = found.get(condition) ?? { missing: new Map(), having: new Set(), notText: undefined };
  found.set(condition, finding);
  if (answer.found) finding.having.add(misfit.tool);
  if (answer.found && type === undefined) return;
  if (!answer.found) finding.missing.set(misfit.tool, { ...misfit, known: answer.known });
  else finding.notText ??= { ...misfit, kind: kind!, type: type! };
}

/** `glob` and `pattern` judge text. Where the schema says that it is never text, each call would be refused. */
function textKind({ condition }: ArgumentCondition): "glob" | "pattern" | undefined {
  return condition.glob !== undefined ? "glob" : condition.pattern !== undefined ? "pattern" : undefined;
}

/** One message for a condition, however many tools lack its argument. */
function say({ argument, place }: ArgumentCondition, { missing, having, notText }: Finding, report: Report): void {
  const [first] = missing.values();
  if (first) {
    const which = missing.size > 1 ? "which have no argument" : "which has no argument";
    const params = { holders: holdings([...missing.values()]), argument, which };
    report.add("role/argument-missing", keyOf(place), { ...params, ...mendingOf(first.known, [...having], place) });
  }
  if (notText) {
    const { tool, roles, kind, type } = notText;
    const params = { holders: whoHolds(roles), tool: toolPath(tool.server, tool.name), argument, type, kind };
    report.add("role/argument-not-text", keyOf(place), params);
  }
}

/** Who holds what: tools that the same roles hold stand together. */
function holdings(misfits: readonly Misfit[]): string {
  const byHolders = new Map<string, string[]>();
  for (const { tool, roles } of misfits) {
    const who = whoHolds(roles);
    byHolders.set(who, [...(byHolders.get(who) ?? []), `\`${toolPath(tool.server, tool.name)}\``]);
  }
  return firstOf([...byHolders].map(([who, tools]) => `${who} ${firstOf(tools)}`));
}

/** Where some of the tools that the selector finds have the argument, it was written too wide. `known`: arguments of the first that hasn't. */
function mendingOf(
  known: readonly string[],
  having: readonly Tool[],
  place: Place,
): CaseOf<"role/argument-missing", "holders" | "which" | "argument"> {
  const inRole = place.path[0] === "roles";
  const names = having.map(({ server, name }) => `\`${inRole ? name : toolPath(server, name)}\``);
  if (having.length > 0) return { case: "in-some", having: firstOf(names.sort()) };
  if (known.length === 0) return { case: "none" };
  return { case: "elsewhere", known: known.map((name) => `\`${name}\``).join(", ") };
}
