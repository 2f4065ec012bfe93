import { canonicalText } from "../../base/canonical.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { CallItem } from "../../serve/inbox-lines.ts";
import type { ServeKey } from "./serve-key.ts";

/** Asks and answers as doors leave them for each other: each good for its own place alone. */

export interface SealedAsk {
  /** Of calls that are equal. */
  readonly name: string;
  readonly item: CallItem;
}

export interface SealedAnswer {
  readonly yes: boolean;
  readonly by: string;
}

/** Another form of what is sealed has another number: doors of two versions don't misread each other. */
const askPlace = (id: string): string => canonicalText(["ask", 1, id]);
const answerPlace = ({ id, hash }: CallItem): string => canonicalText(["answer", 1, id, hash]);

export function sealAsk(key: ServeKey, { name, item }: SealedAsk): string {
  return key.seal(askPlace(item.id), { name, item: item as unknown as JsonObject });
}

/** Undefined: no door made it, or not of this id. */
export function openAsk(key: ServeKey, id: string, text: string): SealedAsk | undefined {
  const opened: JsonValue = key.open(askPlace(id), text) ?? null;
  return isObject(opened) ? (opened as unknown as SealedAsk) : undefined;
}

export function sealAnswer(key: ServeKey, item: CallItem, { yes, by }: SealedAnswer): string {
  return key.seal(answerPlace(item), { yes, by });
}

/** Undefined: there is none, no door made it, or not to this ask. */
export function openAnswer(key: ServeKey, item: CallItem, text: string | undefined): SealedAnswer | undefined {
  const opened: JsonValue = text === undefined ? null : (key.open(answerPlace(item), text) ?? null);
  if (!isObject(opened)) return undefined;
  const [yes, by] = [own(opened, "yes"), own(opened, "by")];
  return typeof yes === "boolean" && typeof by === "string" ? { yes, by } : undefined;
}
