import { keptNames } from "../../../4-fit/kept-names.ts";

/** Data: a row for each server, and no words beside them. */
export const KEPT = keptNames("rolecall", {});
