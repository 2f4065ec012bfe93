import { ownTools } from "../../../4-fit/own-tools.ts";

/** It can't be held to any of them: they are here to be told of. */
export const OWN_TOOLS = ownTools(
  {
    seenIn: "@openai/codex 0.169.0",
    shells: ["shell"],
    varies: "with the model (`apply_patch`), at a terminal and in newer versions",
  },
  {
    runs: "exec_command write_stdin",
    writes: "apply_patch",
    "reaches out": "web_search",
    reads: "view_image",
    keeps: "create_goal get_goal request_user_input update_goal update_plan",
    "hands work on": "close_agent resume_agent send_input spawn_agent wait_agent",
    "reads resources": "list_mcp_resource_templates list_mcp_resources read_mcp_resource",
  },
);
