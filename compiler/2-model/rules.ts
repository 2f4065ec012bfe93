import type { JsonValue } from "../base/json.ts";
import type { RoleName } from "../base/names.ts";
import { sorted } from "../base/order.ts";
import { within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import { documentPlace, type PresetDocument, type SourceDocument } from "../1-source/types.ts";
import type { InvariantBlock, PolicyBlock } from "../../schemas/types.ts";
import { linkDeniedAddresses } from "./addresses.ts";
import { linkConditions } from "./conditions.ts";
import { heirsOf } from "./lineage.ts";
import type { Invariant, Policy, Role, Server, SchemaCheck } from "./types.ts";
import { selectInRule, selectItems, type RuleScope } from "./selectors/in-rules.ts";
import { selectRoles } from "./selectors/role-patterns.ts";

interface WrittenRule<Block> {
  readonly block: Block;
  readonly name: string;
  readonly place: Place;
  readonly guard: boolean;
  /** The id of the preset that brings it. */
  readonly preset?: string | undefined;
}

export interface RuleContext extends Omit<RuleScope, "guard" | "by" | "preset"> {
  readonly documents: readonly SourceDocument[];
  readonly presets: readonly PresetDocument[];
  readonly roles: readonly Role[];
  readonly linked: readonly Server[];
  readonly checkSchema: SchemaCheck;
}

export interface LinkedRules {
  readonly policies: Policy[];
  readonly invariants: Invariant[];
}

/** Policies and invariants. They share their names: reviewers know both by name alone. */
export function linkRules(context: RuleContext): LinkedRules {
  const policies = writtenPolicies(context);
  const rules = { ...context, heirs: heirsOf(context.roles) };
  const invariants = context.documents.flatMap((document) =>
    named<InvariantBlock>(document.blocks.invariants ?? [], "invariants", documentPlace(document), document.guard),
  );
  checkNames([...policies, ...invariants], context.report);
  checkMentions(context);
  return {
    policies: policies.map((policy) => linkPolicy(policy, rules)),
    invariants: invariants.map((invariant) => linkInvariant(invariant, context)),
  };
}

/** What another system allows: the tool has to be there, and nothing follows from it. */
function checkMentions(context: RuleContext): void {
  for (const { selector: written, place } of context.documents.flatMap(({ mentions }) => mentions ?? [])) {
    const item = { written, place, presence: "must" } as const;
    const found = selectItems([item], "the line", { ...context, guard: false, by: "project" });
    if (found.some(({ tools }) => tools.size > 0)) context.report.add("import/allow-line", place, { tool: written });
  }
}

function writtenPolicies(context: RuleContext): WrittenRule<PolicyBlock>[] {
  const fromPresets = context.presets.map((preset) => ({
    root: documentPlace(preset),
    guard: false,
    policies: preset.preset.policies,
    preset: preset.preset.id,
  }));
  const fromFiles = context.documents.map((document) => ({
    root: documentPlace(document),
    guard: document.guard,
    policies: document.blocks.policies,
    preset: undefined,
  }));
  return [...fromPresets, ...fromFiles].flatMap(({ root, guard, policies, preset }) =>
    named<PolicyBlock>(policies ?? [], "policies", root, guard).map((written) => ({ ...written, preset })),
  );
}

function linkPolicy(
  { block, name, place, guard, preset }: WrittenRule<PolicyBlock>,
  rules: RuleContext & { readonly heirs: Heirs },
): Policy {
  const by = guard || preset !== undefined ? ("any" as const) : ("project" as const);
  const about = { ...rules, guard, by };
  const context = preset === undefined ? about : { ...about, preset: { id: preset, servers: usersOf(preset, rules) } };
  const owner = `policy \`${name}\``;
  const roles = selectRoles(block.roles, owner, within(place, "roles"), context);
  return {
    name,
    place,
    guard,
    roles: withHeirs(roles, rules.heirs),
    effect: block.effect ?? "where",
    selections: selectInRule(block.tools ?? [], owner, within(place, "tools"), context),
    addresses: linkDeniedAddresses(
      { written: block.resources ?? [], place: within(place, "resources"), policy: name },
      context.known,
      context.report,
    ),
    conditions: block.where
      ? linkConditions(block.where, within(place, "where"), context.checkSchema, context.report)
      : [],
    text: block as unknown as JsonValue,
  };
}

/** A preset doesn't know what a project calls the servers that it defines. */
function usersOf(preset: string, { linked }: RuleContext): string[] {
  return linked.filter((server) => server.preset === preset).map((server) => server.name);
}

function linkInvariant({ block, name, place, guard }: WrittenRule<InvariantBlock>, rules: RuleContext): Invariant {
  const owner = `invariant \`${name}\``;
  const kind = block.never ? "never" : block.always ? "always" : "can";
  const context = { ...rules, guard, by: guard ? (block.can ? "each" : "any") : "project" } as const;
  const claim = (block.never ?? block.always ?? block.can)!;
  const at = within(place, kind);
  const about = {
    name,
    place,
    guard,
    roles: selectRoles(claim.roles, owner, within(at, "roles"), context),
    text: block as unknown as JsonValue,
  };
  const select = (list: Parameters<typeof selectInRule>[0], key: string): ReturnType<typeof selectInRule> =>
    selectInRule(list, owner, within(at, key), context);
  if (block.always)
    return {
      ...about,
      claim: { kind: "always", selections: select(block.always.tools, "tools"), effect: block.always.effect },
    };
  if (block.can) return { ...about, claim: { kind: "can", selections: select(block.can.tools, "tools") } };
  if (block.never?.together)
    return {
      ...about,
      claim: {
        kind: "together",
        selections: select(block.never.together, "together"),
        asked: block.never.asked ?? "count",
      },
    };
  return { ...about, claim: { kind: "never", selections: select(block.never?.tools ?? [], "tools") } };
}

/** A rule without a name is known by its place. */
function named<Block extends { name?: string | undefined }>(
  list: readonly (Block | null)[],
  block: string,
  root: Place,
  guard: boolean,
): WrittenRule<Block>[] {
  return list.flatMap((item, i) =>
    item
      ? [{ block: item, name: item.name ?? `${root.file}#${block}[${i}]`, place: within(root, block, i), guard }]
      : [],
  );
}

function checkNames(written: readonly WrittenRule<{ name?: string | undefined }>[], report: Report): void {
  const first = new Map<string, WrittenRule<unknown>>();
  for (const rule of written) {
    const kind = rule.place.path[0] === "policies" ? "policy" : "invariant";
    if (rule.guard && rule.block.name === undefined)
      report.add("policy/nameless-guard", rule.place, { kind: kind === "policy" ? "a policy" : "an invariant" });
    const before = first.get(rule.name);
    if (!before) first.set(rule.name, rule);
    else
      report.add("source/declared-twice", within(rule.place, "name"), { kind, name: rule.name }, [
        { says: "it is declared here first", at: within(before.place, "name") },
      ]);
  }
}

type Heirs = ReturnType<typeof heirsOf<Role>>;

/** A policy about a role holds for the roles that extend it. Sorted. */
function withHeirs(named: readonly RoleName[], heirs: Heirs): RoleName[] {
  return sorted(new Set(named.flatMap((role) => (heirs.get(role) ?? []).map(({ name }) => name))));
}
