import { describe, expect, test } from "vitest";
import { aboutAddress, bearerOf, isOwnHost, isOwnOrigin, placeOf } from "../../compiler/serve/http-request.ts";
import { rolesIn } from "../../compiler/serve/claims.ts";

const names = { hosts: ["tools.example.com"], url: "https://out.example.com/mcp-gate" };

describe("by which name it is reached", () => {
  test.each([
    "localhost",
    "localhost:8080",
    "LOCALHOST:1",
    "127.0.0.1:8080",
    "127.9.9.9",
    "[::1]",
    "[::1]:80",
    "tools.example.com:443",
    "out.example.com",
  ])("%s is its own", (host) => expect(isOwnHost(host, names)).toBe(true));
  test.each([
    "evil.example",
    "localhost.evil.example",
    "localhost.",
    "127.0.0.1.evil.example",
    "127.0.0.1.nip.io:8080",
    "evil@localhost",
    "localhost:8080@evil",
    "localhost/",
    "localhost:80:80",
    "[::1",
    "[::ffff:10.0.0.1]",
    "0.0.0.0",
    "tools.example.com.",
    "xtools.example.com",
    "",
    " localhost",
    "2130706433",
  ])("`%s` isn't", (host) => expect(isOwnHost(host, names)).toBe(false));
});

test.each([
  ["http://localhost:8080", "localhost:8080", true],
  ["https://tools.example.com", "tools.example.com", true],
  ["https://out.example.com", "localhost:8080", true],
  ["http://localhost:3000", "localhost:8080", false],
  ["http://127.0.0.1:8080", "localhost:8080", false],
  ["null", "localhost:8080", false],
  ["", "localhost:8080", false],
  ["http://localhost:8080.evil.example", "localhost:8080", false],
  ["http://evil.example", "localhost:8080", false],
  ["http://out.example.com", "localhost:8080", false],
  ["chrome-extension://abc", "localhost:8080", false],
  ["http://localhost:8080/", "localhost:8080", false],
])("a page of `%s`, sent to %s: %s", (origin, host, isOwn) => expect(isOwnOrigin(origin, host, names)).toBe(isOwn));

test.each([
  ["Bearer abc", "abc"],
  ["bearer  a.b-c_d~e+f/g== ", "a.b-c_d~e+f/g=="],
  ["Bearer", undefined],
  ["Bearer a b", undefined],
  ["Bearer a,Bearer b", undefined],
  ["Basic abc", undefined],
  ["xBearer abc", undefined],
  ["", undefined],
  [undefined, undefined],
])("the header `%s` brings %s", (header, token) => expect(bearerOf(header)).toBe(token));

test.each([
  ["/mcp/tester", { kind: "role", role: "tester" }],
  ["/mcp/tester?token=x", { kind: "role", role: "tester" }],
  ["/gate/mcp/tester", { kind: "role", role: "tester" }],
  ["/.well-known/oauth-protected-resource/mcp/tester", { kind: "about", role: "tester" }],
  ["/.well-known/oauth-protected-resource/gate/mcp/tester", { kind: "about", role: "tester" }],
  ["/healthz", { kind: "health" }],
  ["/readyz?x", { kind: "ready" }],
  ["/metrics", { kind: "metrics" }],
  ...[
    "/",
    "",
    "/mcp",
    "/mcp/",
    "/mcp/tester/",
    "/mcp//tester",
    "/mcp/%74ester",
    "/mcp/../mcp/tester",
    "/mcp/Tester",
    "/mcp/tester;x",
    "//mcp/tester",
    "http://localhost/mcp/tester",
    "/gate2/mcp/tester",
    "/mcp/__proto__",
    "*",
  ].map((target) => [target, { kind: "elsewhere" }] as const),
] as const)("the address %s", (target, place) => expect(placeOf(target, "/gate")).toEqual(place));

test("where a client reads who gives tokens", () =>
  expect(aboutAddress("tester", "https://a.example/gate")).toBe(
    "https://a.example/.well-known/oauth-protected-resource/gate/mcp/tester",
  ));

test.each([
  [{ roles: "tester" }, "roles", ["tester"]],
  [{ roles: ["tester", 1, null, "reader"] }, "roles", ["tester", "reader"]],
  [{ realm_access: { roles: ["tester"] } }, "realm_access.roles", ["tester"]],
  [{ "https://a.example/roles": ["tester"] }, "https://a.example/roles", ["tester"]],
  [{ roles: { tester: true } }, "roles", []],
  [{ roles: "tester reader" }, "roles", ["tester reader"]],
  [{}, "constructor.name", []],
  [{}, "__proto__", []],
])("of the claims %j, `%s` names %j", (claims, name, roles) => expect(rolesIn(claims as never, name)).toEqual(roles));
