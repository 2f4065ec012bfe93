import { isAlong, type PathStep } from "../base/file-glob.ts";
import { globMatcher } from "../base/glob.ts";

/** What a CODEOWNERS file says of a path, as GitHub reads it: the last line that matches is the one that counts. */
export interface OwnedPath {
  /** Without `@`, in small letters. */
  readonly logins: readonly string[];
  /** Teams and mail addresses: who they are can't be told from a file. */
  readonly others: readonly string[];
  /** By a line for this very file: no folder and no pattern. */
  readonly isNamed: boolean;
}

/** Where GitHub looks, in this order; the first that is there is the only one. */
export const CODEOWNERS_PLACES = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

/** GitHub loads none that is larger. */
const LARGEST = 3 * 2 ** 20;

export function ownersOf(codeowners: string, path: string): OwnedPath {
  const lines = codeowners.length > LARGEST ? [] : codeowners.split(/\r\n|\n|\r/);
  const last = lines.map(ruleIn).findLast((rule) => rule !== undefined && rule.matches(path));
  const owners = last?.owners ?? [];
  return {
    logins: owners.filter((one) => LOGIN.test(one)).map((one) => one.slice(1).toLowerCase()),
    others: owners.filter((one) => !LOGIN.test(one)),
    isNamed: last?.pattern.replace(/^\//, "") === path,
  };
}

interface OwnerRule {
  readonly pattern: string;
  readonly owners: readonly string[];
  matches(path: string): boolean;
}

const LOGIN = /^@[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?$/;
const OWNER = /^(?:@[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?(?:\/[A-Za-z0-9._-]+)?|[^@\s]+@[^@\s]+)$/;

/** Undefined: nothing, or a line that GitHub passes by, such as one with `!`, a range, or an owner that is none. */
function ruleIn(line: string): OwnerRule | undefined {
  const [pattern, ...words] = (line.match(/(?:\\.|[^\s\\])+/gu) ?? []) as string[];
  if (pattern === undefined || pattern.startsWith("#") || /^!|[[\]]/.test(pattern)) return undefined;
  const comment = words.findIndex((word) => word.startsWith("#"));
  const owners = comment === -1 ? words : words.slice(0, comment);
  if (!owners.every((one) => OWNER.test(one))) return undefined;
  const form = formOf(pattern);
  return { pattern, owners, matches: (path) => form(path) };
}

function formOf(pattern: string): (path: string) => boolean {
  const isFolder = pattern.endsWith("/");
  const bare = pattern.replace(/^\//, "").replace(/\/$/, "");
  const isAnchored = pattern.startsWith("/") || bare.includes("/");
  const written: PathStep[] = bare.split("/").map((segment) => (segment === "**" ? segment : globMatcher(segment)));
  const steps: PathStep[] = isAnchored ? written : ["**", ...written];
  const below: PathStep[] = ["**", () => true];
  // `docs/*` means the files right there; a name means a folder of it too, with all that lies below.
  const forms = isFolder
    ? [[...steps, ...below]]
    : steps.at(-1) === "**"
      ? [[...steps, () => true]]
      : isAnchored && bare.endsWith("/*")
        ? [steps]
        : [steps, [...steps, ...below]];
  return (path) => forms.some((form) => isAlong(form, path.split("/"), () => true));
}
