import { exactly } from "./exact.ts";

export { shown } from "../../base/shown-name.ts";

/** A selector that finds each tool which is shown so: an `_` may stand for any other character, `-` and `.` included. */
export function shownAs(name: string): string {
  return exactly(name).replaceAll("_", "?");
}
