import { describe, expect, test } from "vitest";
import { compiled } from "./support/compiled.ts";
import { findSecret, findSecretInUrl, isSecretName } from "../compiler/base/secret-patterns.ts";

/** Made up, and put together here so that no scanner takes them for real. */
const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4"].join("_");
const other = ["sk", "Z9y8X7w6V5u4T3s2R1q0P9o8"].join("-");

describe("what looks like a secret", () => {
  test.each([
    [token, false, token],
    [`Bearer ${token}`, false, token],
    ["Bearer 5f2c81d09be74a36", true, "5f2c81d09be74a36"],
    ["5f2c81d09be74a36", false, undefined],
    ["<your token>", true, undefined],
    ["changeme", true, undefined],
    ["your-token-here", true, undefined],
    ["application/json", false, undefined],
    ["", true, undefined],
  ])("%j, named for one: %j", (text, named, want) => expect(findSecret(text, named)).toBe(want));

  test.each([
    ["https://example.com/mcp", undefined],
    ["https://user:5f2c81d09be7@example.com/mcp", "5f2c81d09be7"],
    [`https://${token}@example.com/mcp`, token],
    [`https://example.com/${token}/mcp`, token],
    ["https://example.com/mcp?api_key=5f2c81d09be7", "5f2c81d09be7"],
    ["https://example.com/mcp?page=1234567890", undefined],
    ["postgresql://app:5f2c81d09be7@db.example.com/app", "5f2c81d09be7"],
  ])("in %s", (url, want) => expect(findSecretInUrl(url)).toBe(want));

  test.each([
    ["GITHUB_TOKEN", true],
    ["apiToken", true],
    ["X-Api-Key", true],
    ["LOG_LEVEL", false],
    ["keyboard", false],
    ["tokenizer", false],
  ])("a name like %s says so: %j", (name, want) => expect(isSecretName(name)).toBe(want));
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
    const marked = found.map(({ at }) => at!.text.slice(at!.column - 1, at!.column - 1 + at!.length));
    expect(marked).toEqual(['"ghp_…"', '"sk-Z…"']);
  });

  test("is shown on no line of a declaration that is broken otherwise", () => {
    const found = says(`{ stdio: [node], evn: { A_TOKEN: "${token}" } }`);
    expect(found.map((diagnostic) => diagnostic.code)).toEqual(["source/unknown-key"]);
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
