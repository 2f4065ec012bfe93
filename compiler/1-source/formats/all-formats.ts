import { mcpJson } from "./mcp-json/index.ts";
import { product, rows } from "./product/index.ts";
import { squad } from "./squad/index.ts";
import type { AnyFormat } from "./types.ts";

/** Every format that is read. Each recognises what none of the others does. */
export const allFormats: readonly AnyFormat[] = [squad, mcpJson, product, rows];
