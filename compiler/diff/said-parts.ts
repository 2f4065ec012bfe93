import { sorted } from "../base/order.ts";
import type { Tool } from "../3-plan/types.ts";
import type { DefinitionPart } from "./definition-part.ts";

const HINTS = ["readOnly", "destructive", "idempotent", "openWorld"] as const;

/** A tool's hints and labels, whoever said them. */
export function saidParts(was: Tool, now: Tool): DefinitionPart[] {
  const parts: DefinitionPart[] = [];
  for (const hint of HINTS) {
    const [before, after] = [String(was.hints[hint]), String(now.hints[hint])];
    if (before === after) continue;
    // The author's own word stands over the server's.
    const who = now.hintsSaid[0]?.[hint] === now.hints[hint] ? "the server now claims" : "it now counts as";
    parts.push({ part: "hints", says: `${who} \`${hint}\`: ${after} (before: ${before})`, before, after });
  }
  const [before, after] = [was, now].map(({ labels }) => sorted(labels).join(", ")) as [string, string];
  const [had, has] = [before, after].map((labels) => (labels === "" ? "none" : labels));
  if (before !== after)
    parts.push({ part: "hints", says: `its labels are now: ${has} (before: ${had})`, before, after });
  return parts;
}
