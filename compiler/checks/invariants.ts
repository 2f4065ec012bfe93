import type { RoleName } from "../base/names.ts";
import { within } from "../base/place.ts";
import type { Related, Report } from "../diagnostics/report.ts";
import type { Invariant, Tool, WideSelection } from "../2-model/types.ts";
import { held } from "../3-plan/held.ts";
import type { Decision, Effect, PlannedRole } from "../3-plan/types.ts";
import type { Check, Subject } from "./types.ts";

/** What must be true of the finished plan. A broken invariant names role, tool and the line that granted it. */
export const checkInvariants: Check = (subject, report) => {
  const roles = new Map(subject.plan.roles.map((role) => [role.name, role]));
  for (const invariant of subject.model.invariants) {
    for (const name of invariant.roles) {
      const role = roles.get(name)!;
      checkRole(invariant, role, [...holdings(role, roles)], subject, report);
    }
  }
};

interface Holding {
  readonly tool: Tool;
  readonly decision: Decision;
  /** The role that holds it: the named one, or one that it can hand work to. */
  readonly holder: RoleName;
}

/** What a role holds and what it reaches through `delegates`. */
function* holdings(role: PlannedRole, roles: ReadonlyMap<RoleName, PlannedRole>): Generator<Holding> {
  for (const holder of [role, ...role.reaches.map((name) => roles.get(name)!)]) {
    for (const grant of holder.grants) for (const [tool, decision] of held(grant)) yield { tool, decision, holder: holder.name };
  }
}

function checkRole(invariant: Invariant, role: PlannedRole, holding: readonly Holding[], subject: Subject, report: Report): void {
  const { claim } = invariant;
  const owner = `invariant \`${invariant.name}\``;
  const matched = (selection: WideSelection): Holding[] => holding.filter(({ tool }) => selection.tools.get(tool.server)?.includes(tool.index));
  const about = { owner, role: role.name };
  if (claim.kind === "never") {
    for (const found of claim.selections.flatMap(matched)) {
      const tool = path(found.tool);
      const help = `take it from the role, or add the policy { roles: [${found.holder}], tools: ["${tool}"], effect: deny }`;
      report.add("invariant/never", invariant.place, { ...about, tool, via: via(found, role), help }, grantedAt(found));
    }
  } else if (claim.kind === "always") {
    for (const found of claim.selections.flatMap(matched)) checkEffect(invariant, role, found, claim.effect, report);
  } else if (claim.kind === "can") {
    checkCan(invariant, role, claim.selections, matched, subject, report);
  } else {
    checkTogether(invariant, role, claim.selections.map((s) => matched(s).filter((h) => claim.asked === "count" || h.decision.effect === "allow")), claim.selections, report);
    noteUnlabelled(invariant, role, holding, subject, report);
  }
}

function checkEffect(invariant: Invariant, role: PlannedRole, found: Holding, wanted: Effect, report: Report): void {
  if (found.decision.effect === wanted) return;
  const tool = path(found.tool);
  const policy = `add the policy { roles: [${found.holder}], tools: ["${tool}"], effect: ask }`;
  const help = wanted === "ask" ? policy : "take out what makes it ask, or change the invariant";
  const params = { owner: `invariant \`${invariant.name}\``, role: role.name, tool, effect: found.decision.effect, wanted, via: via(found, role), help };
  report.add("invariant/always", invariant.place, params, grantedAt(found));
}

/** Each named tool, held by the role or through a delegate, without a question. */
function checkCan(invariant: Invariant, role: PlannedRole, selections: readonly WideSelection[], matched: (s: WideSelection) => Holding[], { model }: Subject, report: Report): void {
  for (const selection of selections) {
    const open = matched(selection).filter(({ decision }) => decision.effect === "allow");
    const named = [...selection.tools].flatMap(([server, indexes]) => indexes.map((index) => model.servers.find((s) => s.name === server)!.tools[index]!));
    for (const tool of named) {
      if (open.some((holding) => holding.tool === tool)) continue;
      report.add("invariant/can", within(invariant.place, "can"), { owner: `invariant \`${invariant.name}\``, role: role.name, tool: path(tool) });
    }
  }
}

/** One tool may answer for several selectors. */
function checkTogether(invariant: Invariant, role: PlannedRole, found: readonly (readonly Holding[])[], selections: readonly WideSelection[], report: Report): void {
  if (found.length === 0 || found.some((holdings) => holdings.length === 0)) return;
  const chosen = found.map((holdings) => holdings[0]!);
  const tools = chosen.map((holding, i) => `\`${path(holding.tool)}\` (${selections[i]!.written})${via(holding, role)}`).join(", ");
  const last = chosen.toSorted((a, b) => found[chosen.indexOf(a)]!.length - found[chosen.indexOf(b)]!.length)[0]!;
  const policy = `{ roles: [${last.holder}], tools: ["${path(last.tool)}"], effect: deny }`;
  const also = chosen.flatMap((holding) => grantedAt(holding, `\`${path(holding.tool)}\` is granted here`));
  report.add("invariant/together", invariant.place, { owner: `invariant \`${invariant.name}\``, role: role.name, tools, policy }, also);
}

function noteUnlabelled(invariant: Invariant, role: PlannedRole, holding: readonly Holding[], { model }: Subject, report: Report): void {
  for (const server of model.servers.filter((s) => s.labels.length > 0)) {
    const unknown = holding.filter(({ tool }) => tool.server === server.name && tool.labels.length === 0).map(({ tool }) => `\`${tool.name}\``);
    const tools = unknown.length <= 3 ? unknown.join(", ") : `${unknown.slice(0, 3).join(", ")} and ${unknown.length - 3} more`;
    if (unknown.length > 0) report.add("invariant/unlabelled", invariant.place, { owner: `invariant \`${invariant.name}\``, tools, role: role.name, server: server.name });
  }
}

function path(tool: Tool): string {
  return `${tool.server}.${tool.name}`;
}

function via(holding: Holding, role: PlannedRole): string {
  return holding.holder === role.name ? "" : ` through \`${holding.holder}\`, to which it can hand work`;
}

function grantedAt({ decision }: Holding, says = "it is granted here"): Related[] {
  const reason = decision.because.find((because) => because.rule === "include");
  return reason ? [{ says, at: reason.from }] : [];
}
