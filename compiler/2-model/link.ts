import type { HostData } from "../base/host-data.ts";
import { keyOf } from "../base/place.ts";
import { DEFAULTS, PROJECT_FILE } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Sources } from "../1-source/types.ts";
import { approvalsIn } from "./approvals.ts";
import { chosenHosts } from "./chosen-hosts.ts";
import { declaredRoles, declaredServers } from "./declarations.ts";
import { checkRoleName, type KnownNames } from "./names.ts";
import { toolsNamed, writtenEntries } from "./role-entry.ts";
import { linkRoles } from "./roles.ts";
import { linkRules } from "./rules.ts";
import { linkServer } from "./servers.ts";
import type { Model, SchemaCheck } from "./types.ts";

/** Looks every name up and reports those that aren't there. `hosts`: all that there are. `checkSchema` says what is wrong with a JSON Schema, if anything. */
export function link(sources: Sources, hosts: readonly HostData[], checkSchema: SchemaCheck, report: Report): Model {
  const declared = declaredServers(sources.documents, report);
  const roleBlocks = declaredRoles(sources.documents, report);
  const entries = [...roleBlocks.values()].flatMap(writtenEntries);
  const named = toolsNamed(entries);
  const linked = [...declared.values()].map((server) =>
    linkServer(server, sources, named.get(server.name) ?? new Set(), checkSchema, report),
  );
  const servers = new Map(linked.map(({ selected }) => [selected.name, selected]));
  const known: KnownNames = {
    hosts,
    servers: new Set(declared.keys()),
    roles: new Set(roleBlocks.keys()),
    broken: sources.broken,
  };
  checkTokenRoles(sources, known, report);
  for (const { name, role } of sources.settings.state.members ?? []) {
    const at = { file: PROJECT_FILE, path: ["state", "members", name, "role"] };
    checkRoleName(role, `member \`${name}\` of \`state\``, at, known, report);
  }
  const roles = linkRoles({
    roles: roleBlocks,
    entries,
    servers,
    known,
    prompts: sources.prompts,
    checkSchema,
    report,
  });
  const rules = {
    servers,
    known,
    report,
    documents: sources.documents,
    presets: [...sources.presets.values()],
    roles,
    linked: linked.map(({ server }) => server),
    checkSchema,
  };
  return {
    project: {
      ...sources.settings,
      hosts: chosenHosts(sources.hosts, known, report),
      approved: approvalsIn(sources.documents),
    },
    installed: sources.installed,
    fingerprint: sources.fingerprint,
    tokens: sources.tokens,
    takenBeside: sources.documents.flatMap(({ takenBeside }) => takenBeside ?? []),
    servers: linked.map(({ server }) => server),
    roles,
    ...linkRules(rules),
  };
}

/** A token for a role that isn't there would let nobody in, and nobody would know why. */
function checkTokenRoles({ settings }: Sources, known: KnownNames, report: Report): void {
  const { auth } = settings.serve.http;
  if (auth === undefined || !("tokens" in auth)) return;
  for (const [role] of auth.tokens)
    checkRoleName(
      role,
      "`serve`",
      keyOf({ file: PROJECT_FILE, path: ["serve", "auth", "tokens", role] }),
      known,
      report,
    );
}

/** A project that couldn't be read. */
export const emptyModel: Model = {
  project: { name: "", ...DEFAULTS, envExample: undefined, diff: undefined, hosts: [], approved: [] },
  tokens: [],
  takenBeside: [],
  installed: new Map(),
  servers: [],
  roles: [],
  policies: [],
  invariants: [],
};
