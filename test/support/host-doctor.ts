import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { tool, type CaptureProject, type Ran } from "./capture-project.ts";

/** `rolecall doctor --host H --role R` in a project with the server `notes`, which counts its starts. */
export interface HostDoctor {
  look(host: string, env?: Env, role?: string, ...flags: string[]): Promise<Ran>;
  found(host: string, env?: Env, role?: string): Promise<Found & { readonly exit: number }>;
  /** The only folder of the PATH. */
  readonly bin: string;
  /** A command of this name that would leave a trace if it were run. */
  install(program: string): void;
  pin(server: string, tools: readonly string[]): void;
  /** Writes for these hosts, and builds. */
  built(hosts: string, notes: string, roles?: string, others?: Record<string, string>): Promise<void>;
  /** What stands under `connect` of `notes`. */
  fake(more?: object): string;
}

export interface Found {
  readonly ready: boolean;
  readonly variables: readonly object[];
  readonly assumptions: readonly object[];
  readonly files: readonly { readonly path: string; readonly state: string }[];
  readonly beside: readonly object[];
  readonly command: object | null;
  readonly servers: readonly (Readonly<Record<string, unknown>> & { readonly server: string })[] | null;
}

type Env = Record<string, string>;

export const READ = { annotations: { readOnlyHint: true } };
export const TESTER = "roles:\n  tester: { tools: { notes: all } }\n";

export function hostDoctor(project: CaptureProject): HostDoctor {
  const bin = path.join(project.dir, "bin");
  const doctor: HostDoctor = {
    bin,
    look: (host, env = {}, role = "tester", ...flags) =>
      project.run(["doctor", "--host", host, "--role", role, ...flags], { env: { PATH: bin, ...env } }),
    found: async (host, env, role) => {
      const { exit, out } = await doctor.look(host, env, role, "--json");
      return { ...(JSON.parse(out) as Found), exit };
    },
    install: (program) => {
      mkdirSync(bin, { recursive: true });
      writeFileSync(path.join(bin, program), `#!/bin/sh\necho run > ${project.dir}/was-run\n`);
      chmodSync(path.join(bin, program), 0o755);
    },
    pin: (server, tools) =>
      project.write(
        `mcp/manifests/${server}.json`,
        JSON.stringify({
          format: 1,
          server,
          capabilities: { tools: {} },
          tools: tools.map((name) => tool(name, READ)),
        }),
      ),
    built: async (hosts, notes, roles = TESTER, others = {}) => {
      project.declare({ notes, ...others }, `hosts: [${hosts}]\n${roles}`);
      doctor.pin("notes", ["find", "list"]);
      const { exit, err } = await project.run(["build"]);
      expect([exit, err.includes("error")]).toEqual([0, false]);
    },
    fake: (more = {}) =>
      project.fake("notes", {
        pages: [[tool("find", READ), tool("list", READ)]],
        counter: `${project.dir}/starts`,
        ...more,
      }),
  };
  return doctor;
}

/** The same server, with these variables of its own. */
export function withEnv(connect: string, env: string): string {
  return connect.replace("] }]", `], env: { ${env} } }]`);
}
