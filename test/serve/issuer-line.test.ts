import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as jose from "jose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keysOfSet } from "../../compiler/base/key-set.ts";
import { issuedTokens, type IssuedTokens } from "../../compiler/io/serve/http/issuer.ts";

/** An issuer that doesn't answer: whoever sends what looks like a token waits for it. */
let issuer: Server;
let address: string;
let published: string | undefined;
let asked = 0;
const unanswered: ServerResponse[] = [];
beforeEach(async () => {
  [published, asked, unanswered.length] = [undefined, 0, 0];
  issuer = createServer((_, response) => {
    asked++;
    if (published === undefined) unanswered.push(response);
    else response.end(published);
  });
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.restoreAllMocks();
  issuer.closeAllConnections();
  issuer.close();
});

const AUDIENCE = "https://tools.example.com";
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const TOKEN = `${part({ alg: "RS256", kid: "a" })}.${part({ sub: "nobody" })}.${"a".repeat(300)}`;
const judged = (tokens: IssuedTokens, token = TOKEN, gone = new AbortController().signal): Promise<unknown> =>
  tokens.principalOf(token, [AUDIENCE], gone).catch(({ message }: Error) => message);

async function hangs(isAsked = 1): Promise<void> {
  while (unanswered.length < isAsked) await new Promise((resolve) => setTimeout(resolve, 10));
}

function later(ms: number): void {
  const [now, since] = [Date.now, performance.now.bind(performance)];
  vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
  vi.spyOn(performance, "now").mockImplementation(() => since() + ms);
}

test.each([
  ["says where its keys are", false],
  ["gives its keys", true],
])("512 tokens wait until it %s, and one more is told at once", async (_, isKnown) => {
  const jwks = isKnown ? `${address}/keys` : undefined;
  const tokens = issuedTokens({ issuer: address, rolesClaim: "roles", jwks, keys: undefined });
  let settled = 0;
  const waiting = Array.from({ length: 512 }, () => judged(tokens).finally(() => settled++));
  await hangs();
  expect(await judged(tokens)).toBe("too many wait for the keys of the issuer");
  expect(settled).toBe(0);
  const end = setInterval(() => unanswered.splice(0).forEach((response) => response.writeHead(404).end()), 10);
  expect(new Set(await Promise.all(waiting)).size).toBe(1);
  expect(await judged(tokens)).not.toContain("too many");
  clearInterval(end);
});

test("a token whose key is kept is judged at once, however many wait for keys that aren't there", async () => {
  const { privateKey, publicKey } = await jose.generateKeyPair("RS256");
  published = JSON.stringify({ keys: [{ ...(await jose.exportJWK(publicKey)), kid: "ours" }] });
  const tokens = issuedTokens({ issuer: address, rolesClaim: "roles", jwks: `${address}/keys`, keys: undefined });
  const valid = await new jose.SignJWT({ sub: "kit", roles: ["tester"] })
    .setProtectedHeader({ alg: "RS256", kid: "ours" })
    .setIssuer(address)
    .setAudience(AUDIENCE)
    .setExpirationTime("5m")
    .sign(privateKey);
  expect(await judged(tokens, valid)).toMatchObject({ roles: ["tester"] });
  published = undefined;
  later(31_000);
  const waiting = Array.from({ length: 512 }, () => judged(tokens));
  await hangs();
  expect(await judged(tokens)).toContain("too many");
  expect(await judged(tokens, valid)).toMatchObject({ roles: ["tester"] });
  unanswered.splice(0).forEach((response) => response.writeHead(500).end());
  await Promise.all(waiting);
  expect(await judged(tokens, valid)).toMatchObject({ roles: ["tester"] });
});

test("who is gone waits no longer", async () => {
  const tokens = issuedTokens({ issuer: address, rolesClaim: "roles", jwks: `${address}/keys`, keys: undefined });
  const gone = new AbortController();
  const waiting = Array.from({ length: 512 }, () => judged(tokens, TOKEN, gone.signal));
  await hangs();
  gone.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["whoever sent it is gone"]));
  const next = judged(tokens);
  unanswered.splice(0).forEach((response) => response.end('{"keys":[]}'));
  expect(await next).toBeUndefined();
  expect(asked).toBe(1);
});

test("keys that can't be had are asked for again after five seconds, and not by each token", async () => {
  const tokens = issuedTokens({ issuer: address, rolesClaim: "roles", jwks: `${address}/keys`, keys: undefined });
  const first = judged(tokens);
  await hangs();
  unanswered.splice(0).forEach((response) => response.writeHead(500).end());
  expect(await first).toBe(`\`${address}/keys\` answers 500 in place of keys`);
  for (let i = 0; i < 20; i++) expect(await judged(tokens)).toBe(await first);
  expect(asked).toBe(1);
  later(5_001);
  published = '{"keys":[]}';
  expect(await judged(tokens)).toBeUndefined();
  expect(asked).toBe(2);
});

const OPERATIONS = Array.from({ length: 11 }, (_, i) => `operation ${i}`);

test.each([
  ["very many keys", Array(1_001).fill("{}").join(), "it has more than 1000 keys"],
  ["a key for very much", `{"kty":"RSA","key_ops":${JSON.stringify(OPERATIONS)}}`, "a key in it has more than"],
  ["a key with very much in it", `{"x5c":[${"0,".repeat(100)}0]}`, "a key in it has more than any key has"],
  ["a key that is very deep", "[".repeat(100_000) + "]".repeat(100_000), "a key in it has more than any key has"],
])("by a set with %s nobody comes in: each token would take long", async (_, keys, why) => {
  published = `{"keys":[${keys}]}`;
  expect(keysOfSet(published)).toEqual([]);
  const tokens = issuedTokens({ issuer: address, rolesClaim: "roles", jwks: `${address}/keys`, keys: undefined });
  expect(await judged(tokens)).toContain(why.replace(/\bit\b/, `\`${address}/keys\``));
  const file = { issuer: address, rolesClaim: "roles", jwks: "keys.json", keys: published };
  expect(() => issuedTokens(file)).toThrow(expect.objectContaining({ says: expect.stringContaining(why) as string }));
});

test.each([
  ["nothing that could be read", undefined, "no plain file of at most 1 MB is there"],
  ["more than is read", `{"keys":[]}${" ".repeat(1_000_000)}`, "no plain file of at most 1 MB is there"],
  ["very many keys", JSON.stringify({ keys: Array(1_001).fill(1) }), "it has more than 1000 keys"],
  ["no keys", "{}", "JSON Web Key Set malformed"],
  ["a private key", '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}]}', "a key in it is a private one"],
  ["a secret that both sides have", '{"keys":[{"kty":"oct","k":"AA"}]}', "a key in it is a private one"],
  ["no JSON", '{"keys": s3cret-of-an-issuer}', "it is no JSON"],
])("a file of keys with %s is told before the door opens", (_, keys, why) => {
  expect(() => issuedTokens({ issuer: address, rolesClaim: "roles", jwks: "keys.json", keys })).toThrow(
    expect.objectContaining({
      says: `\`keys.json\`, which \`serve: { auth: { jwks } }\` names, isn't a set of keys (${why})`,
    }),
  );
});
