import { describe, expect, test } from "vitest";
import { fitHosts } from "../../compiler/4-fit/fit.ts";
import { givenTools } from "../../compiler/4-fit/given.ts";
import { routesOf } from "../../compiler/4-fit/needs.ts";
import type { FittedPlan } from "../../compiler/4-fit/types.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { offeredTo } from "../../compiler/serve/offered.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { readServed, servedText } from "../../compiler/serve/served-text.ts";
import { compiled, errors, manifest, planned } from "../support/compiled.ts";

const FILES = {
  "mcp/team.yaml": `
servers:
  files: { connect: [{ stdio: [files-server] }], limits: { timeout: 70s } }
  tracker: { connect: [{ http: "https://tracker.example.com/mcp", headers: { Authorization: "Bearer \${TRACKER_TOKEN}" } }] }
  workspace: { connect: [{ stdio: [workspace-server] }] }
roles:
  tester:
    tools:
      files: { include: [read, write], where: { write: { path: { glob: "tests/**" } } } }
      tracker: { include: [list, create], ask: [create] }
    delegates: [reader]
  reader: { tools: { tracker: [list], workspace: [tidy] } }
  idle: { tools: { files: none } }
`,
  "mcp/manifests/files.json": manifest({ name: "read", arguments: ["path"] }, { name: "write", arguments: ["path"] }),
  "mcp/manifests/tracker.json": manifest("list", "create", "close"),
  "mcp/manifests/workspace.json": manifest("tidy"),
};

function fitted(host: string, more = ""): FittedPlan {
  const files = { ...FILES, "rolecall.yaml": `version: 1\nproject: harbor\nhosts: [${host}]\n${more}` };
  const { plan } = planned(files);
  return fitHosts(plan, allHosts([]))[0]!;
}

/** Each entry of a role's file: its name, its tools there, and `?` behind what the host itself asks. */
function entries(one: FittedPlan): Record<string, Record<string, string>> {
  return Object.fromEntries(
    one.roles.map(({ name, servers }) => [
      name,
      Object.fromEntries(
        servers.map(({ server, tools }) => [
          server.name,
          tools.map(({ tool, effect }) => `${tool.name}${effect === "ask" ? "?" : ""}`).join(" "),
        ]),
      ),
    ]),
  );
}

const reached = (one: FittedPlan): string[] =>
  one.roles.flatMap((role) => givenTools(role).map(({ server, tool }) => `${role.name} ${server.name}.${tool.name}`));

describe("via: serve", () => {
  const one = fitted("{ id: claude-code, via: serve }");

  test("a role has one entry with exactly its tools, and who is handed work has one of its own", () => {
    expect(entries(one)).toEqual({
      idle: {},
      reader: { "rolecall-reader": "tracker__list workspace__tidy" },
      tester: { rolecall: "files__read files__write tracker__create tracker__list" },
    });
  });

  test("the entry starts the role, and waits longer than anything behind it", () => {
    const { server, told } = one.roles.find(({ name }) => name === "tester")!.servers[0]!;
    expect(told).toMatchObject({
      command: ["rolecall", "serve", "--role", "tester", "--host", "claude-code", "--of", "harbor"],
    });
    // Its client comes again eight times, and a time-out there is for all of it.
    expect(server.limits.timeoutMs).toBe(70_000 + 9 * 45_000 + 10_000);
    const [entry] = fitted("{ id: opencode, via: serve }").roles.find(({ name }) => name === "tester")!.servers;
    expect(entry!.server.limits.timeoutMs).toBe(70_000 + 45_000 + 10_000);
  });

  test("the command is the project's", () => {
    const other = fitted("{ id: claude-code, via: serve }", "serve: { command: [npx, --no, rolecall], askHold: 5s }\n");
    expect(other.roles[1]!.servers[0]!.told).toMatchObject({
      command: ["npx", "--no", "rolecall", "serve", "--role", "reader", "--host", "claude-code", "--of", "harbor"],
    });
    expect(other.roles[2]!.servers[0]!.server.limits.timeoutMs).toBe(70_000 + 9 * 5_000 + 10_000);
  });

  test("what the host is to be without isn't behind the entry", () => {
    const less = fitted("{ id: claude-code, via: serve, without: [tracker] }");
    expect(reached(less)).toEqual(["reader workspace.tidy", "tester files.read", "tester files.write"]);
    const { plan } = less;
    const served = servePlan(plan, [less]);
    const names = (host: string | undefined) => {
      const offered = offeredTo(served, { role: "tester", server: undefined, host });
      return "tools" in offered ? [...offered.tools.keys()] : offered.refused.exit;
    };
    expect(names("claude-code")).toEqual(["files__read", "files__write"]);
    expect(names("codex")).toBe(64);
    expect(names(undefined)).toEqual(["files__read", "files__write", "tracker__create", "tracker__list"]);
    expect(readServed(servedText(served))!.hosts).toEqual(served.hosts);
  });

  test("another role than the one that the host's files are for isn't served there", () => {
    const alone = fitted("{ id: claude-code, via: serve, role: reader }");
    const served = servePlan(alone.plan, [alone]);
    expect(offeredTo(served, { role: "tester", server: undefined, host: "claude-code" })).toMatchObject({
      refused: { exit: 64 },
    });
  });

  test("variables and connections are those of the process that serves", () => {
    const role = one.roles.find(({ name }) => name === "reader")!;
    expect(routesOf(role, one).map(({ server, by, ways }) => [server.name, by, ways.length])).toEqual([
      ["tracker", "gateway", 1],
      ["workspace", "gateway", 1],
    ]);
  });

  test("references in the command are refused, whatever a host calls one", () => {
    const wrong = (word: string) =>
      errors(compiled({ "rolecall.yaml": `version: 1\nproject: x\nserve: { command: ["${word}"] }\n` }));
    for (const word of ["${HOME}/rolecall", "$HOME", "{env:HOME}", "{file:x}"])
      expect(wrong(word), word).toContain("source/wrong-value");
  });
});

describe("a role that only reads", () => {
  const read = (host: string): FittedPlan => {
    const files = {
      "rolecall.yaml": `version: 1\nproject: harbor\nhosts: [${host}]\n`,
      "mcp/team.yaml": `
servers:
  docs: { connect: [{ http: "https://docs.example.com/mcp", headers: { Authorization: "Bearer \${DOCS_TOKEN}" } }], limits: { timeout: 80s } }
  files: { connect: [{ stdio: [files-server] }] }
roles:
  reader: { resources: { docs: ["docs://**"] } }
  writer: { tools: { files: [read] }, resources: { docs: ["docs://**"] } }
  idle: { tools: { files: none }, resources: { docs: none } }
`,
      "mcp/manifests/files.json": manifest("read"),
    };
    return fitHosts(planned(files).plan, allHosts([]))[0]!;
  };
  const ids = [
    "claude-code",
    "codex",
    "gemini-cli",
    "opencode",
    "claude-agent-sdk",
    "copilot-sdk",
    "copilot-cli",
    "vscode",
  ];

  test.each(ids)("has its entry in %s, which opens no tool", (id) => {
    const one = read(`{ id: ${id}, via: serve }`);
    const [idle, reader] = one.roles;
    expect(idle!.servers).toEqual([]);
    expect(reader!.servers).toHaveLength(1);
    expect(reader!.servers[0]!.tools).toEqual([]);
    const rounds = id.startsWith("claude-") ? 9 : 1;
    expect(reader!.servers[0]!.server.limits.timeoutMs).toBe(80_000 + rounds * 45_000 + 10_000);
  });

  test("what it reads has to be reached, and its variables are those of the process that serves", () => {
    const one = read("{ id: claude-code, via: serve }");
    for (const role of one.roles.slice(1))
      expect(routesOf(role, one).map(({ server, by }) => `${server.name} ${by}`)).toContain("docs gateway");
    const less = read("{ id: claude-code, via: serve, without: [docs] }");
    expect(less.roles[1]!.servers).toEqual([]);
    expect(routesOf(less.roles[2]!, less).map(({ server }) => server.name)).toEqual(["files"]);
  });

  test("has none where the host is told of servers", () => {
    expect(read("{ id: claude-code, whenUnenforceable: gateway }").roles[1]!.servers).toEqual([]);
  });

  test("is there for a program that is told of nothing else", () => {
    const one = read("{ id: junie, role: reader, via: serve }");
    expect(
      JSON.stringify([
        ...allHosts([])
          .find(({ id }) => id === "junie")!
          .emit(one),
      ]),
    ).toContain("rolecall");
  });
});

describe("whenUnenforceable: gateway", () => {
  const one = fitted("{ id: claude-code, whenUnenforceable: gateway }");

  test("what the host can't hold goes through it, and nothing is there twice", () => {
    expect(entries(one)).toEqual({
      idle: {},
      reader: { "rolecall-reader": "workspace__tidy", tracker: "list" },
      tester: { files: "read", rolecall: "files__write", tracker: "create? list" },
    });
    expect(one.roles.flatMap(({ leftOut }) => leftOut)).toEqual([]);
    const all = reached(one);
    expect(new Set(all).size).toBe(all.length);
  });

  test("the entry's list is what the host gets through it", () => {
    const offered = offeredTo(servePlan(one.plan, [one]), { role: "tester", server: undefined, host: "claude-code" });
    expect("tools" in offered && [...offered.tools.keys()]).toEqual(["files__write"]);
  });

  test("why it goes through is kept", () => {
    const [tool] = one.roles[2]!.servers.find(({ server }) => server.name === "rolecall")!.tools;
    expect(tool!.behind!.instead).toMatchObject({ because: "conditions" });
  });
});

describe("what can't go through it either stays away", () => {
  const ODD = {
    "mcp/team.yaml": `
servers: { a: { connect: [{ stdio: [one] }] } }
roles: { a-role-with-a-long-name: { tools: { a: all } } }
`,
    "mcp/manifests/a.json": manifest("x-y", "x_y", "a_tool_with_a_name_that_is_long_but_fits"),
  };
  const away = (host: string): string[] => {
    const files = { ...ODD, "rolecall.yaml": `version: 1\nproject: harbor\nhosts: [{ id: ${host}, via: serve }]\n` };
    const [one] = fitHosts(planned(files).plan, allHosts([]));
    return one!.roles[0]!.leftOut.map(
      ({ because, server, tools }) => `${because} ${tools.map(({ name }) => `${server.name}.${name}`).join()}`,
    );
  };

  test("names that are one to the host", () => {
    expect(away("codex")).toEqual(["clash a.x-y", "clash a.x_y"]);
    expect(away("claude-code")).toEqual([]);
  });

  test("names that the host would cut", () => {
    expect(away("copilot-cli")).toEqual(["name a.a_tool_with_a_name_that_is_long_but_fits"]);
  });
});

test("a host that can't hide a tool is told of no server whole: what that adds later would be there", () => {
  const files = {
    "rolecall.yaml": "version: 1\nproject: harbor\nhosts: [{ id: cursor, role: all, whenUnenforceable: gateway }]\n",
    "mcp/team.yaml": "servers: { notes: { connect: [{ stdio: [n] }] } }\nroles: { all: { tools: { notes: all } } }\n",
    "mcp/manifests/notes.json": manifest("read"),
  };
  expect(entries(fitHosts(planned(files).plan, allHosts([]))[0]!)).toEqual({ all: { rolecall: "notes__read" } });
});
