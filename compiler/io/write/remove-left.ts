import { isUtf8 } from "node:buffer";
import path from "node:path";
import type { LeftPlace } from "../../5-artifacts/types.ts";
import { visible } from "../../base/visible.ts";
import { digestOfBytes, readPlain } from "../bytes.ts";
import { joined, namesIn } from "../read/folder-entries.ts";
import type { KeyList } from "../../base/file-list.ts";
import { keyLibraries } from "../libraries.ts";
import { block, type Comparison, takeAway } from "./comparison.ts";

/**
 * What a build left for roles that are gone, where the chosen hosts look and no list names it any more: it goes, or stops
 * the build where it may be somebody's. `known`: files that a list names, or that are made now; a shared one is looked into
 * by name alone. `keys`: of such a file those that a list names.
 */
export function removeLeft(
  places: readonly LeftPlace[],
  { known, keys }: { readonly known: ReadonlySet<string>; readonly keys: KeyList },
  found: Comparison,
): void {
  const taken = new Set<string>();
  for (const place of places) {
    const names =
      found.existing.obstacle(place.folder) === undefined ? namesIn(path.join(found.dir, place.folder)) : [];
    const gone = new Set<string>();
    for (const name of names ?? []) {
      const file = joined(place.folder, name);
      if (!name.endsWith(place.ending) || (known.has(file) && name !== place.ending) || taken.has(file)) continue;
      if (!take(place, file, keys.get(file) ?? NONE, found)) continue;
      gone.add(name);
      taken.add(file);
    }
    if (names !== undefined && place.folder !== "")
      found.folders.set(
        place.folder,
        (found.folders.get(place.folder) ?? names).filter((name) => !gone.has(name)),
      );
  }
}

const NONE: ReadonlySet<string> = new Set();

/** Whether it goes. */
function take(place: LeftPlace, file: string, listed: ReadonlySet<string>, found: Comparison): boolean {
  const bytes = readPlain(path.join(found.dir, file));
  if (bytes === undefined || !isUtf8(bytes)) return false;
  const left = place.judge(file, bytes.toString("utf8"), { libraries: keyLibraries(), listed });
  if (left === undefined) return false;
  if ("secrets" in left) {
    found.report.add("output/left-secret", undefined, { file, secrets: visible(left.secrets) });
    return false;
  }
  if ("servers" in left) {
    found.report.add("output/open-servers", undefined, { file, servers: left.servers });
    return false;
  }
  if (!left.goes) {
    block(file, found, () =>
      found.report.add("output/lost-agent", undefined, {
        file,
        ...(left.agents === undefined ? { case: "one" } : { case: "named", agents: left.agents }),
      }),
    );
    return false;
  }
  found.kept.push({ file, bytes });
  takeAway(file, digestOfBytes(bytes), found);
  return true;
}
