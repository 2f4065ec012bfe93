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
    ...lineOf(roles.get(name)!.lineage.flatMap((ancestor) => roles.get(ancestor)!.entries)),
  }));
  for (const one of lines) {
    for (const other of lines) {
      if (one === other) continue;
      for (const { server, include, exclude, tools } of disagreements(one, other)) {
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

/** What a parent says with all that it inherits, to be held against many others. */
interface ParentLine {
  readonly entries: ReadonlySet<RoleEntry>;
  /** By server, for each tool the first include that it is of. */
  readonly includes: ReadonlyMap<RoleEntry["server"], ReadonlyMap<number, Selection>>;
  readonly excluding: ReadonlyMap<RoleEntry["server"], readonly RoleEntry[]>;
  /** Every tool of those excludes. */
  readonly excluded: ReadonlyMap<RoleEntry["server"], ReadonlySet<number>>;
}

function lineOf(entries: readonly RoleEntry[]): ParentLine {
  const includes = new Map<RoleEntry["server"], Map<number, Selection>>();
  const excluding = new Map<RoleEntry["server"], RoleEntry[]>();
  for (const entry of entries) {
    const known = includes.get(entry.server) ?? new Map<number, Selection>();
    includes.set(entry.server, known);
    for (const include of entry.include)
      for (const tool of include.tools) if (!known.has(tool)) known.set(tool, include);
    if (entry.exclude.length === 0) continue;
    const excludes = excluding.get(entry.server);
    if (excludes) excludes.push(entry);
    else excluding.set(entry.server, [entry]);
  }
  const excluded = [...excluding].map(([server, all]) => {
    const tools = all.flatMap(({ exclude }) => exclude.flatMap((selection) => selection.tools));
    return [server, new Set(tools)] as const;
  });
  return { entries: new Set(entries), includes, excluding, excluded: new Map(excluded) };
}

/** Each tool of an exclude once, with the first include that it is of. */
function* disagreements(one: ParentLine, other: ParentLine): Generator<Disagreement> {
  if (other.excluding.size === 0) return;
  for (const [server, includes] of one.includes) {
    if (![...(other.excluded.get(server) ?? [])].some((tool) => includes.has(tool))) continue;
    const against = other.excluding.get(server)?.filter((entry) => !one.entries.has(entry)) ?? [];
    for (const exclude of against.flatMap((entry) => entry.exclude)) {
      const lost = new Map<Selection, number[]>();
      for (const tool of exclude.tools) {
        const include = includes.get(tool);
        if (include !== undefined) lost.set(include, [...(lost.get(include) ?? []), tool]);
      }
      for (const [include, tools] of lost) yield { server, include, exclude, tools };
    }
  }
}

function overlaps(a: Selection, b: Selection): boolean {
  return b.tools.some((tool) => a.tools.includes(tool));
}
