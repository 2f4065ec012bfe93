import type { Plan, Server } from "../../3-plan/types.ts";
import { code, type Code } from "../typescript/writer.ts";

/** The name of each tool of a server, by index: as a literal, and as a JSON key. Hundreds of roles hold the same ones. */
export interface ToolTexts {
  readonly literals: readonly Code[];
  readonly keys: readonly string[];
}

export function toolTexts(plan: Plan): ReadonlyMap<Server, ToolTexts> {
  return new Map(
    plan.servers.map((server) => [
      server,
      {
        literals: server.tools.map((tool) => code`${tool.name}`),
        keys: server.tools.map((tool) => JSON.stringify(tool.name)),
      },
    ]),
  );
}
