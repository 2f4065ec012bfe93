import { within } from "../base/place.ts";
import { documentPlace, type SourceDocument } from "../1-source/types.ts";
import type { Approval } from "./types.ts";

export function approvalsIn(documents: readonly SourceDocument[]): Approval[] {
  return documents.flatMap((document) =>
    (document.blocks.approved ?? []).flatMap((entry, i) =>
      entry === null ? [] : [{ ...entry, place: within(documentPlace(document), "approved", i) }],
    ),
  );
}
