import { isObject, own, type JsonObject } from "../base/json.ts";
import type { Served, ServedState } from "./types.ts";

/** What the process that serves says of the team's state, to a `rolecall state` that it started. */
export interface ToldState {
  readonly project: string;
  readonly state: ServedState;
  /** As `serve: { record }` has it. */
  readonly record: string;
}

const FORMAT = 1;

export function toldState({ project, state, settings }: Served): JsonObject {
  return { team: { format: FORMAT, project, state, record: settings.record } as unknown as JsonObject };
}

/** Undefined: it is no such answer, or a version that is unknown here gave it. */
export function readToldState(answer: JsonObject): ToldState | undefined {
  const team = own(answer, "team");
  return isObject(team) && own(team, "format") === FORMAT && isObject(own(team, "state"))
    ? (team as unknown as ToldState)
    : undefined;
}
