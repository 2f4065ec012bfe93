import type { Report } from "../diagnostics/report.ts";
import type { Role, RoleEntry, Selection } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** A child can't undo a parent's restriction; where two parents disagree, the tool is out. */
export const checkInheritance: Check = ({ model }, report) => {
  const roles = new Map(model.roles.map((role) => [role.name, role]));
  for (const role of model.roles) {
    if (role.parents.length === 0) continue;
    const inherited = inheritedBy(role, roles);
    for (const own of role.entries) checkOwnIncludes(own, inherited.get(own.server) ?? [], report);
    checkParents(role, roles, report);
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

/** An include of one line of parents against an exclude of another; within one line the child's exclude is plain narrowing. */
function checkParents(role: Role, roles: ReadonlyMap<Role["name"], Role>, report: Report): void {
  if (role.parents.length < 2) return;
  const lines = role.parents.map((name) => ({
    name,
    entries: roles.get(name)!.lineage.flatMap((ancestor) => roles.get(ancestor)!.entries),
  }));
  for (const one of lines) {
    for (const other of lines) {
      if (one === other) continue;
      for (const { include, exclude } of disagreements(one.entries, other.entries)) {
        const params = { role: role.name, tool: include.written, one: one.name, other: other.name };
        report.add("role/parents-disagree", include.place, params, [
          { says: `\`${other.name}\` excludes it here`, at: exclude.place },
        ]);
      }
    }
  }
}

function* disagreements(
  one: readonly RoleEntry[],
  other: readonly RoleEntry[],
): Generator<{ include: Selection; exclude: Selection }> {
  for (const entry of one) {
    for (const include of entry.include.filter((selection) => selection.exact)) {
      const exclude = other
        .filter((e) => e.server === entry.server && !one.includes(e))
        .flatMap((e) => e.exclude)
        .find((selection) => overlaps(selection, include));
      if (exclude) yield { include, exclude };
    }
  }
}

function overlaps(a: Selection, b: Selection): boolean {
  return b.tools.some((tool) => a.tools.includes(tool));
}
