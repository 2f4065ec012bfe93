import { sorted } from "../../../base/order.ts";
import { isClosed, namesOf, ownTools } from "../../../4-fit/own-tools.ts";

export const OWN_TOOLS = ownTools(
  {
    seenIn: "@google/gemini-cli 0.61.0",
    shells: ["run_shell_command"],
    varies: "with its settings, and in newer versions",
  },
  {
    runs: "run_shell_command",
    writes: "write_file replace",
    "reaches out": "web_fetch google_web_search",
    reads:
      "read_file read_many_files list_directory glob grep_search activate_skill get_internal_docs list_background_processes read_background_output",
    keeps:
      "ask_user complete_task enter_plan_mode exit_plan_mode tracker_add_dependency tracker_create_task tracker_get_task tracker_list_tasks tracker_update_task tracker_visualize update_topic write_todos",
    "hands work on": "invoke_agent",
    "reads resources": "list_mcp_resources read_mcp_resource",
  },
);

/** Without those that are closed whatever a role says. */
export const OPEN: readonly string[] = sorted(namesOf(OWN_TOOLS, (can) => !isClosed(can)));

/** Asked, unless a person has chosen that edits aren't. */
export const EDITING: readonly string[] = ["replace", "web_fetch", "write_file"];

const ASKED: readonly string[] = ["activate_skill", "enter_plan_mode", "exit_plan_mode", "run_shell_command"];

/** Never asked. */
export const QUIET: readonly string[] = OPEN.filter((name) => !EDITING.includes(name) && !ASKED.includes(name));

/** These read a server's resources whatever tools are hidden. */
export const RESOURCE_TOOLS: readonly string[] = namesOf(OWN_TOOLS, (can) => can === "reads resources");

/** It hands work to the host's sub-agents. */
export const HANDING_OVER = "invoke_agent";
