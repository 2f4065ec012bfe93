import type { Plan } from "../../3-plan/types.ts";

/** For each server, whether some role holds its tools, by index; servers of which none is held aren't here. */
export type HeldTools = ReadonlyMap<string, readonly boolean[]>;

export function heldTools(plan: Plan): HeldTools {
  const held = new Map<string, boolean[]>();
  for (const role of plan.roles) {
    for (const { server, decisions } of role.grants) {
      for (let index = 0; index < decisions.length; index++) {
        if (decisions[index]!.effect === "deny") continue;
        let tools = held.get(server.name);
        if (tools === undefined) held.set(server.name, (tools = server.tools.map(() => false)));
        tools[index] = true;
      }
    }
  }
  return held;
}
