import { sorted } from "../../../base/order.ts";
import { isClosed, namesOf, ownTools } from "../../../4-fit/own-tools.ts";

export const OWN_TOOLS = ownTools(
  {
    seenIn: "@github/copilot 1.0.102",
    shells: ["bash", "powershell"],
    varies: "on Windows, online, with some models and in newer versions",
  },
  {
    runs: "bash skill",
    writes: "edit create",
    reads: "view grep glob fetch_copilot_cli_documentation",
    keeps: "list_bash read_bash session_store_sql sql stop_bash update_todo",
    "hands work on": "agent custom-agent list_agents read_agent task write_agent",
  },
);

/** For roles that don't govern them or hold them all, without what reaches agents that hold more. */
export const BUILT_IN: readonly string[] = sorted(namesOf(OWN_TOOLS, (can) => !isClosed(can)));
