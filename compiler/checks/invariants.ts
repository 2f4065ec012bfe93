import { firstOf } from "../base/list-words.ts";
import { toolPath, type RoleName, type ServerName } from "../base/names.ts";
import { sorted } from "../base/order.ts";
import type { Related, Report, Words } from "../diagnostics/report.ts";
import type { Invariant, Tool, RuleSelection } from "../2-model/types.ts";
import { held } from "../3-plan/held.ts";
import type { Decision, Effect, PlannedRole } from "../3-plan/types.ts";
import type { Check, Subject } from "./types.ts";

/** What must be true of the finished plan. A broken invariant names role, tool and the line that granted it. */
export const checkInvariants: Check = (subject, report) => {
  const roles = new Map(subject.plan.roles.map((role) => [role.name, role]));
  const count = countHeld(subject);
  const unlabelled = unlabelledTools(subject);
  for (const invariant of subject.model.invariants) {
    const found = holdingsOf(invariant, subject);
    for (const name of invariant.roles) {
      const role = roles.get(name)!;
      const matched: Matched = (selection) => holdersOf(role).flatMap((holder) => found(holder, selection));
      if (invariant.claim.kind === "can") checkCan(invariant, role, matched, subject, report);
      else if (isBroken(invariant.claim, (selection) => count(role, selection)))
        sayBroken(invariant, invariant.claim, role, matched, report);
    }
    if (invariant.claim.kind === "together") noteUnlabelled(invariant, unlabelled(invariant.roles), report);
  }
};

interface Holding {
  readonly tool: Tool;
  readonly decision: Decision;
  /** The role that holds it: the named one, or one that it can hand work to. */
  readonly holder: RoleName;
}

function holdersOf(role: PlannedRole): RoleName[] {
  return [role.name, ...role.reaches];
}

/** How many tools of a selection a role holds or reaches. */
type Counts = { readonly [Held in Exclude<Effect, "deny">]: number };

/** Many invariants are about the same tools and roles: each two are looked at once. */
function countHeld({ grant }: Subject): (role: PlannedRole, selection: RuleSelection) => Counts {
  const keys = new Map<RuleSelection, string>();
  const known = new Map<string, Map<RoleName, Counts>>();
  const knownAll = new Map<string, Map<RoleName, Counts>>();
  const ofHolder = (holder: RoleName, selection: RuleSelection): Counts => {
    let [allow, ask] = [0, 0];
    for (const [server, indexes] of selection.tools) {
      const decisions = grant(holder, server)?.decisions;
      for (const index of decisions === undefined ? [] : indexes) {
        const { effect } = decisions![index]!;
        if (effect === "allow") allow++;
        else if (effect === "ask") ask++;
      }
    }
    return { allow, ask };
  };
  return (role, selection) => {
    const key = kept(keys, selection, () => JSON.stringify([...selection.tools]));
    const byHolder = kept(known, key, () => new Map<RoleName, Counts>());
    const byRole = kept(knownAll, key, () => new Map<RoleName, Counts>());
    return kept(byRole, role.name, () => {
      const each = holdersOf(role).map((holder) => kept(byHolder, holder, () => ofHolder(holder, selection)));
      return each.reduce((sum, one) => ({ allow: sum.allow + one.allow, ask: sum.ask + one.ask }));
    });
  };
}

function kept<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

/** What a role itself holds of a selection. Many roles may reach it: each is looked at once. */
function holdingsOf(
  invariant: Invariant,
  { grant }: Subject,
): (holder: RoleName, selection: RuleSelection) => Holding[] {
  const known = new Map(invariant.claim.selections.map((selection) => [selection, new Map<RoleName, Holding[]>()]));
  return (holder, selection) =>
    kept(known.get(selection)!, holder, () => {
      const found: Holding[] = [];
      for (const [server, indexes] of selection.tools) {
        const granted = grant(holder, server);
        if (!granted) continue;
        for (const index of indexes) {
          const decision = granted.decisions[index]!;
          if (decision.effect !== "deny") found.push({ tool: granted.server.tools[index]!, decision, holder });
        }
      }
      return found;
    });
}

type Matched = (selection: RuleSelection) => Holding[];
type Claim<Kind extends Invariant["claim"]["kind"]> = Extract<Invariant["claim"], { readonly kind: Kind }>;

function isBroken(claim: Claim<"never" | "always" | "together">, count: (selection: RuleSelection) => Counts): boolean {
  const counts = claim.selections.map(count);
  if (claim.kind === "never") return counts.some(({ allow, ask }) => allow + ask > 0);
  if (claim.kind === "always") return counts.some(({ allow, ask }) => (claim.effect === "ask" ? allow : ask) > 0);
  return counts.length > 0 && counts.every(({ allow, ask }) => allow + (claim.asked === "count" ? ask : 0) > 0);
}

function sayBroken(
  invariant: Invariant,
  claim: Claim<"never" | "always" | "together">,
  role: PlannedRole,
  matched: Matched,
  report: Report,
): void {
  const all = (): Holding[] => [...new Set(claim.selections.flatMap(matched))];
  if (claim.kind === "never")
    report.addIfShown("invariant/never", invariant.place, () => neverWords(invariant, role, all()));
  else if (claim.kind === "always")
    report.addIfShown("invariant/always", invariant.place, () =>
      alwaysWords(
        invariant,
        role,
        all().filter(({ decision }) => decision.effect !== claim.effect),
        claim.effect,
      ),
    );
  else
    report.addIfShown("invariant/together", invariant.place, () => {
      const counted = (holding: Holding): boolean => claim.asked === "count" || holding.decision.effect === "allow";
      const found = claim.selections.map((selection) => matched(selection).filter(counted));
      return togetherWords(invariant, role, found, claim.selections);
    });
}

/** One message for a role, however many tools: the first few by name. */
function neverWords(invariant: Invariant, role: PlannedRole, found: readonly Holding[]): Words<"invariant/never"> {
  const params = { owner: ownerOf(invariant), role: role.name, tools: names(found, role) };
  const mend = { case: found.length > 1 ? "several" : "one", policy: policyText(found, "deny") } as const;
  return { params: { ...params, ...mend }, also: grantedAt(found) };
}

function alwaysWords(
  invariant: Invariant,
  role: PlannedRole,
  wrong: readonly Holding[],
  wanted: Effect,
): Words<"invariant/always"> {
  const params = {
    owner: ownerOf(invariant),
    role: role.name,
    tools: names(wrong, role),
    effect: wrong[0]!.decision.effect,
    wanted,
  };
  const mend =
    wanted === "ask" ? ({ case: "ask", policy: policyText(wrong, "ask") } as const) : ({ case: "allow" } as const);
  return { params: { ...params, ...mend }, also: grantedAt(wrong) };
}

/** Each named tool, held by the role or through a delegate, without a question. */
function checkCan(invariant: Invariant, role: PlannedRole, matched: Matched, { model }: Subject, report: Report): void {
  const servers = new Map(model.servers.map((server) => [server.name, server]));
  for (const selection of invariant.claim.selections) {
    if (selection.exact && selection.tools.size === 0)
      sayCannot(invariant, role, selection.written, () => undefined, report);
    const holdings = matched(selection);
    const open = new Set(holdings.filter(({ decision }) => decision.effect === "allow").map(({ tool }) => tool));
    for (const [server, indexes] of selection.tools) {
      for (const tool of indexes.map((index) => servers.get(server)!.tools[index]!)) {
        const asking = () => holdings.find((holding) => holding.tool === tool);
        if (!open.has(tool)) sayCannot(invariant, role, path(tool), asking, report);
      }
    }
  }
}

function sayCannot(
  invariant: Invariant,
  role: PlannedRole,
  tool: string,
  asking: () => Holding | undefined,
  report: Report,
): void {
  report.addIfShown("invariant/can", invariant.place, () => {
    const about = { owner: ownerOf(invariant), role: role.name, tool };
    const asks = asking()?.decision.because.findLast((reason) => reason.rule === "ask" || reason.effect === "ask");
    if (!asks) return { params: { ...about, case: "not-held" } };
    return { params: { ...about, case: "asked" }, also: [{ says: `\`${asks.written}\` asks here`, at: asks.from }] };
  });
}

/** One tool may answer for several selectors. */
function togetherWords(
  invariant: Invariant,
  role: PlannedRole,
  found: readonly (readonly Holding[])[],
  selections: readonly RuleSelection[],
): Words<"invariant/together"> {
  const chosen = found.map((holdings) => holdings[0]!);
  const tools = chosen.map((holding, i) => `${named(holding, role)} (${selections[i]!.written})`).join(", ");
  const rarest = chosen.toSorted((a, b) => found[chosen.indexOf(a)]!.length - found[chosen.indexOf(b)]!.length)[0]!;
  const params = { owner: ownerOf(invariant), role: role.name, tools, policy: policyText([rarest], "deny") };
  return { params, also: grantedAt([...new Set(chosen)]) };
}

interface Unlabelled {
  readonly server: ServerName;
  /** The first few. */
  readonly tools: string;
}

/** Which tools that these roles hold or reach say nothing of what they are, by server. */
function unlabelledTools({ model, plan, grant }: Subject): (roles: readonly RoleName[]) => readonly Unlabelled[] {
  const labelled = model.servers.filter((server) => server.labels.length > 0);
  const known = new Map<string, readonly Unlabelled[]>();
  const toolsOf = (holders: ReadonlySet<RoleName>, server: ServerName): string[] => {
    const granted = [...holders].flatMap((holder) => grant(holder, server) ?? []);
    return sorted(new Set(granted.flatMap(held).flatMap(([tool]) => (tool.labels.length === 0 ? [tool.name] : []))));
  };
  return (roles) =>
    kept(known, roles.join(), () => {
      const wanted = new Set(roles);
      const holders = new Set(plan.roles.filter(({ name }) => wanted.has(name)).flatMap(holdersOf));
      return labelled.flatMap(({ name }) => {
        const tools = toolsOf(holders, name).map((tool) => `\`${tool}\``);
        return tools.length === 0 ? [] : [{ server: name, tools: firstOf(tools) }];
      });
    });
}

function noteUnlabelled(invariant: Invariant, unlabelled: readonly Unlabelled[], report: Report): void {
  for (const { server, tools } of unlabelled)
    report.add("invariant/unlabelled", invariant.place, { owner: ownerOf(invariant), tools, server });
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
