import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

/** A Redis of the test's own: on loopback, keeping nothing, ended by its id. */

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

export interface OwnRedis {
  readonly port: number;
  start(): Promise<void>;
  /** It is there, and says nothing. */
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
}

export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let folder = "";
  return {
    port,
    async start() {
      folder = mkdtempSync(path.join(tmpdir(), "rolecall-redis-"));
      const settings = { port, bind: "127.0.0.1", save: "", appendonly: "no", daemonize: "no", dir: folder };
      const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
      child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "ignore"] });
      for await (const line of createInterface({ input: child.stdout! })) {
        if (line.includes("Ready to accept connections")) break;
      }
      child.stdout!.resume();
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    },
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    async kill() {
      if (child === undefined) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await ended;
      child = undefined;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
