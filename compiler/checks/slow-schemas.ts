import { heldByServer } from "../3-plan/held.ts";
import type { Check } from "./types.ts";

/** A schema that a stranger wrote, and a value for it that a stranger chooses: `slow` says what could come of it. */
export const checkSlowSchemas: Check = ({ plan }, report) => {
  const held = heldByServer(plan);
  for (const server of plan.servers) {
    const slow = server.tools.filter((tool) => held.get(server.name)?.[tool.index] === true && tool.slow !== undefined);
    const [first] = slow;
    if (first === undefined || server.manifest === undefined) continue;
    const place = { file: server.manifest.file, path: ["tools", first.at ?? 0, "name"] };
    const more = slow.length === 1 ? "" : `, with ${slow.length - 1} more,`;
    report.add("manifest/slow-schema", place, { tool: first.name, server: server.name, more, why: first.slow! });
  }
};
