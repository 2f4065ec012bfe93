import { keptNames } from "../../../4-fit/kept-names.ts";

/** A rule has a target and a tool as two texts, and no words of its own beside them. */
export const KEPT = keptNames("agentgateway, 2026-08-21", {});
