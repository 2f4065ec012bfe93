import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { madeOnce } from "../base/made-once.ts";
import { otherKeys } from "../base/other-keys.ts";
import { keyOf, within, type Place } from "../base/place.ts";
import { PROJECT_FILE } from "../base/project-layout.ts";
import { stableText } from "../base/stable-text.ts";
import { waysTo } from "../3-plan/access.ts";
import { holdsAny } from "../3-plan/held.ts";
import type { Decision, Guard, Plan, PlannedRole, Reason, Server, Tool } from "../3-plan/types.ts";
import { decidingRules, NO_RULES, type DecidingRules } from "./deciding-rules.ts";
import type { DefinitionPart } from "./definition-part.ts";
import { definitionParts } from "./definition-parts.ts";
import type { Satisfies } from "./implies.ts";
import { reachedThrough, type Reach } from "./reach.ts";
import { wordsIn } from "./authors-words.ts";
import { wordsParts } from "./said-parts.ts";
import { inFolder, isGlob, sampleCall, type HeldBefore } from "./sample-call.ts";
import type { AccessChanged } from "./types.ts";

/**
 * A change with what a reviewer asks next: which line did it, what passes now, what of the tool is another. What costs
 * something is worked out for whoever asks: there may be hundreds of thousands, and a page shows a few.
 */
export interface Described extends DecidingRules {
  readonly change: AccessChanged;
  /** Where there is no rule: the declaration that it belongs to. */
  readonly at: Place | undefined;
  /** Arguments of one call that passes now and didn't before, judged by the runtime's own code. */
  example(): JsonObject | undefined;
  /** Of a definition that changed: gravest first. Empty: what of it changed isn't known. */
  parts(): readonly DefinitionPart[];
  /** Of a server that changed: the roles that hold a tool of it. */
  readonly heldBy: readonly string[];
  readonly rule: ChangedRule | undefined;
  /** Of a tool: what it is now; where it is gone, undefined. */
  readonly tool: Tool | undefined;
  /** Of a tool: each call needs a yes now; of one that is gone, it did. */
  readonly isAsked: boolean;
  /** Granted by more than names: tools that match come too when a capture brings them. `may`: unless the server's own limits keep them out. */
  readonly laterTools: "come" | "may come" | undefined;
  /** Of a way to a server: no role held a tool of it before. */
  readonly isNewServer: boolean;
  /** Of what widens: policies that took something of it away before. */
  readonly withheldBy: readonly string[];
  /** Of a delegate that came: what the role reaches by it and didn't. */
  reach(): Reach | undefined;
}

/** Of a policy or an invariant: what it said and says, as data; of one that nothing can switch off, what it matches too. */
export interface ChangedRule {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly matched: Guard["matches"];
  readonly matches: Guard["matches"];
}

/** `before` undefined: there is no plan of it, only what access.json said. */
export function describeAll(
  changes: readonly AccessChanged[],
  before: Plan | undefined,
  after: Plan,
  satisfies: Satisfies,
): Described[] {
  const decidedNow = decisionsOf(after);
  const decidedBefore = before === undefined ? () => undefined : decisionsOf(before);
  const definitions = definitionsBy(before, after);
  const examples = examplesBy(satisfies);
  const rulesOf = decidingRules(after);
  return changes.map((change) => {
    if (change.kind === "definition") return { ...definitions(change), change };
    const now = decidedNow(change);
    const was = decidedBefore(change);
    const rules = rulesOf(change, now?.decision, was?.decision);
    const { from } = rules;
    const isOpened = change.direction === "widens" && now !== undefined && now.decision.effect !== "deny";
    return {
      change,
      ...rules,
      at: from.length > 0 ? undefined : placeOf(change, after),
      example: () => (isOpened ? examples(change, now, was) : undefined),
      parts: () => instructionParts(change, before, after),
      heldBy: change.role === undefined && change.kind !== "host" ? holdersOf(change.server, after) : NONE,
      rule: change.kind === "guard" ? changedRule(change, before, after) : undefined,
      tool: now?.tool,
      isAsked: isAsked(change, now?.decision),
      laterTools:
        now && isByPattern(from, now.tool) ? (now.server.ceilings.length > 0 ? "may come" : "come") : undefined,
      isNewServer:
        change.kind === "destination" && before !== undefined && holdersOf(change.server, before).length === 0,
      withheldBy: change.direction === "widens" ? (was?.decision.because.flatMap(policyOf) ?? NONE) : NONE,
      reach: () =>
        change.kind === "delegate" && typeof change.after === "string"
          ? reachedThrough(change.role!, change.after, before, after)
          : undefined,
    };
  });
}

/** The roles that hold a tool are many, and its definition is one: what is said of it is made once, whoever holds it. */
function definitionsBy(before: Plan | undefined, after: Plan): (change: AccessChanged) => Described {
  const known = madeOnce((server: string) => {
    const [was, is] = [before, after].map((plan) => plan?.servers.find(({ name }) => name === server));
    const [old, now] = [was, is].map((one) => new Map(one?.tools.map((tool) => [tool.name as string, tool])));
    const of = (change: AccessChanged): Described =>
      definitionOf(change, old!.get(change.tool!), now!.get(change.tool!), is);
    return { of, tools: new Map<string, Described>() };
  });
  return (change) => {
    const { of, tools } = known(change.server!);
    // Of one tool there may be two: its definition, and what counts of it.
    const key = `${change.tool} ${String(change.after)}`;
    const first = tools.get(key);
    if (first !== undefined) return { ...first, change };
    const made = of(change);
    tools.set(key, made);
    return made;
  };
}

function definitionOf(
  change: AccessChanged,
  was: Tool | undefined,
  tool: Tool | undefined,
  server: Server | undefined,
): Described {
  let parts: DefinitionPart[] | undefined;
  return {
    change,
    ...NO_RULES,
    at: toolPlace(server, tool) ?? server?.place,
    example: () => undefined,
    parts: () => (parts ??= partsOf(change, was, tool)),
    heldBy: NONE,
    rule: undefined,
    tool,
    isAsked: false,
    laterTools: undefined,
    isNewServer: false,
    withheldBy: NONE,
    reach: () => undefined,
  };
}

/** Of what counts of a tool all is said of its definition, where that is another too. */
function partsOf({ before, after }: AccessChanged, was: Tool | undefined, tool: Tool | undefined): DefinitionPart[] {
  if (was === undefined || tool === undefined) return wordsParts(before, after);
  const parts = definitionParts(was, tool);
  return wordsIn(after) === undefined ? parts : parts.filter(({ part }) => part === "hints");
}

/** One for all: most changes have nothing of these. */
const NONE: readonly never[] = [];

function isAsked({ before, after }: AccessChanged, now: Decision | undefined): boolean {
  if (now !== undefined && now.effect !== "deny") return now.effect === "ask";
  const held = after ?? before;
  return (isObject(held) ? own(held, "effect") : held) === "ask";
}

function isByPattern(from: readonly Reason[], { server, name }: Tool): boolean {
  const exact: readonly string[] = [name, `${server}.${name}`];
  return from.some(({ rule, written }) => rule === "include" && !exact.includes(written));
}

export function policyOf({ rule, written }: Reason): string[] {
  return rule === "policy" ? [written] : [];
}

function holdersOf(server: string | undefined, { roles }: Plan): string[] {
  const holds = ({ grants }: PlannedRole) => grants.some((grant) => grant.server.name === server && holdsAny(grant));
  return server === undefined ? [] : roles.filter(holds).map(({ name }) => name);
}

function changedRule(change: AccessChanged, before: Plan | undefined, after: Plan): ChangedRule {
  const was = before?.guards.find(({ name }) => name === change.before);
  const is = after.guards.find(({ name }) => name === change.after);
  return { before: was?.text, after: is?.text, matched: was?.matches, matches: is?.matches };
}

interface DecidedTool {
  readonly server: Server;
  readonly tool: Tool;
  readonly decision: Decision;
}

/** What a plan says of the tool that a change is about. */
function decisionsOf(plan: Plan): (change: AccessChanged) => DecidedTool | undefined {
  const roles = new Map(plan.roles.map((role) => [role.name as string, role]));
  const grantsOf = madeOnce((role: PlannedRole) => new Map(role.grants.map((one) => [one.server.name as string, one])));
  const toolsOf = madeOnce((server: Server) => new Map(server.tools.map((tool) => [tool.name as string, tool])));
  return ({ role, server, tool }) => {
    const planned = role === undefined ? undefined : roles.get(role);
    const grant = planned && server !== undefined ? grantsOf(planned).get(server) : undefined;
    const found = grant && tool !== undefined ? toolsOf(grant.server).get(tool) : undefined;
    return found && { server: grant!.server, tool: found, decision: grant!.decisions[found.index]! };
  };
}

function instructionParts({ server, kind }: AccessChanged, before: Plan | undefined, after: Plan): DefinitionPart[] {
  const textIn = (plan: Plan): string => plan.servers.find(({ name }) => name === server)?.manifest?.instructions ?? "";
  if (before === undefined || kind !== "instructions") return [];
  return [{ part: "text", says: "its instructions changed", before: textIn(before), after: textIn(after) }];
}

function placeOf({ role, server, kind, before, after }: AccessChanged, plan: Plan): Place | undefined {
  if (kind === "guard") return plan.guards.find(({ name }) => name === after)?.place;
  if (kind === "host") return settingPlace(server!, otherKeys(before, after)[0], plan);
  if (kind === "destination")
    return wayPlace(
      after,
      plan.servers.find(({ name }) => name === server),
    );
  if (kind === "instructions") return instructionsPlace(plan.servers.find(({ name }) => name === server));
  if (kind === "root") return plan.servers.find(({ name }) => name === server)?.place;
  const planned = plan.roles.find(({ name }) => name === role);
  return planned && (partPlace(planned, { kind, server, before, after }) ?? keyOf(planned.place));
}

/** Undefined: nothing of it is written. */
function partPlace(
  planned: PlannedRole,
  { kind, server, before, after }: Pick<AccessChanged, "kind" | "server" | "before" | "after">,
): Place | undefined {
  const { place, delegates, builtins } = planned;
  if (kind === "resource") return addressPlace(planned, server, after);
  if (kind === "delegate") {
    const at = delegates.findIndex((name) => name === after);
    return at >= 0 ? within(place, "delegates", at) : delegates.length > 0 ? within(place, "delegates") : undefined;
  }
  if (kind !== "builtin") return undefined;
  const [first] = [after, before].flat();
  const own = builtins.find(({ host }) => String(first).startsWith(`${host}: `));
  return own && within(place, "builtins", own.host);
}

/** Of the gravest key. What isn't written is shown by what is around it. */
function settingPlace(name: string, key: string | undefined, { project }: Plan): Place | undefined {
  const isOwn = name === "serve" || name === "state";
  const entry = isOwn ? { file: PROJECT_FILE, path: [name] } : project.hosts.find(({ id }) => id === name)?.place;
  return entry && key !== undefined ? within(entry, ...key.split(".")) : entry;
}

/** Of what came: the line that wrote it. */
function addressPlace(role: PlannedRole | undefined, server: string | undefined, after: JsonValue): Place | undefined {
  const resources = role?.grants.find((grant) => grant.server.name === server)?.resources;
  const glob = isObject(after) ? (own(after, "include") ?? own(after, "exclude")) : undefined;
  return [...(resources?.include ?? []), ...(resources?.exclude ?? [])].find(({ written }) => written === glob)?.from;
}

/** Where it stands in the manifest: that is what changed. */
function toolPlace(server: Server | undefined, tool: Tool | undefined): Place | undefined {
  const file = server?.manifest?.file;
  return file === undefined || tool?.at === undefined ? undefined : { file, path: ["tools", tool.at] };
}

function instructionsPlace(server: Server | undefined): Place | undefined {
  const file = server?.manifest?.file;
  return file === undefined ? server?.place : { file, path: ["instructions"] };
}

/** Of the way that is new; of a server with other ways where one went. */
function wayPlace(after: JsonValue, server: Server | undefined): Place | undefined {
  const ways = server === undefined ? [] : waysTo(server);
  const same = ways.findIndex((one) => stableText(one) === stableText(after));
  if (same >= 0) return server!.connect[same]!.place;
  const way = isObject(after) ? stableText(own(after, "stdio") ?? own(after, "http") ?? own(after, "sse") ?? null) : "";
  const connection = server?.connect.find(
    (one) => stableText(one.kind === "stdio" ? one.command.map(({ written }) => written) : one.url.written) === way,
  );
  return connection?.place ?? server?.place;
}

/** Whoever holds a tool on the same conditions, and held it so before, is shown the same call. */
function examplesBy(
  satisfies: Satisfies,
): (change: AccessChanged, now: DecidedTool, was: DecidedTool | undefined) => JsonObject | undefined {
  type Rules = Decision["where"];
  type Found = Map<Rules | undefined, JsonObject | undefined>;
  const known = madeOnce<Tool, (where: Rules) => Found>(() => madeOnce<Rules, Found>(() => new Map()));
  return ({ openings, kind, before: written }, now, was) => {
    // A call that was asked isn't refused: that it isn't asked any more has no arguments to show.
    if (kind === "effect") return undefined;
    // Without a plan of what was, its conditions are known all the same where they are what changed.
    const before =
      was === undefined && kind === "condition"
        ? rulesIn(written)
        : was?.decision.effect === "deny"
          ? undefined
          : was?.decision.where;
    const { where } = now.decision;
    const found = known(now.tool)(where);
    const schema = schemaOf(was?.tool ?? now.tool);
    const held = before && { rules: before, schema };
    if (!found.has(before)) found.set(before, exampleOf(now.tool, openings, held, where, satisfies));
    return found.get(before);
  };
}

function schemaOf(tool: Tool): JsonValue {
  return tool.definition().inputSchema as JsonValue;
}

function exampleOf(
  tool: Tool,
  openings: AccessChanged["openings"],
  before: HeldBefore | undefined,
  where: Decision["where"],
  satisfies: Satisfies,
): JsonObject | undefined {
  const schema = schemaOf(tool);
  const tried =
    openings.length > 0 ? openings.flatMap((one) => [...below(one, where, before?.rules ?? []), one]) : [undefined];
  for (const opening of tried) {
    const args = sampleCall(schema, before, where, opening, satisfies);
    if (args !== undefined) return args;
  }
  return undefined;
}

function below(
  { argument, by }: AccessChanged["openings"][number],
  ...rules: readonly Decision["where"][]
): AccessChanged["openings"] {
  const hasGlob = rules.flat().some((rule) => rule.argument === argument && rule.conditions.some(isGlob));
  if (!hasGlob || typeof by !== "object" || typeof by.value !== "string") return [];
  return [{ argument, by: { value: inFolder(by.value) } }];
}

function rulesIn(where: JsonValue): Decision["where"] {
  return Object.entries(where as Readonly<Record<string, Decision["where"][number]["conditions"]>>).map(
    ([argument, conditions]) => ({ argument, conditions }),
  );
}
