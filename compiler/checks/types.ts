import type { RoleName, ServerName } from "../base/names.ts";
import type { Report } from "../diagnostics/report.ts";
import type { FittedPlan, Host } from "../4-fit/types.ts";
import type { Model } from "../2-model/types.ts";
import type { Grant, Plan } from "../3-plan/types.ts";

/** One question about a finished plan. It only reports: what it finds changes nothing. */
export type Check = (subject: Subject, report: Report) => void;

export interface Subject {
  readonly model: Model;
  readonly plan: Plan;
  /** What each chosen host gets of it. */
  readonly hosts: readonly FittedPlan[];
  /** Every host that rolecall writes for, chosen or not. */
  readonly knownHosts: readonly Host[];
  grant(role: RoleName, server: ServerName): Grant | undefined;
}
