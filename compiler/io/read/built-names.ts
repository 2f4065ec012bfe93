import { readFileSync } from "node:fs";
import path from "node:path";

/** Roles, and tools by server, as the last build wrote them down: read in a moment, and maybe a little old. */
export interface BuiltNames {
  readonly roles: readonly string[];
  readonly servers: ReadonlyMap<string, readonly string[]>;
}

/** Undefined: there was no build, or its output lies where this quick look doesn't find it. */
export function builtNames(dir: string): BuiltNames | undefined {
  try {
    const project = readFileSync(path.join(dir, "rolecall.yaml"), "utf8");
    const out =
      /^out:[ \t]*(?:"([^"\\\n]+)"|'([^'\n]+)'|([^\s"'#]+))/m.exec(project)?.slice(1).find(Boolean) ?? "src/mcp";
    const { roles, servers } = JSON.parse(readFileSync(path.join(dir, out, "access.json"), "utf8")) as Access;
    return {
      roles: Object.keys(roles),
      servers: new Map(Object.entries(servers).map(([name, { tools }]) => [name, Object.keys(tools)])),
    };
  } catch {
    return undefined;
  }
}

interface Access {
  readonly roles: object;
  readonly servers: { readonly [server: string]: { readonly tools: object } };
}
