import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as jose from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { type RawAnswer, message, newerMessage, sendRaw, textOf } from "../support/raw-http.ts";
import { realServer, servedProject, type ServedHttp, type ServedProject } from "../support/served-project.ts";

/** Tokens that an issuer gives: a real one would do no more than serve its keys. */
let cli: BundledCli;
let project: ServedProject;
let door: ServedHttp;
let issuer: Server;
let address: string;
let keys: Awaited<ReturnType<typeof jose.generateKeyPair>>;
let other: typeof keys;
let ec: typeof keys;
let ed: typeof keys;
let asked = 0;

const AUDIENCE = "https://tools.example.com";

beforeAll(async () => {
  [keys, other, ec, ed] = await Promise.all([
    jose.generateKeyPair("RS256", { extractable: true }),
    jose.generateKeyPair("RS256"),
    jose.generateKeyPair("ES256"),
    jose.generateKeyPair("EdDSA"),
  ]);
  const published = {
    keys: [
      { ...(await jose.exportJWK(keys.publicKey)), kid: "rsa", use: "sig" },
      { ...(await jose.exportJWK(ec.publicKey)), kid: "ec" },
      { ...(await jose.exportJWK(ed.publicKey)), kid: "ed" },
      { kty: "oct", k: Buffer.from("a-secret-that-somebody-published").toString("base64url"), kid: "oct" },
    ],
  };
  issuer = createServer((request, response) => {
    asked++;
    if (request.url === "/keys") return void response.end(JSON.stringify(published));
    if (request.url === "/.well-known/openid-configuration")
      return void response.end(JSON.stringify({ issuer: address, jwks_uri: `${address}/keys` }));
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { url: "${AUDIENCE}", auth: { issuer: "${address}", audience: "${AUDIENCE}" } }
servers:
  everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] }
roles:
  tester: { tools: { everything: [echo] } }
  reader: { tools: { everything: [echo] } }
`,
  });
  door = await project.serveHttp();
}, 120_000);
afterAll(async () => {
  await door?.end();
  issuer.close();
  project.remove();
  cli.remove();
});

const now = (): number => Math.floor(Date.now() / 1000);
const claims = (): jose.JWTPayload => ({
  iss: address,
  aud: AUDIENCE,
  sub: "kit",
  roles: ["tester"],
  iat: now(),
  exp: now() + 300,
});

function signed(
  payload: jose.JWTPayload,
  header: Partial<jose.JWTHeaderParameters> = {},
  key: jose.CryptoKey = keys.privateKey,
): Promise<string> {
  return new jose.SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "rsa", ...header }).sign(key);
}

const send = (token: string, path = "/mcp/tester"): Promise<RawAnswer> =>
  sendRaw(door.address, {
    ...message(token, "tools/call", { name: "everything__echo", arguments: { message: "ho" } }),
    path,
  });

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a valid token opens its roles' addresses, and no other", () => {
  test("whatever it was signed by", async () => {
    const tokens = [
      await signed(claims()),
      await signed(claims(), { alg: "ES256", kid: "ec" }, ec.privateKey),
      await signed(claims(), { alg: "EdDSA", kid: "ed" }, ed.privateKey),
      await signed(claims(), { typ: "at+jwt" }),
    ];
    for (const token of tokens) {
      const answer = await send(token);
      expect(answer.status).toBe(200);
      expect(textOf(answer)).toBe("Echo: ho");
    }
  });

  test.each([
    ["a text", "tester", [200, 403]],
    ["a list", ["reader", "tester"], [200, 200]],
    ["roles that aren't here", ["admin", "*"], [403, 403]],
    ["a list in a text", "tester reader", [403, 403]],
    ["a map", { tester: true }, [403, 403]],
    ["nothing", undefined, [403, 403]],
  ])("its claim holding %s", async (_, roles, [tester, reader]) => {
    const token = await signed({ ...claims(), roles });
    expect((await send(token)).status).toBe(tester);
    expect((await send(token, "/mcp/reader")).status).toBe(reader);
  });

  test("a minute of skew is forgiven", async () => {
    expect((await send(await signed({ ...claims(), exp: now() - 30 }))).status).toBe(200);
    expect((await send(await signed({ ...claims(), nbf: now() + 30 }))).status).toBe(200);
  });
});

describe("refused, however well it looks", () => {
  const forged: Record<string, () => Promise<string> | string> = {
    "no signature, `none`": () => `${part({ alg: "none" })}.${part(claims())}.`,
    "no signature, `None`": () => `${part({ alg: "None", kid: "rsa" })}.${part(claims())}.`,
    "the signature cut off": async () => (await signed(claims())).replace(/\.[^.]*$/, "."),
    "the public key as a secret": async () => {
      const pem = new TextEncoder().encode(await jose.exportSPKI(keys.publicKey));
      return new jose.SignJWT(claims()).setProtectedHeader({ alg: "HS256", kid: "rsa" }).sign(pem);
    },
    "a secret that was published among the keys": () =>
      new jose.SignJWT(claims())
        .setProtectedHeader({ alg: "HS256", kid: "oct" })
        .sign(new TextEncoder().encode("a-secret-that-somebody-published")),
    "another algorithm of the same key": async () => {
      const key = await jose.importPKCS8(await jose.exportPKCS8(keys.privateKey), "PS256");
      return signed(claims(), { alg: "PS256" }, key);
    },
    "another's key under the name of ours": () => signed(claims(), {}, other.privateKey),
    "a key that it brings itself": async () =>
      signed(claims(), { kid: "mine", jwk: await jose.exportJWK(other.publicKey) }, other.privateKey),
    "an address of keys that it brings itself": () =>
      signed(claims(), { kid: "mine", jku: "http://127.0.0.1:1/keys" }, other.privateKey),
    "a key that nobody has": () => signed(claims(), { kid: "../../keys" }),
    "an extension that must be understood": () =>
      new jose.SignJWT(claims())
        .setProtectedHeader({ alg: "RS256", kid: "rsa", crit: ["x"], x: 1 })
        .sign(keys.privateKey, { crit: { x: true } }),
    "over an hour ago": () => signed({ ...claims(), exp: now() - 3_600 }),
    "just over": () => signed({ ...claims(), exp: now() - 62 }),
    "without an end": () => {
      const { exp: _, ...rest } = claims();
      return signed(rest);
    },
    "an end that is a text": () => signed({ ...claims(), exp: "9999999999" as never }),
    "not yet": () => signed({ ...claims(), nbf: now() + 3_600 }),
    "issued tomorrow": () => signed({ ...claims(), iat: now() + 86_400, exp: now() + 90_000 }),
    "another issuer": () => signed({ ...claims(), iss: "https://evil.example" }),
    "an issuer that only begins so": () => signed({ ...claims(), iss: `${address}.evil.example` }),
    "no issuer": () => {
      const { iss: _, ...rest } = claims();
      return signed(rest);
    },
    "another audience": () => signed({ ...claims(), aud: "https://other.example.com" }),
    "an audience that only begins so": () => signed({ ...claims(), aud: `${AUDIENCE}.evil.example` }),
    "no audience": () => {
      const { aud: _, ...rest } = claims();
      return signed(rest);
    },
    "claims that were changed": async () => {
      const [header, , signature] = (await signed({ ...claims(), roles: ["reader"] })).split(".");
      return `${header}.${part(claims())}.${signature}`;
    },
    "no token at all": () => "abc",
    "four parts": async () => `${await signed(claims())}.AA`,
  };
  test.each(Object.entries(forged))("%s", async (_, make) => {
    const answer = await send(await make());
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe(
      `Bearer resource_metadata="${AUDIENCE}/.well-known/oauth-protected-resource/mcp/tester", error="invalid_token"`,
    );
  });
});

test("a key that nobody has is looked for once, and not for each token", async () => {
  const before = asked;
  for (let i = 0; i < 20; i++) await send(await signed(claims(), { kid: `nobody-${i}` }));
  expect(asked - before).toBeLessThanOrEqual(1);
});

test("who gives tokens is told of every name that a role could have", async () => {
  for (const role of ["tester", "nobody"]) {
    const answer = await sendRaw(door.address, { path: `/.well-known/oauth-protected-resource/mcp/${role}` });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      resource: `${AUDIENCE}/mcp/${role}`,
      authorization_servers: [address],
      bearer_methods_supported: ["header"],
    });
  }
});

test("a stream ends with the token that opened it", async () => {
  const token = await signed({ ...claims(), exp: now() - 57 });
  const began = Date.now();
  const listening = newerMessage(token, "subscriptions/listen", { notifications: { toolsListChanged: true } });
  const answer = await sendRaw(door.address, { ...listening, path: "/mcp/tester" });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain("event");
  expect(Date.now() - began).toBeLessThan(10_000);
});
