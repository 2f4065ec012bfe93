import type { RoleName, ServerName } from "../base/names.ts";
import type { DiagnosticCode } from "../diagnostics/catalogue.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Grant } from "../3-plan/types.ts";
import { checkArguments } from "./arguments.ts";
import { checkAskAndWhere } from "./ask-and-where.ts";
import { checkBuiltins } from "./builtins.ts";
import { checkCeilings } from "./ceilings.ts";
import { checkConditionsTooLarge } from "./conditions-too-large.ts";
import { checkEmptyRoles } from "./empty-roles.ts";
import { checkEntries } from "./entries.ts";
import { checkHintsAndNames } from "./hints-and-names.ts";
import { checkHostRemarks } from "./host-remarks.ts";
import { checkHome } from "./home.ts";
import { checkHosts } from "./hosts.ts";
import { checkInheritance } from "./inheritance.ts";
import { checkInvariants } from "./invariants.ts";
import { checkLookAlikes } from "./look-alikes.ts";
import { checkMixedEnums } from "./mixed-enums.ts";
import { checkOutputNames } from "./output-names.ts";
import { checkPackages } from "./packages.ts";
import { checkPrompts } from "./prompts.ts";
import { checkReadOnly } from "./read-only.ts";
import { checkResourceless, checkResources } from "./resources.ts";
import { checkScopes } from "./scopes.ts";
import { checkSecrets } from "./secrets.ts";
import { checkServedNames } from "./served-names.ts";
import { checkShells } from "./shells.ts";
import { checkSlowSchemas } from "./slow-schemas.ts";
import { checkStateAddresses, checkStateGlobs } from "./state-addresses.ts";
import { checkTakenBeside } from "./taken-beside.ts";
import { checkTwins } from "./twins.ts";
import type { Check, Subject } from "./types.ts";
import { checkUnpinned } from "./unpinned.ts";
import { checkUnusedServers } from "./unused-servers.ts";
import { checkWithoutEffect } from "./without-effect.ts";

/** What is true of a definition by itself. */
const OF_DEFINITIONS: readonly Check[] = [
  checkSecrets,
  checkPrompts,
  checkPackages,
  checkHome,
  checkScopes,
  checkLookAlikes,
  checkOutputNames,
];

/** What must be true of the plan. */
const OF_THE_PLAN: readonly Check[] = [
  checkEntries,
  checkInheritance,
  checkReadOnly,
  checkAskAndWhere,
  checkArguments,
  checkConditionsTooLarge,
  checkTwins,
  checkBuiltins,
  checkHosts,
  checkServedNames,
  checkResources,
  checkStateAddresses,
];

/** What is worth knowing of a plan that is right: said beside errors it would mostly be their echo. */
const REMARKS: readonly Check[] = [
  checkCeilings,
  checkWithoutEffect,
  checkUnpinned,
  checkUnusedServers,
  checkEmptyRoles,
  checkShells,
  checkMixedEnums,
  checkHostRemarks,
  checkHintsAndNames,
  checkSlowSchemas,
  checkResourceless,
  checkStateGlobs,
  checkTakenBeside,
];

/** A role or server that isn't there: what is left would make true statements look false. */
const GAPS: readonly DiagnosticCode[] = [
  "role/unknown",
  "role/extends-cycle",
  "server/unknown",
  "source/declared-twice",
];

/** A rule that matched nothing took nothing away: an invariant would seem broken for what a mended slip would mend. */
const LOST_RULES: readonly DiagnosticCode[] = ["manifest/unknown-tool", "manifest/matches-nothing"];

/** `whole`: every declaration could be read. */
export function runChecks(
  { model, plan, hosts, knownHosts }: Omit<Subject, "grant">,
  whole: boolean,
  report: Report,
): void {
  const grants = new Map<RoleName, Map<ServerName, Grant>>(
    plan.roles.map((role) => [role.name, new Map(role.grants.map((grant) => [grant.server.name, grant]))]),
  );
  const subject = {
    model,
    plan,
    hosts,
    knownHosts,
    grant: (role: RoleName, server: ServerName) => grants.get(role)?.get(server),
  };
  for (const check of OF_DEFINITIONS) check(subject, report);
  const isJudgeable = whole && !report.said(...GAPS);
  if (isJudgeable) for (const check of OF_THE_PLAN) check(subject, report);
  if (isJudgeable && !report.said(...LOST_RULES)) checkInvariants(subject, report);
  if (!report.failed) for (const check of REMARKS) check(subject, report);
}
