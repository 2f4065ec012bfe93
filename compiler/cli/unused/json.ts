import type { JsonObject } from "../../base/json.ts";
import { placeJson } from "../../3-plan/plan-json.ts";
import { unusedTools } from "../../usage/judge.ts";
import type { ShownUsage } from "./words.ts";

/** Format 1: every key is always there, null where nothing is known. */
export function unusedJson(shown: ShownUsage): JsonObject {
  const { report, record, files, library, trimming, wrote, locate } = shown;
  return {
    format: 1,
    unused: unusedTools(report).length,
    code: { files, reader: library ?? null },
    record:
      record === undefined
        ? null
        : { from: record.from ?? null, to: record.to ?? null, roles: [...record.roles].sort() },
    roles: report.roles
      .filter(({ isAsked }) => isAsked)
      .map(({ role, keep, tools }) => ({
        role,
        keep: keep ?? null,
        tools: tools.map(({ server, tool, state, at, by, calls, grants }) => ({
          server,
          tool,
          state,
          at,
          by,
          calls: calls ?? null,
          grants: grants.map((one) => ({ role: one.role, written: one.written, at: placeJson(one.from, locate) })),
        })),
      })),
    lacking: report.lacking.map(({ role, server, tool, at }) => ({ role, server, tool, at })),
    refused: report.refused.map(({ role, server, tool, calls }) => ({ role, server, tool, calls })),
    left: trimming.left.map(({ tool, grantor, why, by }) => ({
      role: tool.role,
      server: tool.server,
      tool: tool.tool,
      why,
      by,
      grant: { role: grantor.role, written: grantor.written, at: placeJson(grantor.from, locate) },
    })),
    wrote: wrote?.files ?? [],
  };
}
