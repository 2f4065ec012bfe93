import type { Plan } from "./types.ts";

type Settings = Plan["project"]["state"];

/** The team's members, as they count: where none is written, one for each role, with what the role is told. */
export function membersOf({ members }: Settings, roles: Plan["roles"]): NonNullable<Settings["members"]> {
  return members ?? roles.map(({ name, prompt }) => ({ name, role: name, charter: prompt?.file }));
}
