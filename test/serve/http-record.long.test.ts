import path from "node:path";
import * as jose from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { message, newerMessage, sendRaw, type RawAnswer } from "../support/raw-http.ts";
import { ROOT } from "../support/root.ts";
import { servedProject, type ServedHttp, type ServedProject } from "../support/served-project.ts";
import { recordedLines } from "../support/recorded-runs.ts";

/** Who called over HTTP stands in the record: as the door knows him, and as his client calls itself where it says so. */
let cli: BundledCli;
let key: jose.CryptoKey;
let issued: Served;
let tokens: Served;

interface Served {
  readonly project: ServedProject;
  readonly door: ServedHttp;
}

const AUDIENCE = "https://tools.example.com";
const ISSUER = "https://login.example.com";
/** Made up, and handed to the server: what it has is nobody's to read in the record. */
const SECRET = "gulls-over-the-harbor-wall";
const TOKEN = "a-token-of-the-tests-own";

async function served(auth: string, files: Readonly<Record<string, string>> = {}): Promise<Served> {
  const counting = path.join(ROOT, "test/support/counting-server.mjs");
  const project = await servedProject(
    cli.entry,
    {
      ...files,
      "rolecall.yaml": `version: 1
project: harbor
serve: { auth: ${auth} }
servers:
  free: { connect: [{ stdio: [${process.execPath}, ${counting}, free.txt], cwd: ., env: { HARBOR_TOKEN: "\${HARBOR_TOKEN}" } }] }
roles:
  tester: { tools: { free: [write] } }
`,
    },
    undefined,
    { HARBOR_TOKEN: SECRET, TESTER_TOKEN: TOKEN },
  );
  return { project, door: await project.serveHttp() };
}

beforeAll(async () => {
  const { publicKey, privateKey } = await jose.generateKeyPair("ES256");
  key = privateKey;
  cli = bundledCli();
  const keys = JSON.stringify({ keys: [await jose.exportJWK(publicKey)] });
  issued = await served(`{ issuer: "${ISSUER}", audience: "${AUDIENCE}", jwks: keys.json }`, { "keys.json": keys });
  tokens = await served('{ tokens: { tester: "${TESTER_TOKEN}" } }');
}, 120_000);
afterAll(async () => {
  for (const { door, project } of [issued, tokens]) {
    await door?.end();
    project?.remove();
  }
  cli.remove();
});

let made = 0;

interface Line {
  readonly args: { readonly id?: string };
  readonly caller?: string;
  readonly client?: string;
}

/** The line of one call, as it stands in the file. */
async function lineOf({ project }: Served, id: string): Promise<Line> {
  for (const end = Date.now() + 5_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const found = recordedLines<Line>(project.dir).find(({ args }) => args.id === id);
    if (found !== undefined) return found;
  }
  throw new Error(`no line tells of ${id}`);
}

const call = (door: ServedHttp, token: string, id: string, made = message, more: object = {}): Promise<RawAnswer> =>
  sendRaw(door.address, {
    ...made(token, "tools/call", { name: "free__write", arguments: { id }, ...more }),
    path: "/mcp/tester",
  });

async function tokenOf(claims: object): Promise<string> {
  const whole = { iss: ISSUER, aud: AUDIENCE, roles: "tester", exp: Math.floor(Date.now() / 1000) + 60, ...claims };
  return new jose.SignJWT(whole).setProtectedHeader({ alg: "ES256" }).sign(key);
}

test.each([
  ["its `sub`", { sub: "kit" }, "sub kit"],
  ["its `sub`, where a client's id is there too", { sub: "kit", client_id: "ci" }, "sub kit"],
  ["a `sub` that is a number", { sub: 7 }, "sub# 7"],
  ["a client's id, where it has no `sub`", { client_id: "ci" }, "client_id ci"],
  [
    "a `sub` on one line",
    { sub: 'kit\n{"role":"lead"}\u001b[2K\u202e' },
    'sub kit\\u{a}{"role":"lead"}\\u{1b}[2K\\u{202e}',
  ],
  ["so much of a `sub` as people read", { sub: "k".repeat(3_000) }, `sub ${"k".repeat(196)}...`],
  ["a `sub` without what the server was given", { sub: `kit ${SECRET}` }, "sub kit ***"],
  ["a `sub` in which that isn't cut in two", { sub: `${"k".repeat(185)} ${SECRET}` }, `sub ${"k".repeat(185)} ***`],
])("the caller of a token is %s", async (_, claims, caller) => {
  const id = `call ${++made}`;
  expect((await call(issued.door, await tokenOf(claims), id)).status).toBe(200);
  expect((await lineOf(issued, id)).caller).toBe(caller);
});

test("of a token that names nobody the caller is that token, which its line doesn't hold", async () => {
  const [one, other] = [await tokenOf({ jti: "1" }), await tokenOf({ jti: "2" })];
  await call(issued.door, one, "one");
  await call(issued.door, one, "again");
  await call(issued.door, other, "other");
  const callers = await Promise.all(["one", "again", "other"].map(async (id) => (await lineOf(issued, id)).caller!));
  expect(callers[0]).toMatch(/^token [0-9a-f]{64}$/);
  expect([callers[1], callers[2] === callers[0]]).toEqual([callers[0], false]);
});

test("a token of a variable is called by its role", async () => {
  await call(tokens.door, TOKEN, "plain");
  const line = await lineOf(tokens, "plain");
  expect(line.caller).toBe("the token of tester");
  expect(JSON.stringify(line)).not.toContain(TOKEN);
});

test("what the client calls itself is there where its era tells it, on one line and masked whole", async () => {
  await call(tokens.door, TOKEN, "older");
  await call(tokens.door, TOKEN, "newer", newerMessage);
  expect(await lineOf(tokens, "older")).not.toHaveProperty("client");
  expect((await lineOf(tokens, "newer")).client).toBe("a-test 7");
  const clientInfo = { name: `${"c".repeat(190)} ${SECRET}\n`, version: "7" };
  const odd: typeof newerMessage = (token, method, params = {}) => {
    const made = newerMessage(token, method, params);
    return { ...made, body: made.body!.replace('{"name":"a-test","version":"7"}', JSON.stringify(clientInfo)) };
  };
  await call(tokens.door, TOKEN, "odd", odd);
  expect((await lineOf(tokens, "odd")).client).toBe(`${"c".repeat(190)} ***\\u{a} 7`);
});

test("over standard input nobody is known but by what the client says", async () => {
  const { client } = await tokens.project.connect(["--role", "tester"]);
  await client.callTool({ name: "free__write", arguments: { id: "stdio" } });
  await client.close();
  const line = await lineOf(tokens, "stdio");
  expect([line.client, line.caller]).toEqual(["a-test 7", undefined]);
});
