import { keptNames } from "../../../4-fit/kept-names.ts";

/** Its own servers. A table of either name would change theirs. */
export const KEPT = keptNames("@openai/codex 0.169.0", { servers: "codex_apps codex_tui" });
