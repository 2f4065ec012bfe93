import { mkdirSync, existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { hasNginx, proxyBefore, type OwnProxy } from "../support/nginx.ts";
import { answered, message, newerMessage, sendRaw, textOf, type RawAnswer } from "../support/raw-http.ts";
import { hasRedis, ownRedis, type OwnRedis } from "../support/redis.ts";
import { ROOT } from "../support/root.ts";
import { servedProject, type ServedHttp, type ServedProject } from "../support/served-project.ts";

/** Three doors behind a real proxy and a real Redis, one of them killed while it is at work. */

const TOKEN = "a-token-of-the-tests-own";
const RATE = 30;
let cli: BundledCli;
let project: ServedProject;
let redis: OwnRedis;
let proxy: OwnProxy;
let doors: readonly ServedHttp[] = [];

const missing = [...(hasRedis ? [] : ["redis-server"]), ...(hasNginx ? [] : ["nginx"])].join(" and ");
if (missing !== "") console.log(`skipped, ${missing} isn't installed: three doors behind a proxy`);

describe.skipIf(missing !== "")("three doors behind a proxy", () => {
  beforeAll(async () => {
    cli = bundledCli();
    redis = await ownRedis();
    await redis.start();
    const server = (file: string, more = ""): string =>
      `{ connect: [{ stdio: [${process.execPath}, ${path.join(ROOT, "test/support/counting-server.mjs")}, ${file}], cwd: . }]${more} }`;
    project = await servedProject(cli.entry, {
      "rolecall.yaml": `version: 1
project: harbor
serve: { auth: { tokens: { tester: "\${TESTER_TOKEN}" } }, limits: "\${REDIS_URL}" }
servers:
  free: ${server("free.txt")}
  rated: ${server("rated.txt", `, limits: { ratePerMinute: ${RATE} }`)}
roles:
  tester: { tools: { free: { include: [write, remove], ask: [remove] }, rated: [write] } }
`,
    });
    doors = await Promise.all([0, 1, 2].map((number) => startDoor(number)));
    proxy = await proxyBefore(doors.map(({ address }) => address));
  }, 120_000);
  afterAll(async () => {
    await proxy?.end();
    await Promise.all(doors.map((door) => door.end("SIGKILL")));
    await redis?.kill();
    project?.remove();
    cli?.remove();
  });

  /** On a machine of its own, as far as a process can tell. */
  function startDoor(number: number): Promise<ServedHttp> {
    const home = path.join(project.env["HOME"]!, `door-${number}`);
    mkdirSync(home);
    const env = { HOME: home, TESTER_TOKEN: TOKEN, REDIS_URL: `redis://127.0.0.1:${redis.port}` };
    return project.serveHttp({ env });
  }

  /** The older protocol's answer begins at once, and no proxy sends what has an answer again; the newer one's doesn't. */
  const call = (name: string, id: string, made = message): Promise<RawAnswer> =>
    sendRaw(proxy.address, { ...made(TOKEN, "tools/call", { name, arguments: { id } }), path: "/mcp/tester" });
  const isDone = async (answer: Promise<RawAnswer>): Promise<boolean> => {
    const came = await answer.catch(() => undefined);
    return came?.status === 200 && answered(came).result.isError !== true;
  };
  const done = (file: string): string[] =>
    existsSync(path.join(project.dir, file)) ? project.read(file).trim().split("\n") : [];

  test("each of them answers, with the same list", async () => {
    const list = { ...message(TOKEN, "tools/list"), path: "/mcp/tester" };
    const lists = await Promise.all(Array.from({ length: 9 }, () => sendRaw(proxy.address, list)));
    expect(new Set(lists.map(({ text }) => text)).size).toBe(1);
    const before = await Promise.all(doors.map(requestsOf));
    for (const count of before) expect(count).toBeGreaterThan(0);
  });

  test("one rate holds for all of them together", async () => {
    const went = await Promise.all(Array.from({ length: 2 * RATE }, (_, i) => isDone(call("rated__write", `r${i}`))));
    expect(went.filter(Boolean)).toHaveLength(RATE);
    expect(done("rated.txt")).toHaveLength(RATE);
  });

  test("without a key what a person is asked is refused: a yes at one of them would mean nothing to the others", async () => {
    expect(doors[0]!.said).toContain("asked tools are refused over HTTP");
    const answer = await call("free__remove", "asked");
    expect(answered(answer).result.isError).toBe(true);
    expect(textOf(answer)).toContain("several gateways share an address and no key");
    expect(textOf(answer)).toContain("`serve: { key }` in rolecall.yaml");
    expect(done("free.txt")).not.toContain("asked");
  });

  test("one that is killed under load takes no more with it than it had under way, and nothing is sent twice", async () => {
    const asked: string[] = [];
    const went = new Set<string>();
    const until = Date.now() + 6_000;
    const client = async (name: number): Promise<void> => {
      for (let i = 0; Date.now() < until; i++) {
        const id = `c${name}-${i}`;
        asked.push(id);
        if (await isDone(call("free__write", id, i % 2 === 0 ? newerMessage : message))) went.add(id);
      }
    };
    const load = Promise.all(Array.from({ length: 24 }, (_, name) => client(name)));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const wentBefore = went.size;
    await doors[1]!.end("SIGKILL");
    await load;
    const written = done("free.txt");
    expect(new Set(written).size).toBe(written.length);
    // Whoever was told that it was done finds it done.
    expect([...went].filter((id) => !written.includes(id))).toEqual([]);
    const failed = asked.length - went.size;
    console.log(
      `${asked.length} calls of 24 clients, ${failed} failed when one of three was killed, ${written.length} done`,
    );
    expect(failed).toBeLessThanOrEqual(24);
    expect(went.size).toBeGreaterThan(wentBefore * 1.5);
    expect(await isDone(call("free__write", "after"))).toBe(true);
  }, 60_000);

  test("without the Redis nothing is sent that has a rate, and everything else is", async () => {
    await redis.kill();
    const before = done("rated.txt").length;
    expect(await isDone(call("rated__write", "late"))).toBe(false);
    expect(done("rated.txt")).toHaveLength(before);
    expect(await isDone(call("free__write", "still"))).toBe(true);
  }, 60_000);
});

async function requestsOf({ address }: ServedHttp): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const { text } = await sendRaw(address, { path: "/metrics", headers });
  return Number(/requests_total\{role="tester"\} (\d+)/.exec(text)?.[1] ?? 0);
}
