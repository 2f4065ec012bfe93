import type { MergedFile } from "../../../4-fit/merged-place.ts";
import { spellTransport, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedPlan, FittedRole, HostFacts } from "../../../4-fit/types.ts";
import type { Host } from "../../target.ts";
import type { Artifact } from "../../types.ts";
import { writtenSecrets } from "../left-places.ts";
import { KEPT } from "./kept-names.ts";
import { OWN_TOOLS } from "./own-tools.ts";
import { nameThere, policy } from "./policy.ts";
import { replacedIn } from "./prompt.ts";
import { promptPath, sharedKeys, spelling } from "./settings.ts";

const HOME = { variable: "GEMINI_CLI_HOME", otherwise: "" };
const OF_PERSON = { ...HOME, below: ".gemini" };

/**
 * Keys in the project's own settings, which open nothing, and for each role a policy and the names of its servers, which
 * the start command hands over. Settings of the system would need no shared file, but one that isn't root's is skipped; a
 * home for each role would take a person's sign-in and settings away.
 */
export const geminiCli: Host<SpeltTransport> = {
  id: "gemini-cli",
  title: "Gemini CLI",
  alsoCalled: ["gemini"],
  signs: { files: [".gemini", "GEMINI.md"] },
  places: {
    shared: [".gemini/settings.json"],
    bare: ["*/policy.toml", "*/servers.txt", "*/prompt.md"],
    keyed: [
      {
        file: /^\.gemini\/settings\.json$/,
        format: "json",
        keys: /^(?:mcpServers\/[^/]+|mcp\/excluded|context\/fileName)$/,
        holdsServers: true,
        written: ".gemini/settings.json",
      },
    ],
  },
  gateway: "may",
  served: { roleVariable: "ROLECALL_ROLE" },
  program: "gemini",
  abilities: {
    hide: { holds: "enforced", but: "in a folder that you haven't trusted there are no servers at all" },
    ask: { holds: "asked", but: "with `-p` what is asked is refused" },
    conditions: { holds: "none" },
    resources: { holds: "enforced" },
    delegation: { holds: "enforced", but: "all agents of a session hold the role's tools and no others" },
    builtins: { holds: "enforced" },
    references: { holds: "enforced", but: "an unset variable becomes empty" },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: { holds: "enforced", but: "the time-out alone" },
    roles: true,
    filtersByName: true,
    longestName: 63,
    // A name with arguments behind it stands for the tool before them.
    splitsNames: /\(/,
  },
  ownTools: OWN_TOOLS,
  kept: KEPT,
  joinedName: (server, tool) => `mcp_${server}_${nameThere(tool)}`,
  tell: (transport, choice) => spellTransport(transport, spelling, choice),
  replacedIn,
  leftPlaces: (fitted) => [writtenSecrets({ file: ".gemini/settings.json", key: "mcpServers" }, fitted)],
  merges: [
    // It hands them on to what it starts: of the nearest, on to the top, whatever the repository, then of the home.
    ...[".gemini/.env", ".env"].flatMap((file): MergedFile[] => [
      { in: "top", file, names: [{ of: "variables", at: [] }] },
      { in: HOME, file, names: [{ of: "own variables", at: [] }] },
    ]),
    // A person's own servers and those of extensions stand below the project's; what these policies say above ours.
    ...[
      { in: "project" as const, file: ".gemini/settings.json" },
      { in: OF_PERSON, file: "settings.json" },
    ].map((place) => ({ ...place, names: [], settings: [{ at: ["adminPolicyPaths"], undoes: "all" as const }] })),
  ],
  start: ({ role, folder }) => {
    const files = `${folder}/hosts/gemini-cli/${role}`;
    const servers = ["--allowed-mcp-server-names", { textOf: `${files}/servers.txt` }];
    return { run: { env: [["ROLECALL_ROLE", role]], args: ["--policy", `${files}/policy.toml`, ...servers] } };
  },
  emit,
};

function* emit(fitted: FittedPlan<HostFacts, SpeltTransport>): Iterable<Artifact> {
  const { plan, roles } = fitted;
  if (roles.length === 0) return;
  yield { path: ".gemini/settings.json", format: "json", keys: sharedKeys(fitted) };
  for (const role of roles) {
    const folder = `${plan.project.folder}/hosts/gemini-cli/${role.name}`;
    const { prompt } = role.role;
    if (prompt !== undefined) yield { path: promptPath(plan, role.name), text: `${prompt.text}\n` };
    yield { path: `${folder}/policy.toml`, text: policy(role) };
    yield { path: `${folder}/servers.txt`, text: `${serverNames(role)}\n` };
  }
}

/** Nothing, the host would take for every server or for a mistake: no server has a space in its name. */
function serverNames({ servers }: FittedRole): string {
  return servers.length === 0 ? "no server" : servers.map(({ server }) => server.name).join(",");
}
