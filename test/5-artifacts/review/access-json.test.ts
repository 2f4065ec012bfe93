import { describe, expect, test } from "vitest";
import { accessChunks, accessJson } from "../../../compiler/5-artifacts/review/access-json/index.ts";
import type { LargeFile } from "../../../compiler/5-artifacts/types.ts";
import {
  aPlan,
  aRole,
  aServer,
  aTool,
  HOSTILE,
  overHttp,
  overStdio,
  plain,
  reference,
} from "../../support/small-plan.ts";

const accessText = (plan: Parameters<typeof accessChunks>[0]): string => [...accessChunks(plan)].join("");

const github = aServer("github", ["create_issue", "list_issues", "merge_pull_request"], {
  connect: [overHttp("https://api.example.com/mcp/", { Authorization: reference("GITHUB_TOKEN", "Bearer ") })],
});

function parsed(...roles: Parameters<typeof aPlan>[1]) {
  return JSON.parse(accessText(aPlan([github], roles)));
}

describe("access.json", () => {
  test("lies in `out`, ends in a line break and reads like the format page", () => {
    const role = aRole(
      "tester",
      [
        [
          github,
          { create_issue: ["ask", { argument: "repo", conditions: [{ enum: ["harbor"] }] }], list_issues: "allow" },
        ],
      ],
      {
        builtins: [{ host: "claude-code", names: ["Read", "Edit"] }],
        delegates: ["reader" as never],
      },
    );
    const [file] = [...accessJson.emit(aPlan([github], [role], {}, [{ name: "g", text: { never: 1 } }]), [])];
    expect(file!.path).toBe("src/mcp/access.json");
    const text = [...(file as LargeFile).chunks].join("");
    expect(text.endsWith("}\n")).toBe(true);
    const value = JSON.parse(text);
    expect(Object.keys(value)).toEqual(["format", "project", "guards", "servers", "roles"]);
    expect(value.guards.g).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(value.servers.github.connect).toEqual([
      {
        http: "https://api.example.com/mcp/",
        headers: ["Authorization"],
        variables: ["GITHUB_TOKEN"],
        values: expect.stringMatching(/^sha256:/),
      },
    ]);
    expect(value.roles.tester).toEqual({
      servers: {
        github: {
          tools: { create_issue: "ask", list_issues: "allow" },
          where: { create_issue: { repo: { enum: ["harbor"] } } },
        },
      },
      builtins: { "claude-code": ["Edit", "Read"] },
      delegates: ["reader"],
    });
  });

  test("one tool to a line, so that a gained tool is one line of the diff", () => {
    const before = accessText(
      aPlan([github], [aRole("a", [[github, { create_issue: "allow", merge_pull_request: "allow" }]])]),
    );
    const after = accessText(
      aPlan(
        [github],
        [aRole("a", [[github, { create_issue: "allow", list_issues: "allow", merge_pull_request: "allow" }]])],
      ),
    );
    const old = new Set(before.split("\n"));
    expect(
      after
        .split("\n")
        .filter((line) => !old.has(line))
        .map((line) => line.trim()),
    ).toEqual([`"list_issues": "sha256:${"0".repeat(64)}",`, `"list_issues": "allow",`]);
  });

  test("lists only what somebody holds", () => {
    const other = aServer("other", ["x"]);
    const value = JSON.parse(
      accessText(
        aPlan(
          [github, other],
          [
            aRole("a", [
              [github, { list_issues: "ask" }],
              [other, {}],
            ]),
            aRole("empty", []),
          ],
        ),
      ),
    );
    expect(Object.keys(value.servers)).toEqual(["github"]);
    expect(Object.keys(value.servers.github.tools)).toEqual(["list_issues"]);
    expect(value.roles).toEqual({
      a: { servers: { github: { tools: { list_issues: "ask" } } } },
      empty: { servers: {} },
    });
  });

  test("built-ins that are none differ from built-ins that nobody wrote", () => {
    expect(parsed(aRole("a", [], { builtins: [{ host: "opencode", names: [] }] })).roles.a.builtins).toEqual({
      opencode: [],
    });
    expect(parsed(aRole("a", [])).roles.a).not.toHaveProperty("builtins");
  });

  test("a tool without a pin is null", () => {
    const server = { ...github, tools: [aTool("github", "x", 0, null)] };
    expect(
      JSON.parse(accessText(aPlan([server], [aRole("a", [[server, { x: "allow" }]])]))).servers.github.tools,
    ).toEqual({ x: null });
  });

  test("several conditions on an argument are a list whose order, like that of keys, doesn't depend on who wrote first", () => {
    const rules = [
      { glob: "a/**", optional: true },
      { optional: true, enum: ["a/b"] },
    ];
    const of = (conditions: typeof rules) =>
      parsed(aRole("a", [[github, { list_issues: ["allow", { argument: "path", conditions }] }]]));
    const there = of(rules).roles.a.servers.github.where.list_issues.path;
    expect(there).toHaveLength(2);
    expect(JSON.stringify(of([rules[1]!, { optional: true, glob: "a/**" }]))).toBe(JSON.stringify(of(rules)));
  });

  test("a changed literal shows, a variable given to another header shows, a value itself doesn't", () => {
    const values = (headers: Record<string, ReturnType<typeof plain>>) => {
      const server = { ...github, connect: [overHttp("https://x.example/", headers)] };
      return JSON.parse(accessText(aPlan([server], [aRole("a", [[server, { list_issues: "allow" }]])]))).servers.github
        .connect[0];
    };
    const first = values({ A: plain("one"), B: reference("X") });
    expect(values({ A: plain("two"), B: reference("X") }).values).not.toBe(first.values);
    expect(values({ A: reference("X"), B: plain("one") }).values).not.toBe(first.values);
    expect(values({ B: reference("X"), A: plain("one") })).toEqual(first);
    expect(JSON.stringify(first)).not.toContain("one");
  });

  test("stdio stands as written", () => {
    const server = { ...github, connect: [overStdio(["npx", "-y", "a@1.0.0"], { KEY: reference("KEY") })] };
    const [entry] = JSON.parse(accessText(aPlan([server], [aRole("a", [[server, { list_issues: "allow" }]])]))).servers
      .github.connect;
    expect(entry).toEqual({
      stdio: ["npx", "-y", "a@1.0.0"],
      env: ["KEY"],
      variables: ["KEY"],
      values: expect.any(String),
    });
  });

  test("hostile names stay names, and nothing in the file hides or reorders", () => {
    const server = aServer("s", HOSTILE);
    const held = Object.fromEntries(
      HOSTILE.map((name) => [name, ["allow", { argument: name, conditions: [{ glob: name }] }] as const]),
    );
    Object.defineProperty(held, "__proto__", { value: "allow", enumerable: true, configurable: true });
    const text = accessText(aPlan([server], [aRole("r", [[server, held as never]])]));
    expect(text).not.toMatch(/[^\x20-\x7e\n]/);
    const tools = JSON.parse(text).roles.r.servers.s.tools;
    expect(Object.keys(tools).sort()).toEqual(HOSTILE.toSorted());
  });

  test("340,000 lines take well under a second", () => {
    const servers = Array.from({ length: 50 }, (_, i) =>
      aServer(
        `s${i}`,
        Array.from({ length: 100 }, (_, j) => `list_something_${j}`),
      ),
    );
    const all = Object.fromEntries(servers[0]!.tools.map((tool) => [tool.name, "allow" as const]));
    const roles = Array.from({ length: 70 }, (_, i) =>
      aRole(
        `r${i}`,
        servers.map((server) => [server, all] as const),
      ),
    );
    const began = performance.now();
    const text = accessText(aPlan(servers, roles));
    expect(text.split("\n").length).toBeGreaterThan(340_000);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
