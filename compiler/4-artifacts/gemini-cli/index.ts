import { spellTransport } from "../fitting/spelling.ts";
import { jsonText } from "../fitting/host-text.ts";
import type { FittedPlan, Host } from "../fitting/types.ts";
import type { Artifact } from "../types.ts";
import { settings, spelling } from "./settings.ts";

/** Settings for each role, read in place of the system's: these win over the user's and the project's. */
export const geminiCli: Host = {
  id: "gemini-cli",
  title: "Gemini CLI",
  program: "gemini",
  abilities: {
    hide: { holds: "enforced" },
    ask: {
      holds: "asked",
      but: "one asked tool makes it ask for every tool of that server; without a terminal that server's tools aren't offered",
    },
    conditions: { holds: "none" },
    resources: { holds: "enforced" },
    delegation: { holds: "enforced", but: "all agents of a session hold the role's tools and no others" },
    builtins: { holds: "enforced" },
    references: { holds: "enforced", but: "an unset variable becomes empty" },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: { holds: "enforced", but: "the time-out alone" },
    roles: true,
    filtersByName: false,
    longestName: 63,
  },
  joinedName: (server, tool) => `mcp_${server}_${tool.replace(/[^A-Za-z0-9_.-]/g, "_")}`,
  cannotReach: (transport, choice) => spellTransport(transport, spelling, choice).problem,
  start: "GEMINI_CLI_SYSTEM_SETTINGS_PATH=<folder>/hosts/gemini-cli/<role>/settings.json gemini",
  emit,
};

function* emit({ plan, roles, choice }: FittedPlan): Iterable<Artifact> {
  for (const role of roles) {
    const path = `${plan.project.folder}/hosts/gemini-cli/${role.name}/settings.json`;
    yield { path, text: jsonText(settings(role, choice)) };
  }
}
