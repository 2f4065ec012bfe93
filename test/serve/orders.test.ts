import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readToldState, toldState } from "../../compiler/serve/told-state.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { knownAddresses } from "../../compiler/io/serve/place.ts";
import { orderAll } from "../../compiler/io/serve/orders.ts";
import { planned } from "../support/compiled.ts";

/** What is asked of the process that serves a project. */
let folder: string;
let inbox: Server;
let answer = "";

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "rolecall-orders-"));
  inbox = createServer((socket) => socket.once("data", () => socket.end(`${answer}\n`)));
  await new Promise<void>((resolve) => inbox.listen(knownAddresses({ folder })!.inbox, resolve));
});
afterEach(async () => {
  await new Promise((resolve) => inbox.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

test("what it says of a team of hundreds is heard", async () => {
  const names = Array.from({ length: 300 }, (_, i) => `role-${i}`);
  const roles = names.map((name) => `  ${name}: { description: "${"What it does. ".repeat(30)}" }`);
  const served = servePlan(
    planned({ "rolecall.yaml": `version: 1\nproject: test\nroles:\n${roles.join("\n")}\n` }).plan,
  );
  answer = JSON.stringify(toldState(served));
  const [told] = await orderAll({ folder }, "state");
  expect(readToldState(told!)?.state.roles.length).toBe(300);
});
