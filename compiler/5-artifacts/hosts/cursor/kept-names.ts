import { keptNames } from "../../../4-fit/kept-names.ts";

/** The servers that the editor brings. */
export const KEPT = keptNames("Cursor's pages of July 2026", {
  servers: "cursor-browser-extension cursor-ide-browser",
  tools: "*",
});
