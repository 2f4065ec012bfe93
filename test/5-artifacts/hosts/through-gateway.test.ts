import { describe, expect, test } from "vitest";
import { startOf } from "../../../compiler/4-fit/start.ts";
import { held } from "../../../compiler/3-plan/held.ts";
import { offeredTo } from "../../../compiler/serve/offered.ts";
import { servePlan } from "../../../compiler/serve/serve-plan.ts";
import { arbitraryProject } from "../../support/arbitrary/project.ts";
import { build, filesThere, type Built } from "../../support/built-project.ts";
import { fc } from "../../support/generated.ts";
import { HOSTS_SERVED_ALONE, HOSTS_THROUGH } from "../../support/known-hosts.ts";
import { filesOf } from "../../support/project-layout.ts";
import { HOST_LISTS, startedEntries } from "./host-lists.ts";

/**
 * Over generated projects: what a host reaches directly, by its own reading of its files, and what the commands in them are
 * served, is together what the plan gives, less what is told to stay away; and nothing is reached in two ways.
 */
const MORE = Number(process.env["ROLECALL_PROPERTY_RUNS"] ?? 1);
const KNOWS_ONE_ROLE = new Set([...HOSTS_SERVED_ALONE, "cursor"]);
const WAYS = ["via: serve", "whenUnenforceable: gateway"] as const;
const cases = HOSTS_THROUGH.flatMap((host) =>
  WAYS.filter((way) => way === "via: serve" || !HOSTS_SERVED_ALONE.includes(host)).map((way) => [host, way] as const),
);

describe.each(cases)("%s, %s", (host, way) => {
  test("reaches what the plan gives, in one way each", () => {
    let fit = 0;
    const property = fc.property(arbitraryProject, fc.nat(), (project, pick) => {
      const files = filesOf(project);
      const roles = build(files).plan.roles.map(({ name }) => name);
      fc.pre(roles.length > 0);
      const only = KNOWS_ONE_ROLE.has(host) ? `, role: ${roles[pick % roles.length]}` : "";
      const hosts = `hosts: [{ id: ${host}, ${way}${only} }]\n`;
      const built = build({ ...files, "rolecall.yaml": `${files["rolecall.yaml"]}${hosts}` }, "hosts");
      fc.pre(built.errors.length === 0);
      fit++;
      for (const { name } of built.hosts[0]!.roles) reachedAsPlanned(host, name, built);
    });
    fc.assert(property, { numRuns: Math.ceil(6 * MORE), maxSkipsPerRun: 20, interruptAfterTimeLimit: 3_000 * MORE });
    expect(fit).toBeGreaterThan(3);
  });
});

function reachedAsPlanned(host: string, role: string, built: Built): void {
  const [fitted] = built.hosts;
  const { leftOut, servers } = fitted!.roles.find(({ name }) => name === role)!;
  const files = filesThere(built);
  const lists = HOST_LISTS[host]!(files, role);
  const direct = built.plan.servers.flatMap((server) =>
    [...server.tools.map(({ name }) => name as string), "grown_later"]
      .filter((tool) => lists.tool(server.name, tool) !== undefined)
      .map((tool) => `${server.name}.${tool}`),
  );
  const behind = behindIn(host, role, built, lists);
  const both = [...direct, ...behind];
  expect([role, both.length]).toEqual([role, new Set(both).size]);
  const away = new Set(leftOut.flatMap(({ server, tools }) => tools.map((tool) => `${server.name}.${tool.name}`)));
  const planned = built.plan.roles
    .find(({ name }) => name === role)!
    .grants.flatMap((grant) => held(grant).map(([tool]) => `${grant.server.name}.${tool.name}`))
    .filter((name) => !away.has(name));
  expect([role, both.toSorted()]).toEqual([role, planned.toSorted()]);
  for (const name of direct) judgedThere(name, role, lists, built);
  // A role without a tool behind it has no entry.
  if (behind.length === 0)
    expect(servers.every(({ tools }) => tools.every((one) => one.behind === undefined))).toBe(true);
}

/** What the entries that this role's agent may use are served. */
function behindIn(host: string, role: string, built: Built, lists: ReturnType<(typeof HOST_LISTS)[string]>): string[] {
  const served = servePlan(built.plan, built.hosts);
  return [...entriesOf(host, role, built)].flatMap(([entry, words]) => {
    const said = (flag: string) => words[words.indexOf(flag) + 1]!;
    expect(words.slice(0, 2)).toEqual(["rolecall", "serve"]);
    const offered = offeredTo(served, { role: said("--role"), host: said("--host"), server: undefined });
    if ("refused" in offered) throw new Error(offered.refused.says);
    const open = [...offered.tools].filter(([name]) => lists.tool(entry, name) !== undefined);
    // An entry of another role's stands beside it in some hosts, and opens nothing to this one.
    if (open.length > 0) expect([entry, said("--role")]).toEqual([entry, role]);
    return open.map(([, { server, tool }]) => `${server}.${tool}`);
  });
}

function entriesOf(host: string, role: string, built: Built): ReadonlyMap<string, readonly string[]> {
  if (host !== "claude-desktop") return startedEntries(host, filesThere(built), role);
  const [fitted] = built.hosts;
  const hasAny = fitted!.roles.some(({ name, servers }) => name === role && servers.length > 0);
  return new Map(hasAny ? [["rolecall", ["rolecall", ...startOf(fitted!, role).entry!.args]]] : []);
}

/** What is reached directly is held by the host itself. */
function judgedThere(name: string, role: string, lists: ReturnType<(typeof HOST_LISTS)[string]>, built: Built): void {
  const { abilities, takesAsWritten } = built.hosts[0]!.host;
  const dot = name.indexOf(".");
  const [server, tool] = [name.slice(0, dot), name.slice(dot + 1)];
  const grant = built.plan.roles.find((one) => one.name === role)!.grants.find((one) => one.server.name === server)!;
  const [, decision] = held(grant).find(([one]) => one.name === tool)!;
  if (decision.where.length > 0) expect([name, abilities.conditions.holds]).toEqual([name, "enforced"]);
  if (decision.effect === "ask" && takesAsWritten !== true)
    expect([name, lists.tool(server, tool)]).toEqual([name, "ask"]);
}
