import { firstOf } from "../base/list-words.ts";
import { held } from "../3-plan/held.ts";
import type { Check } from "./types.ts";

/** `read-only` states the whole of what a role holds on a server: inheriting more is an error. */
export const checkReadOnly: Check = ({ model, grant }, report) => {
  for (const role of model.roles) {
    for (const entry of role.entries.filter((e) => e.statesTheWhole)) {
      const found = grant(role.name, entry.server);
      const more = found ? [...held(found)].filter(([tool]) => !tool.hints.readOnly) : [];
      if (more.length === 0) continue;
      const source = more[0]![1].because.find((reason) => reason.rule === "include");
      const tools = more.map(([tool]) => `\`${tool.name}\``);
      const params = { role: role.name, server: entry.server, tools: firstOf(tools), ancestor: source?.by };
      report.add(
        "role/read-only-widened",
        entry.place,
        params,
        source ? [{ says: `\`${source.by}\` includes it here`, at: source.from }] : [],
      );
    }
  }
};
