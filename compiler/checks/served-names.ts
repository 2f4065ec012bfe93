import { held } from "../3-plan/held.ts";
import type { PlannedRole, Tool } from "../3-plan/types.ts";
import { joinedName } from "../base/joined-name.ts";
import type { Check } from "./types.ts";

/** Two tools of a role that a client of the gateway would know by one name: one call could mean either. */
export const checkServedNames: Check = ({ plan }, report) => {
  const joining = plan.servers.filter(({ name }) => plan.servers.some((other) => mayJoin(name, other.name)));
  if (joining.length < 2) return;
  const names = new Set(joining.map(({ name }) => name));
  for (const role of plan.roles)
    for (const [name, [one, other]] of twins(role, names)) {
      const params = { role: role.name, name, one: shown(one), other: shown(other) };
      report.add("role/served-name", role.place, params);
    }
};

/** `a` with its tool `b__c` is `a__b` with its tool `c`: the one name begins the other. */
function mayJoin(one: string, other: string): boolean {
  return one !== other && (one.startsWith(`${other}_`) || other.startsWith(`${one}_`));
}

function twins({ grants }: PlannedRole, servers: ReadonlySet<string>): (readonly [string, readonly [Tool, Tool]])[] {
  const seen = new Map<string, Tool>();
  return grants
    .filter(({ server }) => servers.has(server.name))
    .flatMap((grant) => held(grant))
    .flatMap(([tool]) => {
      const name = joinedName(tool.server, tool.name);
      const first = seen.get(name);
      seen.set(name, tool);
      return first === undefined ? [] : [[name, [first, tool]] as const];
    });
}

function shown({ server, name }: Tool): string {
  return `${server}.${name}`;
}
