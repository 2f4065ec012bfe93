import { globMatcher, isGlob, literal } from "../base/glob.ts";
import { groupBy } from "../base/group-by.ts";
import { firstOf } from "../base/list-words.ts";
import { shownFile } from "../base/shell-word.ts";
import type { TakenBeside } from "../base/taken-beside.ts";
import type { PlannedRole } from "../3-plan/types.ts";
import type { Check } from "./types.ts";

/** A build that reads a host's file holds nothing of that host's other settings: what a role has all the same is told. */
export const checkTakenBeside: Check = ({ model, plan }, report) => {
  for (const rules of groupBy(model.takenBeside, ({ effect, place, file }) => `${effect} ${place.file} ${file}`)) {
    const holders = holdersOf(rules, plan.roles);
    const felt = rules.map((rule) => [rule, meant(rule, holders.get(rule.server))] as const);
    const [first] = felt.find(([, held]) => held.size > 0) ?? [];
    if (first === undefined) continue;
    const tools = new Set(felt.flatMap(([rule, held]) => [...held.keys()].map((name) => `${rule.server}.${name}`)));
    const roles = new Set(felt.flatMap(([, held]) => [...held.values()].flat()));
    report.add("import/taken-beside", first.place, {
      program: first.program,
      file: shownFile(first.file),
      case: first.effect,
      tools: quoted(tools),
      roles: quoted(roles),
    });
  }
};

function quoted(names: ReadonlySet<string>): string {
  return firstOf([...names].map((name) => `\`${name}\``));
}

type Holders = ReadonlyMap<string, readonly string[]>;

/** By server and tool: the roles that a rule of this effect would say something new to. */
function holdersOf(rules: readonly TakenBeside[], roles: readonly PlannedRole[]): ReadonlyMap<string, Holders> {
  const servers = new Set(rules.map(({ server }) => server));
  const isAsk = rules[0]?.effect === "ask";
  const found = new Map<string, Map<string, string[]>>();
  for (const role of roles)
    for (const { server, decisions } of role.grants.filter((grant) => servers.has(grant.server.name))) {
      const tools = found.get(server.name) ?? new Map<string, string[]>();
      found.set(server.name, tools);
      for (const { name, index } of server.tools) {
        const { effect } = decisions[index]!;
        if (effect === "deny" || (effect === "ask" && isAsk)) continue;
        const others = tools.get(name);
        if (others === undefined) tools.set(name, [role.name]);
        else others.push(role.name);
      }
    }
  return found;
}

function meant({ tools }: TakenBeside, holders: Holders = new Map()): Holders {
  const names = isGlob(tools) ? [...holders.keys()].filter(globMatcher(tools)) : [literal(tools)];
  return new Map(names.flatMap((name) => (holders.has(name) ? [[name, holders.get(name)!] as const] : [])));
}
