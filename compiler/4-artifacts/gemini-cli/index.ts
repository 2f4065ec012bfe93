import { spellTransport } from "../fitting/spelling.ts";
import { jsonText } from "../fitting/host-text.ts";
import type { FittedPlan, Host } from "../fitting/types.ts";
import type { Artifact } from "../types.ts";
import { HANDING_OVER, policy, RESOURCE_TOOLS } from "./policy.ts";
import { replacedIn } from "./prompt.ts";
import { settings, spelling } from "./settings.ts";

/**
 * Settings for each role, to be put where the project's are, and the policy that they name. Settings of the system would
 * need no copy, but a file that isn't root's is skipped there.
 */
export const geminiCli: Host = {
  id: "gemini-cli",
  title: "Gemini CLI",
  program: "gemini",
  abilities: {
    hide: { holds: "enforced", but: "with `-p` it drops tools that are named as its own `write_file` or `replace`" },
    ask: { holds: "asked", but: "with `-p` what is asked is refused" },
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
    keptNames: ["*", HANDING_OVER, ...RESOURCE_TOOLS],
    closedTools: [HANDING_OVER, ...RESOURCE_TOOLS],
  },
  joinedName: (server, tool) => `mcp_${server}_${tool.replace(/[^A-Za-z0-9_.-]/g, "_")}`,
  cannotReach: (transport, choice) => spellTransport(transport, spelling, choice).problem,
  replacedIn,
  start: "mkdir -p .gemini && cp <folder>/hosts/gemini-cli/<role>/settings.json .gemini/ && gemini",
  emit,
};

function* emit({ plan, roles, choice }: FittedPlan): Iterable<Artifact> {
  for (const role of roles) {
    const folder = `${plan.project.folder}/hosts/gemini-cli/${role.name}`;
    const { prompt } = role.role;
    const files = { policy: `${folder}/policy.toml`, prompt: prompt && `${folder}/prompt.md` };
    yield { path: `${folder}/settings.json`, text: jsonText(settings(role, files, choice)) };
    if (prompt !== undefined) yield { path: `${folder}/prompt.md`, text: `${prompt.text}\n` };
    yield { path: `${folder}/policy.toml`, text: policy(role) };
  }
}
