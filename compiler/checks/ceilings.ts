import { isOff } from "../base/switched-off.ts";
import type { Check } from "./types.ts";

/** An exact include beyond a ceiling grants nothing, and reads as if it did. */
export const checkCeilings: Check = ({ model }, report) => {
  const servers = new Map(model.servers.map((server) => [server.name, server]));
  for (const role of model.roles) {
    for (const entry of role.entries) {
      const { ceilings, manifest } = servers.get(entry.server)!;
      // Switched off for all, whatever roles say: that is meant, and without a manifest nobody knows what others rule out.
      if (manifest === undefined && isOff({ ceilings })) continue;
      for (const include of entry.include.filter((selection) => selection.exact)) {
        for (const ceiling of ceilings) {
          if (ceiling.kind === "enabled" || include.tools.every((tool) => ceiling.tools.includes(tool))) continue;
          const params = { role: role.name, tool: include.written, ceiling: ceiling.kind, server: entry.server };
          report.add("role/beyond-ceiling", include.place, params, [
            { says: "the ceiling is here", at: ceiling.place },
          ]);
        }
      }
    }
  }
};
