import { keptNames } from "../../../4-fit/kept-names.ts";

/** A rule has a backend and a tool as two texts, and no words of its own beside them. */
export const KEPT = keptNames("envoy-ai-gateway, 2026-08-21", {});
