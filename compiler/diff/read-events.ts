import { isObject, own, type JsonValue } from "../base/json.ts";
import type { ReviewEvents } from "./approval.ts";

export interface ReadEvents {
  /** Who opened the change and who pushed. */
  readonly authors: readonly string[] | undefined;
  readonly events: ReviewEvents;
}

/** What CI learnt from the forge's API. A text that isn't exactly so is refused as a whole: half of it could be an approval. */
export function readEvents(text: string): ReadEvents | { readonly problem: string } {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return { problem: "isn't JSON" };
  }
  if (!isObject(value) || own(value, "format") !== 1) return { problem: "isn't of format 1" };
  const [authors, comments, labels] = [own(value, "authors"), own(value, "comments"), own(value, "labels")];
  const pushedAt = own(value, "pushedAt");
  if (authors !== undefined && !(Array.isArray(authors) && authors.every(isText)))
    return { problem: "has `authors` that aren't a list of logins" };
  if (pushedAt !== undefined && pushedAt !== null && !isText(pushedAt))
    return { problem: "has a `pushedAt` that is no time" };
  const readComments = listOf(comments, (one) => {
    const [by, body, edited] = [own(one, "by"), own(one, "body"), own(one, "edited")];
    return isText(by) && typeof body === "string" && typeof edited === "boolean" ? { by, body, edited } : undefined;
  });
  if (readComments === undefined) return { problem: "has `comments` without `by`, `body` and `edited`" };
  const readLabels = listOf(labels, (one) => {
    const [name, by, at] = [own(one, "name"), own(one, "by"), own(one, "at")];
    return isText(name) && isText(by) && isText(at) ? { name, by, at } : undefined;
  });
  if (readLabels === undefined) return { problem: "has `labels` without `name`, `by` and `at`" };
  return {
    authors: authors as readonly string[] | undefined,
    events: { pushedAt: pushedAt ?? undefined, comments: readComments, labels: readLabels },
  };
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function listOf<T>(
  value: JsonValue | undefined,
  read: (one: { readonly [key: string]: JsonValue }) => T | undefined,
): T[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return undefined;
  const found = value.map((one: JsonValue) => (isObject(one) ? read(one) : undefined));
  return found.every((one): one is T => one !== undefined) ? found : undefined;
}
