import type { CatalogueEntry } from "../types.ts";

export const serverCodes = {} as const satisfies Record<string, CatalogueEntry>;
