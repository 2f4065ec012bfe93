import type { RoleName } from "../base/names.ts";
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
    for (const grant of holder.grants)
      for (const [tool, decision] of held(grant)) yield { tool, decision, holder: holder.name };
  }
}

function checkRole(
  invariant: Invariant,
  role: PlannedRole,
  holding: readonly Holding[],
  subject: Subject,
  report: Report,
): void {
  const { claim } = invariant;
  const matched = (selection: WideSelection): Holding[] =>
    holding.filter(({ tool }) => selection.tools.get(tool.server)?.includes(tool.index));
  const all = (): Holding[] => [...new Set(claim.selections.flatMap(matched))];
  if (claim.kind === "never") {
    checkNever(invariant, role, all(), report);
  } else if (claim.kind === "always") {
    checkAlways(invariant, role, all(), claim.effect, report);
  } else if (claim.kind === "can") {
    checkCan(invariant, role, holding, subject, report);
  } else {
    checkTogether(
      invariant,
      role,
      claim.selections.map((s) => matched(s).filter((h) => claim.asked === "count" || h.decision.effect === "allow")),
      claim.selections,
      report,
    );
    noteUnlabelled(invariant, role, holding, subject, report);
  }
}

/** One message for a role, however many tools: the first few by name. */
function checkNever(invariant: Invariant, role: PlannedRole, found: readonly Holding[], report: Report): void {
  if (found.length === 0) return;
  const help = `take ${found.length > 1 ? "them" : "it"} from the role, or add the policy ${policyText(found, "deny")}`;
  report.add(
    "invariant/never",
    invariant.place,
    { owner: ownerOf(invariant), role: role.name, tools: names(found, role), help },
    grantedAt(found),
  );
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
  const help =
    wanted === "ask"
      ? `add the policy ${policyText(wrong, "ask")}`
      : "take out what makes it ask, or change the invariant";
  const params = {
    owner: ownerOf(invariant),
    role: role.name,
    tools: names(wrong, role),
    effect: wrong[0]!.decision.effect,
    wanted,
    help,
  };
  report.add("invariant/always", invariant.place, params, grantedAt(wrong));
}

/** Each named tool, held by the role or through a delegate, without a question. */
function checkCan(
  invariant: Invariant,
  role: PlannedRole,
  holding: readonly Holding[],
  { model }: Subject,
  report: Report,
): void {
  for (const selection of invariant.claim.selections) {
    if (selection.exact && selection.tools.size === 0) sayCannot(invariant, role, selection.written, undefined, report);
    for (const [server, indexes] of selection.tools) {
      for (const index of indexes) {
        const tool = model.servers.find((s) => s.name === server)!.tools[index]!;
        const held = holding.filter((candidate) => candidate.tool === tool);
        if (!held.some(({ decision }) => decision.effect === "allow"))
          sayCannot(invariant, role, path(tool), held[0], report);
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
  const about = { owner: ownerOf(invariant), role: role.name };
  const what = `\`${tool}\``;
  const asks = asked?.decision.because.findLast((reason) => reason.rule === "ask" || reason.effect === "ask");
  if (!asks)
    return report.add("invariant/can", invariant.place, {
      ...about,
      state: `doesn't hold ${what}`,
      help: "grant it to the role, or change the invariant",
    });
  const state = `is asked before each call of ${what}`;
  report.add(
    "invariant/can",
    invariant.place,
    { ...about, state, help: "take it out of what asks, or change the invariant" },
    [{ says: `\`${asks.written}\` asks here`, at: asks.from }],
  );
}

/** One tool may answer for several selectors. */
function checkTogether(
  invariant: Invariant,
  role: PlannedRole,
  found: readonly (readonly Holding[])[],
  selections: readonly WideSelection[],
  report: Report,
): void {
  if (found.length === 0 || found.some((holdings) => holdings.length === 0)) return;
  const chosen = found.map((holdings) => holdings[0]!);
  const tools = chosen.map((holding, i) => `${named(holding, role)} (${selections[i]!.written})`).join(", ");
  const rarest = chosen.toSorted((a, b) => found[chosen.indexOf(a)]!.length - found[chosen.indexOf(b)]!.length)[0]!;
  const params = { owner: ownerOf(invariant), role: role.name, tools, policy: policyText([rarest], "deny") };
  report.add("invariant/together", invariant.place, params, grantedAt([...new Set(chosen)]));
}

function noteUnlabelled(
  invariant: Invariant,
  role: PlannedRole,
  holding: readonly Holding[],
  { model }: Subject,
  report: Report,
): void {
  for (const server of model.servers.filter((s) => s.labels.length > 0)) {
    const unknown = holding
      .filter(({ tool }) => tool.server === server.name && tool.labels.length === 0)
      .map(({ tool }) => `\`${tool.name}\``);
    const tools =
      unknown.length <= 3 ? unknown.join(", ") : `${unknown.slice(0, 3).join(", ")} and ${unknown.length - 3} more`;
    if (unknown.length > 0)
      report.add("invariant/unlabelled", invariant.place, {
        owner: ownerOf(invariant),
        tools,
        role: role.name,
        server: server.name,
      });
  }
}

function ownerOf(invariant: Invariant): string {
  return `invariant \`${invariant.name}\``;
}

function path(tool: Tool): string {
  return `${tool.server}.${tool.name}`;
}

const MOST_NAMED = 3;

function names(found: readonly Holding[], role: PlannedRole): string {
  const first = found
    .slice(0, MOST_NAMED)
    .map((holding) => named(holding, role))
    .join(", ");
  return found.length > MOST_NAMED ? `${first} and ${found.length - MOST_NAMED} more` : first;
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
  return found.slice(0, MOST_NAMED).flatMap(({ tool, decision }) => {
    const reason = decision.because.find((because) => because.rule === "include");
    return reason
      ? [{ says: found.length > 1 ? `\`${path(tool)}\` is granted here` : "it is granted here", at: reason.from }]
      : [];
  });
}
