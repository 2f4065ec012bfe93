import type { CatalogueEntry } from "../types.ts";

export const outputCodes = {} as const satisfies Record<string, CatalogueEntry>;
