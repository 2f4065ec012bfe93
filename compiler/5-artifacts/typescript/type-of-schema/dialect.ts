import { isObject, own, type JsonValue } from "../../../base/json.ts";

/**
 * What a draft of JSON Schema does differently, where it changes the type. A keyword that the draft doesn't
 * know must be ignored: obeying it would be narrower than the schema is.
 */
export interface Dialect {
  /** `$ref` hides every keyword beside it (up to draft 7). */
  readonly referenceHides: boolean;
  /** `prefixItems` (2020-12). */
  readonly prefixItems: boolean;
  /** `const`, `propertyNames`, true and false as schemas (draft 6). */
  readonly const: boolean;
  /** `if`, `then`, `else` (draft 7). */
  readonly conditional: boolean;
  readonly identifier: "id" | "$id";
}

const draft4: Dialect = {
  referenceHides: true,
  prefixItems: false,
  const: false,
  conditional: false,
  identifier: "id",
};
const draft6: Dialect = { ...draft4, const: true, identifier: "$id" };
const draft7: Dialect = { ...draft6, conditional: true };
const draft2019: Dialect = { ...draft7, referenceHides: false };
/** Also what the protocol means where a schema doesn't say. */
const draft2020: Dialect = { ...draft2019, prefixItems: true };

export function dialectOf(schema: JsonValue): Dialect {
  const said = isObject(schema) ? own(schema, "$schema") : undefined;
  if (typeof said !== "string") return draft2020;
  if (said.includes("draft-07")) return draft7;
  if (said.includes("2019-09")) return draft2019;
  if (said.includes("draft-06")) return draft6;
  return /draft-0[0-4]/.test(said) ? draft4 : draft2020;
}
