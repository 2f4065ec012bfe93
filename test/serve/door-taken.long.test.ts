import * as jose from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { message, sendRaw } from "../support/raw-http.ts";
import { servedProject, type ServedHttp, type ServedProject } from "../support/served-project.ts";

/** What a build takes away of who comes in over HTTP counts at a door that is open. */
let cli: BundledCli;
let project: ServedProject;
let door: ServedHttp;
let own: Awaited<ReturnType<typeof jose.generateKeyPair>>;
let leaked: typeof own;

const sources = (serve: string): string => `version: 1
project: harbor
serve: { hosts: [a.example, b.example], ${serve} }
state: { name: squad }
roles: { tester: { tools: { squad: all } } }
`;
const AUTH = "auth: { issuer: 'https://id.example', audience: harbor, jwks: keys.json }";
const keyOf = async (kid: string, { publicKey }: typeof own): Promise<object> => ({
  ...(await jose.exportJWK(publicKey)),
  kid,
});

beforeAll(async () => {
  cli = bundledCli();
  [own, leaked] = await Promise.all([jose.generateKeyPair("ES256"), jose.generateKeyPair("ES256")]);
  const keys = { keys: [await keyOf("own", own), await keyOf("leaked", leaked)] };
  project = await servedProject(cli.entry, { "rolecall.yaml": sources(AUTH), "keys.json": JSON.stringify(keys) }, [
    ["build"],
  ]);
  door = await project.serveHttp();
}, 120_000);
afterAll(async () => {
  await door.end();
  project.remove();
  cli.remove();
});

const tokenOf = (kid: string, { privateKey }: typeof own): Promise<string> =>
  new jose.SignJWT({ roles: ["tester"], sub: "kit" })
    .setProtectedHeader({ alg: "ES256", kid })
    .setIssuer("https://id.example")
    .setAudience("harbor")
    .setExpirationTime("5m")
    .sign(privateKey);
const statusOf = async (token: string, host = "127.0.0.1"): Promise<number> => {
  const asked = message(token, "tools/list");
  const answer = await sendRaw(door.address, {
    ...asked,
    path: "/mcp/tester",
    headers: { ...asked.headers, host },
  });
  return answer.status;
};
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 15_000; !(await holds());) {
    if (Date.now() > end) throw new Error("it never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
const build = async (serve: string): Promise<void> => {
  project.write("rolecall.yaml", sources(serve));
  await project.run("build");
};

test("a key, a name, and an issuer", async () => {
  const [kept, gone] = await Promise.all([tokenOf("own", own), tokenOf("leaked", leaked)]);
  expect([await statusOf(kept), await statusOf(gone), await statusOf(kept, "b.example")]).toEqual([200, 200, 200]);
  project.write("keys.json", JSON.stringify({ keys: [await keyOf("own", own)] }));
  await until(async () => (await statusOf(gone)) === 401);
  expect(await statusOf(kept)).toBe(200);
  project.write("rolecall.yaml", sources(`${AUTH}, record: other.jsonl`).replace(", b.example", ""));
  await project.run("build");
  await until(async () => (await statusOf(kept, "b.example")) === 403);
  expect([await statusOf(kept, "a.example"), await statusOf(gone)]).toEqual([200, 401]);
  await build(AUTH.replace("id.example", "other.example"));
  await until(async () => (await statusOf(kept)) === 401);
});
