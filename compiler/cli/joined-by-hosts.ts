import type { KeyList } from "../base/file-list.ts";
import { mayHaveBeenOurs } from "../base/keyed-places.ts";
import { textOfPath } from "../base/path-text.ts";
import { visible } from "../base/visible.ts";
import { createReport, type Report } from "../diagnostics/report.ts";
import type { Diagnostic } from "../diagnostics/types.ts";
import { ourNames, overrulings, type FoundName, type Overruling } from "../4-fit/merged.ts";
import type { FittedPlan } from "../4-fit/types.ts";
import type { Host } from "../5-artifacts/target.ts";
import { mergedNames, type MergedNames } from "../io/read/merged-names.ts";
import type { Seen } from "../io/read/project-files.ts";
import type { WriteResult } from "../io/write/comparison.ts";

/** What was found where the chosen hosts look, from the project's folder up, and what is to be told of it. */
export interface JoinedByHosts {
  readonly looked: readonly MergedNames[];
  /** `made`, `listed`: what this build puts into files that others write too, and what an earlier one did. True: it was told. */
  readonly tell: (made: Parameters<typeof ourNames>[1], listed: KeyList) => boolean;
  /** What a check told, which is no output that is late: what is served is held to the plan whatever stands there. */
  readonly beside: () => readonly Diagnostic[];
}

/** Of a server that was read from such a file, whatever a source says more of it, or that this build takes out of it, there is nothing to tell. */
export function joinedByHosts(
  dir: string,
  hosts: readonly FittedPlan<Host>[],
  known: readonly Host[],
  { check, report }: { readonly check: boolean; readonly report: Report },
): JoinedByHosts {
  const told = check ? createReport(() => undefined) : report;
  const found = hosts.map((fitted) => ({ fitted, looked: mergedNames(dir, fitted.host.merges ?? []) }));
  return {
    looked: found.map(({ looked }) => looked),
    tell: (made, listed) => {
      const isTakenOut = ({ file, at }: Overruling) =>
        listed.get(file)?.has(textOfPath(at)) === true && mayHaveBeenOurs(file, at, known);
      for (const { fitted, looked } of found) {
        const { host, roles, plan } = fitted;
        const sources = new Set(
          plan.servers.flatMap(({ name, place, connect }) =>
            [place, ...connect.map((way) => way.place)].map(({ file }) => `${file} ${name}`),
          ),
        );
        const isSource = ({ of, file, name }: FoundName) => of === "servers" && sources.has(`${file} ${name}`);
        const names = looked.found.filter((one) => !one.of.endsWith("variables") && !isSource(one));
        for (const one of overrulings(names, ourNames(roles, made), host)) if (!isTakenOut(one)) tell(one, host, told);
      }
      return told.failed;
    },
    beside: () => (check ? told.sorted() : []),
  };
}

function tell(one: Overruling, { title }: Host, report: Report): void {
  const { file, key, undoes, of, at } = one;
  const named = of === "agents" && at[0] === "name" ? "agent" : "named";
  const what = key === undefined ? { case: unread(one) } : ({ case: undoes ?? named, key: visible(key) } as const);
  report.add("output/joined", undefined, { file: visible(file), host: title, ...what });
}

function unread({ of, at }: Overruling): "unread-agent" | "unread-folder" | "unread-settings" | "unreadable" {
  if (of === "settings") return "unread-settings";
  if (of === "agents" && at.length === 0) return "unread-folder";
  return of === "agents" && at[0] === "name" ? "unread-agent" : "unreadable";
}

/** A build depends on what it found there as on a source. A folder that it made itself was empty before. */
export function withLooked(
  { files, folders, since }: Seen,
  { looked }: Pick<JoinedByHosts, "looked">,
  { outputs }: Pick<WriteResult, "outputs">,
): Seen {
  const isMade = (folder: string) => [...outputs.keys()].some((file) => file.startsWith(`${folder}/`));
  const entered = looked.flatMap((one) => [...one.folders]);
  const before = entered.map(([folder, names]) => [folder, names ?? (isMade(folder) ? [] : undefined)] as const);
  return {
    files: new Map([...looked.flatMap((one) => [...one.files]), ...files]),
    folders: new Map([...before, ...folders]),
    since,
  };
}
