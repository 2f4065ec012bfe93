import type { HostData, KeyedPlace } from "./host-data.ts";
import { textOfPath } from "./path-text.ts";

/** Undefined: no host keeps keys there. */
export function formatAt(file: string, hosts: readonly HostData[]): KeyedPlace["format"] | undefined {
  return placesAt(file, hosts)[0]?.format;
}

export function mayHaveBeenOurs(file: string, at: readonly string[], hosts: readonly HostData[]): boolean {
  const key = textOfPath(at);
  return placesAt(file, hosts).some(({ keys }) => keys.test(key));
}

function placesAt(file: string, hosts: readonly HostData[]): KeyedPlace[] {
  return hosts.flatMap(({ places }) => (places?.keyed ?? []).filter((place) => place.file.test(file)));
}
