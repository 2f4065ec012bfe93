import type { ManagedKey } from "../types.ts";
import type { FittedRole } from "../../4-fit/types.ts";

/** The text of an agent's file is the role's prompt. Without one it is the user's. */
export function promptKey({ role }: FittedRole): ManagedKey[] {
  return role.prompt === undefined ? [] : [{ at: [], value: role.prompt.text }];
}
