import { createSecrets } from "../../runtime/secrets.ts";
import { isPath, type ReferenceValue } from "../live-server/reference-values.ts";
import type { ServerFailure } from "../live-server/types.ts";

/** Where the values of variables stand in a manifest: a secret must not be committed, a path of this machine should be seen. */
const TELLING_LENGTH = 6;
/** Of a value that nothing says a secret of: `production` is in many a description. */
const UNSAID_LENGTH = 12;

/** A server that repeats a secret in its answer can't be captured with that secret. */
export function leakFailure(text: string, values: readonly ReferenceValue[]): ServerFailure | undefined {
  const kept = values.filter(mustStay);
  // All at once: an answer may be long, and mostly holds none.
  const leaked = stands(kept, text) ? kept.find((one) => stands([one], text)) : undefined;
  if (!leaked) return undefined;
  return {
    kind: "refused",
    says: `its answer holds the value of \`${leaked.name}\`, which would end up in your repository`,
    next: "tell the author of the server; until then, capture with another value",
  };
}

export function machineVariables(text: string, values: readonly ReferenceValue[]): string[] {
  const found = values.filter(({ value }) => value.length >= TELLING_LENGTH && isPath(value));
  if (!stands(found, text)) return [];
  return [...new Set(found.filter((one) => stands([one], text)).map(({ name }) => name))];
}

function mustStay({ value, hidden, secret }: ReferenceValue): boolean {
  if (secret) return value.length >= TELLING_LENGTH;
  return hidden && value.length >= UNSAID_LENGTH && !isPath(value);
}

/** In any of its spellings: a server may have encoded the values that it repeats. */
function stands(values: readonly ReferenceValue[], json: string): boolean {
  const secrets = createSecrets(TELLING_LENGTH);
  for (const { value } of values) secrets.add(value);
  return secrets.text(json) !== json;
}
