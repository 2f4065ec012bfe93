import { createSecrets, type Secrets } from "../../runtime/secrets.ts";

/** Takes the values of references out of text that leaves rolecall. */
export type Mask = (text: string) => string;

/** Shorter values stand in ordinary words: taking them out would hide nothing and spoil the sentence. */
const SHORTEST = 4;

export function maskOf(values: readonly string[]): Mask {
  return knowing(values).text;
}

/** For what was cut where it was read: a half value at its ends goes too. */
export function cutMaskOf(values: readonly string[]): Mask {
  return knowing(values).cutText;
}

function knowing(values: readonly string[]): Secrets {
  const secrets = createSecrets(SHORTEST);
  for (const value of values) secrets.add(value);
  return secrets;
}
