import { METHODS } from "node:http";
import path from "node:path";
import * as jose from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { message, sendBytes, sendRaw, type RawAnswer } from "../support/raw-http.ts";
import { ROOT } from "../support/root.ts";
import { servedProject, type ServedHttp, type ServedProject } from "../support/served-project.ts";

/** Every method on every path, of somebody with a token and of somebody without: none of them is an error of ours. */
let cli: BundledCli;
let project: ServedProject;
let door: ServedHttp;
let token: string;

const [ISSUER, AUDIENCE] = ["https://login.example.com", "https://tools.example.com"];
const ABOUT = "/.well-known/oauth-protected-resource/mcp/tester";

beforeAll(async () => {
  const { publicKey, privateKey } = await jose.generateKeyPair("ES256");
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: "kit", roles: "tester", exp: Math.floor(Date.now() / 1000) + 600 };
  token = await new jose.SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
  cli = bundledCli();
  const counting = path.join(ROOT, "test/support/counting-server.mjs");
  project = await servedProject(cli.entry, {
    "keys.json": JSON.stringify({ keys: [await jose.exportJWK(publicKey)] }),
    "rolecall.yaml": `version: 1
project: harbor
serve: { auth: { issuer: "${ISSUER}", audience: "${AUDIENCE}", jwks: keys.json } }
servers:
  free: { connect: [{ stdio: [${process.execPath}, ${counting}, free.txt], cwd: . }] }
roles:
  tester: { tools: { free: [write] } }
  reader: { tools: { free: [write] } }
`,
  });
  door = await project.serveHttp();
}, 120_000);
afterAll(async () => {
  await door?.end();
  project?.remove();
  cli.remove();
});

/** `CONNECT` opens a tunnel, and has no answer here: below. */
const OTHERS = METHODS.filter((method) => method !== "CONNECT");
const READ: readonly string[] = ["GET", "HEAD"];

function send(method: string, at: string, given?: string): Promise<RawAnswer> {
  const { body = "", headers = {} } = message(given, "tools/list");
  const asked = { method, path: at, headers: { ...headers, connection: "keep-alive" } };
  return sendRaw(door.address, method === "POST" ? { ...asked, body } : asked);
}

test.each<[at: string, open: readonly string[], allow: string | undefined]>([
  ["/mcp/tester", ["POST"], "POST"],
  ["/healthz", READ, "GET, HEAD"],
  ["/readyz", READ, "GET, HEAD"],
  ["/metrics", READ, "GET, HEAD"],
  ["/mcp/reader", [], undefined],
  ["/mcp/nobody", [], undefined],
  ["/mcp", [], undefined],
  ["/", [], undefined],
  [ABOUT, READ, "GET, HEAD"],
  ["/.well-known/oauth-protected-resource", [], undefined],
])("with a token %s answers %j, and says so to every other method", async (at, open, allow) => {
  for (const method of OTHERS.filter((one) => !open.includes(one))) {
    const { status, headers, text } = await send(method, at, token);
    expect([method, status, headers["allow"]]).toEqual([method, allow === undefined ? 403 : 405, allow]);
    expect(text).not.toContain(token);
  }
  for (const method of open) expect([method, (await send(method, at, token)).status]).toEqual([method, 200]);
});

test("without one nothing but what is everybody's to ask is answered, whatever the method", async () => {
  for (const at of ["/mcp/tester", "/mcp/nobody", "/healthz", "/readyz", "/metrics", "/", ABOUT])
    for (const method of OTHERS) {
      const isOpen = (at === "/healthz" || at === "/readyz" || at === ABOUT) && READ.includes(method);
      const { status, text } = await send(method, at);
      expect([method, at, status]).toEqual([method, at, isOpen ? 200 : 401]);
      if (!isOpen && method !== "HEAD") expect(JSON.parse(text)).toEqual({ error: "A valid token is needed" });
    }
});

test("what comes behind a method that isn't open isn't read on", async () => {
  const head = `PUT /mcp/tester HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const answer = await sendBytes(door.address, `${head}Content-Length: 100000000\r\n\r\nbegun`);
  expect(answer).toMatch(/^HTTP\/1\.1 405 [^]*\r\nconnection: close\r\n/i);
  // An older client's question whether there is a stream costs no connection.
  const { headers } = await send("GET", "/mcp/tester", token);
  expect(headers["connection"]).not.toBe("close");
});

test("a tunnel, a method that nobody knows and an upgrade open nothing, and the door goes on", async () => {
  const about = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  expect(await sendBytes(door.address, `CONNECT localhost:22 HTTP/1.1\r\n${about}\r\n`)).not.toContain(" 200 ");
  expect(await sendBytes(door.address, `NONSENSE /mcp/tester HTTP/1.1\r\n${about}\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  const upgrade = "Connection: upgrade, close\r\nUpgrade: websocket\r\n";
  expect(await sendBytes(door.address, `GET /mcp/tester HTTP/1.1\r\n${about}${upgrade}\r\n`)).toMatch(
    /^HTTP\/1\.1 405 /,
  );
  expect((await send("GET", "/healthz")).status).toBe(200);
});
