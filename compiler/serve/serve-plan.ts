import { digestOf } from "../base/digest.ts";
import { sorted, sortedBy } from "../base/order.ts";
import { accessOf } from "../3-plan/access.ts";
import { held, heldByServer, holdsAny } from "../3-plan/held.ts";
import { membersOf } from "../3-plan/members.ts";
import type { Decision, HostChoice, Plan, PlannedRole, Tool } from "../3-plan/types.ts";
import { runsCommands } from "../base/shell-names.ts";
import { ruleTexts } from "../diff/compare-guards.ts";
import { givenTools, isServedRole, type GivenTool } from "../4-fit/given.ts";
import { shellsOf } from "../4-fit/shells.ts";
import { isThroughGateway, readsOf } from "../4-fit/through-gateway.ts";
import type { FittedPlan, FittedRole } from "../4-fit/types.ts";
import { roleData } from "../runtime-data/role.ts";
import { serverData } from "../runtime-data/server.ts";
import { joinedName } from "../base/joined-name.ts";
import { ASKED_FIRST, toldTool } from "./told-tool.ts";
import type { HostShare, Served, ServedRole, ServedState, ServedTool } from "./types.ts";

/** The whole of a plan, as it is served. `fitted`: what the project's hosts get of it. */
export function servePlan(plan: Plan, fitted: readonly FittedPlan[] = []): Served {
  const heldTools = heldByServer(plan);
  const used = plan.servers.filter(({ name }) => heldTools.has(name));
  const toolOf = servedTools();
  const servers = used.map((server) => [server.name, serverData(server, heldTools.get(server.name)!)] as const);
  return {
    project: plan.project.name,
    out: plan.project.out,
    roles: new Map(plan.roles.map((role) => [role.name, servedRole(role, plan.project.serve.tellsPrompt, toolOf)])),
    hosts: hostsThrough(fitted),
    shells: shellsIn(plan, fitted),
    servers: new Map(servers),
    state: servedState(plan),
    variables: sorted(new Set(used.flatMap((server) => server.variables.map(({ name }) => name)))),
    access: accessOf(plan),
    rules: new Map([...ruleTexts(plan)].map(([name, text]) => [name, digestOf(text)])),
    settings: plan.project.serve,
    waits: new Set(),
  };
}

export function servedState({ project: { state }, roles }: Plan): ServedState {
  return {
    ...state,
    members: membersOf(state, roles),
    isListed: state.members !== undefined,
    roles: roles.map(({ name, description }) => ({ name, description })),
    closed: [],
  };
}

function hostsThrough(fitted: readonly FittedPlan[]): Served["hosts"] {
  return new Map(
    fitted.map(({ host, roles, choice }) => [
      host.id,
      new Map(
        roles.map((role) => [role.name, isThroughGateway(choice) ? shareOf(role, choice) : allBut(role, choice)]),
      ),
    ]),
  );
}

function shareOf(role: FittedRole, choice: HostChoice): HostShare {
  const all = givenTools(role);
  return {
    tools: namesOf(all.filter(({ through }) => through !== undefined)),
    given: namesOf(all),
    reads: readsOf(role, choice).map(({ name }) => name),
  };
}

function namesOf(tools: readonly GivenTool[]): ReadonlySet<string> {
  return new Set(tools.map(({ server, tool }) => joinedName(server.name, tool.name)));
}

/** An entry that somebody wrote for a host that is told of servers themselves: what it is kept from it is kept from here too. */
function allBut({ role }: FittedRole, { without }: HostChoice): HostShare {
  const grants = role.grants.filter(({ server }) => !without.includes(server.name));
  const names = new Set(grants.flatMap((grant) => held(grant).map(([tool]) => joinedName(tool.server, tool.name))));
  return {
    tools: names,
    given: names,
    reads: grants.flatMap(({ server, resources }) => (resources === undefined ? [] : server.name)),
  };
}

/** Tools of servers, whichever host asks; and those of the hosts that reach a role through here. */
function shellsIn({ roles }: Plan, fitted: readonly FittedPlan[]): Served["shells"] {
  const through = fitted.filter(({ choice }) => isThroughGateway(choice));
  const found = roles.map(({ name, grants }) => {
    const own = through.flatMap((one) => {
      const role = one.roles.find((other) => other.name === name);
      const shells = role !== undefined && isServedRole(role) ? (shellsOf(role, one) ?? []) : [];
      return shells.map((shell) => (shell.includes(".") ? shell : `${shell} of ${one.host.title}`));
    });
    const plain = grants
      .flatMap(held)
      .filter(([tool, { effect, where }]) => effect === "allow" && where.length === 0 && runsCommands(tool))
      .map(([tool]) => `${tool.server}.${tool.name}`);
    return [name, sorted(new Set([...own, ...plain]))] as const;
  });
  return new Map(found.filter(([, shells]) => shells.length > 0));
}

function servedRole(role: PlannedRole, tellsPrompt: boolean, toolOf: ToolOf): ServedRole {
  const grants = role.grants.filter(holdsAny);
  let tools: readonly ServedTool[] | undefined;
  return {
    name: role.name,
    data: roleData(role, grants),
    instructions: instructionsOf(role, tellsPrompt),
    reads: grants.flatMap(({ server, resources }) => (resources === undefined ? [] : server.name)),
    // Of most roles nobody asks: their tools are put together for the first client.
    get tools() {
      return (tools ??= toolsOf(grants, toolOf));
    },
  };
}

function toolsOf(grants: PlannedRole["grants"], toolOf: ToolOf): readonly ServedTool[] {
  const tools = grants.flatMap((grant) => held(grant).map(([tool, decision]) => toolOf(tool, decision)));
  return sortedBy(tools, ({ name }) => name);
}

type ToolOf = (tool: Tool, decision: Decision) => ServedTool;

/** What is told of a tool without conditions is told to all roles that hold it: one object, however many they are. */
function servedTools(): ToolOf {
  const known = { allow: new Map<Tool, ServedTool>(), ask: new Map<Tool, ServedTool>() };
  const made: ToolOf = (tool, decision) => ({
    name: joinedName(tool.server, tool.name),
    server: tool.server,
    tool: tool.name,
    told: toldTool(tool, decision),
  });
  return (tool, decision) => {
    const { effect, where } = decision;
    if (effect === "deny" || where.length > 0) return made(tool, decision);
    const one = known[effect].get(tool) ?? made(tool, decision);
    known[effect].set(tool, one);
    return one;
  };
}

/** Ours alone: what a server says of itself isn't passed on. */
function instructionsOf({ description, prompt, grants }: PlannedRole, tellsPrompt: boolean): string {
  const asks = grants.some(({ decisions }) => decisions.some(({ effect }) => effect === "ask"));
  return [
    description ?? "",
    (tellsPrompt && prompt?.text) || "",
    ...(asks ? [`Of some tools: ${ASKED_FIRST.charAt(0).toLowerCase()}${ASKED_FIRST.slice(1)}`] : []),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}
