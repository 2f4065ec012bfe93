import type { JsonObject } from "../../base/json.ts";
import type { Proposal } from "../../first-project/types.ts";

export function proposalJson({ says, files, byHand, forCode, captured }: Proposal): JsonObject {
  return {
    format: 1,
    found: Object.fromEntries(says.map(([label, values]) => [label, [...values]])),
    files: files.map(({ path, before }) => ({ path, is: before === undefined ? "new" : "changed" })),
    byHand: [...byHand],
    forCode: [...forCode],
    capture: [...captured],
  };
}
