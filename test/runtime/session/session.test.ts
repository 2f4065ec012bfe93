import { beforeEach, describe, expect, test } from "vitest";
import type { Role } from "../../../runtime/contract.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import { createTeam, team as lightTeam } from "../../../runtime/index.ts";
import { adviceFor } from "../../../runtime/session/degradation.ts";
import {
  ANSWER,
  failureOf,
  fakeRole,
  fakeServer,
  fakeTeam,
  lost,
  settled,
  type FakeServer,
} from "../../support/fake-link.ts";
import { sharedTeam, type SharedTeam } from "./fake-teams.ts";

/** Teams and sessions: what is shared, what is opened when, what a host and a model are told. */

let github: FakeServer;
let notes: FakeServer;
let tester: SharedTeam["tester"];
let lead: SharedTeam["lead"];
let start: SharedTeam["start"];
beforeEach(() => void ({ github, notes, tester, lead, start } = sharedTeam()));

describe("connections", () => {
  test("nothing is loaded or opened before the first use", async () => {
    const { as } = start();
    const session = as("tester");
    void session.$health();
    void session.github;
    await settled();
    expect([github.loads, github.worlds.length, github.log]).toEqual([0, 0, []]);
    await session.github!["list"]!();
    expect([github.loads, github.worlds.length, github.log]).toEqual([1, 1, ["connect", "call list"]]);
    expect([notes.loads, notes.log]).toEqual([0, []]);
  });

  test("one per server, however many roles and sessions, also at once", async () => {
    const { as } = start();
    await Promise.all([
      as("tester").$call("github", "list"),
      as("tester").$call("github", "list"),
      as("lead").$call("github", "merge"),
    ]);
    expect([github.loads, github.worlds.length]).toEqual([1, 1]);
    expect(github.log.filter((one) => one === "connect")).toHaveLength(1);
  });

  test("one, too, where each role's module has a function of its own that loads the data", async () => {
    const wrapped = [tester(), lead()].map((role) => ({
      ...role,
      load: { ...role.load, github: async () => await role.load!["github"]!() },
    }));
    const { as } = fakeTeam([github, notes], wrapped);
    await Promise.all([as("tester").$call("github", "list"), as("lead").$call("github", "merge")]);
    expect(github.worlds).toHaveLength(1);
  });

  test("one per session where the server keeps state; `$close` ends that one alone", async () => {
    Object.assign(github.data, { connection: "session" });
    const { as } = start();
    const [a, b] = [as("tester"), as("tester")];
    await Promise.all([a.$call("github", "list"), b.$call("github", "list"), a.$call("github", "list")]);
    expect(github.worlds).toHaveLength(2);
    await a.$close();
    expect(github.log.filter((one) => one === "close")).toHaveLength(1);
    expect((await failureOf(a.$call("github", "list"))).message).toContain("the session is closed");
    await b.$call("github", "list");
  });

  test("a call whose connection ends with its session says so, and counts nothing for the others", async () => {
    Object.assign(github.data, { connection: "session", breaker: { failures: 1, cooldownMs: 60_000 } });
    const { as } = start();
    const [a, b] = [as("tester"), as("tester")];
    github.calling = async () => {
      void a.$close();
      throw lost(github);
    };
    const { code, message } = await failureOf(a.$call("github", "list"));
    expect([code, message]).toEqual(["server-unavailable", "server `github`: the session is closed"]);
    github.calling = async () => ANSWER;
    await b.$call("github", "list");
  });

  test("a call whose time is over ended by that, also where the session was closed meanwhile", async () => {
    const session = start().as("tester");
    github.calling = async () => {
      void session.$close();
      throw new RolecallError("timeout", "late", { server: "github" });
    };
    const { code, message } = await failureOf(session.$call("github", "list", {}, { timeoutMs: 20_000 }));
    expect([code, message]).toEqual(["timeout", expect.stringContaining("gave no answer within 20000 ms")]);
  });

  test("`$close` leaves what the team shares", async () => {
    const { as } = start();
    const [a, b] = [as("tester"), as("tester")];
    await a.$call("github", "list");
    await a[Symbol.asyncDispose]();
    expect(github.log).not.toContain("close");
    await b.$call("github", "list");
  });

  test("the same name in two projects is two servers", async () => {
    const other = fakeServer("github", { list: {} }, { whenDown: "elsewhere" });
    const { team } = start();
    await (team.as(tester()) as never as { $ready(): Promise<unknown> }).$ready();
    const made = team.as(fakeRole("tester", [[other, { tools: { list: "allow" } }]]));
    await made.$ready();
    expect(github.worlds).toHaveLength(2);
  });

  test("eager: all of the role's, and a server that is down harms nobody", async () => {
    notes.connecting = () => Promise.reject(lost(notes));
    const { as } = start({ start: "eager" });
    as("tester");
    await settled();
    expect([github.log, notes.log]).toEqual([["connect"], ["connect"]]);
  });

  test("the team's close ends every connection and every session", async () => {
    const { as, team } = start();
    const session = as("tester");
    await session.$ready();
    await team[Symbol.asyncDispose]();
    await team.close();
    expect(github.log.slice(0, 2)).toEqual(["connect", "close"]);
    expect((await failureOf(session.$call("github", "list"))).code).toBe("server-unavailable");
    expect((await failureOf(as("tester").$call("github", "list"))).code).toBe("server-unavailable");
    expect(github.sent).toEqual([]);
  });

  test("data that can't be loaded is an error, and is tried again", async () => {
    let broken = true;
    const role = tester();
    const load = {
      ...role.load,
      github: async () => {
        if (broken) throw new Error("no such module");
        return await role.load!["github"]!();
      },
    };
    const session = fakeTeam([github, notes], [{ ...role, load }]).as("tester");
    await failureOf(session.$call("github", "list"));
    broken = false;
    await session.$call("github", "list");
    const without = fakeTeam([github], [{ name: "tester", data: role.data }]).as("tester");
    expect((await failureOf(without.$call("github", "list"))).message).toContain("build again");
  });
});

describe("$ready, $require, $health", () => {
  test("who can't be reached is skipped, with one warning", async () => {
    notes.connecting = () => Promise.reject(lost(notes));
    const { as, events } = start();
    const session = as("tester");
    expect(await session.$ready()).toEqual({ github: "up", notes: "skipped" });
    expect(events).toEqual([{ type: "skipped", server: "notes", why: expect.stringContaining("notes") }]);
    await session.$call("github", "list");
    expect(session.$health()).toMatchObject({
      github: { state: "up", transport: "stdio", lastFailure: undefined },
      notes: { state: "idle", lastFailure: "the connection was closed" },
    });
    expect(as("lead").$health()).toMatchObject({ github: { state: "up" } });
  });

  test("with all down the session still works and says so", async () => {
    for (const server of [github, notes]) server.connecting = () => Promise.reject(lost(server));
    const session = start().as("tester");
    expect(await session.$ready()).toEqual({ github: "skipped", notes: "skipped" });
    expect((await session.$tools()).length).toBe(4);
  });

  test("who must connect and can't rejects", async () => {
    Object.assign(notes.data, { mustConnect: true });
    notes.connecting = () => Promise.reject(lost(notes));
    expect(await failureOf(start().as("tester").$ready())).toMatchObject({
      code: "server-unavailable",
      server: "notes",
      role: "tester",
    });
  });

  test("$require: with code and advice", async () => {
    const { as } = start();
    await as("tester").$require("github");
    expect((await failureOf(as("lead").$require("notes"))).code).toBe("tool-denied");
    github.up = false;
    github.connecting = () =>
      Promise.reject(new RolecallError("needs-auth", "it asks for credentials (401); set GITHUB_TOKEN"));
    expect(await failureOf(as("lead").$require("github"))).toMatchObject({
      code: "needs-auth",
      advice: "server `github`: it asks for credentials (401); set GITHUB_TOKEN. Use the gh command.",
    });
  });
});

describe("$tools", () => {
  test("from the pins, without a connection", async () => {
    const tools = await start().as("tester").$tools();
    expect(tools.map(({ server, name, effect }) => `${server} ${name} ${effect}`)).toEqual([
      "github list allow",
      "github create ask",
      "github issues.get allow",
      "notes search allow",
    ]);
    expect(tools[0]).toMatchObject({ title: "Issues", description: "Lists.", inputSchema: { type: "object" } });
    expect(github.worlds).toEqual([]);
  });

  test("a subset; one that isn't held throws", async () => {
    const session = start().as("tester");
    expect(await session.$tools([{ type: "mcp", server: "github", tool: "list" }])).toHaveLength(1);
    expect((await failureOf(session.$tools([{ server: "github", tool: "merge" }]))).code).toBe("tool-denied");
    expect((await failureOf(session.$tools([{ server: "constructor", tool: "x" }]))).code).toBe("tool-denied");
  });
});

describe("names", () => {
  test.each(["nobody", "", "__proto__", "constructor", "then"])("`%s` is no role: nothing is started", (name) => {
    const { team } = start({ start: "eager" });
    expect(() => team.as(name)).toThrow(RolecallError);
    expect(() => team.as(name)).toThrow(/the roles are `tester`, `lead`/);
    expect([github.loads, notes.loads]).toEqual([0, 0]);
  });

  test.each([undefined, null, {}, { name: "x" }])("%o is no role either", (value) => {
    try {
      lightTeam().as(value as never);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "role-unknown" });
    }
  });

  test("a session is no thenable, and has nothing that it wasn't given", async () => {
    const session = start().as("tester");
    expect(await Promise.resolve(session)).toBe(session);
    expect(Object.keys(session)).toEqual(["github", "notes"]);
    expect(["then", "constructor", "toString", "__proto__"].map((key) => key in session)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(() => Object.assign(session, { github: {} })).toThrow(TypeError);
    expect(() => Object.assign(session.github!, { list: {} })).toThrow(TypeError);
    expect(session.github!["merge"]).toBeUndefined();
  });

  test("tools may be called anything", async () => {
    const names = ["__proto__", "constructor", "then", "", "a.b", "toString"];
    const odd = fakeServer("odd", {});
    Object.assign(odd.data, { tools: undefined });
    const pins = names.map(
      (name) =>
        `${JSON.stringify(name)}:${JSON.stringify({ digest: null, inputSchema: { type: "object" }, labels: [] })}`,
    );
    const held = names.slice(0, 5).map((name) => `${JSON.stringify(name)}:"allow"`);
    const data = `${JSON.stringify(odd.data).slice(0, -1)},"tools":{${pins.join(",")}}}`;
    const role: Role<string, never> = {
      name: "r",
      data: `{"format":1,"role":"r","servers":{"odd":{"tools":{${held.join(",")}}},"then":{"tools":{}}},"delegates":[]}`,
      load: { odd: async () => ({ data }) },
    };
    const session = fakeTeam([odd], [role]).as("r");
    expect(await Promise.resolve(session)).toBe(session);
    for (const name of names.slice(0, 5)) await session.$call("odd", name);
    for (const name of ["__proto__", "constructor", "", "a.b"]) await session.odd![name]!();
    expect(odd.log.filter((one) => one.startsWith("call"))).toHaveLength(9);
    expect((await failureOf(session.$call("odd", "toString"))).code).toBe("tool-denied");
    expect((await failureOf(session.$call("odd", "valueOf"))).code).toBe("tool-unknown");
  });
});

test("both doors", async () => {
  const role = tester();
  expect(() => createTeam({ tester: role as never, lead: lead() as never }).as("tester" as never)).not.toThrow();
  expect(lightTeam().as(role).$health()).toHaveProperty("github");
});

test("advice has the server, what to do instead, and the seconds, rounded up", () => {
  const trouble = {
    code: "timeout",
    message: "server `db` gave no answer in 30 s",
    whenDown: "Say so",
    retryInMs: 1_001,
  } as const;
  expect(adviceFor(trouble)).toBe("server `db` gave no answer in 30 s. Say so. The next try makes sense in 2 s.");
  expect(adviceFor({ ...trouble, code: "tool-failed", retryInMs: undefined })).toBe(
    "server `db` gave no answer in 30 s.",
  );
});

test("ten thousand calls, 32 in flight, a server that dies twice: each has its line, and none hangs", async () => {
  let lines = 0;
  let count = 0;
  const { as } = start({ record: () => lines++ });
  github.calling = async () => {
    await Promise.resolve();
    count++;
    if (count === 3_000 || count === 7_000) throw lost(github);
    return ANSWER;
  };
  const session = as("tester");
  let left = 10_000;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await session.$call("github", "list").catch(() => {});
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  expect(lines).toBe(10_000);
});
