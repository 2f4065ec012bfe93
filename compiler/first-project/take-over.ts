import type { HostData } from "../base/host-data.ts";
import type { Origins } from "../base/place.ts";
import type { ProposedFile } from "./types.ts";

/** Takes a key of a JSON text out, and nothing else; undefined: nothing is left. */
export type RemoveKey = (text: string, path: readonly string[]) => string | undefined;

/**
 * A host's file without the servers that are sources now: the next build writes them there, as the host is to have them.
 * Undefined: builds for none of these hosts write into that file.
 */
export function withoutTaken(
  file: string,
  text: string,
  origins: Origins,
  hosts: readonly HostData[],
  remove: RemoveKey,
): ProposedFile | undefined {
  const keyed = hosts
    .flatMap(({ places }) => places?.keyed ?? [])
    .filter((one) => one.format === "json" && one.file.test(file));
  const taken = origins
    .filter(([made]) => made.length === 2 && made[0] === "servers")
    .map(([, written]) => written.map(String))
    .filter((path) => keyed.some(({ keys }) => keys.test(path.join("/"))));
  if (taken.length === 0) return undefined;
  const left = taken.reduce((json, path) => remove(json, path) ?? "{}\n", text);
  return { path: file, before: text, text: left };
}
