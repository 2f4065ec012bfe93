import type { CatalogueEntry } from "../types.ts";

export const referenceCodes = {} as const satisfies Record<string, CatalogueEntry>;
