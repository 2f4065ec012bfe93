import type { RoleName, ServerName } from "../base/names.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Model } from "../2-model/types.ts";
import type { Grant, Plan } from "../3-plan/types.ts";
import { checkArguments } from "./arguments.ts";
import { checkAskAndWhere } from "./ask-and-where.ts";
import { checkCeilings } from "./ceilings.ts";
import { checkEmptyRoles } from "./empty-roles.ts";
import { checkEntries } from "./entries.ts";
import { checkInheritance } from "./inheritance.ts";
import { checkInvariants } from "./invariants.ts";
import { checkLookAlikes } from "./look-alikes.ts";
import { checkMixedEnums } from "./mixed-enums.ts";
import { checkOutputNames } from "./output-names.ts";
import { checkPackages } from "./packages.ts";
import { checkReadOnly } from "./read-only.ts";
import { checkScopes } from "./scopes.ts";
import { checkSecrets } from "./secrets.ts";
import { checkShells } from "./shells.ts";
import { checkTwins } from "./twins.ts";
import type { Check } from "./types.ts";
import { checkUnpinned } from "./unpinned.ts";
import { checkUnusedServers } from "./unused-servers.ts";
import { checkWithoutEffect } from "./without-effect.ts";

const CHECKS: readonly Check[] = [
  checkEntries,
  checkInheritance,
  checkReadOnly,
  checkAskAndWhere,
  checkArguments,
  checkCeilings,
  checkWithoutEffect,
  checkInvariants,
  checkUnpinned,
  checkUnusedServers,
  checkEmptyRoles,
  checkScopes,
  checkPackages,
  checkTwins,
  checkShells,
  checkMixedEnums,
  checkLookAlikes,
  checkSecrets,
  checkOutputNames,
];

export function runChecks(model: Model, plan: Plan, report: Report): void {
  const grants = new Map<RoleName, Map<ServerName, Grant>>(plan.roles.map((role) => [role.name, new Map(role.grants.map((grant) => [grant.server.name, grant]))]));
  const subject = { model, plan, grant: (role: RoleName, server: ServerName) => grants.get(role)?.get(server) };
  for (const check of CHECKS) check(subject, report);
}
