import { globMatcher } from "./glob.ts";
import { isPassedBy } from "./passed-by.ts";

/** A segment of a path's glob as a question to a name; `**`: any number of folders, at the end also whatever lies there. */
export type PathStep = "**" | ((name: string) => boolean);

/** The segments of a glob of rolecall.yaml. */
export function globSegments(glob: string): string[] {
  return glob
    .replaceAll("\\", "/")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
}

/** `*` and `?` within a segment; a leading dot only where the glob writes it. */
export function segmentMatcher(segment: string): (name: string) => boolean {
  const matches = globMatcher(segment);
  return /^[*?]/.test(segment) ? (name) => !name.startsWith(".") && matches(name) : matches;
}

/** Whether a path is one that the glob names, as the search on a disk finds them. */
export function fileGlob(glob: string): (path: string) => boolean {
  const segments = globSegments(glob);
  const whole = segments.at(-1) === "**" ? [...segments, "*"] : segments;
  const steps = whole.map((segment) => (segment === "**" ? segment : segmentMatcher(segment)));
  return (path) => isAlong(steps, path.split("/"), (folder) => !isPassedBy(folder));
}

/** All ways at once: at most steps x names questions, whatever the path. */
export function isAlong(
  steps: readonly PathStep[],
  names: readonly string[],
  isEntered: (folder: string) => boolean,
): boolean {
  let at = withoutFolders(steps, [0]);
  for (const name of names) {
    const next = [...at].flatMap((i) => {
      const step = steps[i];
      if (step === undefined) return [];
      if (step === "**") return isEntered(name) ? [i] : [];
      return step(name) ? [i + 1] : [];
    });
    at = withoutFolders(steps, next);
  }
  return at.has(steps.length);
}

/** `**` may stand for no folder. */
function withoutFolders(steps: readonly PathStep[], from: readonly number[]): ReadonlySet<number> {
  const at = new Set(from);
  // What is added meanwhile is looked at too.
  for (const i of at) if (steps[i] === "**") at.add(i + 1);
  return at;
}
