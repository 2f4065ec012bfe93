import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorOf, fault, isAlive, open, serverData, soon, stdio } from "../../support/linked.ts";
import { BUNDLED, FAULT_SERVER } from "../../support/root.ts";

/** Children: what they say, and that none is left behind. */

async function pidsOf(config: object) {
  const opened = open(serverData([fault(config)]));
  const { pid, childPid } = await opened.call("seen");
  return { ...opened, pids: [pid, ...(childPid === undefined ? [] : [childPid])] };
}

const folder = mkdtempSync(path.join(tmpdir(), "rolecall-pids-"));
let files = 0;
const newFile = () => path.join(folder, `pid-${(files += 1)}`);
const pidIn = (file: string) => Number(readFileSync(file, "utf8"));

const anyAlive = (pids: readonly number[]) => pids.some(isAlive);

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = Date.now();
  await work();
  return Date.now() - started;
}

describe("closing", () => {
  test("a child that ends with its input ends at once, and what it started with it", async () => {
    const { link, pids } = await pidsOf({ child: true });
    expect(pids).toHaveLength(2);
    expect(await timeOf(() => link.close())).toBeLessThan(900);
    await soon(() => !anyAlive(pids));
  });

  test("one that ignores all that is killed within three seconds", async () => {
    const { link, pids } = await pidsOf({ ignoreEnd: true, child: true });
    const ms = await timeOf(() => link.close());
    expect(ms).toBeGreaterThan(1_500);
    expect(ms).toBeLessThan(3_000);
    await soon(() => !anyAlive(pids));
  });

  test("one that is stopped is killed too", async () => {
    const { link, pids } = await pidsOf({});
    process.kill(pids[0]!, "SIGSTOP");
    expect(await timeOf(() => link.close())).toBeLessThan(3_000);
    await soon(() => !anyAlive(pids));
  });

  test("one that never came up isn't left either", async () => {
    const pidFile = newFile();
    const config = { initialize: "hang", ignoreEnd: true, pidFile };
    const { failure, link } = open(serverData([fault(config)], { timeoutMs: 500 }));
    await failure("echo");
    expect(isAlive(pidIn(pidFile))).toBe(true);
    await link.close();
    expect(isAlive(pidIn(pidFile))).toBe(false);
  });

  test("one isn't started any more when its variables came too late", async () => {
    const pidFile = newFile();
    const late = () => new Promise<string>((resolve) => setTimeout(resolve, 300, "here"));
    const entry = fault({ pidFile }, { X: [{ name: "LATE", form: "plain", word: [] }] });
    const { failure } = open(serverData([entry], { timeoutMs: 100 }), late);
    expect(await failure("echo")).toMatchObject({ code: "server-unavailable" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(existsSync(pidFile)).toBe(false);
  });

  test("while the tools are compared is no failure, and leaves nothing", async () => {
    const pidFile = newFile();
    const { link, events } = open(serverData([fault({ listDelay: 5_000, pidFile })]));
    const connecting = errorOf(link.connect());
    await new Promise((resolve) => setTimeout(resolve, 300));
    await link.close();
    expect((await connecting).message).toBe("faulty is closed");
    expect(events).toEqual([]);
    expect(isAlive(pidIn(pidFile))).toBe(false);
  });

  test("calls under way are told", async () => {
    const { link, failure, call } = open(serverData([fault()]));
    await call("echo");
    const hanging = failure("hang", {}, 20_000);
    await link.close();
    expect(await hanging).toMatchObject({ code: "server-unavailable" });
  });
});

describe("a child that ends by itself", () => {
  test("takes what it started with it", async () => {
    const { failure, pids, link } = await pidsOf({ child: true });
    await failure("die");
    await soon(() => !anyAlive(pids));
    expect(link.state).toBe("down");
  });

  test("between calls is told, and started anew", async () => {
    const { call, events, link, pids } = await pidsOf({});
    await call("stop");
    await soon(() => link.state === "down");
    expect(events.at(-1)).toEqual({ type: "down", server: "faulty", why: "it ended with exit code 0", retryInMs: 0 });
    expect((await call("seen")).pid).not.toBe(pids[0]);
  });

  test("that closes its output without ending is over too", async () => {
    const { failure, pids } = await pidsOf({});
    expect(await failure("cut", {}, 10_000)).toMatchObject({ code: "server-unavailable" });
    await soon(() => !anyAlive(pids));
  });
});

describe("one failure has one text", () => {
  const dies = [process.execPath, "-e", 'process.stderr.write("npm warn old\\nTOKEN is missing\\n"); process.exit(1)'];
  test.each([
    ["ends at once", ["sh", "-c", "echo TOKEN is missing >&2; exit 1"]],
    ["ends once it runs", dies],
    ["leaves somebody behind who keeps its output open", ["sh", "-c", "sleep 5 & echo TOKEN is missing >&2; exit 1"]],
  ])("of a server that %s", async (_, command) => {
    const whys = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { failure, events } = open(serverData([stdio(command)]));
        const { message, cause } = await failure("echo");
        return [message, (cause as { said: string }).said, (events[0] as { why: string }).why].join(" | ");
      }),
    );
    const why = "it ended with exit code 1";
    expect(new Set(whys)).toEqual(
      new Set([`faulty can't be reached: ${why} | TOKEN is missing | ${why}, and said: TOKEN is missing`]),
    );
  });

  test("of one that no longer reads when it is called, and then ends", async () => {
    const { call, failure, events } = open(serverData([fault()]));
    await call("deaf", { ms: 400, words: "the disk is full" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { message, cause, code } = await failure("echo");
    expect([code, message]).toEqual(["server-unavailable", "faulty can't be reached: it ended with exit code 3"]);
    expect(cause).toMatchObject({ said: "the disk is full", unsent: false });
    expect(events.at(-1)).toMatchObject({ why: "it ended with exit code 3, and said: the disk is full" });
  });

  test("of one that dies while it is called", async () => {
    const { call, failure } = open(serverData([fault({ chatter: "listening\n" })]));
    await call("echo");
    const { message, cause } = await failure("die");
    expect(message).toBe("faulty can't be reached: it was ended by SIGKILL");
    expect(cause).toMatchObject({ said: "listening" });
  });
});

test("a child that is stopped times out, and is used again when it goes on", async () => {
  const { call, failure, pids } = await pidsOf({});
  process.kill(pids[0]!, "SIGSTOP");
  expect(await failure("echo", {}, 200)).toMatchObject({ code: "timeout" });
  process.kill(pids[0]!, "SIGCONT");
  expect((await call("seen")).pid).toBe(pids[0]);
});

test("noise on standard output is left out", async () => {
  const { call } = open(serverData([fault({ noise: true })]));
  expect((await call("noise")).content[0].text).toBe("noise");
  expect((await call("echo", { a: 1 })).args).toEqual({ a: 1 });
});

test("standard error is drained, however much it is, and its end is kept for the error", async () => {
  const chatter = `${"chatter ".repeat(200)}\n`;
  const loop = `for (let i = 0; i < 1500; i++) process.stderr.write(${JSON.stringify(chatter)}); console.error("the end"); process.exitCode = 7`;
  const { failure } = open(serverData([stdio([process.execPath, "-e", loop])]));
  const { message, cause } = await failure("echo");
  expect(message).toMatch(/exit code 7$/);
  const { said } = cause as { said: string };
  expect(said).toMatch(/^chatter .*\nthe end$/s);
  expect(said.length).toBeLessThan(2_001);
});

test("standard error is drained while a server works", async () => {
  const { call } = open(serverData([fault({ chatter: "x".repeat(100_000) })]));
  expect((await call("echo", { a: 1 })).args).toEqual({ a: 1 });
});

describe("an app that doesn't close", () => {
  const made = path.join(BUNDLED, `careless-app.${process.pid}.mjs`);

  beforeAll(async () => {
    const target = {
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20.19",
    } as const;
    await build({ ...target, entryPoints: [path.join(import.meta.dirname, "careless-app.ts")], outfile: made });
  });
  afterAll(() => {
    rmSync(made, { force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  async function app(how: string) {
    const child = spawn(process.execPath, [made, FAULT_SERVER, how], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.resume();
    const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    return { child, ended: once(child, "exit"), pids: JSON.parse(value) as number[] };
  }

  test.each(["exit", "throw", "reject"])("%s: leaves no child", async (how) => {
    const { ended, pids } = await app(how);
    expect(pids).toHaveLength(2);
    await ended;
    await soon(() => !anyAlive(pids));
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s: ends as it would, and leaves no child", async (signal) => {
    const { child, ended, pids } = await app("wait");
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await soon(() => !anyAlive(pids));
  });

  test("an app that listens to the signal itself decides", async () => {
    const { child, ended, pids } = await app("listen");
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(anyAlive(pids)).toBe(true);
    child.kill("SIGINT");
    expect(await ended).toEqual([5, null]);
    await soon(() => !anyAlive(pids));
  });
});
