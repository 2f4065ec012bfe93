// The second opinion on invariants: docs/language.md. The readings taken are listed at the top of reference.ts.
import type { ReferenceProject, ReferenceProject as Project } from "./files.ts";
import { lineage, roles, tools, verdict } from "./reference.ts";
import { guarding, matchesAcross } from "./servers.ts";
import { anyName, asList, isExact } from "./shapes.ts";
import type { Always, Item, Never, Statement, Verdict } from "./shapes.ts";

interface Held {
  readonly server: string;
  readonly tool: string;
  readonly verdict: Verdict;
}
export interface Broken {
  name: string;
  role: string;
  tool: string;
}
type Judge<S> = (p: Project, role: string, statement: S) => string[];

/** Delegates are inherited and united, and count transitively. */
function reachable(p: Project, role: string, seen: readonly string[] = []): readonly string[] {
  if (seen.includes(role)) return seen;
  const delegates = lineage(p, role).flatMap((one) => asList(p.roles.get(one)?.delegates));
  return delegates.reduce<readonly string[]>((all, delegate) => reachable(p, delegate, all), [...seen, role]);
}

/** A tool reached through `delegates` counts as the role's own. */
function holdings(p: Project, role: string): Held[] {
  const all = reachable(p, role).flatMap((one) =>
    tools(p).map(({ server, tool }) => ({ server, tool, verdict: verdict(p, one, server, tool) })),
  );
  return all.filter((held) => held.verdict !== "deny");
}

function chosen<T extends { server: string; tool: string }>(p: Project, among: readonly T[], item: Item): T[] {
  const judge = p.guarded === undefined ? p : guarding(p, p.guarded);
  return among.filter(({ server, tool }) => matchesAcross(judge, server, tool, item));
}

function fullName({ server, tool }: { server: string; tool: string }): string {
  return `${server}.${tool}`;
}

/** One entry per invariant, role and tool (`server.tool`); for `together` the tools of one role joined by " + ". */
export function brokenInvariants(project: ReferenceProject): Broken[] {
  return project.invariants.flatMap(({ name = "", never, always, can, guard = false }) => {
    const guarded = guard ? (can ? ("can" as const) : ("another" as const)) : undefined;
    const p: Project = { ...project, guarded };
    return [
      ...broken(p, name, never, brokenNever),
      ...broken(p, name, never, brokenTogether),
      ...broken(p, name, always, brokenAlways),
      ...broken(p, name, can, brokenCan),
    ];
  });
}

/** A statement is about the roles that it names. */
function broken<S extends Statement>(p: Project, name: string, statement: S | undefined, by: Judge<S>): Broken[] {
  if (statement === undefined) return [];
  const named = roles(p).filter((role) => anyName(statement.roles, role));
  return named.flatMap((role) => [...new Set(by(p, role, statement))].map((tool) => ({ name, role, tool })));
}

/** `never`: no named role holds a matched tool, asked or not. */
function brokenNever(p: Project, role: string, never: Never): string[] {
  return asList(never.tools).flatMap((item) => chosen(p, holdings(p, role), item).map(fullName));
}

/** `together`: no role holds a tool for each selector; tools that ask count, unless `asked: ignore`. */
function brokenTogether(p: Project, role: string, never: Never): string[] {
  if (never.together === undefined) return [];
  const counting = holdings(p, role).filter((held) => never.asked !== "ignore" || held.verdict === "allow");
  const answers = asList(never.together).map((item) => chosen(p, counting, item).map(fullName)[0]);
  return answers.includes(undefined) ? [] : [[...new Set(answers)].join(" + ")];
}

/** `always`: a named role that holds a matched tool holds it with that effect. */
function brokenAlways(p: Project, role: string, always: Always): string[] {
  const wrong = holdings(p, role).filter((held) => held.verdict !== always.effect);
  return asList(always.tools).flatMap((item) => chosen(p, wrong, item).map(fullName));
}

/** `can`: each named role holds each named tool, unasked. */
function brokenCan(p: Project, role: string, can: Statement): string[] {
  const unasked = holdings(p, role)
    .filter((held) => held.verdict === "allow")
    .map(fullName);
  return asList(can.tools).flatMap((item) => {
    const named = chosen(p, tools(p), item).map(fullName);
    const wanted = typeof item === "string" && isExact(withoutServer(item)) && named.length === 0 ? [item] : named;
    return wanted.filter((name) => !unasked.includes(name));
  });
}

/** `github.open` names a tool, `github.is:read-only` doesn't. */
function withoutServer(selector: string): string {
  return /^(is|scope|label):/.test(selector) ? selector : selector.slice(selector.indexOf(".") + 1);
}
