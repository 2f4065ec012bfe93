import { beforeAll, describe, expect, test } from "vitest";
import { entryFor } from "../../support/known-hosts.ts";
import { manifest } from "../../support/compiled.ts";
import { BOTH, builtForGateways, CONFIG, GATEWAY_PROJECTS, NUMBERED, ODD, remote } from "./gateway-projects.ts";
import {
  agentgatewayConfig,
  agentgatewayJudge,
  agentgatewayReaches,
  type Claims,
  envoyReaches,
  objectsIn,
} from "./gateway-readers.ts";
import { arePublished, definitionOf, type Definition } from "./gateway-schemas.ts";

/** What gateways are told: what goes through, and what their makers publish of its form, where that lies beside the project. */
const agentgatewayAllows = (text: string, claims: Claims, name: string) =>
  agentgatewayReaches(text, claims, name) !== undefined;
const envoyAllows = (files: ReadonlyMap<string, string>, path: string, claims: Claims, name: string) =>
  envoyReaches(files, path, claims, name) !== undefined;

describe.skipIf(!arePublished)("published definitions", () => {
  let config: Definition;
  let route: Definition;
  beforeAll(() => {
    config = definitionOf("agentgateway");
    route = definitionOf("MCPRoute");
  });

  test.each(Object.keys(GATEWAY_PROJECTS))("%s: every file is one that the gateway takes", (name) => {
    const files = GATEWAY_PROJECTS[name]!();
    const set = Object.fromEntries(VARIABLES.map((one) => [one, "x"]));
    expect(config.wrongs(agentgatewayConfig(files.get(CONFIG)!, set))).toEqual([]);
    for (const object of objectsIn(files).filter(({ kind }) => kind === "MCPRoute"))
      expect([object.metadata.name, ...route.wrongs(object)]).toEqual([object.metadata.name]);
  });

  test("they refuse what they don't know", () => {
    const files = GATEWAY_PROJECTS["forty tools"]!();
    const written = agentgatewayConfig(files.get(CONFIG)!);
    expect(config.wrongs({ ...written, mcp: { ...written.mcp, prefixes: "always" } })).not.toEqual([]);
    const made = objectsIn(files).find(({ kind }) => kind === "MCPRoute");
    const spec = made!.spec as { readonly backendRefs: readonly object[]; readonly securityPolicy: object };
    const [backend] = spec.backendRefs;
    const wrong = (change: object) => route.wrongs({ ...made, spec: { ...spec, ...change } });
    for (const change of [
      { paths: "/mcp" },
      { backendRefs: [] },
      { backendRefs: [backend, backend] },
      { backendRefs: [{ ...backend, toolSelector: { include: NUMBERED(33) } }] },
      { securityPolicy: { ...spec.securityPolicy, oauth: undefined } },
    ])
      expect([change, wrong(change).length > 0]).toEqual([change, true]);
  });
});

const VARIABLES = ["GITHUB_TOKEN", "SEARCH_KEY", "DATABASE_URL", "WORKSPACE_ROOT", "TRACKER_TOKEN"];

describe("what goes through", () => {
  const files = GATEWAY_PROJECTS["six roles"]!();
  const config = files.get(CONFIG)!;

  test.each([
    ["reader", "github", "get", true],
    ["reader", "github", "put", false],
    ["tester", "github", "put", true],
    ["a_b", "search", "find", true],
    ["a_b", "github", "get", false],
    ["nobody", "search", "find", false],
    ["", "search", "find", false],
    ["stranger", "search", "find", false],
  ])("of %s: %s.%s", (role, server, tool, goes) => {
    expect(agentgatewayAllows(config, { role }, `${server}_${tool}`)).toBe(goes);
    expect(envoyAllows(files, `/mcp/${role}`, { role }, `${server}__${tool}`)).toBe(goes);
  });

  test("another role's way is closed to a token, and so is one without the claim or with a list", () => {
    for (const claims of [{ role: "reader" }, {}, { role: ["tester"] }, { role: true }, { roles: "tester" }])
      expect([claims, envoyAllows(files, "/mcp/tester", claims, "github__put")]).toEqual([claims, false]);
    for (const claims of [{}, { role: ["tester"] }, { role: null }, { roles: "tester" }])
      expect([claims, agentgatewayAllows(config, claims, "github_put")]).toEqual([claims, false]);
  });

  test("resources, prompts and tasks are closed", () => {
    const judge = agentgatewayJudge(config);
    expect(judge({ role: "tester" }, { tool: { target: "github", name: "get" } })).toBe(true);
    for (const kind of ["resource", "prompt", "task"])
      expect([kind, judge({ role: "tester" }, { [kind]: { target: "github", name: "get" } })]).toEqual([kind, false]);
  });

  test("a claim may lie within another one", () => {
    const door = (id: string) => entryFor(id).replace(" }", ", claim: realm_access.role }");
    const nested = builtForGateways(
      `servers:\n${remote("odd")}\nroles: { a: { tools: { odd: all } } }\n`,
      { odd: manifest("x") },
      Object.fromEntries(BOTH.map((id) => [id, door(id)])),
    ).artifacts;
    for (const [claims, goes] of [
      [{ realm_access: { role: "a" } }, true],
      [{ role: "a" }, false],
    ] as const) {
      expect(agentgatewayAllows(nested.get(CONFIG)!, claims, "odd_x")).toBe(goes);
      expect(envoyAllows(nested, "/mcp/a", claims, "odd__x")).toBe(goes);
    }
  });

  test("a role without tools has a rule that is never true, and no route", () => {
    const none = GATEWAY_PROJECTS["roles without tools"]!();
    expect(agentgatewayConfig(none.get(CONFIG)!).mcp.policies.mcpAuthorization.rules).toEqual([{ require: "false" }]);
    expect(objectsIn(none)).toEqual([]);
  });

  test.each(ODD)("a tool called %j is itself and no other", (tool) => {
    const odd = GATEWAY_PROJECTS["names of every kind"]!();
    for (const name of [...ODD, `${tool}x`, `x${tool}`, tool.slice(1), "", "a", "HOME"]) {
      const goes = ODD.includes(name);
      expect([name, agentgatewayAllows(odd.get(CONFIG)!, { role: "a" }, `odd_${name}`)]).toEqual([name, goes]);
      expect([name, envoyAllows(odd, "/mcp/a", { role: "a" }, `odd__${name}`)]).toEqual([name, goes]);
    }
  });

  test.each([40, 600])("of %i tools each, and no other", (count) => {
    const wide = GATEWAY_PROJECTS[count === 40 ? "forty tools" : "more tools than rules have room for"]!();
    for (const name of [...NUMBERED(count), "tool_", "tool_0 ", "xtool_0", "tool_0\n", `tool_${count}`])
      expect([name, envoyAllows(wide, "/mcp/a", { role: "a" }, `wide__${name}`)]).toEqual([
        name,
        NUMBERED(count).includes(name),
      ]);
  });
});
