import { held } from "../3-plan/held.ts";
import type { Check } from "./types.ts";

/** A tool that chooses between reading and writing by one argument: a condition can split what its name can't. */
export const checkMixedEnums: Check = ({ plan }, report) => {
  for (const role of plan.roles) {
    for (const grant of role.grants) {
      if (!grant.server.tools.some((tool) => tool.choice && !tool.hints.readOnly)) continue;
      for (const [tool, decision] of held(grant)) {
        const { choice } = tool;
        if (!choice || tool.hints.readOnly || decision.where.some((rule) => rule.argument === choice.argument))
          continue;
        const granted = decision.because.find((reason) => reason.rule === "include");
        const where = `where: { ${JSON.stringify(tool.name)}: { ${JSON.stringify(choice.argument)}: { enum: [${JSON.stringify(choice.reads)}] } } }`;
        const values = `\`${choice.reads}\`, \`${choice.writes}\``;
        report.add("role/mixed-enum", granted?.from ?? role.place, {
          tool: `${grant.server.name}.${tool.name}`,
          argument: choice.argument,
          values,
          where,
        });
      }
    }
  }
};
