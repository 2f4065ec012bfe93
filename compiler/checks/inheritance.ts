import { firstOf } from "../base/list-words.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Role, RoleEntry, Selection } from "../2-model/types.ts";
import type { Grant } from "../3-plan/types.ts";
import type { Check, Subject } from "./types.ts";

/** A child can't undo a parent's restriction; where two parents disagree, the tool is out. */
export const checkInheritance: Check = (subject, report) => {
  const { model } = subject;
  const roles = new Map(model.roles.map((role) => [role.name, role]));
  const lines = new Map<Role["name"], ParentLine>();
  const lineFor = (name: Role["name"]): ParentLine => {
    const line = lines.get(name) ?? lineOf(name, roles);
    lines.set(name, line);
    return line;
  };
  for (const role of model.roles) {
    if (role.parents.length === 0) continue;
    const inherited = inheritedBy(role, roles);
    for (const own of role.entries) checkOwnIncludes(own, inherited.get(own.server) ?? [], report);
    if (role.parents.length > 1) checkParents(role, role.parents.map(lineFor), inherited, subject, report);
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

/**
 * What one line of parents holds against an exclude of another; within one line the child's exclude is plain narrowing.
 * Each tool of an exclude is told once for the include that grants it, however many parents have them from there.
 */
function checkParents(
  role: Role,
  lines: readonly ParentLine[],
  inherited: ReadonlyMap<RoleEntry["server"], readonly RoleEntry[]>,
  { grant }: Subject,
  report: Report,
): void {
  const told = new Map<Selection, Told>();
  for (const one of lines) {
    for (const [server, includes] of one.includes) {
      const held = grant(one.name, server);
      if (held === undefined) continue;
      for (const entry of inherited.get(server) ?? []) {
        if (one.entries.has(entry)) continue;
        for (const exclude of entry.exclude) {
          const before: Told = told.get(exclude) ?? new Map();
          told.set(exclude, before);
          for (const [include, tools] of lostTo(exclude, includes, held, before)) {
            const other =
              lines.find(({ name }) => name === entry.role) ?? lines.find((line) => line.entries.has(entry))!;
            const names = firstOf(tools.map((index) => `\`${held.server.tools[index]!.name}\``));
            const params = { role: role.name, tools: names, one: one.name, other: other.name };
            const says = `\`${other.name}\` excludes ${tools.length > 1 ? "them" : "it"} here`;
            report.add("role/parents-disagree", include.place, params, [{ says, at: exclude.place }]);
          }
        }
      }
    }
  }
}

/** What a parent says with all that it inherits, to be held against many others. */
interface ParentLine {
  readonly name: Role["name"];
  readonly entries: ReadonlySet<RoleEntry>;
  /** By server, for each tool the first include that it is of. */
  readonly includes: ReadonlyMap<RoleEntry["server"], ReadonlyMap<number, Selection>>;
}

function lineOf(name: Role["name"], roles: ReadonlyMap<Role["name"], Role>): ParentLine {
  const entries = roles.get(name)!.lineage.flatMap((ancestor) => roles.get(ancestor)!.entries);
  const includes = new Map<RoleEntry["server"], Map<number, Selection>>();
  for (const { server, include } of entries) {
    const first = includes.get(server) ?? new Map<number, Selection>();
    includes.set(server, first);
    for (const selection of include)
      for (const tool of selection.tools) if (!first.has(tool)) first.set(tool, selection);
  }
  return { name, entries: new Set(entries), includes };
}

/** Of an exclude: the tools that were told, by include. */
type Told = Map<Selection, Set<number>>;

/** What an exclude takes of what is held, by the first include that it is of, and wasn't told before. */
function lostTo(
  exclude: Selection,
  includes: ReadonlyMap<number, Selection>,
  held: Grant,
  told: Told,
): ReadonlyMap<Selection, readonly number[]> {
  const lost = new Map<Selection, number[]>();
  for (const tool of exclude.tools) {
    const include = includes.get(tool);
    if (include === undefined || held.decisions[tool]!.effect === "deny") continue;
    const before = told.get(include) ?? new Set();
    if (before.has(tool)) continue;
    told.set(include, before.add(tool));
    const tools = lost.get(include);
    if (tools) tools.push(tool);
    else lost.set(include, [tool]);
  }
  return lost;
}

function overlaps(a: Selection, b: Selection): boolean {
  return b.tools.some((tool) => a.tools.includes(tool));
}
