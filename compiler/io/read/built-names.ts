import path from "node:path";
import { DEFAULTS, PROJECT_FILE } from "../../base/project-layout.ts";
import { readAccess, readJudgedAccess } from "../../3-plan/read-access.ts";
import { readPlainText } from "../bytes.ts";

/** Roles, and tools by server, as the last build wrote them down: read in a moment, and maybe a little old. */
export interface BuiltNames {
  readonly roles: readonly string[];
  readonly servers: ReadonlyMap<string, readonly string[]>;
}

/** Undefined: there was no build, or its output lies where this quick look doesn't find it. */
export function builtNames(dir: string): BuiltNames | undefined {
  try {
    const project = readPlainText(path.join(dir, PROJECT_FILE)) ?? "";
    const out =
      /^out:[ \t]*(?:"([^"\\\n]+)"|'([^'\n]+)'|([^\s"'#]+))/m.exec(project)?.slice(1).find(Boolean) ?? DEFAULTS.out;
    const access = accessIn(dir, out, readAccess);
    return (
      access && {
        roles: access.roles.map(({ name }) => name),
        servers: new Map(access.servers.map(({ name, tools }) => [name, tools.map((tool) => tool.name)])),
      }
    );
  } catch {
    return undefined;
  }
}

type BuiltAccess = Exclude<ReturnType<typeof readAccess>, { readonly problem: string }>;

/** What the last build gives, whichever rolecall wrote it, and whatever its conditions are asked; undefined: it can't be read. */
export function builtAccess(dir: string, out: string): BuiltAccess | undefined {
  return accessIn(dir, out, readJudgedAccess);
}

function accessIn(dir: string, out: string, read: typeof readAccess): BuiltAccess | undefined {
  try {
    const text = readPlainText(path.join(dir, out, "access.json"));
    const access = text === undefined ? undefined : read(text);
    return access === undefined || "problem" in access ? undefined : access;
  } catch {
    return undefined;
  }
}
