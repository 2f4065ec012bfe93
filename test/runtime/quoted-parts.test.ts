import { expect, test } from "vitest";
import { leakFailure } from "../../compiler/capture/leaks.ts";
import { createSecrets } from "../../runtime/secrets.ts";

/**
 * Secrets in a value that was quoted on its way, as files of variables and command lines do, pairs in quotes, and keys in
 * the path of an address.
 */

function shownBy(value: string, said: string): string {
  const secrets = createSecrets();
  secrets.add(value);
  return secrets.text(said);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

test.each([
  ["in the quotes of its file", '"tk_hunter2H"', "no key tk_hunter2H of db.example", "no key *** of db.example"],
  ["in single quotes", "'tk_hunter2H'", "no key tk_hunter2H", "no key ***"],
  [
    "JSON with its escapes",
    inJson('{"host":"db.example","password":"hunter2H"}'),
    "hunter2H db.example",
    "*** db.example",
  ],
  ["JSON as a text of JSON", JSON.stringify('{"host":"db.example","password":"hunter2H"}'), "bad hunter2H", "bad ***"],
  ["an address in quotes", '"postgres://ada:hunter2H@db.example/x"', "ada hunter2H db.example", "ada *** db.example"],
  [
    "lines of YAML in quotes",
    "env:\n  - \"DB_PASSWORD=hunter2H\"\n  - 'MODE=readonly'",
    "hunter2H readonly",
    "*** readonly",
  ],
  [
    "an option in quotes",
    "run -e \"DB_PASSWORD=hunter 2H, x\" -e 'MODE=readonly'",
    "hunter 2H, x readonly",
    "*** readonly",
  ],
  [
    "a header in quotes",
    "curl -H 'Authorization: Bearer tk_hunter2H' https://h.example",
    "tk_hunter2H h.example",
    "*** h.example",
  ],
  [
    "lines of YAML in base64",
    Buffer.from("users:\n- name: ada\n  user: { token: hunter2H }\n").toString("base64"),
    "no hunter2H, of ada",
    "no ***, of ada",
  ],
  [
    "a private key in base64",
    Buffer.from("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END KEY-----").toString("base64"),
    "bad line MIIEvQIBADANBgkqhkiG9w0B",
    "bad line ***",
  ],
  [
    "a key in a path",
    "https://mcp.example/api/mcp/s/NDg1ZjE0YTItNGI3Zi00/mcp",
    "Cannot POST /api/mcp/s/NDg1ZjE0YTItNGI3Zi00/mcp",
    "Cannot POST /api/mcp/s/***/mcp",
  ],
  [
    "a key in the path of an address in JSON",
    '{"hook":"https://hooks.example/services/T0123/xyzw1v2u3t4s5r6q7p8o"}',
    "with url: /services/T0123/xyzw1v2u3t4s5r6q7p8o (Caused by",
    "with url: /services/T0123/*** (Caused by",
  ],
  [
    "a bot's key in a path",
    "https://api.example/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDs/",
    "404 at /bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDs/x",
    "404 at /bot110201543:***/x",
  ],
  [
    "a key of few digits in a path",
    "https://hooks.example/services/T0123/aKdWqYpTzRmLxVbNcHgJfE7s",
    "with url: /services/T0123/aKdWqYpTzRmLxVbNcHgJfE7s",
    "with url: /services/T0123/***",
  ],
  [
    "a key in a path that begins with a hyphen",
    "wss://h.example/mcp/-aB3dE5fG7hI9jK1lM3nO5p/x",
    "404 at /mcp/-aB3dE5fG7hI9jK1lM3nO5p/x",
    "404 at /mcp/***/x",
  ],
  [
    "a key behind a sign that is escaped",
    "https://h.example/mcp/s%2FaB3dE5fG7hI9jK1lM3nO/x",
    "404 at /mcp/s/aB3dE5fG7hI9jK1lM3nO/x",
    "404 at /mcp/s/***/x",
  ],
  ...[",https://b.example/", ";https://b.example/", "|x", ")", ">", "{?x}"].map((behind) => [
    `a key in a path before ${behind}`,
    `https://h.example/s/aKdWqYpTzRmLxVbNcHgJfE7s${behind}`,
    "404 at /s/aKdWqYpTzRmLxVbNcHgJfE7s",
    "404 at /s/***",
  ]),
  [
    "an address in an address",
    "https://p.example/?url=https%3A%2F%2Fh.example%2Fs%2FaKdWqYpTzRmLxVbNcHgJfE7s%2Fmcp",
    "404 at /s/aKdWqYpTzRmLxVbNcHgJfE7s/mcp",
    "404 at /s/***/mcp",
  ],
  ["JSON in an address", "https://h.example/?config=%7B%22password%22%3A%22hunter2H%22%7D", "no hunter2H", "no ***"],
  [
    "JSON in base64 in an address",
    `https://h.example/?config=${Buffer.from('{"password":"hunter2H"}').toString("base64")}&x=1`,
    "no hunter2H",
    "no ***",
  ],
  [
    "headers behind each other",
    "Authorization: Bearer tk_hunter2H, X-Org: acme-org",
    "tk_hunter2H acme-org",
    "*** acme-org",
  ],
  ["a flag", "srv --api-key tk_hunter2H --mode readonly", "tk_hunter2H readonly", "*** readonly"],
  ["a flag with quotes", "srv --token 'tk hunter2H' --mode readonly", "tk hunter2H readonly", "*** readonly"],
])("are masked alone: %s", (_, value, said, shown) => {
  expect(shownBy(value, said)).toBe(shown);
});

test.each([
  ['"production-mode-one"', "in production-mode-one"],
  ["'MODE=readonly-mode1' 'token_type=bearer'", "readonly-mode1 bearer"],
])("and a server may be captured that says what no secret of %s is", (value, said) => {
  expect(leakFailure(said, [{ name: "MODE", value, hidden: false, secret: false }])).toBeUndefined();
});

test.each([
  [
    "https://api.example/v2/projects/my-app-4f2a1b-prod3c/550e8400-e29b-41d4-a716-446655440000/0e8f4b5f1c2d3e4f5a6b7c8d9e0f1a2b",
    "my-app-4f2a1b-prod3c 550e8400-e29b-41d4-a716-446655440000 0e8f4b5f1c2d3e4f5a6b7c8d9e0f1a2b of v2/projects",
  ],
  [
    "https://api.example/v0/appAbC123dEf456Gh/model-gpt4o-mini-2024x07y18z/README1a2b3c4d5e6f.md",
    "appAbC123dEf456Gh model-gpt4o-mini-2024x07y18z README1a2b3c4d5e6f.md",
  ],
  ...[
    "Context7McpServer2Beta",
    "MyApp2OrdersV3QueueDeadLetter",
    "team1Project2Alpha3Beta",
    "2024Q3Report7Final2Customers",
    "Product-Roadmap-2024-0e8f4b5f1c2d3e4f5a6b7c8d9e0f1a2b",
    "Platform2024Q3Migration-4f2a1b3c5d6e",
    "RFC7231_HTTP1_Semantics_v2_Draft3",
    "the%20sales%20of%202024",
    "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  ].map((name) => [`https://api.example/v2/${name}/mcp`, `no ${name} here`]),
  [`https://api.example/?id=${Buffer.from("User:123456789").toString("base64")}`, "up to 123456789 of User:123456789"],
])("what in a path is no key stays, and isn't kept from a manifest", (value, said) => {
  expect(shownBy(value, said)).toBe(said);
  expect(leakFailure(said, [{ name: "ADDRESS", value, hidden: true, secret: false }])).toBeUndefined();
});
