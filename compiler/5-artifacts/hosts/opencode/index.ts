import { reachable } from "../../../4-fit/delegation.ts";
import { jsonText, sanitised } from "../host-text.ts";
import { spellTransport, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedPlan, FittedServer, HostFacts } from "../../../4-fit/types.ts";
import type { Host } from "../../target.ts";
import type { Artifact } from "../../types.ts";
import { agentEntry } from "./agents.ts";
import { sharedKeys } from "./into.ts";
import { KEPT } from "./kept-names.ts";
import { leftEntries } from "./left-entries.ts";
import { OWN_TOOLS } from "./own-tools.ts";
import { MERGES } from "./merges.ts";
import { permissions } from "./permissions.ts";
import { replacedIn, serverEntry, serversOf, spelling } from "./servers.ts";

/**
 * One configuration for each role. Servers are global there and an unknown agent becomes the default one, so the same
 * servers are denied at the top, and opened again for the role's agent tool by tool. The last rule that matches wins. The
 * start command hands the file's text over: a file that `OPENCODE_CONFIG` names would stand below the project's own
 * `opencode.json`, whose `"*": "allow"` then came last.
 */
export const opencode: Host<SpeltTransport> = {
  id: "opencode",
  title: "OpenCode",
  signs: { files: ["opencode.json", "opencode.jsonc", ".opencode"] },
  places: {
    bare: ["*.json"],
    keyed: [
      {
        file: /^(?:[^/]+\/)*opencode\.jsonc?$/,
        format: "json",
        keys: /^(?:(?:mcp|agent)\/[^/]+|permission\/(?:[^/]+_\*|task|read\/mcp:\*))$/,
      },
    ],
    // A build takes keys out again where the host itself would look for a file of its own, and nowhere else.
    into: { file: /(?:^|\/)opencode\.jsonc?$/, example: "opencode.json" },
  },
  gateway: "may",
  program: "opencode",
  handsOver: true,
  abilities: {
    hide: { holds: "enforced", but: "servers of your own configuration stay beside the role's", leavesOpen: "beside" },
    ask: { holds: "asked", but: "`--auto` answers every question with yes, `opencode run` with no" },
    conditions: { holds: "none" },
    resources: { holds: "enforced", but: "the tools that read them stay visible, and are refused" },
    delegation: {
      holds: "enforced",
      but: "once a person names an agent with `@`, work can go to the host's own agents too, which have no server of yours",
      leavesOpen: "beside",
    },
    builtins: { holds: "enforced" },
    references: { holds: "enforced", but: "an unset variable becomes empty" },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: { holds: "enforced", but: "the time-out alone, for connecting" },
    roles: true,
    filtersByName: true,
    longestName: undefined,
  },
  ownTools: OWN_TOOLS,
  kept: KEPT,
  joinedName: (server, tool) => `${sanitised(server, "_")}_${sanitised(tool, "_")}`,
  tell: (transport, choice) => spellTransport(transport, spelling, choice),
  replacedIn,
  leftPlaces: leftEntries,
  merges: MERGES,
  start: ({ role, folder }) => {
    const content = { textOf: `${folder}/hosts/opencode/${role}.json` };
    return { run: { env: [["OPENCODE_CONFIG_CONTENT", content]], args: ["--agent", role] } };
  },
  emit,
};

function* emit(fitted: FittedPlan<HostFacts, SpeltTransport>): Iterable<Artifact> {
  const { plan, roles, choice } = fitted;
  for (const role of roles) {
    const team = reachable(role, fitted);
    const servers = serversOf(team);
    yield {
      path: `${plan.project.folder}/hosts/opencode/${role.name}.json`,
      text: jsonText({
        $schema: "https://opencode.ai/config.json",
        mcp: Object.fromEntries([
          ...servers.map((server) => [server.server.name, serverEntry(server)]),
          ...othersOf(fitted, servers).map((server) => [
            server.server.name,
            { ...serverEntry(server), enabled: false },
          ]),
        ]),
        permission: permissions(servers),
        agent: Object.fromEntries(
          team.map((one) => [one.name, agentEntry(one, one === role ? "primary" : "subagent", servers)]),
        ),
      }),
    };
  }
  if (choice.into !== undefined) yield { path: choice.into, format: "json", keys: sharedKeys(fitted) };
}

/** The host merges the team's file with the role's, and would start what other roles are given there. */
function othersOf(
  { roles, choice }: FittedPlan<HostFacts, SpeltTransport>,
  own: readonly FittedServer[],
): FittedServer<SpeltTransport>[] {
  const isOwn = ({ server }: FittedServer) => own.some((one) => one.server === server);
  return choice.into === undefined ? [] : serversOf(roles).filter((server) => !isOwn(server));
}
