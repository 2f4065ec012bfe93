import { nearest } from "../base/nearest.ts";
import type { KeyPath } from "../base/place.ts";
import { plainPath } from "../base/plain-path.ts";
import { PROJECT_FILE } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Project } from "../../schemas/types.ts";
import type { SourceFiles } from "./types.ts";

interface Named {
  readonly owner: string;
  readonly path: KeyPath;
  readonly file: string;
}

/**
 * Files that `state` names. A team begins without them, and a clone may lack them, so that none is an error. Only names are
 * looked at: what agents write into the files is no reason to build anew.
 */
export function checkStateFiles({ state }: Project, { names }: SourceFiles, report: Report): void {
  if (names === undefined) return;
  for (const { owner, path, file } of namedIn(state)) {
    const lacking = lackingIn(file, names);
    if (lacking === undefined) continue;
    const place = { file: PROJECT_FILE, path };
    const { meant, folder } = lacking;
    if (meant === undefined && folder === undefined) report.add("state/file-to-come", place, { owner, file });
    else report.add("state/no-file", place, { owner, file, nearest: meant, folder: folder ?? "" });
  }
}

function namedIn({ decisions, backlog, history, members = {} }: NonNullable<Project["state"]> = {}): Named[] {
  const ofState = Object.entries({ decisions, backlog, history }).map(([key, file]) => ({
    owner: `\`${key}\` of \`state\``,
    path: ["state", key],
    file,
  }));
  const charters = Object.entries(members).map(([member, { charter }]) => ({
    owner: `\`charter\` of member \`${member}\``,
    path: ["state", "members", member, "charter"],
    file: charter,
  }));
  return [...ofState, ...charters].flatMap(({ file, ...one }) =>
    file === undefined ? [] : [{ ...one, file: plainPath(file) }],
  );
}

interface Lacking {
  /** The same path without the slip in it. */
  readonly meant: string | undefined;
  /** The first one on the way that isn't there. */
  readonly folder: string | undefined;
}

/** Undefined: it is there, or what can be told of a path with a member's name in it. From its end, so that few folders are looked at. */
function lackingIn(file: string, names: NonNullable<SourceFiles["names"]>): Lacking | undefined {
  const parts = file.split("/");
  const open = parts.findIndex((part) => part.includes("{name}"));
  const known = open === -1 ? parts : parts.slice(0, open);
  for (let at = known.length - 1; at >= 0; at--) {
    const there = names(known.slice(0, at).join("/"));
    if (there === undefined) continue;
    if (there.includes(known[at]!)) return undefined;
    const near = nearest(known[at]!, there);
    const meant = near === undefined ? undefined : parts.with(at, near).join("/");
    return { meant, folder: at === parts.length - 1 ? undefined : known.slice(0, at + 1).join("/") };
  }
  return undefined;
}
