import { describe, expect, test } from "vitest";
import { givenPrompt, type HostSession } from "../../../runtime/host-session.ts";

/** What the modules of SDKs tell an agent, without the SDKs: the role's prompt, and what the program says in its place. */
const given = JSON.stringify({
  lead: { about: "Leads.", prompt: "# Lead\n\nBe kind.", servers: {} },
  guest: { about: "Looks on.", servers: {} },
  clerk: { about: "Files.", servers: { files: { "read file": "files-read-file" } } },
});

interface Agent {
  readonly name?: string;
  readonly description: string;
  readonly prompt: string;
}
interface Choices {
  readonly name?: string;
  readonly prompt?: string;
  readonly availableTools?: readonly string[];
}
interface CopilotSession {
  readonly agent: string;
  readonly customAgents: [Agent];
  readonly availableTools: readonly string[];
}
interface Copilot {
  copilotSession(session: HostSession, choices?: Choices): Promise<CopilotSession>;
}
interface Claude {
  claudeOptions(session: HostSession, choices?: Choices): Promise<{ agent: string; agents: Record<string, Agent> }>;
}
interface Modules {
  copilotHost(given: string): Copilot;
  claudeHost(given: string): Claude;
}
/** `as string`: the SDKs aren't there to give their types. */
const { copilotHost } = (await import("../../../runtime/hosts/copilot-sdk.ts" as string)) as Modules;
const { claudeHost } = (await import("../../../runtime/hosts/claude-agent-sdk.ts" as string)) as Modules;
const { copilotSession } = copilotHost(given);
const { claudeOptions } = claudeHost(given);

const OFFERED = ["read file", "write file"].map((name) => ({ server: "files", name, inputSchema: { type: "object" } }));
const session = ($role: string) =>
  ({ $role, $tools: async () => OFFERED, $connections: async () => [], $hooks: {} }) as unknown as HostSession;

const HOSTS = [
  [
    "copilot-sdk",
    async (role: string, choices?: Choices) => (await copilotSession(session(role), choices)).customAgents[0],
  ],
  [
    "claude-agent-sdk",
    async (role: string, choices?: Choices) => {
      const { agents, agent } = await claudeOptions(session(role), choices);
      return agents[agent];
    },
  ],
] as const;

describe.each(HOSTS)("%s", (_, agentOf) => {
  test("tells the role's prompt", async () =>
    expect(await agentOf("lead")).toMatchObject({ description: "Leads.", prompt: "# Lead\n\nBe kind." }));
  test("tells what the role is for, where it has no prompt", async () =>
    expect(await agentOf("guest")).toMatchObject({ description: "Looks on.", prompt: "Looks on." }));
  test.each(["lead", "guest"])("a prompt of the program's wins: %s", async (role) =>
    expect(await agentOf(role, { prompt: "Be quick." })).toMatchObject({ prompt: "Be quick." }),
  );
});

test("copilot-sdk takes a name of the program's beside the role's prompt", async () => {
  const { customAgents, agent } = await copilotSession(session("lead"), { name: "Ada" });
  expect([agent, customAgents[0]?.prompt]).toEqual(["Ada", "# Lead\n\nBe kind."]);
});

test.each([
  ["all of the host's and the program's own", undefined, ["builtin:*", "custom:*"]],
  ["what the program names", { availableTools: ["builtin:view"] }, ["builtin:view"]],
  ["nothing of theirs", { availableTools: [] }, []],
])("copilot-sdk offers %s, and of servers the role's tools alone", async (_, choices, own) => {
  const { availableTools } = await copilotSession(session("clerk"), choices);
  expect(availableTools).toEqual([...own, "mcp:files-read-file"]);
});

test("a role that the file doesn't know has no prompt", () =>
  expect(() => givenPrompt({ $role: "__proto__" }, given)).toThrow("build again"));
