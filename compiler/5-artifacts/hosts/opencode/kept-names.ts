import { keptNames } from "../../../4-fit/kept-names.ts";

/** Keys of `permission`: a tool that is joined to one of them would lift, or close, a rule of the host's own. */
export const KEPT = keptNames("opencode-ai 1.18.33", {
  joined: "batch codesearch invalid list multiedit patch plan_enter plan_exit todoread",
  settings: "doom_loop external_directory workflow_tool_approval",
});
