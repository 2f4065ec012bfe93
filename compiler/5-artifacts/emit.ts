import type { FittedPlan } from "../4-fit/types.ts";
import type { Plan } from "../3-plan/types.ts";
import { isHost, type Host, type Target } from "./target.ts";
import type { Artifact } from "./types.ts";

/** Files of other systems that are read as sources, each with the places in it that are. */
export type ReadPlaces = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Every file of every target and chosen host, one after the other; nothing is made before it is asked for. */
export function* emit(
  plan: Plan,
  fitted: readonly FittedPlan<Host>[],
  targets: readonly (Target | Host)[],
  read: ReadPlaces,
): Generator<Artifact> {
  const paths: string[] = [];
  for (const artifact of emitEach(plan, fitted, targets)) {
    paths.push(artifact.path);
    yield withRead(artifact, read);
  }
  for (const target of targets) if (!isHost(target)) yield* target.emitLast?.(plan, paths) ?? [];
}

function* emitEach(
  plan: Plan,
  fitted: readonly FittedPlan<Host>[],
  targets: readonly (Target | Host)[],
): Generator<Artifact> {
  for (const target of targets) if (!isHost(target)) yield* target.emit(plan, fitted);
  for (const one of fitted) yield* one.host.emit(one);
}

function withRead(artifact: Artifact, read: ReadPlaces): Artifact {
  const places = "keys" in artifact ? read.get(artifact.path) : undefined;
  return places === undefined ? artifact : ({ ...artifact, read: places } as Artifact);
}
