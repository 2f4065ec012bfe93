import { firstOf } from "../base/list-words.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Role, RoleEntry, Selection } from "../2-model/types.ts";
import type { Check, Subject } from "./types.ts";

/** A child can't undo a parent's restriction; where two parents disagree, the tool is out. */
export const checkInheritance: Check = (subject, report) => {
  const { model } = subject;
  const roles = new Map(model.roles.map((role) => [role.name, role]));
  for (const role of model.roles) {
    if (role.parents.length === 0) continue;
    const inherited = inheritedBy(role, roles);
    for (const own of role.entries) checkOwnIncludes(own, inherited.get(own.server) ?? [], report);
    checkParents(role, roles, subject, report);
  }
};

/** What ancestors say, by server. */
function inheritedBy(role: Role, roles: ReadonlyMap<Role["name"], Role>): Map<RoleEntry["server"], RoleEntry[]> {
  const entries = new Map<RoleEntry["server"], RoleEntry[]>();
  for (const ancestor of role.lineage.slice(1)) {
    for (const entry of roles.get(ancestor)!.entries) {
      if (entry.exclude.length === 0) continue;
      const known = entries.get(entry.server);
      if (known) known.push(entry);
      else entries.set(entry.server, [entry]);
    }
  }
  return entries;
}

function checkOwnIncludes(own: RoleEntry, inherited: readonly RoleEntry[], report: Report): void {
  for (const include of own.include.filter((selection) => selection.exact)) {
    for (const entry of inherited) {
      const exclude = entry.exclude.find((selection) => overlaps(selection, include));
      if (!exclude) continue;
      const params = { role: own.role, tool: include.written, ancestor: entry.role };
      report.add("role/undoes-restriction", include.place, params, [
        { says: `\`${entry.role}\` excludes it here`, at: exclude.place },
      ]);
    }
  }
}

/** What one line of parents holds against an exclude of another; within one line the child's exclude is plain narrowing. */
function checkParents(role: Role, roles: ReadonlyMap<Role["name"], Role>, { grant }: Subject, report: Report): void {
  if (role.parents.length < 2) return;
  const lines = role.parents.map((name) => ({
    name,
    entries: roles.get(name)!.lineage.flatMap((ancestor) => roles.get(ancestor)!.entries),
  }));
  for (const one of lines) {
    for (const other of lines) {
      if (one === other) continue;
      for (const { server, include, exclude, tools } of disagreements(one.entries, other.entries)) {
        const held = grant(one.name, server);
        const lost = tools.filter((index) => held && held.decisions[index]!.effect !== "deny");
        if (lost.length === 0) continue;
        const names = firstOf(lost.map((index) => `\`${held!.server.tools[index]!.name}\``));
        const params = { role: role.name, tools: names, one: one.name, other: other.name };
        const says = `\`${other.name}\` excludes ${lost.length > 1 ? "them" : "it"} here`;
        report.add("role/parents-disagree", include.place, params, [{ says, at: exclude.place }]);
      }
    }
  }
}

interface Disagreement {
  readonly server: RoleEntry["server"];
  readonly include: Selection;
  readonly exclude: Selection;
  readonly tools: readonly number[];
}

/** Each tool of an exclude once, with the first include that it is of. */
function* disagreements(one: readonly RoleEntry[], other: readonly RoleEntry[]): Generator<Disagreement> {
  for (const server of new Set(one.map((entry) => entry.server))) {
    const against = other.filter((entry) => entry.server === server && !one.includes(entry));
    const includes = one.filter((entry) => entry.server === server).flatMap((entry) => entry.include);
    for (const exclude of against.flatMap((entry) => entry.exclude)) {
      const left = new Set(exclude.tools);
      for (const include of includes) {
        const tools = include.tools.filter((tool) => left.delete(tool));
        if (tools.length > 0) yield { server, include, exclude, tools };
      }
    }
  }
}

function overlaps(a: Selection, b: Selection): boolean {
  return b.tools.some((tool) => a.tools.includes(tool));
}
