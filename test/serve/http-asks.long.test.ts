import { existsSync } from "node:fs";
import path from "node:path";
import * as jose from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { answered, message, sendRaw, textOf, type RawAnswer } from "../support/raw-http.ts";
import { realServer, servedProject, type ServedHttp, type ServedProject } from "../support/served-project.ts";

/** What waits for a person over HTTP: it belongs to whom the token names, by keys that lie in a file. */
let cli: BundledCli;
let project: ServedProject;
let door: ServedHttp;
let key: jose.CryptoKey;

const AUDIENCE = "https://tools.example.com";
const ISSUER = "https://login.example.com";

beforeAll(async () => {
  const { publicKey, privateKey } = await jose.generateKeyPair("ES256");
  key = privateKey;
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "keys.json": JSON.stringify({ keys: [await jose.exportJWK(publicKey)] }),
    "rolecall.yaml": `version: 1
project: harbor
serve:
  askHold: 1s
  approvers: [terminal, program]
  auth: { issuer: "${ISSUER}", audience: "${AUDIENCE}", jwks: keys.json }
servers:
  files: { connect: [{ stdio: [${process.execPath}, ${realServer("filesystem")}, .], cwd: . }], root: . }
roles:
  tester: { tools: { files: { include: [create_directory], ask: [create_directory] } } }
  reader: { tools: { files: { include: [create_directory], ask: [create_directory] } } }
`,
  });
  door = await project.serveHttp({ args: ["--roles", "tester"] });
}, 120_000);
afterAll(async () => {
  await door?.end();
  project.remove();
  cli.remove();
});

async function asked(sub: string, folder: string, role = "tester"): Promise<RawAnswer> {
  const claims = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub,
    roles: ["tester", "reader"],
    exp: Math.floor(Date.now() / 1000) + 60,
  };
  const token = await new jose.SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(key);
  const call = { name: "files__create_directory", arguments: { path: folder } };
  return sendRaw(door.address, { ...message(token, "tools/call", call), path: `/mcp/${role}` });
}

const isThere = (folder: string): boolean => existsSync(path.join(project.dir, folder));
const WAITS_ON = "Make the same call again, unchanged";

test("without anybody to answer it is refused at once", async () => {
  expect(textOf(await asked("kit", "nobody"))).toContain("nobody is there to be asked");
});

test("a yes is for who asked, once, and for nobody else with the same role", async () => {
  const approver = project.program();
  expect(await approver.line(0)).toEqual({ waiting: 0 });
  expect(textOf(await asked("kit", "one"))).toContain(WAITS_ON);
  const ask = await approver.line(1);
  expect(ask).toMatchObject({ kind: "call", role: "tester", tool: "create_directory", args: { path: "one" } });
  expect([ask["caller"], ask["client"]]).toEqual(["sub kit", null]);
  approver.say({ id: ask.id, hash: ask.hash, yes: true, by: "mo" });
  expect(await approver.line(2)).toEqual({ id: ask.id, done: true });
  // The same call of another is another ask, which nobody has answered.
  expect(textOf(await asked("eve", "one"))).toContain(WAITS_ON);
  expect(isThere("one")).toBe(false);
  expect(answered(await asked("kit", "one")).result.isError).toBeUndefined();
  expect(isThere("one")).toBe(true);
  expect(textOf(await asked("kit", "one"))).toContain(WAITS_ON);
  await approver.end();
});

test("a role that isn't among those of `--roles` is as if it weren't there", async () => {
  expect((await asked("kit", "other", "reader")).status).toBe(403);
});
