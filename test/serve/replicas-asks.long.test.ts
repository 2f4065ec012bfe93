import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as jose from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { hasNginx, proxyBefore, type OwnProxy } from "../support/nginx.ts";
import { answered, message, newerMessage, sendRaw, textOf, type RawAnswer } from "../support/raw-http.ts";
import { hasRedis, ownRedis, type OwnRedis } from "../support/redis.ts";
import { ROOT } from "../support/root.ts";
import {
  servedProject,
  type ApproverProgram,
  type InboxLine,
  type ServedHttp,
  type ServedProject,
} from "../support/served-project.ts";
import { recordedLines } from "../support/recorded-runs.ts";

/** A person asked behind three doors with one key, a real proxy that sends each request to another, and a real Redis. */

const [ISSUER, AUDIENCE] = ["https://login.example.com", "https://tools.example.com"];
let cli: BundledCli;
let project: ServedProject;
let redis: OwnRedis;
let proxy: OwnProxy;
let doors: Door[] = [];
let signing: jose.CryptoKey;
const programs: ApproverProgram[] = [];

interface Door extends ServedHttp {
  readonly env: Readonly<Record<string, string>>;
}

const missing = [...(hasRedis ? [] : ["redis-server"]), ...(hasNginx ? [] : ["nginx"])].join(" and ");
if (missing !== "") console.log(`skipped, ${missing} isn't installed: asks behind three doors`);

describe.skipIf(missing !== "")("asks behind three doors with one key", () => {
  beforeAll(async () => {
    const { publicKey, privateKey } = await jose.generateKeyPair("ES256");
    signing = privateKey;
    cli = bundledCli();
    redis = await ownRedis();
    await redis.start();
    const counting = path.join(ROOT, "test/support/counting-server.mjs");
    project = await servedProject(cli.entry, {
      "keys.json": JSON.stringify({ keys: [await jose.exportJWK(publicKey)] }),
      "rolecall.yaml": `version: 1
project: harbor
serve:
  askHold: 1s
  approvers: [terminal, program]
  auth: { issuer: "${ISSUER}", audience: "${AUDIENCE}", jwks: keys.json }
  limits: "\${REDIS_URL}"
  key: "\${ROLECALL_KEY}"
servers:
  free: { connect: [{ stdio: [${process.execPath}, ${counting}, free.txt], cwd: . }] }
roles:
  tester: { tools: { free: { include: [write, remove], ask: [remove] } } }
  reader: { tools: { free: { include: [remove], ask: [remove] } } }
`,
    });
    const key = randomBytes(32).toString("base64");
    doors = await Promise.all([0, 1, 2].map((number) => startDoor(number, key)));
    proxy = await proxyBefore(doors.map(({ address }) => address));
    // Each has its server started: what that takes isn't what is measured here.
    await Promise.all(doors.map(({ address }) => call("write", "first", { at: address })));
  }, 120_000);
  afterEach(async () => {
    for (const program of programs.splice(0)) await program.end();
  });
  afterAll(async () => {
    await proxy?.end();
    await Promise.all(doors.map((door) => door.end("SIGKILL")));
    await redis?.kill();
    project?.remove();
    cli?.remove();
  });

  /** On a machine of its own, as far as a process can tell. */
  async function startDoor(number: number, key: string): Promise<Door> {
    const home = path.join(project.env["HOME"]!, `door-${number}`);
    mkdirSync(home);
    const env = {
      HOME: home,
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      ROLECALL_KEY: key,
    };
    return { ...(await project.serveHttp({ env })), env };
  }

  interface Approver {
    /** What is asked about the call with this id. */
    ask(id: string): Promise<InboxLine>;
    /** Resolves with what it is told of its answer. */
    yes(ask: InboxLine): Promise<InboxLine>;
  }

  async function approver(door: Door | undefined): Promise<Approver> {
    const program = project.program(door?.env);
    programs.push(program);
    await program.line(0);
    const first = async (holds: (line: InboxLine) => boolean): Promise<InboxLine> => {
      for (let number = 1; ; number++) {
        const line = await program.line(number);
        if (holds(line)) return line;
      }
    };
    return {
      ask: (id) => first((line) => line["kind"] === "call" && (line["args"] as { id?: string }).id === id),
      yes({ id, hash }) {
        program.say({ id, hash, yes: true, by: "mo" });
        return first((line) => line.id === id && line["done"] !== undefined);
      },
    };
  }

  async function tokenOf(sub: string): Promise<string> {
    const claims = {
      iss: ISSUER,
      aud: AUDIENCE,
      sub,
      roles: ["tester", "reader"],
      exp: Math.floor(Date.now() / 1000) + 60,
    };
    return new jose.SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(signing);
  }

  interface Called {
    readonly at?: string;
    readonly sub?: string;
    readonly role?: string;
    /** Of the newer protocol, with what an earlier leg was given. */
    readonly newer?: { readonly requestState?: string | undefined };
  }

  async function call(
    tool: string,
    id: string,
    { at = proxy.address, sub = "kit", role = "tester", newer }: Called = {},
  ): Promise<RawAnswer> {
    const params = { name: `free__${tool}`, arguments: { id }, ...newer };
    const made = newer === undefined ? message : newerMessage;
    return sendRaw(at, { ...made(await tokenOf(sub), "tools/call", params), path: `/mcp/${role}` });
  }

  const times = (id: string): number => {
    const file = path.join(project.dir, "free.txt");
    return existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line === id).length
      : 0;
  };
  const stateOf = (answer: RawAnswer): string | undefined => {
    const { result } = answered(answer) as unknown as { result?: { requestState?: string; resultType?: string } };
    return result?.resultType === "input_required" ? result.requestState : undefined;
  };
  const WAITS_ON = "Make the same call again, unchanged";

  test("a yes at one of them lets the call go that waits at whichever", async () => {
    const { ask, yes } = await approver(doors[0]);
    const waiting = Array.from({ length: 3 }, (_, i) => call("remove", `waits-${i}`));
    for (let i = 0; i < 3; i++) expect(await yes(await ask(`waits-${i}`))).toMatchObject({ done: true });
    for (const answer of await Promise.all(waiting)) expect(answered(answer).result.isError).toBeUndefined();
    expect([0, 1, 2].map((i) => times(`waits-${i}`))).toEqual([1, 1, 1]);
    // The line is in the record of the door that carried it out.
    const own = (): readonly unknown[] =>
      recordedLines<{ args: { id?: string } }>(project.dir).filter(({ args }) => args.id?.startsWith("waits-"));
    await expect.poll(own, { timeout: 10_000 }).toHaveLength(3);
    for (const line of own()) expect(line).toMatchObject({ ask: "yes", by: "mo", status: "ok" });
  });

  test("an older client's call goes on at another door, and takes the yes there", async () => {
    const { ask, yes } = await approver(doors[1]);
    expect(textOf(await call("remove", "older", { at: doors[0]!.address }))).toContain(WAITS_ON);
    const asked = await ask("older");
    expect(textOf(await call("remove", "older", { at: doors[2]!.address }))).toContain(WAITS_ON);
    await yes(asked);
    expect(times("older")).toBe(0);
    expect(answered(await call("remove", "older", { at: doors[2]!.address })).result.isError).toBeUndefined();
    expect(times("older")).toBe(1);
    // Once, wherever it is called again.
    for (const { address } of doors) expect(textOf(await call("remove", "older", { at: address }))).toContain(WAITS_ON);
    expect(times("older")).toBe(1);
  });

  test("what a newer client was given at one of them counts at the others, for that call alone", async () => {
    const { ask, yes } = await approver(doors[0]);
    const legs = (at: number, about: Called = {}, id = "newer"): Promise<RawAnswer> =>
      call("remove", id, { at: doors[at]!.address, newer: {}, ...about });
    const state = stateOf(await legs(0));
    expect(state).toBeDefined();
    const next = stateOf(await legs(1, { newer: { requestState: state } }));
    expect(next).toBeDefined();
    const refused = await Promise.all([
      legs(1, { newer: { requestState: state } }, "other arguments"),
      legs(1, { newer: { requestState: state }, role: "reader" }),
      legs(1, { newer: { requestState: state }, sub: "eve" }),
      legs(1, { newer: { requestState: `${state!.slice(0, -2)}AA` } }),
      legs(1, { newer: { requestState: state!.replace(".", ".A") } }),
    ]);
    for (const answer of refused) expect(answered(answer).error.code).toBe(-32602);
    await yes(await ask("newer"));
    // Eve's call asks for itself: the yes isn't hers.
    expect(stateOf(await legs(2, { sub: "eve" }))).toBeDefined();
    expect(times("newer")).toBe(0);
    expect(answered(await legs(2, { newer: { requestState: next } })).result.isError).toBeUndefined();
    expect(times("newer")).toBe(1);
    // Brought back once more it only asks again.
    expect(stateOf(await legs(1, { newer: { requestState: next } }))).toBeDefined();
    expect(times("newer")).toBe(1);
  });

  test("a real client comes again by itself, to another door each time", async () => {
    const { ask, yes } = await approver(doors[2]);
    const client = new Client({ name: "a-test", version: "7" }, { versionNegotiation: { mode: "auto" } });
    const headers = { authorization: `Bearer ${await tokenOf("kit")}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${proxy.address}/mcp/tester`), { requestInit: { headers } }),
    );
    const result = client.callTool({ name: "free__remove", arguments: { id: "by itself" } });
    const asked = await ask("by itself");
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    expect(times("by itself")).toBe(0);
    await yes(asked);
    expect((await result).isError).toBeUndefined();
    expect(times("by itself")).toBe(1);
    await client.close();
  });

  test("of many equal calls at all of them a yes runs one", async () => {
    const inboxes = [await approver(doors[0]), await approver(doors[1])];
    const many = Array.from({ length: 12 }, () => call("remove", "many"));
    const asks = await Promise.all(inboxes.map(({ ask }) => ask("many")));
    expect(asks[0]!.id).toBe(asks[1]!.id);
    const said = await Promise.all(inboxes.map(({ yes }, i) => yes(asks[i]!)));
    expect(said.filter((line) => line["done"] === true)).toHaveLength(1);
    const went = (await Promise.all(many)).filter((answer) => answered(answer).result.isError === undefined);
    expect([went.length, times("many")]).toEqual([1, 1]);
  });

  test("one that is killed while a call waits there takes the call with it, and not the ask", async () => {
    const { ask, yes } = await approver(doors[0]);
    const broken = call("remove", "survives", { at: doors[1]!.address }).then(
      () => "answered",
      () => "gone",
    );
    const asked = await ask("survives");
    await doors[1]!.end("SIGKILL");
    expect(await broken).toBe("gone");
    await yes(asked);
    expect(times("survives")).toBe(0);
    expect(answered(await call("remove", "survives")).result.isError).toBeUndefined();
    expect(times("survives")).toBe(1);
  });

  test("and one where it was answered, before the call came, neither", async () => {
    const { ask, yes } = await approver(doors[2]);
    expect(textOf(await call("remove", "answered", { at: doors[0]!.address }))).toContain(WAITS_ON);
    await yes(await ask("answered"));
    await doors[2]!.end("SIGKILL");
    expect(answered(await call("remove", "answered", { at: doors[0]!.address })).result.isError).toBeUndefined();
    expect(times("answered")).toBe(1);
  });

  test("without the Redis nobody can be asked, and it says so", async () => {
    await approver(doors[0]);
    await redis.kill();
    const answer = await call("remove", "late", { at: doors[0]!.address });
    expect(answered(answer).result.isError).toBe(true);
    expect(textOf(answer)).toContain("what the gateways share gives no answer");
    expect(times("late")).toBe(0);
    expect(answered(await call("write", "still", { at: doors[0]!.address })).result.isError).toBeUndefined();
  });
});
