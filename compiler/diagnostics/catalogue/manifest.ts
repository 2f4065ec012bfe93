import type { CatalogueEntry } from "../types.ts";

export const manifestCodes = {} as const satisfies Record<string, CatalogueEntry>;
