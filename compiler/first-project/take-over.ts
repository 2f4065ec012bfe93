import type { HostData } from "../base/host-data.ts";
import type { Origins } from "../base/place.ts";
import { textOfPath } from "../base/path-text.ts";
import { isOutside } from "../base/project-layout.ts";
import type { ReadBy } from "./types.ts";

/** `into`: the file of the team's that its host gets its keys in. No build writes outside of its project. */
export function readerOf(file: string, hosts: readonly HostData[], into?: string): ReadBy | undefined {
  if (isOutside(file)) return undefined;
  for (const { id, title, places } of hosts) {
    const place = places?.keyed?.find((one) => one.format === "json" && one.file.test(file));
    if (place !== undefined) return { id, title, isWritten: place.holdsServers === true || into === file };
  }
  return undefined;
}

/**
 * Keys of a host's file whose servers are sources now. The file stays as it is: noted in the list of what builds wrote, they
 * are the next build's, which writes there what the host is to have. None: no build for these hosts writes into that file.
 */
export function takenKeys(file: string, origins: Origins, hosts: readonly HostData[]): string[] {
  if (isOutside(file)) return [];
  const keyed = hosts
    .flatMap(({ places }) => places?.keyed ?? [])
    .filter((one) => one.format === "json" && one.file.test(file));
  return origins
    .filter(([made]) => made.length === 2 && made[0] === "servers")
    .map(([, written]) => written.map(String))
    .filter((path) => keyed.some(({ keys }) => keys.test(path.join("/"))))
    .map(textOfPath);
}
