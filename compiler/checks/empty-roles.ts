import { keyOf } from "../base/place.ts";
import { holdsAny } from "../3-plan/held.ts";
import type { Check } from "./types.ts";

export const checkEmptyRoles: Check = ({ plan }, report) => {
  for (const role of plan.roles)
    if (!role.grants.some(holdsAny)) report.add("role/empty", keyOf(role.place), { role: role.name });
};
