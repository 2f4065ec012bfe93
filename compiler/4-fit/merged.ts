import { sorted, sortedBy } from "../base/order.ts";
import { textOfPath } from "../base/path-text.ts";
import { MOVING } from "./moving-variables.ts";
import type { NamesAt, Undone } from "./merged-place.ts";
import type { FittedRole, HostFacts } from "./types.ts";

/** A name that stands in such a place, or a setting that undoes something. */
export interface FoundName {
  /** As a person is told it: from the project's folder, or from `~` or the variable. */
  readonly file: string;
  readonly of: NamesAt["of"] | "settings";
  readonly at: readonly string[];
  /** Undefined: the file can't be read, and may hold any. */
  readonly name: string | undefined;
  readonly isOpen: boolean;
  /** Of a setting alone. */
  readonly undoes?: Undone;
}

export interface OurNames {
  readonly servers: readonly string[];
  readonly agents: readonly string[];
  /** What a setting could undo of what is written for them. */
  readonly held: ReadonlySet<Undone>;
  /** What a build puts into files that others write too: file and path. */
  readonly written: ReadonlySet<string>;
}

/** Of these roles. `made`: what a build makes for the host, of all roles. */
export function ourNames(
  roles: readonly FittedRole[],
  made: Iterable<{ readonly path: string; readonly keys?: readonly { readonly at: readonly string[] }[] }>,
): OurNames {
  const written = Array.from(made).flatMap(({ path, keys = [] }) => keys.map(({ at }) => writtenAt(path, at)));
  return {
    servers: roles.flatMap(({ servers }) => servers.map(({ server }) => server.name)),
    agents: roles.map(({ name }) => name),
    held: new Set(roles.flatMap(heldOf)),
    written: new Set(written),
  };
}

function heldOf({ servers, delegates, role }: FittedRole): Undone[] {
  return [
    "all",
    ...(servers.some(({ tools }) => tools.some(({ effect }) => effect === "ask")) ? ["asks" as const] : []),
    ...(delegates.length === 0 ? ["handing over" as const] : []),
    ...(role.prompt === undefined ? [] : ["prompt" as const]),
  ];
}

function writtenAt(file: string, at: readonly string[]): string {
  return `${file} ${textOfPath(at)}`;
}

/** `key`: as a person looks for it; undefined: the file can't be read. */
export interface Overruling {
  readonly file: string;
  readonly at: readonly string[];
  readonly key: string | undefined;
  readonly of: FoundName["of"];
  readonly undoes?: Undone;
}

/** What is found under a name of ours and isn't a build's, or undoes what is held; sorted. */
export function overrulings(found: readonly FoundName[], ours: OurNames, host: HostFacts): Overruling[] {
  const shown = (server: string) => host.joinedName(server, "x");
  const servers = new Set(ours.servers.map(shown));
  const isOurs = ({ of, name, undoes }: FoundName): boolean => {
    if (undoes !== undefined) return ours.held.has(undoes);
    if (name === undefined) return true;
    if (of === "variables" || of === "own variables") return MOVING[of].test(name);
    // The host would put something else in its place first.
    if (host.replacedIn?.(name, "description") !== undefined) return true;
    return of === "servers" ? servers.has(shown(name)) : ours.agents.includes(name.trim());
  };
  const all = found
    .filter((one) => isOurs(one) && !ours.written.has(writtenAt(one.file, one.at)))
    .map(({ file, of, at, name, undoes }) => ({
      file,
      at,
      of,
      ...(undoes && { undoes }),
      key: name === undefined ? undefined : at[0] === "name" ? name : at.join("."),
    }));
  // Of a file that can't be read, what was looked for first is told.
  const unique = new Map(all.toReversed().map((one) => [`${one.file}\n${one.key}`, one]));
  return sortedBy(unique.values(), ({ file, key }) => `${file}\n${key}`);
}

/** Servers that stand open beside a role's own: `own` are those that aren't told. */
export function openBeside(
  found: readonly FoundName[],
  own: ReadonlySet<string>,
  { written }: Pick<OurNames, "written">,
): { readonly file: string; readonly servers: readonly string[] }[] {
  const files = new Map<string, Set<string>>();
  for (const { file, at, name, isOpen } of found) {
    if (!isOpen || name === undefined || own.has(name) || written.has(writtenAt(file, at))) continue;
    files.set(file, (files.get(file) ?? new Set()).add(name));
  }
  return [...files].map(([file, servers]) => ({ file, servers: sorted(servers) }));
}
