import { digestOf } from "../base/digest.ts";
import type { Gate } from "./gate.ts";
import type { DifferenceSummary } from "./summary.ts";
import type { AccessDifference } from "./types.ts";

/** Where it is known that nothing changed, without comparing: what comparing would give. */
export const NO_DIFFERENCE: AccessDifference = {
  verdict: "same",
  changes: [],
  renamed: [],
  digest: digestOf(""),
};
export const NOTHING_TOLD: DifferenceSummary = {
  clauses: [],
  common: [],
  roles: [],
  definitions: [],
  texts: [],
  renamed: [],
  isRenaming: false,
};
export const NOTHING_FOUND: Omit<Gate, "approval"> = {
  findings: [],
  passedBy: [],
  others: [],
  expired: [],
  unused: [],
};
