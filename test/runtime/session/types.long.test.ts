import { cpSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryProject, typeCheck } from "../../types/tsc.ts";
import { ROOT } from "../../support/root.ts";

/** The runtime's own types, as a project sees them that got a copy of its files. */

const project = temporaryProject();
cpSync(path.join(ROOT, "runtime"), `${project.folder}/runtime`, {
  recursive: true,
  // These need packages of the hosts.
  filter: (file) => !/[\\/]runtime[\\/]hosts/.test(file),
});
afterAll(() => project.remove());

const app = `import { createTeam, team, type Role, type Team, type ToolResult } from "../runtime/index.ts";
interface Issue { readonly owner: string }
type Call<Args extends unknown[], Out> = (...args: Args) => Promise<ToolResult<Out>>;
interface TesterServers {
  readonly github: { readonly create: Call<[args: Issue], { n: number }>; readonly list: Call<[args?: Issue], unknown> };
}
interface LeadServers { readonly notes: { readonly search: Call<[], unknown> } }
declare const tester: Role<"tester", TesterServers>;
declare const lead: Role<"lead", LeadServers>;
const all: Team<{ readonly tester: TesterServers; readonly lead: LeadServers }> = createTeam<{
  readonly tester: TesterServers;
  readonly lead: LeadServers;
}>({ tester, lead }, { record: "calls.jsonl", env: async (name) => name, ask: () => ({ yes: true }) });
// @ts-expect-error a role is missing
createTeam<{ readonly tester: TesterServers; readonly lead: LeadServers }>({ tester });
// @ts-expect-error one role's value under another's name
createTeam<{ readonly tester: TesterServers }>({ tester: lead });

export async function calls(name: string, stop: AbortSignal): Promise<number> {
  await using session = all.as("tester");
  const made = await session.github.create({ owner: "me" });
  await session.$call("github", "create", { owner: "me" });
  await session.$call(name, name, {}, { signal: stop, timeoutMs: 5 });
  const typed: number = (await session.$call("github", "create", { owner: "me" })).structured.n;
  // @ts-expect-error not held
  await session.github.merge({});
  // @ts-expect-error not held by this role
  await all.as("tester").notes.search();
  // @ts-expect-error no such role
  all.as("nobody");
  // @ts-expect-error arguments are required
  await session.github.create();
  // @ts-expect-error owner is text
  await session.github.create({ owner: 3 });
  await team().as(lead).notes.search();
  // @ts-expect-error this door knows no names
  team().as("lead");
  // @ts-expect-error an option that isn't one
  team({ records: "x" });
  // @ts-expect-error a literal that isn't held
  await session.$call("github", "merge", {});
  // @ts-expect-error a server of which the role holds nothing
  await session.$call("notes", name, {});
  await session.$call("github", name);
  await session.$call(name, "list");
  return made.structured.n + typed;
}
`;

describe("in the oldest and the newest compiler", () => {
  project.write("src/app.ts", app);
  test.each(["5.2", "7.0"] as const)("TypeScript %s", async (version) => {
    expect(await typeCheck(project, version, ["src", "runtime"])).toEqual([]);
  });
});
