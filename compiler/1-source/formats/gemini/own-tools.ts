const OWN_TOOLS = new Set(
  "activate_skill ask_user cli_help codebase_investigator complete_task delegate_to_agent enter_plan_mode exit_plan_mode generalist get_internal_docs glob google_web_search grep_search invoke_agent list_background_processes list_directory list_mcp_resources read_background_output read_file read_many_files read_mcp_resource replace run_shell_command save_memory search_file_content take_snapshot tracker_add_dependency tracker_create_task tracker_get_task tracker_list_tasks tracker_update_task tracker_visualize update_topic web_fetch write_file write_todos".split(
    " ",
  ),
);

/** Whether a name without a server's is one of Gemini CLI's own tools: older releases show a server's tool by its name alone. */
export function isOwnTool(name: string): boolean {
  return OWN_TOOLS.has(name) || name.startsWith("discovered_tool_");
}

/** What a tool has been called in one release or another, so that a list with either takes both away. */
export function namesAlike(name: string): readonly string[] {
  return RENAMED.includes(name) ? RENAMED : [name];
}

const RENAMED = ["grep_search", "search_file_content"];
