import { keptNames } from "../../../4-fit/kept-names.ts";

/** Sets of tools, which stand before a tool's name as a server does: `execute/runInTerminal`. */
export const KEPT = keptNames("VS Code's pages of September 2026", {
  servers: "agent browser edit execute read search todo vscode web",
  tools: "*",
});
