import type { ServerName } from "../base/names.ts";
import { sortedBy } from "../base/order.ts";
import { downloadedBy, runnerOf, versionOf, withoutVersion } from "../base/package-runner.ts";
import { holdsAny } from "./held.ts";
import type { Plan, Transport } from "./types.ts";

/** What a machine has to have so that every server that some role holds can be started there. */
export interface Needed {
  /** Packages that a runner would download. Sorted by manager and text. */
  readonly packages: readonly NeededPackage[];
  /** First words of commands, runners among them. Sorted. */
  readonly programs: readonly NeededProgram[];
}

export interface NeededPackage {
  readonly manager: "npm" | "python";
  /** As the runner is told: `@acme/files@1.2.0`. */
  readonly spec: string;
  readonly name: string;
  /** Undefined: the runner takes whatever is newest when it starts. */
  readonly version: string | undefined;
  readonly servers: readonly ServerName[];
}

export interface NeededProgram {
  readonly program: string;
  readonly servers: readonly ServerName[];
}

export function neededBy({ roles, servers }: Plan): Needed {
  const held = new Set(roles.flatMap(({ grants }) => grants.filter(holdsAny).map(({ server }) => server.name)));
  const packages = new Map<string, NeededPackage>();
  const programs = new Map<string, NeededProgram>();
  for (const { name, connect } of servers.filter((server) => held.has(server.name))) {
    for (const words of connect.flatMap(commandOf)) {
      const program = words[0] ?? "";
      programs.set(program, { program, servers: withServer(programs.get(program)?.servers, name) });
      for (const found of packagesOf(words)) {
        const key = `${found.manager} ${found.spec}`;
        packages.set(key, { ...found, servers: withServer(packages.get(key)?.servers, name) });
      }
    }
  }
  return {
    packages: sortedBy(packages.values(), ({ manager, spec }) => `${manager} ${spec}`),
    programs: sortedBy(programs.values(), ({ program }) => program),
  };
}

function commandOf(transport: Transport): string[][] {
  return transport.kind === "stdio" ? [transport.command.map(({ written }) => written)] : [];
}

/** A package that a variable names is one without a version. */
function packagesOf(words: readonly string[]): Omit<NeededPackage, "servers">[] {
  const runner = runnerOf(words);
  if (runner === undefined) return [];
  const downloaded = downloadedBy(words);
  const named = downloaded?.name ?? words.slice(1).find((word) => !word.startsWith("-"));
  return [...(named === undefined ? [] : [named]), ...(downloaded?.more ?? [])].map((spec) => {
    const isOpen = spec.includes("${");
    return {
      manager: runner.version === "@" ? "npm" : "python",
      spec,
      name: isOpen ? spec : withoutVersion(spec),
      version: isOpen ? undefined : versionOf(spec, runner),
    };
  });
}

function withServer(before: readonly ServerName[] = [], name: ServerName): readonly ServerName[] {
  return before.includes(name) ? before : [...before, name];
}
