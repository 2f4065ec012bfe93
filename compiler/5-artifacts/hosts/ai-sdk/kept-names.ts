import { keptNames } from "../../../4-fit/kept-names.ts";

/** It has no tools and no servers of its own: whatever bears a name there is the program's. */
export const KEPT = keptNames("ai 7.0.170", {});
