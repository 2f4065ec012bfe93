import type { CatalogueEntry } from "../types.ts";

export const roleCodes = {} as const satisfies Record<string, CatalogueEntry>;
