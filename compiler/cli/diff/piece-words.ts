import { isObject, own, type JsonValue } from "../../base/json.ts";
import { stableText } from "../../base/stable-text.ts";
import { bounded, visible } from "../../base/visible.ts";
import { conditionDemands } from "../../3-plan/condition-words.ts";
import type { Described } from "../../diff/describe.ts";
import type { Grade } from "../../diff/gravity.ts";
import type { ArgumentRule } from "../../../runtime/contract.ts";

/** Small words that all pages of a difference share. */

/** How a stranger's name stands on a page: as it is, harmless, or as code. */
export type Quote = (name: string) => string;

export const GRADE_WORDS: Readonly<Record<Grade, string>> = {
  destructive: "destructive",
  deletes: "name says it deletes",
  writes: "writes",
  named: "name says it writes",
  unknown: "unknown if it writes",
  reads: "read-only",
};

/** Of `claude-code: Bash`, or of a list of such. */
export function ownToolsWords(value: JsonValue, quote: Quote): string {
  const all = (Array.isArray(value) ? value : [value]).map(String);
  return all.length === 0
    ? "none of the host's own tools"
    : `the host's own ${all.map((one) => quote(one.replace(/: \*$/, ": all tools"))).join(", ")}`;
}

export function ruleKind(rule: Described["rule"]): "policy" | "invariant" | "rule" {
  const text = rule?.after ?? rule?.before;
  if (!isObject(text)) return "rule";
  return CLAIMS.some((claim) => own(text, claim) !== undefined) ? "invariant" : "policy";
}

/** Of one that is gone: what comes later passes. */
export function holdsNothing(rule: Described["rule"]): string {
  return ruleKind(rule) === "invariant" ? "checks nothing any more" : "holds no later grant back any more";
}

const CLAIMS = ["never", "always", "can"] as const;

const PAST: Readonly<Record<string, string>> = {
  denies: "denied",
  demands: "demanded",
  lets: "let",
  checks: "checked",
};

/** What one that is gone did. */
export function pastSentence(text: JsonValue | undefined): string | undefined {
  return ruleSentence(text)?.replace(/^\w+/, (verb) => PAST[verb] ?? verb);
}

/** What a policy or an invariant does, as a sentence without a subject. Undefined: its text isn't known. */
export function ruleSentence(text: JsonValue | undefined): string | undefined {
  if (!isObject(text)) return undefined;
  const claim = CLAIMS.find((one) => isObject(own(text, one)));
  return bounded(claim === undefined ? policySentence(text) : claimSentence(claim, own(text, claim)));
}

function policySentence(text: JsonValue): string {
  const [tools, roles] = [listWords(text, "tools"), rolesWords(text)];
  const effect = isObject(text) ? own(text, "effect") : undefined;
  const only = demandsOf(isObject(text) ? own(text, "where") : undefined).join(", and ");
  const when = only === "" ? "" : `, only when ${only}`;
  if (effect === "deny") return `denies ${deniedWords(text)} to ${roles}`;
  if (effect === "ask")
    return `demands a yes for each call of ${tools} by ${roles === ALL_ROLES ? "any role that holds it" : roles}${when}`;
  return `lets ${roles} call ${tools}${when}`;
}

function deniedWords(text: JsonValue): string {
  const addresses = isObject(text) && own(text, "resources") !== undefined;
  const reading = addresses ? [`reading ${listWords(text, "resources")}`] : [];
  const tools = addresses && own(text, "tools") === undefined ? [] : [listWords(text, "tools")];
  return [...tools, ...reading].join(", and ");
}

function claimSentence(claim: (typeof CLAIMS)[number], about: JsonValue | undefined): string {
  const roles = rolesWords(about);
  const together = isObject(about) && own(about, "together") !== undefined;
  const nobody = roles === ALL_ROLES ? "no role holds" : `${roles} can't hold`;
  const asked = isObject(about) && own(about, "asked") === "ignore" ? " without a yes" : "";
  if (together) return `checks that ${nobody} ${listWords(about, "together")} together${asked}`;
  const tools = listWords(about, "tools");
  if (claim === "never") return `checks that ${nobody} ${tools}`;
  const isAsked = isObject(about) && own(about, "effect") === "ask";
  if (claim === "always")
    return `checks that whoever of ${roles} holds ${tools} ${isAsked ? "needs a yes" : "needs no yes"}`;
  return `checks that ${roles} can call ${tools}`;
}

const ALL_ROLES = "all roles";

function rolesWords(about: JsonValue | undefined): string {
  const roles = isObject(about) ? own(about, "roles") : undefined;
  if (Array.isArray(roles) && roles.includes("*")) return ALL_ROLES;
  return listWords(about, "roles");
}

const MOST_LISTED = 12;

function listWords(about: JsonValue | undefined, key: string): string {
  const list = isObject(about) ? own(about, key) : undefined;
  const all = (Array.isArray(list) ? list : list === undefined ? [] : [list]).map((one) =>
    visible(String(isObject(one) ? (own(one, "optional") ?? stableText(one)) : one)),
  );
  const more = all.length - MOST_LISTED;
  return all.length === 0 ? "nothing" : all.slice(0, MOST_LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Conditions by argument, as one says them. */
export function demandsOf(where: JsonValue | undefined): string[] {
  if (!isObject(where)) return [];
  const rules = Object.entries(where).map(([argument, said]) => ({
    argument,
    conditions: (Array.isArray(said) ? said : [said]).map((one: JsonValue) => (isObject(one) ? one : { enum: [one] })),
  }));
  return conditionDemands(rules as unknown as readonly ArgumentRule[]);
}

/** A value as it was written. */
export function valueWords(value: JsonValue): string {
  return bounded(visible(typeof value === "string" ? `\`${value}\`` : stableText(value)));
}
