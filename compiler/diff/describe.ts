import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Place } from "../base/place.ts";
import { stableText } from "../base/stable-text.ts";
import type { Decision, Plan, PlannedRole, Reason, Tool } from "../3-plan/types.ts";
import type { ArgumentRule } from "../../runtime/contract.ts";
import type { Satisfies } from "./implies.ts";
import { sampleCall } from "./sample-call.ts";
import type { AccessChanged } from "./types.ts";

/** A change with what a reviewer asks next: which line did it, what passes now, what of the tool is another. */
export interface Described {
  readonly change: AccessChanged;
  /** The rules in the sources that decide it now; where it is gone, what says so. Never places of what isn't there any more. */
  readonly from: readonly Reason[];
  /** Where there is no rule: the declaration that it belongs to. */
  readonly at: Place | undefined;
  /** Arguments of one call that passes now and didn't before, judged by the runtime's own code. */
  readonly example: JsonObject | undefined;
  /** Of a definition that changed. */
  readonly parts: readonly DefinitionPart[];
}

export interface DefinitionPart {
  readonly part: "text" | "schema" | "hints";
  /** The end of a sentence about the tool; hostile text in it is escaped by whoever shows it. */
  readonly says: string;
  readonly before: string;
  readonly after: string;
}

/** `before` undefined: there is no plan of it, only what access.json said. */
export function describe(
  change: AccessChanged,
  before: Plan | undefined,
  after: Plan,
  satisfies: Satisfies,
): Described {
  const now = decisionOf(change, after);
  const was = before && decisionOf(change, before);
  const from = reasonsOf(change, now?.decision);
  const isOpened = change.direction === "widens" && now !== undefined && now.decision.effect !== "deny";
  const example = isOpened ? exampleOf(change, now, was, satisfies) : undefined;
  const isDefinition = change.kind === "definition" && now !== undefined && was !== undefined;
  return {
    change,
    from,
    at: from.length > 0 ? undefined : placeOf(change, after),
    example,
    parts: isDefinition ? partsOf(was.tool, now.tool) : [],
  };
}

interface DecidedTool {
  readonly role: PlannedRole;
  readonly tool: Tool;
  readonly decision: Decision;
}

function decisionOf({ role, server, tool }: AccessChanged, plan: Plan): DecidedTool | undefined {
  const planned = plan.roles.find(({ name }) => name === role);
  const grant = planned?.grants.find((one) => one.server.name === server);
  const found = grant?.server.tools.find(({ name }) => name === tool);
  if (planned === undefined || found === undefined) return undefined;
  return { role: planned, tool: found, decision: grant!.decisions[found.index]! };
}

/** What granted it where it came, what restricts it where it is less. */
function reasonsOf({ direction, kind }: AccessChanged, decision: Decision | undefined): readonly Reason[] {
  const because = decision?.because ?? [];
  if (kind === "definition") return [];
  const grants = because.filter(({ rule }) => rule === "include");
  const restricts = because.filter(({ rule }) => rule !== "include");
  return direction === "widens" ? grants : restricts;
}

function placeOf({ role, server, kind, after }: AccessChanged, plan: Plan): Place | undefined {
  if (kind === "guard") return undefined;
  if (kind === "destination" || kind === "root" || kind === "instructions")
    return plan.servers.find(({ name }) => name === server)?.place;
  return after === null && kind !== "tool" ? undefined : plan.roles.find(({ name }) => name === role)?.place;
}

function exampleOf(
  { openings, kind, before: written }: AccessChanged,
  now: DecidedTool,
  was: DecidedTool | undefined,
  satisfies: Satisfies,
): JsonObject | undefined {
  const schema = now.tool.definition().inputSchema as JsonValue;
  // A call that was asked isn't refused: that it isn't asked any more has no arguments to show.
  if (kind === "effect") return undefined;
  // Without a plan of what was, its conditions are known all the same where they are what changed.
  const before =
    was === undefined && kind === "condition"
      ? rulesIn(written)
      : was?.decision.effect === "deny"
        ? undefined
        : was?.decision.where;
  const found = openings.map((opening) => sampleCall(schema, before, now.decision.where, opening, satisfies));
  return [
    ...found,
    ...(openings.length > 0 ? [] : [sampleCall(schema, before, now.decision.where, undefined, satisfies)]),
  ].find((args) => args !== undefined);
}

function rulesIn(where: JsonValue): ArgumentRule[] {
  return Object.entries(where as Readonly<Record<string, ArgumentRule["conditions"]>>).map(
    ([argument, conditions]) => ({
      argument,
      conditions,
    }),
  );
}

function partsOf(was: Tool, now: Tool): DefinitionPart[] {
  const [one, other] = [was.texts(), now.texts()];
  const parts: DefinitionPart[] = [];
  const add = (part: DefinitionPart["part"], says: string, before: string, after: string): void => {
    if (before !== after) parts.push({ part, says, before, after });
  };
  add("text", "its title changed", one.title ?? "", other.title ?? "");
  add("text", "its description changed", one.description ?? "", other.description ?? "");
  add("schema", schemaWords(one.inputSchema, other.inputSchema), one.inputSchema, other.inputSchema);
  add("schema", "its result changed", one.outputSchema ?? "", other.outputSchema ?? "");
  for (const hint of ["readOnly", "destructive", "idempotent", "openWorld"] as const)
    add("hints", `\`${hint}\` is ${String(now.hints[hint])} now`, String(was.hints[hint]), String(now.hints[hint]));
  return parts;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonValue>>;
  readonly required?: readonly string[];
}

/** What a caller notices first. */
function schemaWords(before: string, after: string): string {
  const [was, is] = [JSON.parse(before) as ObjectSchema, JSON.parse(after) as ObjectSchema];
  const [had, has] = [was.properties ?? {}, is.properties ?? {}];
  const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(", ");
  const needed = (is.required ?? []).filter((name) => !(was.required ?? []).includes(name));
  const added = Object.keys(has).filter((name) => !Object.hasOwn(had, name));
  const gone = Object.keys(had).filter((name) => !Object.hasOwn(has, name));
  const other = Object.keys(has).filter(
    (name) => Object.hasOwn(had, name) && stableText(had[name]!) !== stableText(has[name]!),
  );
  const says = [
    ...(needed.length > 0 ? [`it needs ${names(needed)} now`] : []),
    ...(added.length > 0 ? [`it takes ${names(added)}`] : []),
    ...(gone.length > 0 ? [`it takes no ${names(gone)} any more`] : []),
    ...(other.length > 0 ? [`${names(other)} changed`] : []),
  ];
  return says.length > 0 ? says.join("; ") : "its arguments changed";
}
