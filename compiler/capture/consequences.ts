import { accessOf } from "../3-plan/access.ts";
import { compareAccess, holdersOf, type AccessChange } from "../3-plan/compare-access.ts";
import type { Plan } from "../3-plan/types.ts";
import type { Diagnostic } from "../diagnostics/types.ts";
import { changesPin, nameOf, weighs } from "./compare-manifests.ts";
import type { Captured, Consequences, Contradiction, GoodAnswer, Settled } from "./types.ts";

/** A project as it was compiled, with one manifest or the other. */
export interface CompiledProject {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** What it means for the project to take the new manifest. */
export function consequencesOf(
  before: CompiledProject,
  after: CompiledProject,
  captured: Captured & GoodAnswer,
): Consequences {
  const old = new Set(before.diagnostics.filter(isError).map(identityOf));
  const now = new Set(after.diagnostics.filter(isError).map(identityOf));
  const changed = captured.changes.changed.filter(changesPin);
  const access = accessOf(after.plan);
  const servers = serversWith(captured.pin, before.plan, after.plan);
  return {
    access: compareAccess(accessOf(before.plan), access, servers),
    contradictions: contradictionsIn(after.plan, captured),
    holders: new Map(changed.map(({ name }) => [name, holdersOf(access, servers, name)])),
    errors: after.diagnostics.filter((diagnostic) => isError(diagnostic) && !old.has(identityOf(diagnostic))),
    mended: [...old].filter((one) => !now.has(one)).length,
  };
}

/** Which tools of these servers roles hold otherwise than before. */
export function accessChanges(before: Plan, after: Plan, servers: readonly string[]): readonly AccessChange[] {
  return compareAccess(accessOf(before), accessOf(after), servers);
}

/**
 * What is to be said of the whole capture. `changed`: something differs from what is pinned and wasn't written; `failed`: a
 * server couldn't be captured. Of a check a difference weighs more, since it is certain: a flaky network must not hide it.
 */
export function verdictOf(settled: readonly Settled[], check: boolean): "fine" | "changed" | "failed" {
  const isLeft = settled.some(
    ({ captured, written }) => captured.state === "changed" && !written && weighs(captured.changes),
  );
  const hasFailed = settled.some(
    ({ captured, problems }) => captured.state === "failed" || captured.state === "refused" || problems.length > 0,
  );
  if (isLeft && (check || !hasFailed)) return "changed";
  return hasFailed ? "failed" : "fine";
}

/** Of the tools that are new or changed; what `hints` of the project say about one settles it. */
function contradictionsIn(after: Plan, { pin, changes }: Captured & GoodAnswer): Contradiction[] {
  const fresh = new Set([...changes.added.map(nameOf), ...changes.changed.filter(changesPin).map(({ name }) => name)]);
  const found = new Map<string, Contradiction>();
  for (const server of after.servers.filter((one) => one.pin === pin))
    for (const { name, contradiction: word } of server.tools)
      if (word !== undefined && fresh.has(name)) found.set(name, { tool: name, word });
  return [...found.values()];
}

function serversWith(pin: string, ...plans: readonly Plan[]): string[] {
  const sharing = plans.flatMap(({ servers }) => servers.filter((server) => server.pin === pin));
  return [...new Set(sharing.map(({ name }) => name))];
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error";
}

function identityOf({ code, says, at }: Diagnostic): string {
  return JSON.stringify([code, says, at?.file, at?.line, at?.column]);
}
