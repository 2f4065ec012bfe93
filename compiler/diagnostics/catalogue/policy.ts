import type { CatalogueEntry } from "../types.ts";

export const policyCodes = {} as const satisfies Record<string, CatalogueEntry>;
