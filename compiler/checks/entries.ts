import type { Report } from "../diagnostics/report.ts";
import type { RoleEntry } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** Within one entry, an exact include that an exclude takes away is a contradiction. */
export const checkEntries: Check = ({ model }, report) => {
  for (const role of model.roles) for (const entry of role.entries) checkEntry(entry, report);
};

function checkEntry(entry: RoleEntry, report: Report): void {
  for (const include of entry.include.filter((selection) => selection.exact)) {
    for (const exclude of entry.exclude) {
      if (!include.tools.some((tool) => exclude.tools.includes(tool))) continue;
      const also = [{ says: "it is excluded here", at: exclude.place }];
      if (exclude.exact) report.add("role/include-and-exclude", include.place, { tool: include.written }, also);
      else
        report.add("role/include-taken-away", include.place, { tool: include.written, exclude: exclude.written }, also);
    }
  }
}
