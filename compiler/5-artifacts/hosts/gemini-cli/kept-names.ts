import { keptNames } from "../../../4-fit/kept-names.ts";
import { HANDING_OVER, RESOURCE_TOOLS } from "./own-tools.ts";

/** Names of tools that a policy closes whichever server has them. Joined, a name begins with `mcp_`, as no tool of the host's own does. */
export const KEPT = keptNames("@google/gemini-cli 0.61.0", {
  tools: ["*", HANDING_OVER, ...RESOURCE_TOOLS].join(" "),
});
