import type { Secrets } from "../secrets.ts";

const CONTROL = /[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Text of servers and systems, fit to be shown: secrets replaced, and nothing in it that steers a terminal. It may have
 * been cut where it was read. Before it is cut again it comes here. A secret may be whole once what parted it is gone.
 */
export function cleanText(text: string, secrets: Secrets): string {
  const shown = secrets.cutText(text);
  const plain = shown.replace(CONTROL, "");
  return plain === shown ? shown : secrets.text(plain);
}

export interface ValuesInUse {
  learn(value: string): void;
  /** They aren't in use any more. */
  leave(): void;
}

export function valuesInUse(secrets: Secrets): ValuesInUse {
  const leaving: (() => void)[] = [];
  return {
    learn: (value) => void leaving.push(secrets.add(value)),
    leave: () => leaving.splice(0).forEach((leave) => leave()),
  };
}
