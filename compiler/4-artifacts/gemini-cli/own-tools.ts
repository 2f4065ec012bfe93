/** Gemini's own tools, by whether the host puts a question before them. */

/** Never asked. */
export const QUIET: readonly string[] = [
  "ask_user",
  "complete_task",
  "get_internal_docs",
  "glob",
  "google_web_search",
  "grep_search",
  "list_background_processes",
  "list_directory",
  "read_background_output",
  "read_file",
  "read_many_files",
  "tracker_add_dependency",
  "tracker_create_task",
  "tracker_get_task",
  "tracker_list_tasks",
  "tracker_update_task",
  "tracker_visualize",
  "update_topic",
  "write_todos",
];

/** Asked, unless a person has chosen that edits aren't. */
export const EDITING: readonly string[] = ["replace", "web_fetch", "write_file"];

const ASKED: readonly string[] = ["activate_skill", "enter_plan_mode", "exit_plan_mode", "run_shell_command"];

export const OWN_TOOLS: readonly string[] = [...QUIET, ...EDITING, ...ASKED];

/** These read a server's resources whatever tools are hidden. */
export const RESOURCE_TOOLS: readonly string[] = ["list_mcp_resources", "read_mcp_resource"];

/** It hands work to the host's sub-agents. */
export const HANDING_OVER = "invoke_agent";
