import { entryOf, governedBy, heldIn, isListed } from "../left-places.ts";
import type { FittedPlan } from "../../../4-fit/types.ts";
import type { LeftPlace } from "../../types.ts";

const KEYS = ["mode", "description", "prompt", "permission"];

/** Agents in the team's own file that are of no role, hold nothing but what a build writes, and open tools of the project's servers. */
export function leftEntries(fitted: FittedPlan): LeftPlace[] {
  const { choice, plan, host, roles } = fitted;
  if (choice.into === undefined) return [];
  const slash = choice.into.lastIndexOf("/");
  const isGoverned = governedBy(plan.servers, host);
  const isLeft = (entry: unknown): boolean => {
    const permission = heldIn(entry, "permission");
    if (permission === undefined || Object.keys(entry as object).some((key) => !KEYS.includes(key))) return false;
    const opened = Object.entries(permission as object).filter(([, effect]) => effect === "allow" || effect === "ask");
    return opened.some(([name]) => isGoverned(name) && !name.includes("*"));
  };
  return [
    {
      folder: choice.into.slice(0, Math.max(slash, 0)),
      ending: choice.into.slice(slash + 1),
      judge: (file, text, { libraries, listed }) => {
        if (file !== choice.into) return undefined;
        const agents = entryOf(text, "agent", libraries);
        const left = Object.entries(agents ?? {}).filter(
          ([name, entry]) =>
            !roles.some((role) => role.name === name) && !isListed(listed, "agent", name) && isLeft(entry),
        );
        const names = left.map(([name]) => `\`${name}\``).join(", ");
        return left.length === 0 ? undefined : { goes: false, agents: names };
      },
    },
  ];
}
