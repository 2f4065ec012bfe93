import { globFinder } from "../base/glob.ts";
import { groupBy } from "../base/group-by.ts";
import { firstOf } from "../base/list-words.ts";
import { shownFile } from "../base/shell-word.ts";
import { shown } from "../base/shown-name.ts";
import type { TakenBeside } from "../base/taken-beside.ts";
import type { PlannedRole } from "../3-plan/types.ts";
import type { Check, Subject } from "./types.ts";

/** A build that reads a host's file holds nothing of that host's other settings: what a role has all the same is told. */
export const checkTakenBeside: Check = (subject, report) => {
  const { takenBeside } = subject.model;
  const groups = groupBy(takenBeside, ({ effect, place, file }) => `${effect} ${place.file} ${file}`);
  const isDeny = ([rule]: readonly TakenBeside[]): boolean => rule!.effect === "deny";
  // What is taken away needn't be asked about.
  const gone = new Set<string>();
  for (const rules of [...groups.filter(isDeny), ...groups.filter((group) => !isDeny(group))]) {
    const { program, effect, file } = rules[0]!;
    const meant = finding(rules, rolesThere(program, subject));
    const keyOf = ({ server, tool }: HeldTool): string => JSON.stringify([file, server, tool]);
    const felt = rules.map((rule) => [rule, meant(rule).filter((one) => !gone.has(keyOf(one)))] as const);
    const [first] = felt.find(([, held]) => held.length > 0) ?? [];
    if (first === undefined) continue;
    const held = felt.flatMap(([, found]) => found);
    report.add("import/taken-beside", first.place, {
      program,
      file: shownFile(file),
      case: effect,
      tools: quoted(new Set(held.map(({ server, tool }) => `${server}.${tool}`))),
      roles: quoted(new Set(held.flatMap(({ roles }) => roles))),
    });
    if (effect === "deny") for (const one of held) gone.add(keyOf(one));
  }
};

function quoted(names: ReadonlySet<string>): string {
  return firstOf([...names].map((name) => `\`${name}\``));
}

/** Of a chosen host those that it gets; nobody knows who works with another. */
function rolesThere(program: string, { plan, hosts }: Subject): readonly PlannedRole[] {
  const chosen = hosts.filter(({ host }) => host.title === program);
  if (chosen.length === 0) return plan.roles;
  const given = new Set(chosen.flatMap(({ roles }) => roles.map(({ name }) => name)));
  return plan.roles.filter(({ name }) => given.has(name));
}

interface HeldTool {
  readonly server: string;
  readonly tool: string;
  /** Those that a rule would say something new to. */
  readonly roles: string[];
}

/** What a rule would take away or ask about; all of them have the same effect. */
function finding(
  rules: readonly TakenBeside[],
  roles: readonly PlannedRole[],
): (rule: TakenBeside) => readonly HeldTool[] {
  const isAsk = rules[0]?.effect === "ask";
  const servers = new Set(rules.map(({ server }) => server));
  const found = new Map<string, Map<string, HeldTool>>();
  for (const role of roles)
    for (const { server, decisions } of role.grants.filter((grant) => servers.has(grant.server.name))) {
      const tools = found.get(server.name) ?? new Map<string, HeldTool>();
      found.set(server.name, tools);
      for (const { name, index } of server.tools) {
        const { effect } = decisions[index]!;
        if (effect === "deny" || (effect === "ask" && isAsk)) continue;
        const others = tools.get(name);
        if (others === undefined) tools.set(name, { server: server.name, tool: name, roles: [role.name] });
        else others.roles.push(role.name);
      }
    }
  const finders = new Map(
    [...found].map(([server, tools]) => {
      const held = [...tools.values()];
      return [
        server,
        { held, own: finderOf(held, (name) => name), seen: finderOf(held, (name) => shown(name)) },
      ] as const;
    }),
  );
  return ({ server, tools, namesAsShown }) => {
    const one = finders.get(server);
    return one === undefined ? [] : one[namesAsShown ? "seen" : "own"](tools).map((at) => one.held[at]!);
  };
}

function finderOf(held: readonly HeldTool[], spelt: (name: string) => string): (glob: string) => readonly number[] {
  return globFinder(held.map(({ tool }) => spelt(tool)));
}
