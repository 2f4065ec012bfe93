// A generated project, compiled in memory, and what its plan says of one call.
import { Ajv2020 } from "ajv/dist/2020.js";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import type { Plan, Server, Tool } from "../../compiler/3-plan/types.ts";
import type { FittedPlan } from "../../compiler/4-fit/types.ts";
import type { Host } from "../../compiler/5-artifacts/target.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { textOf } from "./artifact-text.ts";
import { withKeys } from "../../compiler/5-artifacts/managed/keys.ts";
import { allTargets } from "../../compiler/5-artifacts/targets.ts";
import { compile } from "../../compiler/compile.ts";
import { keyLibraries, lazyLibraries } from "../../compiler/io/libraries.ts";
import { readResources } from "../../compiler/io/read/resources.ts";
import { canonicalText } from "../../runtime/canonical.ts";
import { judgeOf } from "../../runtime/conditions.ts";
import type { ArgumentRule, JsonValue } from "../../runtime/contract.ts";
import type { Files } from "./project-layout.ts";
import type { Verdict } from "./reference/shapes.ts";

export interface Built {
  readonly plan: Plan;
  readonly hosts: readonly FittedPlan<Host>[];
  readonly artifacts: ReadonlyMap<string, string>;
  /** Codes of the errors. */
  readonly errors: readonly string[];
  readonly effect: (role: string, server: string, tool: string) => Verdict;
  readonly may: (role: string, server: string, tool: string, args: unknown) => Verdict;
}

const libraries = lazyLibraries();
const targets = allTargets(readResources());
const hosts = allHosts(readResources().hosts);
const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, logger: false });

export function build(files: Files, emitting: boolean | "hosts" = false): Built {
  const { plan, artifacts, diagnostics, ...compiled } = compile(
    memoryFiles(files),
    emitting === true ? targets : hosts,
    libraries,
  );
  const decisions = decisionsOf(plan);
  const decision = (role: string, server: string, tool: string) => decisions.get(JSON.stringify([role, server, tool]));
  return {
    plan,
    hosts: compiled.hosts,
    artifacts: new Map(Array.from(emitting ? artifacts : [], (artifact) => [artifact.path, textOf(artifact)])),
    errors: diagnostics.filter((one) => one.severity === "error").map((one) => `${one.code}: ${one.says}`),
    effect: (role, server, tool) => decision(role, server, tool)?.effect ?? "deny",
    may: (role, server, tool, args) => {
      const found = decision(role, server, tool);
      return found === undefined || !passes(found, args) ? "deny" : found.effect;
    },
  };
}

/** What the first host is given, as it lies there after a build in an empty folder. */
export function filesThere(built: Built, id = built.hosts[0]?.host.id): ReadonlyMap<string, string> {
  const fitted = built.hosts.find(({ host }) => host.id === id);
  return new Map(
    [...fitted!.host.emit(fitted!)].map((artifact) => {
      if (!("keys" in artifact)) return [artifact.path, textOf(artifact)];
      const { change } = withKeys(undefined, artifact, new Set(), keyLibraries(), hosts);
      return [artifact.path, change!.text!];
    }),
  );
}

interface Found {
  readonly effect: Verdict;
  readonly where: readonly ArgumentRule[];
  readonly server: Server;
  readonly tool: Tool;
}

function decisionsOf(plan: Plan): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const role of plan.roles) {
    for (const { server, decisions } of role.grants) {
      for (const tool of server.tools) {
        const { effect, where } = decisions[tool.index]!;
        found.set(JSON.stringify([role.name, server.name, tool.name]), { effect, where, server, tool });
      }
    }
  }
  return found;
}

function passes({ where, server, tool }: Found, args: unknown): boolean {
  const copy = canonicalCopy(args);
  if (copy === undefined) return false;
  const judge = judgeOf(where, {
    schema: tool.definition().inputSchema,
    satisfies: (schema: JsonValue, value: JsonValue) => ajv.validate(schema as object, value),
  });
  return judge(copy, rootOf(server)).ok;
}

function canonicalCopy(args: unknown): JsonValue | undefined {
  try {
    return JSON.parse(canonicalText((args === undefined ? {} : args) as JsonValue)) as JsonValue;
  } catch {
    return undefined;
  }
}

/** As far as it is known when a project is built: nothing is expanded then. */
function rootOf(server: Server): string | undefined {
  const folders = server.connect.map((transport) => (transport.kind === "stdio" ? transport.cwd?.written : undefined));
  const root = server.root?.written ?? (folders.every((folder) => folder === folders[0]) ? folders[0] : undefined);
  return root?.includes("$") === true ? undefined : root;
}

export const RANK: Readonly<Record<Verdict, number>> = { deny: 0, ask: 1, allow: 2 };
