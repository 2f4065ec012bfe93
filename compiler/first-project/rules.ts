import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { stableText } from "../base/stable-text.ts";

/** Policies of files of other systems, where what these call their servers isn't all that they are called here. */

/** By what a server is called. */
export type CalledHere = Pick<ReadonlyMap<string, readonly string[]>, "get">;

/** Each server goes by its names here: one that several files have, by each. */
export function withNames(blocks: JsonObject, names: CalledHere): JsonObject {
  return withItems(blocks, (item) => {
    if (typeof item === "string") return selectorsFor(item, names) ?? [item];
    const [form, selector] = isObject(item) ? (Object.entries(item)[0] ?? []) : [];
    const all = form !== undefined && typeof selector === "string" ? selectorsFor(selector, names) : undefined;
    return all?.map((one) => ({ [form!]: one })) ?? [item];
  });
}

/** Rules about a server are about what it is called besides, too. */
export function withOtherNames(blocks: JsonObject, others: CalledHere): JsonObject {
  return withItems(blocks, (item) => [item, ...itemsFor(item, others)]);
}

/** The same rules, about what their servers are called besides alone. */
export function otherNames(blocks: JsonObject, others: CalledHere): JsonObject[] {
  return rulesIn(withItems(blocks, (item) => itemsFor(item, others))).flatMap((rule) =>
    (rule["tools"] as JsonValue[]).length === 0
      ? []
      : [{ ...rule, name: `${String(rule["name"])} by its other names` }],
  );
}

/** Settings that several files are held to are a rule once, and each rule has a name of its own. */
export function withNewRules(blocks: JsonObject, known: Map<string, string>): JsonObject {
  const { policies, ...others } = blocks;
  if (!Array.isArray(policies)) return blocks;
  const kept = policies.flatMap((rule: JsonValue): JsonValue[] => {
    if (!isObject(rule) || typeof rule["name"] !== "string") return [rule];
    const text = stableText({ ...rule, name: null });
    for (let i = 2, name = rule["name"]; ; name = `${rule["name"]} (${i++})`) {
      if (known.get(name) === text) return [];
      if (known.has(name)) continue;
      known.set(name, text);
      return [{ ...rule, name }];
    }
  });
  return kept.length === 0 ? others : { ...others, policies: kept };
}

/** How many tools rules name, by server. */
export function countNamed(all: readonly JsonObject[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const rule of all.flatMap(rulesIn))
    for (const item of rule["tools"] as JsonValue[]) {
      const server = serverIn(selectorIn(item));
      counts.set(server, (counts.get(server) ?? 0) + 1);
    }
  return counts;
}

/** Of the other names nobody knows that they have the tool. */
function itemsFor(item: JsonValue, others: CalledHere): JsonValue[] {
  return (selectorsFor(selectorIn(item), others) ?? []).map((optional) => ({ optional }));
}

function selectorsFor(selector: string, names: CalledHere): string[] | undefined {
  const server = serverIn(selector);
  return names.get(server)?.map((name) => name + selector.slice(server.length));
}

function selectorIn(item: JsonValue): string {
  const selector = isObject(item) ? item["optional"] : item;
  return typeof selector === "string" ? selector : "";
}

function serverIn(selector: string): string {
  return selector.slice(0, Math.max(0, selector.indexOf(".")));
}

function withItems(blocks: JsonObject, itemsOf: (item: JsonValue) => JsonValue[]): JsonObject {
  const { policies } = blocks;
  if (!Array.isArray(policies)) return blocks;
  const changed = policies.map((rule: JsonValue) =>
    namesTools(rule) ? { ...rule, tools: (rule["tools"] as JsonValue[]).flatMap(itemsOf) } : rule,
  );
  return { ...blocks, policies: changed };
}

function rulesIn({ policies }: JsonObject): JsonObject[] {
  return Array.isArray(policies) ? policies.filter(namesTools) : [];
}

function namesTools(rule: JsonValue): rule is JsonObject {
  return isObject(rule) && Array.isArray(rule["tools"]);
}
