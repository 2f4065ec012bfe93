import { statSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { visible } from "../../base/visible.ts";
import { trouble } from "../login/types.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What belongs to a project's process lies below it. XDG_RUNTIME_DIR and XDG_STATE_HOME aren't read: hosts such as Codex
 * drop them for what they start, so that a second process would come to be, and a first start that nobody said yes to.
 */
export function homeFolder({ HOME: named }: Env): string {
  const home = named || systemsHome();
  if (home === undefined) throw trouble("nobody knows where your home is", "set HOME to a folder of yours");
  if (!path.isAbsolute(home)) throw trouble(`HOME, \`${visible(home)}\`, isn't a whole path`, "set HOME to one");
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw trouble(`your home is \`${visible(home)}\`, and no folder is there`, "make it, or set HOME to one that is");
  return home;
}

function systemsHome(): string | undefined {
  try {
    return userInfo().homedir || undefined;
  } catch {
    return undefined;
  }
}
