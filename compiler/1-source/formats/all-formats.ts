import { magsagGovernance } from "./magsag-governance/index.ts";
import { magsagPreset } from "./magsag-preset/index.ts";
import { magsagServer } from "./magsag-server/index.ts";
import { mcpJson } from "./mcp-json/index.ts";
import { squad } from "./squad/index.ts";
import type { AnyFormat } from "./types.ts";

/** Every format that is read. Each recognises what none of the others does. */
export const allFormats: readonly AnyFormat[] = [squad, mcpJson, magsagServer, magsagPreset, magsagGovernance];
