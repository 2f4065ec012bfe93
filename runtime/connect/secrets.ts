import type { Secrets } from "../secrets.ts";

const CONTROL = /[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Text of servers and systems, fit to be shown: secrets replaced, and nothing in it that steers a terminal. It may have
 * been cut where it was read. Before it is cut again it comes here.
 */
export function cleanText(text: string, secrets: Secrets): string {
  return secrets.cutText(text).replace(CONTROL, "");
}
