import { beforeEach, describe, expect, test } from "vitest";
import type { AskRequest, ErrorCode } from "../../../runtime/api.ts";
import type { JsonValue } from "../../../runtime/contract.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import {
  failureOf,
  fakeClock,
  fakeRole,
  fakeServer,
  fakeTeam,
  lost,
  type FakeServer,
} from "../../support/fake-link.ts";
import { issueTeam, type IssueTeam } from "./fake-teams.ts";

/** One call takes its steps in one order; where a step refuses, the next has not been touched. */

let github: FakeServer;
let start: IssueTeam["start"];
let asked: AskRequest[];

beforeEach(() => {
  asked = [];
  ({ github, start } = issueTeam());
});

const yes = (request: AskRequest): boolean => asked.push(request) > 0;
const good = { owner: "me", repo: "harbor" };

describe("each step refuses before the next is touched", () => {
  interface Case {
    readonly what: string;
    readonly tool?: string;
    readonly args?: unknown;
    readonly code: ErrorCode;
    readonly says: string | RegExp;
    readonly before?: () => void;
    readonly log?: readonly string[];
    readonly asked?: number;
    readonly answer?: boolean;
  }
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const cases: readonly Case[] = [
    { what: "arguments that aren't JSON", args: circle, code: "argument-refused", says: "nested" },
    {
      what: "and not even for a tool that isn't held",
      tool: "merge",
      args: { a: 1n },
      code: "argument-refused",
      says: "bigint",
    },
    { what: "arguments that are no object", args: ["me"], code: "argument-refused", says: "aren't an object" },
    {
      what: "a tool that the role doesn't hold",
      tool: "merge",
      args: { owner: 3 },
      code: "tool-denied",
      says: "`github.merge`",
    },
    {
      what: "a tool of the manifest that nobody holds",
      tool: "delete_repo",
      args: {},
      code: "tool-denied",
      says: "delete_repo",
    },
    { what: "a tool that nobody knows", tool: "create_issues", args: {}, code: "tool-unknown", says: "create_issues" },
    { what: "a name that an object would have", tool: "__proto__", args: {}, code: "tool-unknown", says: "__proto__" },
    {
      what: "an argument of another type",
      args: { owner: 3, repo: "other" },
      code: "argument-refused",
      says: "at `/owner` must be string",
    },
    { what: "an argument that is missing", args: {}, code: "argument-refused", says: "owner" },
    {
      what: "a condition",
      args: { owner: "me", repo: "other" },
      code: "argument-refused",
      says: "`repo` isn't one of the allowed values",
    },
    {
      what: "a conditioned argument left out",
      args: { owner: "me" },
      code: "argument-refused",
      says: "`repo` is left out",
    },
    {
      what: "an argument that the schema doesn't name",
      args: { ...good, repos: "x" },
      code: "argument-refused",
      says: "doesn't name",
    },
    {
      what: "a server that isn't there",
      before: () => (github.connecting = () => Promise.reject(lost(github))),
      code: "server-unavailable",
      says: "the connection was closed",
      log: ["connect"],
    },
    {
      what: "a tool that changed",
      before: () => (github.changed = "its description is another"),
      code: "tool-changed",
      says: "its description is another",
      log: ["connect"],
    },
    { what: "a no", answer: false, code: "ask-refused", says: "the answer was no", log: ["connect"], asked: 1 },
  ];

  test.each(cases)(
    "$what: $code",
    async ({
      tool = "create_issue",
      args = good,
      code,
      says,
      before,
      log = [],
      asked: questions = 0,
      answer = true,
    }) => {
      before?.();
      const { as } = start({ ask: (request) => yes(request) && answer });
      const error = await failureOf(as("tester").$call("github", tool, args as object));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(says);
      expect([error.role, error.server, error.tool]).toEqual(["tester", "github", tool]);
      expect(github.log).toEqual(log);
      expect(asked).toHaveLength(questions);
      expect(github.sent).toEqual([]);
    },
  );

  test("and what nothing refuses is sent, once", async () => {
    const result = (await start({ ask: yes }).as("tester").github!["create_issue"]!(good)) as { text: string };
    expect(result.text).toBe("fine");
    expect(github.log).toEqual(["connect", "call create_issue"]);
    expect(asked).toHaveLength(1);
  });

  test("the rate is spent by nobody who was refused before it", async () => {
    Object.assign(github.data, { ratePerMinute: 1 });
    const clock = fakeClock(true);
    const answers = [false, true];
    const tester = start({ ask: () => answers.shift()!, clock }).as("tester");
    expect((await failureOf(tester.$call("github", "create_issue", good))).code).toBe("ask-refused");
    await tester.$call("github", "create_issue", good);
    expect((await failureOf(tester.$call("github", "list_issues", good))).code).toBe("rate-limited");
    expect(github.sent).toHaveLength(1);
  });

  test("a server of which the role holds nothing isn't even looked at", async () => {
    const other = fakeServer("notes", { search: {} });
    const roles = [
      fakeRole("tester", [[github, { tools: { merge: "allow" } }]]),
      fakeRole("writer", [[other, { tools: { search: "allow" } }]]),
    ];
    const { as } = fakeTeam([github, other], roles);
    expect((await failureOf(as("tester").$call("notes", "search", {}))).code).toBe("tool-denied");
    expect((await failureOf(as("tester").$call("notes", "nothing", {}))).code).toBe("tool-unknown");
    expect((await failureOf(as("tester").$call("nobody", "x", {}))).code).toBe("tool-unknown");
    expect(other.log).toEqual([]);
  });
});

describe("the copy of the arguments", () => {
  test("is canonical, frozen, and what is asked, judged and sent", async () => {
    const args = { repo: "harbor", owner: "me", labels: ["a"], left: undefined };
    const tester = start({
      ask: (request) => {
        args.repo = "other";
        args.labels.push("b");
        return yes(request);
      },
    }).as("tester");
    await tester.github!["create_issue"]!(args);
    expect(JSON.stringify(github.sent[0])).toBe('{"labels":["a"],"owner":"me","repo":"harbor"}');
    expect(asked[0]!.args).toBe(github.sent[0]);
    const labels = (github.sent[0] as { labels: JsonValue[] }).labels;
    expect(() => labels.push("c")).toThrow(TypeError);
  });

  test("left out is an empty object, null isn't", async () => {
    const role = fakeRole("r", [[github, { tools: { merge: "allow" } }]]);
    const session = fakeTeam([github], [role]).as("r");
    await session.github!["merge"]!();
    expect(github.sent).toEqual([{}]);
    expect((await failureOf(session.$call("github", "merge", null as never))).code).toBe("argument-refused");
  });
});

test("errors are RolecallErrors and nothing else, whatever a link throws", async () => {
  github.calling = () => Promise.reject(new TypeError("a bug"));
  const error = await failureOf(start().as("tester").$call("github", "list_issues", good));
  expect(error).toBeInstanceOf(RolecallError);
  expect([error.code, error.message]).toEqual(["tool-failed", "a bug"]);
});
