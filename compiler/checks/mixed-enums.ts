import { held } from "../3-plan/held.ts";
import { keyOf } from "../base/place.ts";
import type { Check } from "./types.ts";

/** A tool that chooses between reading and writing by one argument: a condition can split what its name can't. */
export const checkMixedEnums: Check = ({ plan }, report) => {
  for (const role of plan.roles) {
    for (const grant of role.grants) {
      if (!grant.server.tools.some((tool) => tool.choice && !tool.hints.readOnly)) continue;
      for (const [tool, decision] of held(grant)) {
        const { choice } = tool;
        if (!choice || tool.hints.readOnly || decision.where.some((rule) => rule.argument === choice.argument)) continue;
        const values = `\`${choice.reads}\`, \`${choice.writes}\``;
        report.add("role/mixed-enum", keyOf(role.place), { tool: `${grant.server.name}.${tool.name}`, argument: choice.argument, values });
      }
    }
  }
};
