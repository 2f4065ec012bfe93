import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { compile, type Compilation } from "../../compiler/compile.ts";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import type { Decision } from "../../compiler/3-plan/types.ts";
import { held } from "../../compiler/3-plan/held.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";

export interface ToolSketch {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: object;
  readonly arguments?: readonly string[];
}

/** A manifest with text arguments only; enough where the schema isn't what is tested. */
export function manifest(...tools: readonly (string | ToolSketch)[]): string {
  const whole = tools.map((tool) => (typeof tool === "string" ? { name: tool } : tool));
  return JSON.stringify({
    tools: whole.map(({ name, description, annotations, arguments: args }: ToolSketch) => ({
      name,
      ...(description !== undefined && { description }),
      inputSchema: {
        type: "object",
        properties: Object.fromEntries((args ?? []).map((argument) => [argument, { type: "string" }])),
      },
      ...(annotations && { annotations }),
    })),
  });
}

/** Compiles files given as text; rolecall.yaml may be left out. */
export function compiled(files: Readonly<Record<string, string>>): Compilation {
  return compile(
    memoryFiles({ "rolecall.yaml": "version: 1\nproject: test\n", ...files }),
    allHosts([]),
    lazyLibraries(),
  );
}

/** What commands and targets are given. */
export type Planned = Pick<Compilation, "plan" | "locate">;

/** Of a project that is right: an error in it is a mistake of the test. */
export function planned(files: Readonly<Record<string, string>>): Planned {
  const compilation = compiled(files);
  const wrong = compilation.diagnostics.filter(({ severity }) => severity === "error");
  if (wrong.length > 0) throw new Error(wrong.map(({ code, says }) => `${code}: ${says}`).join("\n"));
  return compilation;
}

export function errors(compilation: Compilation): string[] {
  return compilation.diagnostics
    .filter((diagnostic) => diagnostic.severity === "error")
    .map((diagnostic) => diagnostic.code);
}

export function decision(compilation: Compilation, role: string, server: string, tool: string): Decision | undefined {
  const grant = compilation.plan.roles.find((r) => r.name === role)?.grants.find((g) => g.server.name === server);
  const index = grant?.server.tools.findIndex((t) => t.name === tool) ?? -1;
  return grant?.decisions[index];
}

/** What a role holds, asked or not, as `server.tool`. */
export function heldBy({ plan }: Pick<Compilation, "plan">, role = "agent"): string[] {
  const grants = plan.roles.find(({ name }) => name === role)?.grants ?? [];
  return grants.flatMap((grant) => held(grant).map(([tool]) => `${tool.server}.${tool.name}`));
}
