import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import { git, untoldByGit, type UntoldByGit } from "./ask-git.ts";

/** The last: it can't be told, though the file lies in a repository. */
export type Tracking = "tracked" | "untracked" | UntoldByGit;

/** Whether somebody else's commit may bring another one: that of a link on its way, or of what it leads to. */
export function trackingOf(file: string): Tracking {
  if (!existsSync(file)) return "untracked";
  const answers = placesOf(path.resolve(file)).map(trackingAt);
  return answers.find((one) => one === "tracked") ?? answers.find((one) => one !== "untracked") ?? "untracked";
}

function trackingAt(file: string): Tracking {
  const folder = path.dirname(file);
  const said = git(folder, ["ls-files", "-z", "--", `:(literal)${path.basename(file)}`]);
  if (said.ok) return said.out.length > 0 ? "tracked" : "untracked";
  return untoldByGit(folder, said) ?? "untracked";
}

/** Each link on the way to it, also of a folder, and what it comes to. */
function placesOf(file: string): string[] {
  const links: string[] = [];
  let { root: at } = path.parse(file);
  const left = segmentsOf(file.slice(at.length));
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const next = path.join(at, name);
    if (lstatSync(next).isSymbolicLink()) {
      links.push(next);
      const target = readlinkSync(next);
      if (path.isAbsolute(target)) at = path.parse(target).root;
      left.unshift(...segmentsOf(target));
    } else at = next;
  }
  return [...links, realpathSync.native(file)];
}

function segmentsOf(text: string): string[] {
  return text.split(path.sep).filter((segment) => segment !== "" && segment !== ".");
}
