import { underscored } from "../host-text.ts";
import type { FittedPlan, HostFacts } from "../../../4-fit/types.ts";
import type { Host } from "../../target.ts";
import type { Artifact } from "../../types.ts";
import { connection, type CodexConnection } from "./connection.ts";
import { KEPT } from "./kept-names.ts";
import { MERGES } from "./merges.ts";
import { OWN_TOOLS } from "./own-tools.ts";
import { profile } from "./profile.ts";

/**
 * A profile for each role, with exact lists of tools. Codex ignores a profile that it doesn't find, so nothing is ever
 * written to its base configuration. Profiles lie in a person's home: the project's name keeps those of other projects
 * and the person's own from being overwritten.
 */
export const codex: Host<CodexConnection> = {
  id: "codex",
  title: "Codex",
  signs: { files: [".codex"] },
  places: { bare: ["*.config.toml"] },
  gateway: "may",
  program: "codex",
  abilities: {
    hide: { holds: "enforced", but: "servers of your own configuration stay beside the role's", leavesOpen: "beside" },
    ask: {
      holds: "asked",
      but: "`codex exec` refuses what is asked; `--dangerously-bypass-approvals-and-sandbox` and `--sandbox danger-full-access` run it",
    },
    conditions: { holds: "none" },
    resources: { holds: "none" },
    delegation: { holds: "enforced", but: "all agents of a session hold the role's tools and no others" },
    builtins: { holds: "none" },
    references: {
      holds: "enforced",
      but: "an unset variable isn't passed on",
    },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: { holds: "enforced", but: "the time-out alone" },
    roles: true,
    filtersByName: false,
    longestName: undefined,
  },
  ownTools: OWN_TOOLS,
  kept: KEPT,
  joinedName: (server, tool) => `mcp__${underscored(server)}__${underscored(tool)}`,
  tell: connection,
  merges: MERGES,
  start: ({ role, folder, project }) => {
    const profile = `${project}-${role}`;
    const file = `${folder}/hosts/codex/${role}.config.toml`;
    const copied = { file, as: `${profile}.config.toml`, variable: "CODEX_HOME", folder: ".codex" };
    return { run: { copied, args: ["--profile", profile] } };
  },
  emit,
};

function* emit({ plan, roles }: FittedPlan<HostFacts, CodexConnection>): Iterable<Artifact> {
  for (const role of roles)
    yield { path: `${plan.project.folder}/hosts/codex/${role.name}.config.toml`, text: profile(role) };
}
