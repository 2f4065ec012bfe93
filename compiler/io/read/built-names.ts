import { statSync } from "node:fs";
import path from "node:path";
import { plainPath } from "../../base/plain-path.ts";
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
    const access = accessIn(dir, outWritten(dir), readAccess);
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

/** Where rolecall.yaml has builds lie, by a quick look: its other words may be a newer rolecall's. */
function outWritten(dir: string): string {
  const project = readPlainText(path.join(dir, PROJECT_FILE)) ?? "";
  const [, ...forms] = /^out:[ \t]*(?:"([^"\\\n]+)"|'([^'\n]+)'|([^\s"'#]+))/m.exec(project) ?? [];
  return forms.find(Boolean) ?? DEFAULTS.out;
}

/**
 * What the last builds give, whichever rolecall wrote them, and whatever their conditions are asked: at these places, and where
 * the next one would lie. Empty: nothing lies there, or what does can't be read.
 */
export function builtAccesses(dir: string, outs: readonly string[]): readonly BuiltAccess[] {
  const places = [...new Set([...outs, plainPath(outWritten(dir))])];
  const there = places.filter((out) => !isNothing(path.join(dir, out, "access.json")));
  const read = there.map((out) => accessIn(dir, out, readJudgedAccess));
  return read.every((access) => access !== undefined) ? read : [];
}

/** What can't be looked at, such as a link to itself, may be anything. */
function isNothing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR";
  }
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
