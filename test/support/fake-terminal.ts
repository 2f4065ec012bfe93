import { main } from "../../compiler/cli/main.ts";
import type { Built, Engine, Outcome } from "../../compiler/cli/command.ts";
import type { Stream, Terminal } from "../../compiler/cli/terminal.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";
import type { Planned } from "./compiled.ts";
import { sampleProject } from "./sample-project.ts";

/** The CLI over a small project, compiled, at a terminal that only remembers. */
export interface Scene {
  readonly project?: Planned;
  readonly diagnostics?: readonly Diagnostic[];
  readonly outcome?: Outcome;
  readonly env?: Record<string, string>;
  readonly isTerminal?: boolean;
  readonly width?: number;
  readonly script?: string;
  /** What the engine does while it builds. */
  readonly during?: (progress: (doing: string) => void, clock: { now: number }) => void;
}

export interface Answer {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** Folders that the engine was asked about. */
  readonly asked: readonly string[];
}

export const upToDate: Outcome = { missing: [], differs: [], stale: [], unchanged: 7 };

export async function rolecall(argv: readonly string[], scene: Scene = {}): Promise<Answer> {
  const out: string[] = [];
  const err: string[] = [];
  const asked: string[] = [];
  const clock = { now: 0 };
  const stream = (lines: string[]): Stream => ({
    write: (text) => void lines.push(text),
    isTerminal: scene.isTerminal ?? false,
    width: scene.width,
  });
  const terminal: Terminal = {
    out: stream(out),
    err: stream(err),
    env: scene.env ?? {},
    cwd: "/srv/harbor",
    script: scene.script,
    now: () => clock.now,
    stopped: () => new Promise(() => {}),
  };
  const exit = await main(argv, terminal, engineOf(scene, asked, clock));
  return { exit, out: out.join(""), err: err.join(""), asked };
}

function engineOf(scene: Scene, asked: string[], clock: { now: number }): Engine {
  const diagnostics = scene.diagnostics ?? [];
  const compiled = { ...(scene.project ?? sampleProject()), diagnostics };
  const failed = diagnostics.some((diagnostic) => diagnostic.severity === "error");
  return {
    compile: async (dir) => (asked.push(dir), compiled),
    build: async (dir, how): Promise<Built> => {
      asked.push(dir);
      scene.during?.(how.progress ?? (() => {}), clock);
      return {
        diagnostics,
        counts: { roles: 2, servers: 3, tools: 6 },
        others: [],
        folder: "mcp",
        outcome: failed ? undefined : (scene.outcome ?? upToDate),
      };
    },
    strays: async () => [],
    watch: async () => () => {},
  };
}
