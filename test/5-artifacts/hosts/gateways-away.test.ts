import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import type { Built } from "../../support/built-project.ts";
import { compiled, manifest } from "../../support/compiled.ts";
import { entryFor } from "../../support/known-hosts.ts";
import { exactly, routeName } from "../../../compiler/5-artifacts/hosts/envoy-ai-gateway/route.ts";
import {
  BOTH,
  builtForGateways,
  CONFIG,
  GATEWAY_PROJECTS,
  gatewayProject,
  NUMBERED,
  ODD,
  remote,
} from "./gateway-projects.ts";
import { agentgatewayConfig, objectsIn } from "./gateway-readers.ts";

/** What stays away from gateways, and how they are told of the rest. */
const awayFrom = ({ hosts }: Built, id: string) =>
  hosts
    .filter(({ host }) => host.id === id)
    .flatMap(({ roles }) => roles.flatMap(({ leftOut }) => leftOut.map(({ server, why }) => `${server.name}: ${why}`)));

describe("what stays away", () => {
  const away = (server: string, text = manifest("look"), name = "notes") =>
    builtForGateways(`servers: { ${name}: ${server} }\nroles: { a: { tools: { ${name}: all } } }\n`, { [name]: text });
  const withCapability = (name: string) =>
    manifest("look").replace('"tools":', `"capabilities":{"tools":{},"${name}":{}},"tools":`);
  const HTTP = '{ http: "https://n.example/mcp" }';

  test.each([
    [
      "a name with `_`",
      `{ connect: [${HTTP}] }`,
      undefined,
      "no_tes",
      /can't be a name there/,
      /can't be a name there/,
    ],
    ["a name that ends in `-`", `{ connect: [${HTTP}] }`, undefined, "notes-", /can't be a name/, /can't be a name/],
    [
      "a rate",
      `{ connect: [${HTTP}], limits: { ratePerMinute: 5 } }`,
      undefined,
      undefined,
      /a target has no place for its `ratePerMinute`/,
      /a route has no place for its/,
    ],
    [
      "resources",
      `{ connect: [${HTTP}] }`,
      withCapability("resources"),
      undefined,
      undefined,
      /resources can't be closed/,
    ],
    ["prompts", `{ connect: [${HTTP}] }`, withCapability("prompts"), undefined, undefined, /prompts can't be closed/],
    [
      "a query",
      '{ connect: [{ http: "https://n.example/mcp?all=1" }] }',
      undefined,
      undefined,
      /behind the path of its URL/,
      /no place for more of a URL/,
    ],
    ["a process", "{ connect: [{ stdio: [notes] }] }", undefined, undefined, undefined, /is told http alone/],
    [
      "a folder",
      "{ connect: [{ stdio: [notes], cwd: data }] }",
      undefined,
      undefined,
      /folder that a process starts in/,
      /http alone/,
    ],
    [
      "a `$`",
      '{ connect: [{ stdio: [notes, { literal: "a$b" }] }] }',
      undefined,
      undefined,
      /would take a part of `a\$b`/,
      /http alone/,
    ],
    [
      "an address that holds a variable",
      '{ connect: [{ http: "https://n.example/${PLACE}" }] }',
      undefined,
      undefined,
      undefined,
      /reads no reference in a URL/,
    ],
    [
      "a header that is no secret",
      '{ connect: [{ http: "https://n.example/mcp", headers: { X-Mode: fast } }] }',
      undefined,
      undefined,
      undefined,
      /takes a variable alone in header `X-Mode`/,
    ],
    [
      "two headers",
      '{ connect: [{ http: "https://n.example/mcp", headers: { X-A: "${A}", X-B: "${B}" } }] }',
      undefined,
      undefined,
      undefined,
      /one header alone/,
    ],
    [
      "the gateway's own machine",
      '{ connect: [{ http: "http://localhost:8080/mcp" }] }',
      undefined,
      undefined,
      undefined,
      /in its own pod/,
    ],
  ] as const)("a server with %s", (_, server, text, name, agentgateway, envoy) => {
    const made = away(server, text, name);
    const expected = [agentgateway, envoy].map((why) => (why === undefined ? [] : [expect.stringMatching(why)]));
    expect(BOTH.map((id) => awayFrom(made, id))).toEqual(expected);
  });

  test("a tool under a `where`, and one that is asked", () => {
    const made = builtForGateways(
      `servers:\n${remote("notes")}\nroles: { a: { tools: { notes: { include: ["*"], ask: [put], where: { get: { text: { enum: [a] } } } } } } }\n`,
      { notes: manifest("look", "put", { name: "get", arguments: ["text"] }) },
    );
    for (const id of BOTH)
      expect(awayFrom(made, id)).toEqual([
        "notes: a `where` can't be judged there",
        "notes: a call can't be asked there",
      ]);
    expect(
      [...made.artifacts]
        .filter(([path]) => path.includes("/hosts/"))
        .map(([, text]) => text)
        .join("\n"),
    ).not.toMatch(/\b(?:put|get)\b/);
  });

  test("whose tokens open a gateway has to be written", () => {
    const { diagnostics } = compiled(gatewayProject("{}", {}, Object.fromEntries(BOTH.map((id) => [id, id]))));
    expect(diagnostics.filter(({ code }) => code === "host/lacks-key")).toHaveLength(2);
  });
});

describe("what is sent on", () => {
  const files = GATEWAY_PROJECTS["six roles"]!();

  test("variables stay variables, and secrets of a cluster are named", () => {
    const { targets } = agentgatewayConfig(files.get(CONFIG)!, {
      GITHUB_TOKEN: "t-1",
      SEARCH_KEY: "k-1",
      ROOT: "/r",
    }).mcp;
    expect(targets).toMatchObject([
      { name: "files", stdio: { cmd: "files", args: ["--root", "/r"], env: { LEVEL: "1" } } },
      { name: "github", policies: { requestHeaderModifier: { set: { Authorization: "Bearer t-1" } } } },
      { name: "search", policies: { requestHeaderModifier: { set: { "X-Key": "k-1" } } } },
    ]);
    expect(() => agentgatewayConfig(files.get(CONFIG)!)).toThrow("isn't set");
    const reader = objectsIn(files).find(({ metadata }) => metadata.name === "reader");
    expect(reader!.spec).toMatchObject({
      path: "/mcp/reader",
      backendRefs: [
        { name: "github", path: "/mcp", securityPolicy: { apiKey: { secretRef: { name: "github-key" } } } },
        {
          name: "search",
          path: "/mcp",
          securityPolicy: { apiKey: { secretRef: { name: "search-key" }, header: "X-Key" } },
        },
      ],
      securityPolicy: { oauth: { protectedResourceMetadata: { resource: "https://mcp.example.com/mcp/reader" } } },
    });
    expect(files.get("mcp/hosts/envoy-ai-gateway/backends.yaml")).toContain(
      'github-key --from-literal=apiKey="$GITHUB_TOKEN"',
    );
  });

  test("an address is looked up by name, over TLS", () => {
    const { artifacts } = builtForGateways(
      `servers: { a: { connect: [{ http: "https://a.example:8443/x" }] }, b: { connect: [{ http: "https://B.example/mcp/" }] } }\nroles: { a: { tools: { a: all, b: all } } }\n`,
      { a: manifest("x"), b: manifest("y") },
    );
    expect(objectsIn(artifacts).map(({ kind, metadata, spec }) => [kind, metadata.name, spec])).toMatchObject([
      ["Backend", "a", { endpoints: [{ fqdn: { hostname: "a.example", port: 8443 } }] }],
      ["BackendTLSPolicy", "a-tls", { validation: { hostname: "a.example", wellKnownCACertificates: "System" } }],
      ["Backend", "b", { endpoints: [{ fqdn: { hostname: "b.example", port: 443 } }] }],
      ["BackendTLSPolicy", "b-tls", { validation: { hostname: "b.example" } }],
      [
        "MCPRoute",
        "a",
        {
          backendRefs: [
            { name: "a", path: "/x" },
            { name: "b", path: "/mcp/" },
          ],
        },
      ],
    ]);
  });

  test.each([
    ["", 3000, true],
    [', url: "http://localhost:4010/mcp"', 4010, true],
    [', url: "https://mcp.example.com/mcp"', 3000, false],
  ])("agentgateway with `%s` listens at %i", (url, port, isLocal) => {
    const entry = entryFor("agentgateway").replace(" }", `${url} }`);
    const { artifacts } = builtForGateways("{}", {}, { agentgateway: entry });
    const config = agentgatewayConfig(artifacts.get(CONFIG)!);
    expect([config.gateways.default.port, config.mcp.dnsRebindingProtection]).toEqual([port, isLocal]);
  });

  test("the project's label is the one by which routes are taken away, and no two roles are one object", () => {
    const objects = objectsIn(files);
    expect(new Set(objects.map(({ metadata }) => metadata.labels["rolecall.project"]))).toEqual(
      new Set(["The-Harbor-1"]),
    );
    expect(objects.map(({ metadata }) => metadata.name)).toContain("a.b");
  });
});

test("no two roles' routes are one object, and each is a name that Kubernetes takes", () => {
  const roles = ["a", "a-b", "a_b", "a__b", "a_u_ub", "a-_b", "a_d_ub", "a_", "a-", "a_u", "a_d"];
  const names = roles.map(routeName);
  expect(new Set(names).size).toBe(roles.length);
  for (const name of names)
    expect(name).toMatch(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/);
  expect(names.slice(0, 3)).toEqual(["a", "a-b", "a.b"]);
});

test("an expression of names finds these and no other", () => {
  const all = [...ODD, ...NUMBERED(20)];
  const property = fc.property(
    fc.array(fc.oneof(fc.constantFrom(...all), fc.string({ unit: "binary" })), { minLength: 1 }),
    fc.string({ unit: "binary" }),
    (names, other) => {
      const expression = new RegExp(exactly(names), "u");
      for (const name of [
        ...all,
        ...names,
        other,
        ...names.flatMap((one) => [`${one}x`, `x${one}`, one.slice(1), `${one}\n`]),
      ])
        expect([name, expression.test(name)]).toEqual([name, names.includes(name)]);
    },
  );
  fc.assert(property);
});
