import type { Place } from "../base/place.ts";

/** Somebody's yes to a change of access, as it was written. Whether it counts is `diff/`'s question. */
export interface Approval {
  readonly digest: string;
  /** A login, without `@`. */
  readonly by: string;
  readonly reason: string;
  readonly date: string;
  readonly place: Place;
}
