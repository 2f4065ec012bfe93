import type { CatalogueEntry } from "../types.ts";

export const invariantCodes = {} as const satisfies Record<string, CatalogueEntry>;
