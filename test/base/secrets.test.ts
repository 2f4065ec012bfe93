import { describe, expect, test } from "vitest";
import { compiled } from "../support/compiled.ts";
import { withoutTokens } from "../../compiler/base/never-shown.ts";
import type { Span } from "../../compiler/base/place.ts";
import { isSecretName, issuedToken } from "../../compiler/base/secret-patterns.ts";

/** Made up, and put together here so that no scanner takes them for real. */
const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4"].join("_");
const other = ["sk", "Z9y8X7w6V5u4T3s2R1q0P9o8"].join("-");

describe("what looks like a secret", () => {
  test.each([
    [token, token],
    [`Bearer ${token}`, token],
    [`https://${token}@example.com/mcp`, token],
    ["5f2c81d09be74a36", undefined],
    ["application/json", undefined],
    ["", undefined],
  ])("%j: %j", (text, want) => expect(issuedToken(text)).toBe(want));

  test.each([
    ["GITHUB_TOKEN", true],
    ["apiToken", true],
    ["X-Api-Key", true],
    ["LOG_LEVEL", false],
    ["keyboard", false],
    ["tokenizer", false],
  ])("for masking a name like %s says so: %j", (name, want) => expect(isSecretName(name)).toBe(want));
});

describe("a literal secret in a project", () => {
  const says = (connect: string) => {
    const { diagnostics } = compiled({ "mcp/a.yaml": `servers:\n  s: { connect: [${connect}] }\n` });
    return diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  };

  test("is shown on no line, whichever error points there", () => {
    const found = says(`{ stdio: [node], env: { A_TOKEN: "${token}", B_TOKEN: "${other}" } }`);
    expect(found.map((diagnostic) => diagnostic.code)).toEqual(["server/literal-secret", "server/literal-secret"]);
    expect(JSON.stringify(found)).not.toContain(token);
    expect(JSON.stringify(found)).not.toContain(other);
    const marked = found.map(({ at }) => markedIn(at));
    expect(marked).toEqual(['"ghp_…"', '"sk-Z…"']);
  });

  test("is masked as it is written: with doubled dollars, in quotes", () => {
    const [dollars, quotes] = [
      `{ stdio: [node], env: { A_PASSWORD: 'pa$$ss-in-$$12' } }`,
      `{ stdio: [node], env: { A_PASSWORD: "a\\"quoted\\"-1234" } }`,
    ];
    for (const connect of [dollars, quotes]) {
      const [error] = says(connect!);
      expect(error?.code).toBe("server/written-secret");
      expect(JSON.stringify(error)).not.toMatch(/ss-in|quoted/);
    }
  });

  test.each([
    "API_KEYS: 'Xk3jf9dkLsm2,Pq8sj2mdKs0a'",
    "PASSWORDS: 'sesame'",
    "CREDS: 'sesame'",
    "BEARER: 'sesame'",
    "VERIFY_TOKEN: 'sommer'",
    "IS_TOKEN: 'sommer'",
    "PAGE_TOKEN: 'sommer'",
    "DB_PASSWORDS_JSON: 'sommer'",
    "GH_PATS: 'sommer'",
    "API_TOKENS: 'sommer'",
    "FIGMA_TOKENS: 'sommer'",
    "ACCESS_TOKENS: 'sommer'",
    "authTokens: 'sommer'",
    "TOKENS: 'Xk3jf9dkLsm2,Pq8sj2mdKs0a'",
    "TRACKED_TOKENS: 'donaudampfschifffahrt'",
  ])("is one of several too: %s", (pair) =>
    expect(says(`{ stdio: [node], env: { ${pair} } }`).map(({ code }) => code)).toEqual(["server/written-secret"]),
  );

  test.each([
    "SESSION: 'Xk3jf9dkLsm2Pq8sj2mdKs0a'",
    "LINKEDIN_COOKIE: 'Xk3jf9dkLsm2Pq8sj2mdKs0a'",
    "COOKIES: 'lang=de; sid=Xk3jf9dkLsm2Pq8sj2mdKs0a'",
  ])("is a session too: %s", (pair) =>
    expect(says(`{ stdio: [node], env: { ${pair} } }`).map(({ code }) => code)).toEqual(["server/written-secret"]),
  );

  test.each(["X-Session", "X-Session-Id", "Mcp-Session-ID"])("is a session's in the header %s", (name) => {
    const found = says(`{ http: "https://a.example.com/", headers: { ${name}: "5f2c81d09be74a36a1b2" } }`);
    expect(found.map(({ code }) => code)).toEqual(["server/written-secret"]);
  });

  test.each([
    "SESSION: 'dev-session-1'",
    "SESSION_ID: 'harbor-2025-11-18'",
    "COOKIE: 'lang=de; theme=dark2'",
    "COOKIE: './cookies-2025.txt'",
    "SESSION: 'https://example.com/a1b2c3d4e5f6'",
    "SESSION_TIMEOUT: 'a1b2c3d4e5f6a7b8c9'",
    "MAX_TOKENS: '4096'",
    "TOKENS: '4096'",
    "KEYS: 'a,b'",
    "ALLOWED_TOKENS: 'ETH,USDC'",
    "TOKENS: 'USDC'",
    "TRACKED_TOKENS: 'ETH, wstETH'",
    "ERC20_TOKENS: 'USDC,DAI'",
    "COLOR_TOKENS: 'dark'",
    "COLOR_TOKENS: './tokens.json'",
    "CHUNK_TOKENS: '512-64'",
    "VERIFY_TOKEN: 'true'",
    "VERIFY_PASSWORD: 'yes'",
    "GOOGLE_CREDENTIALS_JSON: './key.json'",
  ])("isn't %s", (pair) => expect(says(`{ stdio: [node], env: { ${pair} } }`)).toEqual([]));

  test("is shown on no line of a declaration that is broken otherwise", () => {
    const found = says(`{ stdio: [node], evn: { A_TOKEN: "${token}" } }`);
    expect(found.map((diagnostic) => diagnostic.code)).toEqual(["source/unknown-key", "source/secret"]);
    expect(JSON.stringify(found)).not.toContain(token);
  });

  test.each([
    [`{ stdio: [node], evn: { A: "${token}", B: "${other}" } }`],
    [`{ stdio: [node], env: { A: "${token}", B: "${other}" } } }`],
    [`{ stdio: [node], env: { A: !x "${token}", A: "${other}" } }`],
    [`{ http: "https://a.example.com/", headers: { Authorization: "Bearer \${env:${token}}" } }`],
    [`{ http: "https://a.example.com/", heders: { Authorization: "Bearer 5f2c81d09be74a365f2c81d0" } }`],
    [`{ http: "https://a.example.com/", headers: { ${token}: 1, ${other}: [x] } }`],
  ])("in %s is shown by no message", (connect) => {
    const found = JSON.stringify(says(connect));
    expect(found).not.toBe("[]");
    for (const secret of [token, other, "5f2c81d09be74a365f2c81d0"]) {
      expect(found.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  test("is no message of a reference, and may be its default", () => {
    expect(
      says('{ http: "https://a.example.com/", headers: { Authorization: "Bearer ${T:?no token was set}" } }'),
    ).toEqual([]);
    const [error] = says(`{ http: "https://a.example.com/", headers: { Authorization: "Bearer \${T:-${token}}" } }`);
    expect(error?.code).toBe("server/literal-secret");
  });
});

describe("on a line that is very long", () => {
  const key = "5f2c81d09be74a36".repeat(3);
  const line = (before: number, rest: string) => `servers: { x: { title: "${"t".repeat(before)}", ${rest} } }`;
  const told = (text: string) => compiled({ "mcp/a.yaml": text }).diagnostics;

  test.each([390, 400, 410, 420, 430, 470, 700, 5000])("a secret behind %i characters is masked", (before) => {
    const text = line(before, `connect: [{ http: "https://x.example.com/", headers: { X-Api-Key: "${key}" } }]`);
    const found = told(text).filter(({ code }) => code === "server/written-secret");
    expect(found.map(({ at }) => [at!.column, markedIn(at)])).toEqual([[text.indexOf(key), '"5f2c…"']]);
    expect(JSON.stringify(found)).not.toContain(key.slice(0, 5));
    expect(found[0]!.at!.text.length).toBeLessThanOrEqual(503);
  });

  test("places keep their columns, and the line is cut around each", () => {
    const tools = Array.from({ length: 200 }, (_, i) => `tool_${i}`).join(", ");
    const text = `roles: { r: { titel: "${"t".repeat(800)}", tools: { x: [${tools}] }, tols: {}, hosst: {} } }`;
    const found = told(text).filter(({ code }) => code === "source/unknown-key");
    expect(found.map(({ at }) => [at!.column, markedIn(at)])).toEqual(
      ["titel", "tols", "hosst"].map((name) => [text.indexOf(name) + 1, name]),
    );
  });

  test("many places on a line of megabytes take no longer than one", () => {
    const text = line(
      10,
      `connect: [${Array.from({ length: 500 }, () => "{ htp: 'pat:pat:pat:eyJ-eyJ-' }").join(", ")}]`,
    );
    const begun = performance.now();
    told(`${text.slice(0, -4)}, note: "${"pat:eyJ-eyJ-token:  ".repeat(50_000)}" } }`);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

describe("a value behind a name that says secret", () => {
  const key = "5f2c81d09be74a36".repeat(3);
  const connect = (transport: string) => `servers: { x: { connect: [${transport}] } }`;

  test.each([
    `servers: { x: { titel: a, connect: [{ http: "https://x.example.com/", headers: { X-Api-Key: "${key}" } }] } }`,
    connect(`{ htp: "https://x.example.com/", headers: { X-Api-Key: "${key}" } }`),
    connect(`{ htp: "https://x.example.com/", headers: { X-Api-Key: "Token ${key}" } }`),
    `servers: { x: { connect: [{ http: "https://x.example.com/", headers: { X-Api-Key: "${key}" } } } }`,
    connect(`{ stdio: [srv], env: { API_KEY: ["${key}"] } }`),
    connect(`{ htp: "https://x.example.com/?api_key=${key}" }`),
    connect(`{ htp: "https://x.example.com/?page=1&key=${key}&sig=${key}" }`),
    connect(`{ stdio: "srv --api-key ${key}" }`),
    connect(`{ stdioo: [srv, --api-key, "${key}"] }`),
    connect(`{ stdioo: [srv, --api-key=${key}] }`),
    connect(`{ stdio: [srv], env: { API_KEY: "${key}": 1 } }`),
    connect(`{ htp: x, headers: { X-Api-Key: "\${API_KEY:-${key}}" } }`),
    connect(`{ htp: x, headers: { authorization: '${key}' } }`),
    connect(`{ stdio: [srv], env: { DATA: '{"api_key": "${key}"}' }, a: 1 }`),
    connect(`{ stdio: [srv], env: { DATA: "{\\"api_key\\": \\"${key}\\"}" }, a: 1 }`),
    `servers:\n  x:\n    connect:\n      - stdio: [a]\n        env:\n          API_KEY:\n            - ${key}\n`,
    `servers:\n  x:\n    connect:\n      - stdio:\n          - a\n          - --token\n          - [${key}]\n`,
  ])("is shown by nothing: %s", (text) => {
    const found = JSON.stringify(compiled({ "mcp/a.yaml": text }).diagnostics);
    expect(found).toContain('"severity":"error"');
    expect(found).not.toContain(key.slice(0, 5));
  });

  test("is shown by nothing where it is a number", () => {
    const [error] = compiled({ "mcp/a.yaml": connect("{ stdio: [srv], env: { API_KEY: 591826407315 } }") }).diagnostics;
    expect(error).toMatchObject({ code: "source/wrong-shape", help: 'put it in quotes: "591…"' });
    expect(JSON.stringify(error)).not.toContain("59182");
  });

  test.each([10, 20, 30, 40, 44])("is masked before a text is cut for a message: behind %i characters", (before) => {
    const lead = "x".repeat(before);
    for (const transport of [
      `{ stdio: "${lead} --api-key ${key}" }`,
      `{ stdio: "${lead} ${token}" }`,
      `{ stdio: [srv], cwd: "\${${lead} token=${key}" }`,
      `{ stdio: [srv] }], cache: "${lead} token=${key}", tools: [a`,
    ]) {
      const found = JSON.stringify(compiled({ "mcp/a.yaml": connect(transport) }).diagnostics);
      expect(found).toContain('"severity":"error"');
      expect(found).not.toContain(key.slice(0, 5));
      expect(found).not.toContain(token.slice(0, 5));
    }
  });

  test.each([
    "token: ${GITHUB_TOKEN:?create one at https://github.com/settings/tokens}",
    "headers: { Authorization: Bearer ${GITHUB_TOKEN}, X-Api-Key: ${API_KEY} }",
    'variables: { GITHUB_TOKEN: "A token with read access, OAuth2 or fine-grained, see https://github.com/settings/a1b2c3d4" }',
    "token: <your-token-goes-here>",
    "password: hunter2",
    "auth: ./scripts/get-token-2.sh",
    "tools: { token-vault: [list_tokens_v2, describe-all-secrets, rotateAccessTokens] }",
    '"token": {"type": "string", "description": "The token of a page, as list_pages answers it"}',
    '"required": ["token", "repository_id_a1b2c3d4e5"]',
    "manifest: github@5f2c81d09be74a36",
    "auth-service: { http: https://auth-service.example.com:8443/v2/a1b2c3d4e5f6 }",
    "stdio: [npx, -y, --auth, --access-token, ${TOKEN}, '@scope/server-1a2b3c4d5e6f']",
    "`--tool` is no flag; did you mean `--tools`?",
  ])("ordinary text stays: %s", (text) => expect(withoutTokens(text)).toBe(text));
});

/** What stands in the file is another text than what is made of it. */
describe("a token that is written with escapes", () => {
  const [first, second] = [token.slice(0, 12), token.slice(12)];
  const points = [...token].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const hook = ["https://hooks.slack.com/services", "T0A1B2C3D", "B0A1B2C3D", "a1B2c3D4e5F6g7H8i9J0k1L2"].join("/");
  const inFiles = (files: Readonly<Record<string, string>>) => {
    const found = compiled({ "mcp/s.yaml": "servers:\n  s: { connect: [{ stdio: [node] }] }\n", ...files }).diagnostics;
    return found.filter(({ code }) => /secret/.test(code));
  };

  test.each<[string, string, string]>([
    ["in hexadecimal", "mcp/a.yaml", `roles:\n  r: { description: "\\x67${token.slice(1)}" }\n`],
    ["in points", "mcp/a.yaml", `roles:\n  r: { description: "${points}" }\n`],
    ["in long points", "mcp/a.yaml", `roles:\n  r: { description: "\\U00000067${token.slice(1)}" }\n`],
    ["over two lines", "mcp/a.yaml", `roles:\n  r:\n    description: "${first}\\\n      ${second}"\n`],
    [
      "over two lines of Windows",
      "mcp/a.yaml",
      `roles:\r\n  r:\r\n    description: "${first}\\\r\n      ${second}"\r\n`,
    ],
    [
      "in a key",
      "mcp/a.yaml",
      `servers:\n  s: { connect: [{ stdio: [node], env: { "\\x67${token.slice(1)}": x } }] }\n`,
    ],
    ["in JSON", "mcp/a.json", `{ "roles": { "r": { "description": "\\u0067${token.slice(1)}" } } }`],
    ["as PHP's JSON", "mcp/a.json", `{ "roles": { "r": { "description": "${hook.replaceAll("/", "\\/")}" } } }`],
    ["in rolecall.yaml", "rolecall.yaml", `version: 1\nproject: "\\x67${token.slice(1)}"\n`],
    [
      "in a preset",
      "mcp/presets/s.yaml",
      `id: s\ntitle: "\\x67${token.slice(1)}"\nserver: { connect: [{ stdio: [a] }] }\n`,
    ],
    [
      "in an address",
      "mcp/a.yaml",
      `roles:\n  r: { description: "see https://a.example.com/?q=%67${token.slice(1)}&x=1" }\n`,
    ],
    ["in an address, its sign", "mcp/a.yaml", `roles:\n  r: { description: "?q=${token.replace("_", "%5F")}" }\n`],
    ["in an address, twice", "mcp/a.yaml", `roles: {} # ?q=${token.replace("_", "%255f")}\n`],
    [
      "of a connection",
      "mcp/a.yaml",
      `servers:\n  t: { connect: [{ stdio: [node], env: { A: "\\x67${token.slice(1)}" } }] }\n`,
    ],
    [
      "in a manifest",
      "mcp/manifests/s.json",
      `{ "tools": [{ "name": "a", "description": "\\u0067${token.slice(1)}", "inputSchema": { "type": "object" } }] }`,
    ],
  ])("%s is found and not shown", (where, file, text) => {
    const preset = where === "in a preset" ? { "mcp/s.yaml": "servers:\n  s: { preset: s }\n" } : {};
    const found = inFiles({ [file]: text, ...preset });
    expect(found).toHaveLength(1);
    expect(found[0]!.at).toMatchObject({ file });
    expect(JSON.stringify(found)).not.toMatch(/2C3d4E5|B2c3D4e5|\\u0041|3D4e5F6/);
  });

  test("beside one as it is written is said of both", () => {
    const text = `roles:\n  r: { description: "\\x67${token.slice(1)}" }\n  # ${other}\n`;
    expect(inFiles({ "mcp/a.yaml": text }).map(({ at }) => at?.line)).toEqual([2, 3]);
  });

  test("or only looks so, is none", () => {
    expect(
      inFiles({
        "mcp/a.yaml": 'roles:\n  r: { description: "?q=a%5Fb%20c%2Fd \\x67o\\/and\\u0020read\\\n      on" }\n',
      }),
    ).toEqual([]);
  });
});

/** What the marker stands under. */
function markedIn(at: Span | undefined): string | undefined {
  return at?.text.slice(at.textColumn - 1, at.textColumn - 1 + at.length);
}

describe("the origin of a URL is the written one", () => {
  test.each([
    ["https://a.example.com/mcp${X:+?x=${X}}", []],
    ["${URL}", []],
    ["${URL:-https://a.example.com/mcp}", []],
    ["https://a.example.com${X}/mcp", ["reference/in-origin"]],
    ["https:///a.example.com${X}/mcp", ["reference/in-origin"]],
    ["https://\\/a.example.com${X}/mcp", ["reference/in-origin"]],
    ["${SCHEME}://a.example.com/mcp", ["reference/in-origin"]],
    ["${URL:-http://a.example.com/mcp}", ["server/plain-http"]],
    ["${URL:+http://a.example.com/mcp}", ["server/plain-http"]],
    ["http://127.0.0.1:3000/mcp", []],
    ["http://a.example.com/mcp", ["server/plain-http"]],
    ["ftp://a.example.com/mcp", ["server/bad-url"]],
  ])("%s", (url, want) => {
    const { diagnostics } = compiled({
      "mcp/a.json": JSON.stringify({ servers: { s: { connect: [{ http: url }] } } }),
    });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual(want);
  });
});
