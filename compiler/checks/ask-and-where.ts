import type { Report } from "../diagnostics/report.ts";
import type { Role, RoleEntry, Selection } from "../2-model/types.ts";
import type { Decision } from "../3-plan/types.ts";
import type { Check, Subject } from "./types.ts";

/** An exact name under `ask` or `where` must be held: neither grants. A class or glob may match more than is held. */
export const checkAskAndWhere: Check = (subject, report) => {
  for (const role of subject.model.roles) {
    for (const entry of role.entries) {
      for (const selection of entry.ask) checkHeld("role/ask-not-held", selection, role, entry, subject, report);
      for (const { selection } of entry.where)
        checkHeld("role/where-not-held", selection, role, entry, subject, report);
    }
  }
};

function checkHeld(
  code: "role/ask-not-held" | "role/where-not-held",
  selection: Selection,
  role: Role,
  entry: RoleEntry,
  subject: Subject,
  report: Report,
): void {
  const [tool] = selection.tools;
  const pinned = subject.model.servers.find((server) => server.name === entry.server)?.manifest !== undefined;
  // A name that the manifest lacks has been reported; without a manifest, this is where a slip is found.
  if (!selection.exact || (pinned && tool === undefined)) return;
  const decision = tool === undefined ? undefined : subject.grant(role.name, entry.server)?.decisions[tool];
  if (decision && decision.effect !== "deny") return;
  const policy = decision && deniedBy(decision);
  if (policy && code === "role/ask-not-held") {
    report.add(
      "role/ask-denied",
      selection.place,
      { tool: selection.written, by: `policy \`${policy.written}\``, role: role.name },
      [{ says: "the policy", at: policy.from }],
    );
  } else if (!policy) {
    report.add(code, selection.place, { tool: selection.written, role: role.name });
  }
}

/** The policy that took an included tool away. */
function deniedBy(decision: Decision): Decision["because"][number] | undefined {
  return decision.because.some((reason) => reason.rule === "include")
    ? decision.because.find((reason) => reason.rule === "policy")
    : undefined;
}
