// Code of an app that uses what a build made: a call of each tool that is held, and of tools that aren't, which must not compile.
import { leastArguments } from "../support/arbitrary/tools.ts";
import type { SampleProject } from "../support/arbitrary/project.ts";
import type { Built } from "../support/built-project.ts";

export function callingModule(project: SampleProject, { plan, artifacts, effect }: Built): string {
  const roles = plan.roles.map(({ name }, i) => {
    const declared = /export interface (\w+)/.exec(artifacts.get(`src/mcp/roles/${name}.ts`) ?? "")![1]!;
    const calls = plan.servers.flatMap((server) => {
      const tools = project.manifests[server.pin] ?? server.tools.map((tool) => ({ name: tool.name }));
      const held = tools.filter((tool) => effect(name, server.name, tool.name) !== "deny");
      if (held.length === 0) return ["// @ts-expect-error", `void r${i}[${JSON.stringify(server.name)}];`];
      const at = `r${i}[${JSON.stringify(server.name)}]`;
      // Every object in TypeScript has a `constructor`.
      const others = [...tools, { name: "tool of nobody" }].filter(
        (tool) => !held.includes(tool) && !(tool.name in Object.prototype && tool.name !== "__proto__"),
      );
      return [
        ...held.map((tool) => `void ${at}[${JSON.stringify(tool.name)}](${leastArguments(tool)});`),
        ...others.flatMap((tool) => ["// @ts-expect-error", `void ${at}[${JSON.stringify(tool.name)}]({} as never);`]),
      ];
    });
    return [
      `import type { ${declared} } from "./src/mcp/roles/${name}.js";`,
      `declare const r${i}: ${declared};`,
      ...calls,
    ].join("\n");
  });
  return [...roles, "export {};", ""].join("\n");
}
