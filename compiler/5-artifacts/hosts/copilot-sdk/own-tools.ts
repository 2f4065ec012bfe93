import { ownTools } from "../../../4-fit/own-tools.ts";

export const OWN_TOOLS = ownTools(
  {
    seenIn: "@github/copilot-sdk 1.0.14",
    shells: ["bash", "powershell"],
    varies: "on Windows, online, with some models and in newer versions",
  },
  {
    runs: "bash powershell",
    writes: "edit create apply_patch",
    "reaches out": "web_fetch",
    reads: "view grep glob",
    keeps: "ask_user exit_plan_mode list_bash read_bash sql stop_bash",
    "hands work on": "agent custom-agent list_agents read_agent task write_agent",
  },
);
