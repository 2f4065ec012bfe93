import { exactly } from "./exact.ts";

/** Names as programs show them to a model: what they don't take is another letter there. */
export function shown(name: string, instead: "_" | "-" = "_"): string {
  return name.replace(/[^A-Za-z0-9_-]/g, instead);
}

/** A selector that finds each tool which is shown so: an `_` may stand for any other character, `-` and `.` included. */
export function shownAs(name: string): string {
  return exactly(name).replaceAll("_", "?");
}
