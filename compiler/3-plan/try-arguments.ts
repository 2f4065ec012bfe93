import { canonicalText } from "../base/canonical.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { judgeOf } from "../../runtime/conditions.ts";
import type { ArgumentRule, Condition } from "../../runtime/contract.ts";
import { unnamedArgumentOf } from "../../runtime/pinned-schema.ts";
import type { Decision, Reason } from "./types.ts";

/**
 * Would a call with these arguments pass, as far as role and pin say? The runtime's judges answer, in the runtime's order,
 * each by itself, so that all that is against the call is told and not only the first.
 */
export interface Trial {
  readonly pass: boolean;
  /** Empty also where the role doesn't hold the tool: then no arguments pass. */
  readonly refusedBy: readonly Objection[];
  /** A condition about a path refused because the server's root isn't known. */
  readonly lacksRoot: boolean;
}

export interface Objection {
  /** As conditions name it; empty for the arguments as a whole. */
  readonly argument: string;
  /** Undefined: the pinned schema refuses. */
  readonly condition: Condition | undefined;
  /** The end of a sentence about the call; it may hold text of the arguments. */
  readonly why: string;
  /** What wrote the condition, each with its place. */
  readonly from: readonly { readonly reason: Reason; readonly place: Reason["from"] }[];
}

export interface TriedCall {
  readonly decision: Decision | undefined;
  readonly schema: JsonObject;
  readonly args: JsonValue;
  readonly root: string | undefined;
  /** The runtime's validator: what is wrong with a value, or undefined. */
  readonly check: (schema: JsonValue, value: JsonValue) => string | undefined;
}

export function tryArguments({ decision, schema, args: given, root, check }: TriedCall): Trial {
  if (decision === undefined || decision.effect === "deny") return { pass: false, refusedBy: [], lacksRoot: false };
  const args = canonicalCopy(given);
  if (args === undefined) return refused("the arguments can't be written as JSON");
  if (!isObject(args)) return refused("the arguments aren't an object");
  const satisfies = (wanted: JsonValue, value: JsonValue) => check(wanted, value) === undefined;
  const rules = decision.where;
  const objections = [
    ...schemaObjections(schema, args, rules, check),
    ...rules.flatMap(({ argument, conditions }) =>
      conditions.flatMap((condition): Objection[] => {
        const judge = judgeOf([{ argument, conditions: [condition] }], { schema: naming(args), satisfies });
        const judgement = judge(args, root);
        return judgement.ok
          ? []
          : [{ argument, condition, why: judgement.why, from: whoWrote(decision, argument, condition) }];
      }),
    ),
  ];
  const whole = judgeOf(rules, { schema, satisfies })(args, root);
  if (!whole.ok && objections.length === 0) return refused(whole.why);
  return {
    pass: objections.length === 0,
    refusedBy: objections,
    lacksRoot: objections.some(({ why }) => why.endsWith("the root isn't known")),
  };
}

function refused(why: string): Trial {
  return {
    pass: false,
    refusedBy: [{ argument: "", condition: undefined, why, from: [] }],
    lacksRoot: why.endsWith("the root isn't known"),
  };
}

function canonicalCopy(args: JsonValue): JsonValue | undefined {
  try {
    return JSON.parse(canonicalText(args)) as JsonValue;
  } catch {
    return undefined;
  }
}

/** With a condition, only arguments that the schema names are taken; without one, it is held as it stands. */
function schemaObjections(
  schema: JsonObject,
  args: JsonObject,
  rules: readonly ArgumentRule[],
  check: TriedCall["check"],
): Objection[] {
  const why = check(schema, args);
  const unnamed = rules.length === 0 ? undefined : unnamedArgumentOf(schema)(args);
  return [
    ...(why === undefined ? [] : [{ argument: "", condition: undefined, why: `the pinned schema: ${why}`, from: [] }]),
    ...(unnamed === undefined
      ? []
      : [{ argument: unnamed, condition: undefined, why: `the pinned schema doesn't name \`${unnamed}\``, from: [] }]),
  ];
}

/** A schema that names what is there, so that one condition is judged and nothing else. */
function naming(args: JsonObject): JsonObject {
  return { properties: Object.fromEntries(Object.keys(args).map((name) => [name, {}])) };
}

function whoWrote({ because }: Decision, argument: string, condition: Condition): Objection["from"] {
  const text = canonicalText(condition as JsonValue);
  return because.flatMap((reason) =>
    (reason.conditions ?? [])
      .filter((one) => one.argument === argument && canonicalText(one.condition as JsonValue) === text)
      .map(({ place }) => ({ reason, place })),
  );
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
