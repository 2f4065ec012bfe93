import { claudeCode } from "./claude-code/index.ts";
import type { Host } from "./fitting/types.ts";

/** Every host. A new one is a folder, a line here and one in 2-model/hosts.ts. */
export const allHosts: readonly Host[] = [claudeCode];
