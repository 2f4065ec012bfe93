import type { JsonObject, JsonValue } from "../../base/json.ts";
import { placeJson } from "../../3-plan/plan-json.ts";
import type { AccessChanged } from "../../diff/types.ts";
import { asideJson } from "./aside-words.ts";
import type { ShownDifference } from "./words.ts";

/** As docs/formats says: every key is always there, null where there is nothing to say. */
export function differenceJson({ difference, described, aside, base, locate }: ShownDifference): JsonObject {
  return {
    format: 1,
    base,
    verdict: difference.verdict,
    digest: difference.digest,
    renamed: difference.renamed.map((one) => ({ ...one })),
    changes: described.map(({ change, from, at, example, parts }) => ({
      direction: change.direction,
      kind: change.kind,
      role: change.role ?? null,
      server: change.server ?? null,
      tool: change.tool ?? null,
      before: change.before,
      after: change.after,
      openings: change.openings.map(openingJson),
      from: from.map(({ rule, written, by, from: place }) => ({
        rule,
        written,
        by: by ?? null,
        at: placeJson(place, locate),
      })),
      at: at === undefined ? null : placeJson(at, locate),
      example:
        example === undefined
          ? null
          : { role: change.role ?? "", server: change.server ?? "", tool: change.tool ?? "", args: example },
      parts: parts.map(({ part, says, before, after }) => ({ part, says, before, after })),
    })),
    ...asideJson(aside),
  };
}

function openingJson({ argument, by }: AccessChanged["openings"][number]): JsonValue {
  return { argument, leftOut: by === "left out", value: by === undefined || by === "left out" ? null : by.value };
}
