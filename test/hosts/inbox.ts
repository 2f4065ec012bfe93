import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { runBounded } from "./bounded-process.ts";
import { CLI } from "./cli.ts";
import { sessionFolders } from "./host.ts";
import type { Stage } from "./stage.ts";

/** Somebody who answers each call that is asked, from outside of the host: `rolecall asks` as a program starts it. */
export interface Person {
  readonly asked: readonly { readonly tool: string; readonly before: number }[];
  leave(): void;
}

/** `never`: somebody is there, and says nothing. */
export type Answer = boolean | "never";

export async function answering({ folder, home, reached }: Stage, answer: Answer, role?: string): Promise<Person> {
  const asked: { tool: string; before: number }[] = [];
  const args = [CLI, "asks", "--json", "--watch", "--project", folder];
  const child = spawn(process.execPath, args, { env: ofUser(home), stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout });
  const there = new Promise<void>((resolve) => lines.once("line", () => resolve()));
  lines.on("line", (line) => {
    const { kind, id, hash, server, tool } = JSON.parse(line) as Record<string, string>;
    if (kind !== "call") return;
    asked.push({ tool: `${server}.${tool}`, before: reached().filter((one) => one.did === "call").length });
    if (answer !== "never") child.stdin.write(`${JSON.stringify({ id, hash, yes: answer, by: "battery" })}\n`);
  });
  if (role !== undefined) await foundDaemon({ folder, home }, role, there);
  return { asked, leave: () => child.kill() };
}

/** Somebody looks for a daemon every 300 ms; a host that starts it would call before he is there, and be refused. */
async function foundDaemon({ folder, home }: Pick<Stage, "folder" | "home">, role: string, there: Promise<void>) {
  const args = [CLI, "serve", "--role", role, "--project", folder];
  const client = spawn(process.execPath, args, { env: ofUser(home), stdio: ["pipe", "ignore", "ignore"] });
  const tooLong = new AbortController();
  await Promise.race([there, setTimeout(10_000, undefined, { signal: tooLong.signal }).catch(() => undefined)]);
  tooLong.abort();
  client.kill();
}

/** The daemon outlives its hosts for a while. */
export async function endDaemon({ folder, home }: Stage): Promise<void> {
  const args = [CLI, "serve", "--stop", "--project", folder];
  await runBounded({ file: process.execPath, args, cwd: folder, env: ofUser(home), timeoutMs: 10_000 });
}

function ofUser(home: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, ...sessionFolders(home) };
}
