import { firstOf } from "../base/list-words.ts";
import type { RoleName } from "../base/names.ts";

/** Begins a sentence, and wants what is held. */
export function whoHolds(roles: readonly RoleName[]): string {
  const names = firstOf(roles.map((role) => `\`${role}\``));
  return roles.length > 1 ? `roles ${names} hold` : `role ${names} holds`;
}
