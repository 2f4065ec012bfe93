import type { TeamOptions } from "../../../runtime/api.ts";
import type { ServerData, ToolData } from "../../../runtime/server-data.ts";
import { fakeRole, fakeServer, fakeTeam, type FakeClock, type FakeServer } from "../../support/fake-link.ts";

/** Teams over fake servers that several tests put to work; made anew for each test. */

type Options = Parameters<typeof fakeTeam>[2];
type Started = ReturnType<typeof fakeTeam>;

const issue = {
  type: "object",
  properties: {
    owner: { type: "string" },
    repo: { type: "string" },
    labels: { type: "array", items: { type: "string" } },
  },
  required: ["owner"],
} as const;

export interface IssueTeam {
  readonly github: FakeServer;
  start(options?: Options): Started;
}

/** One server with schemas, and a tester that is asked and conditioned. */
export function issueTeam(): IssueTeam {
  const github = fakeServer(
    "github",
    {
      create_issue: { inputSchema: issue, title: "New\u202e issue" },
      list_issues: { inputSchema: issue, readOnly: true, outputSchema: { type: "object", required: ["total"] } },
      merge: {},
    },
    { notHeld: ["delete_repo"], whenDown: "Use the gh command" },
  );
  const tester = fakeRole("tester", [
    [
      github,
      {
        tools: { create_issue: "ask", list_issues: "allow" },
        where: { create_issue: { repo: [{ enum: ["harbor"] }, { pattern: "h.*" }] } },
      },
    ],
  ]);
  return { github, start: (options = {}) => fakeTeam([github], [tester], options) };
}

export interface SharedTeam {
  readonly github: FakeServer;
  readonly notes: FakeServer;
  readonly tester: () => ReturnType<typeof fakeRole>;
  readonly lead: () => ReturnType<typeof fakeRole>;
  start(options?: Options): Started;
}

/** Two servers, of which two roles share one. */
export function sharedTeam(): SharedTeam {
  const inputSchema = { type: "object", properties: { owner: { type: "string" } } };
  const github = fakeServer(
    "github",
    {
      list: { inputSchema, title: "Issues", description: "Lists.", readOnly: true, labels: ["untrusted-content"] },
      create: { inputSchema },
      merge: {},
      "issues.get": {},
    },
    { notHeld: ["delete_repo"], whenDown: "Use the gh command" },
  );
  const notes = fakeServer("notes", { search: {} });
  const tools = { list: "allow", create: "ask", "issues.get": "allow" } as const;
  const tester = () =>
    fakeRole("tester", [
      [github, { tools, where: { create: { owner: { enum: ["me"] } } } }],
      [notes, { tools: { search: "allow" } }],
    ]);
  const lead = () => fakeRole("lead", [[github, { tools: { merge: "allow" } }]]);
  return {
    github,
    notes,
    tester,
    lead,
    start: (options = {}) => fakeTeam([github, notes], [tester(), lead()], options),
  };
}

export const MEMORY: Record<string, Partial<ToolData>> = {
  read: { readOnly: true },
  write: {},
  put: { idempotent: true },
};

/** One server with a tool that is read-only, one that is idempotent and one that is neither, at a clock that is turned by hand. */
export function memorySession(clock: FakeClock, more: Partial<ServerData>, options: TeamOptions = {}) {
  const memory = fakeServer("memory", MEMORY, { whenDown: "Use files instead", ...more });
  const role = fakeRole("r", [[memory, { tools: { read: "allow", write: "allow", put: "allow" } }]]);
  const { as, events } = fakeTeam([memory], [role], { clock, ...options });
  const made = as("r");
  return {
    memory,
    call: (tool: string, callOptions?: object, args: unknown = {}) =>
      made.$call("memory", tool, args as object, callOptions),
    health: () => as("r").$health()["memory"],
    events,
  };
}
