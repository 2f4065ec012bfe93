import type { Place } from "../base/place.ts";
import type { ServerBlock } from "../../schemas/types.ts";

/** One layer of a server's definition: its preset, or what the project wrote itself. */
export interface ServerLayer {
  readonly block: Omit<ServerBlock, "preset">;
  readonly place: Place;
  readonly preset: boolean;
  /** Of a preset that nobody named: a map of scopes tells what a list means, and is no ceiling by itself. */
  readonly found?: boolean;
}

/** The project's own word, or the preset's where the project says nothing. */
export function lastSaid<K extends keyof ServerLayer["block"]>(
  layers: readonly ServerLayer[],
  key: K,
): { value: NonNullable<ServerLayer["block"][K]>; place: Place } | undefined {
  const layer = layers.findLast(({ block }) => block[key] !== undefined);
  return layer && { value: layer.block[key] as NonNullable<ServerLayer["block"][K]>, place: layer.place };
}
