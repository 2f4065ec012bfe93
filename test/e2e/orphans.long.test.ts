import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { harborProject, type Harbor } from "../support/harbor.ts";
import { isAlive, soon } from "../support/linked.ts";

/**
 * An app that ends in the middle of its calls, in every way that there is. Its server takes no hint: it goes on when its
 * input ends and when it is asked to end, and has started a process of its own.
 */

const APP = path.join(import.meta.dirname, "harbor-app.mjs");
const apps = new Set<ChildProcess>();
let harbor: Harbor;
let records = 0;
beforeAll(async () => {
  harbor = await harborProject();
});
afterEach(() => {
  for (const app of apps) app.kill("SIGKILL");
  apps.clear();
});
afterAll(() => harbor.remove());

async function atWork(how: string) {
  const record = path.join(harbor.dir, `record-${(records += 1)}.jsonl`);
  const app = spawn(process.execPath, [APP, harbor.module, how, path.join(harbor.dir, "pids"), record], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  apps.add(app);
  app.stderr.resume();
  const ended = once(app, "exit");
  const { value } = await createInterface({ input: app.stdout })[Symbol.asyncIterator]().next();
  const { servers } = JSON.parse(value) as { servers: number[] };
  return { app, ended, servers, calls: () => readFileSync(record, "utf8").trim().split("\n") };
}

/** Who can still act ends its servers itself, before anybody else would. */
const AT_ONCE_MS = 800;
/** Of the calls that had ended: what was still under way has no end to tell of. */
const CALLS = 21;

test.each(["exit", "throw"])("%s: no process is left, and every call is in the record", async (how) => {
  const { ended, servers, calls } = await atWork(how);
  expect(servers).toHaveLength(2);
  await ended;
  await soon(() => !servers.some(isAlive), AT_ONCE_MS);
  expect(calls()).toHaveLength(CALLS);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s: the app ends by it, no process is left, and every call is in the record",
  async (signal) => {
    const { app, ended, servers, calls } = await atWork("wait");
    app.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await soon(() => !servers.some(isAlive), AT_ONCE_MS);
    expect(calls()).toHaveLength(CALLS);
  },
);

test("SIGKILL: though nobody could say goodbye, no process is left", async () => {
  const { app, ended, servers } = await atWork("wait");
  app.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  await soon(() => !servers.some(isAlive), 5_000);
});

test("close: calls under way end, no process is left, and the app ends by itself", async () => {
  const { ended, servers, calls } = await atWork("close");
  expect(await ended).toEqual([0, null]);
  expect(servers.filter(isAlive)).toEqual([]);
  // And the four that were under way, each with its error.
  expect(calls()).toHaveLength(CALLS + 4);
});
