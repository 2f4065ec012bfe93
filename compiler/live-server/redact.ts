import { createSecrets, type Secrets } from "../../runtime/secrets.ts";

/** Puts `***` in place of the values of variables and of tokens. Every text of a server's goes through it before it is shown. */
export type Redact = (text: string) => string;

/** Shorter values stand in ordinary words: taking them out would hide nothing and spoil the sentence. */
const SHORTEST = 4;

export function redactorOf(values: readonly string[]): Redact {
  return secretsOf(values).text;
}

/** For text that was cut off where it was read: a part of a value at its start or end goes too. */
export function cutRedactorOf(values: readonly string[]): Redact {
  return secretsOf(values).cutText;
}

function secretsOf(values: readonly string[]): Secrets {
  const secrets = createSecrets(SHORTEST);
  for (const value of values) secrets.add(value);
  return secrets;
}
