import { firstOf } from "../base/list-words.ts";
import { toolPath, type RoleName } from "../base/names.ts";
import { sorted } from "../base/order.ts";
import type { Related, Report } from "../diagnostics/report.ts";
import type { Invariant, Tool, RuleSelection } from "../2-model/types.ts";
import { held } from "../3-plan/held.ts";
import type { Decision, Effect, PlannedRole } from "../3-plan/types.ts";
import type { Check, Subject } from "./types.ts";

/** What must be true of the finished plan. A broken invariant names role, tool and the line that granted it. */
export const checkInvariants: Check = (subject, report) => {
  const roles = new Map(subject.plan.roles.map((role) => [role.name, role]));
  for (const invariant of subject.model.invariants) {
    const found = holdingsOf(invariant, subject);
    for (const name of invariant.roles) {
      const role = roles.get(name)!;
      const holders = [role.name, ...role.reaches];
      checkRole(invariant, role, (selection) => holders.flatMap((holder) => found(holder, selection)), subject, report);
    }
    if (invariant.claim.kind === "together") noteUnlabelled(invariant, subject, report);
  }
};

interface Holding {
  readonly tool: Tool;
  readonly decision: Decision;
  /** The role that holds it: the named one, or one that it can hand work to. */
  readonly holder: RoleName;
}

/** What a role itself holds of a selection. Many roles may reach it: each is looked at once. */
function holdingsOf(
  invariant: Invariant,
  { grant }: Subject,
): (holder: RoleName, selection: RuleSelection) => Holding[] {
  const known = new Map(invariant.claim.selections.map((selection) => [selection, new Map<RoleName, Holding[]>()]));
  return (holder, selection) => {
    const before = known.get(selection)!.get(holder);
    if (before) return before;
    const found: Holding[] = [];
    for (const [server, indexes] of selection.tools) {
      const granted = grant(holder, server);
      if (!granted) continue;
      for (const index of indexes) {
        const decision = granted.decisions[index]!;
        if (decision.effect !== "deny") found.push({ tool: granted.server.tools[index]!, decision, holder });
      }
    }
    known.get(selection)!.set(holder, found);
    return found;
  };
}

type Matched = (selection: RuleSelection) => Holding[];

function checkRole(invariant: Invariant, role: PlannedRole, matched: Matched, subject: Subject, report: Report): void {
  const { claim } = invariant;
  const all = (): Holding[] => [...new Set(claim.selections.flatMap(matched))];
  if (claim.kind === "never") {
    checkNever(invariant, role, all(), report);
  } else if (claim.kind === "always") {
    checkAlways(invariant, role, all(), claim.effect, report);
  } else if (claim.kind === "can") {
    checkCan(invariant, role, matched, subject, report);
  } else {
    const counted = (holding: Holding): boolean => claim.asked === "count" || holding.decision.effect === "allow";
    checkTogether(
      invariant,
      role,
      claim.selections.map((s) => matched(s).filter(counted)),
      claim.selections,
      report,
    );
  }
}

/** One message for a role, however many tools: the first few by name. */
function checkNever(invariant: Invariant, role: PlannedRole, found: readonly Holding[], report: Report): void {
  if (found.length === 0) return;
  const params = { owner: ownerOf(invariant), role: role.name, tools: names(found, role) };
  const mend = { case: found.length > 1 ? "several" : "one", policy: policyText(found, "deny") } as const;
  report.add("invariant/never", invariant.place, { ...params, ...mend }, grantedAt(found));
}

function checkAlways(
  invariant: Invariant,
  role: PlannedRole,
  found: readonly Holding[],
  wanted: Effect,
  report: Report,
): void {
  const wrong = found.filter(({ decision }) => decision.effect !== wanted);
  if (wrong.length === 0) return;
  const params = {
    owner: ownerOf(invariant),
    role: role.name,
    tools: names(wrong, role),
    effect: wrong[0]!.decision.effect,
    wanted,
  };
  const mend =
    wanted === "ask" ? ({ case: "ask", policy: policyText(wrong, "ask") } as const) : ({ case: "allow" } as const);
  report.add("invariant/always", invariant.place, { ...params, ...mend }, grantedAt(wrong));
}

/** Each named tool, held by the role or through a delegate, without a question. */
function checkCan(invariant: Invariant, role: PlannedRole, matched: Matched, { model }: Subject, report: Report): void {
  const servers = new Map(model.servers.map((server) => [server.name, server]));
  for (const selection of invariant.claim.selections) {
    if (selection.exact && selection.tools.size === 0) sayCannot(invariant, role, selection.written, undefined, report);
    const holdings = matched(selection);
    const open = new Set(holdings.filter(({ decision }) => decision.effect === "allow").map(({ tool }) => tool));
    for (const [server, indexes] of selection.tools) {
      for (const tool of indexes.map((index) => servers.get(server)!.tools[index]!)) {
        const asked = holdings.find((holding) => holding.tool === tool);
        if (!open.has(tool)) sayCannot(invariant, role, path(tool), asked, report);
      }
    }
  }
}

function sayCannot(
  invariant: Invariant,
  role: PlannedRole,
  tool: string,
  asked: Holding | undefined,
  report: Report,
): void {
  const about = { owner: ownerOf(invariant), role: role.name, tool };
  const asks = asked?.decision.because.findLast((reason) => reason.rule === "ask" || reason.effect === "ask");
  if (!asks) return report.add("invariant/can", invariant.place, { ...about, case: "not-held" });
  report.add("invariant/can", invariant.place, { ...about, case: "asked" }, [
    { says: `\`${asks.written}\` asks here`, at: asks.from },
  ]);
}

/** One tool may answer for several selectors. */
function checkTogether(
  invariant: Invariant,
  role: PlannedRole,
  found: readonly (readonly Holding[])[],
  selections: readonly RuleSelection[],
  report: Report,
): void {
  if (found.length === 0 || found.some((holdings) => holdings.length === 0)) return;
  const chosen = found.map((holdings) => holdings[0]!);
  const tools = chosen.map((holding, i) => `${named(holding, role)} (${selections[i]!.written})`).join(", ");
  const rarest = chosen.toSorted((a, b) => found[chosen.indexOf(a)]!.length - found[chosen.indexOf(b)]!.length)[0]!;
  const params = { owner: ownerOf(invariant), role: role.name, tools, policy: policyText([rarest], "deny") };
  report.add("invariant/together", invariant.place, params, grantedAt([...new Set(chosen)]));
}

/** Once for each server: which tools that the named roles hold or reach say nothing of what they are. */
function noteUnlabelled(invariant: Invariant, { model, plan, grant }: Subject, report: Report): void {
  const named = plan.roles.filter((role) => invariant.roles.includes(role.name));
  const holders = new Set(named.flatMap((role) => [role.name, ...role.reaches]));
  for (const server of model.servers.filter((s) => s.labels.length > 0)) {
    const granted = [...holders].flatMap((holder) => grant(holder, server.name) ?? []);
    const unknown = new Set(granted.flatMap(held).flatMap(([tool]) => (tool.labels.length === 0 ? [tool.name] : [])));
    if (unknown.size === 0) continue;
    const tools = firstOf(sorted(unknown).map((tool) => `\`${tool}\``));
    report.add("invariant/unlabelled", invariant.place, { owner: ownerOf(invariant), tools, server: server.name });
  }
}

function ownerOf(invariant: Invariant): string {
  return `invariant \`${invariant.name}\``;
}

function path(tool: Tool): string {
  return toolPath(tool.server, tool.name);
}

function names(found: readonly Holding[], role: PlannedRole): string {
  return firstOf(found.map((holding) => named(holding, role)));
}

function named(holding: Holding, role: PlannedRole): string {
  return `\`${path(holding.tool)}\`${holding.holder === role.name ? "" : ` through \`${holding.holder}\`, to which it can hand work`}`;
}

function policyText(found: readonly Holding[], effect: "deny" | "ask"): string {
  const roles = [...new Set(found.map((holding) => holding.holder))].join(", ");
  const tools = found.map((holding) => JSON.stringify(path(holding.tool))).join(", ");
  return `{ roles: [${roles}], tools: [${tools}], effect: ${effect} }`;
}

function grantedAt(found: readonly Holding[]): Related[] {
  return found.slice(0, 3).flatMap(({ tool, decision }) => {
    const reason = decision.because.find((because) => because.rule === "include");
    return reason
      ? [{ says: found.length > 1 ? `\`${path(tool)}\` is granted here` : "it is granted here", at: reason.from }]
      : [];
  });
}
