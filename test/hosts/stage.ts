import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Call } from "./dialects.ts";
import { sessionFolders } from "./host.ts";

/** What the servers do beyond answering; fixture-server.mjs reads it. */
export interface State {
  /** A tool that no manifest has is there from the start, and one more after the first call. */
  readonly grow?: boolean;
  readonly faults?: Readonly<Record<string, "dead" | "hung" | "dies">>;
}

/** What reached a server. */
export interface Reached {
  readonly server: string;
  readonly did: "start" | "no variable" | "list" | "call" | "read";
  readonly pid: number;
  readonly tool?: string;
  readonly args?: Call["args"];
}

/** A copy of a project with its servers and an empty home, for one run. */
export interface Stage {
  readonly folder: string;
  readonly home: string;
  reached(): readonly Reached[];
  /** Ends servers that outlived their host, and takes the copy away. */
  clear(): void;
}

const HERE = import.meta.dirname;

export function stage(project: string, state: State): Stage {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "rolecall-host-")));
  const [folder, home] = [path.join(root, "harbor"), path.join(root, "home")];
  cpSync(project, folder, { recursive: true });
  mkdirSync(home);
  for (const folder of Object.values(sessionFolders(home))) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(path.join(home, "outside.txt"), "what lies outside of the project\n");
  // Some hosts look for the project's edge, and take the first folder above that has a repository.
  mkdirSync(path.join(folder, ".git"), { recursive: true });
  writeFileSync(path.join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  const servers = path.join(folder, "servers");
  mkdirSync(servers, { recursive: true });
  copyFileSync(path.join(HERE, "fixture-server.mjs"), path.join(servers, "fixture-server.mjs"));
  rmSync(path.join(servers, "log.jsonl"), { force: true });
  writeFileSync(path.join(servers, "state.json"), JSON.stringify(state));
  const log = path.join(servers, "log.jsonl");
  const reached = () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Reached)
      : [];
  return {
    folder,
    home,
    reached,
    clear() {
      for (const pid of new Set(reached().map((one) => one.pid))) endIfOurs(pid);
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** A number of a process may have been given to another one since: only a fixture server is ended. */
function endIfOurs(pid: number): void {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("fixture-server.mjs")) process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, or this system has no such files: a fixture server ends by itself after a while.
  }
}
