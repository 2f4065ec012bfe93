import { firstOf } from "../base/list-words.ts";
import { sortedBy } from "../base/order.ts";
import type { Report } from "../diagnostics/report.ts";
import { held } from "../3-plan/held.ts";
import type { Decision, Grant, Reason, Tool } from "../3-plan/types.ts";
import type { Check } from "./types.ts";

/** A tool that is held because its server calls it read-only, and whose name says that it isn't. Said once where it is written. */
export const checkHintsAndNames: Check = ({ plan }, report) => {
  const found = new Map<string, Finding>();
  for (const role of plan.roles) for (const grant of role.grants) gather(grant, found);
  for (const finding of found.values()) say(finding, report);
};

interface Finding {
  readonly reason: Reason;
  readonly grant: Grant;
  readonly tools: Map<string, Tool>;
}

function gather(grant: Grant, found: Map<string, Finding>): void {
  if (!grant.server.tools.some((tool) => tool.contradiction !== undefined)) return;
  for (const [tool, decision] of held(grant)) {
    const reason = tool.contradiction === undefined ? undefined : heldAsReading(decision);
    if (reason === undefined) continue;
    const key = JSON.stringify([reason.from.file, reason.from.path, grant.server.name]);
    const known = found.get(key) ?? { reason, grant, tools: new Map() };
    found.set(key, known);
    known.tools.set(tool.name, tool);
  }
}

/** Every grant goes by the hint: one that names the tool, or takes whatever there is, doesn't rest on it. */
function heldAsReading({ because }: Decision): Reason | undefined {
  const grants = because.filter((reason) => reason.rule === "include");
  return grants.every((reason) => goesByHint(reason.written)) ? grants[0] : undefined;
}

function goesByHint(written: string): boolean {
  return written === "read-only" || written.split(" & ").includes("is:read-only");
}

function say({ reason, grant, tools }: Finding, report: Report): void {
  const all = sortedBy(tools.values(), (tool) => tool.name);
  report.add("manifest/hint-and-name", reason.from, {
    selector: reason.written,
    server: grant.server.name,
    tools: firstOf(all.map((tool) => `\`${tool.name}\``)),
    names: all.length === 1 ? "its name says" : "their names say",
    hints: `\`hints: { ${JSON.stringify(all[0]!.name)}: { readOnly: false } }\``,
  });
}
