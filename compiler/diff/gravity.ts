import { runsCommands } from "../base/shell-names.ts";
import { writingWord } from "../base/verbs.ts";
import type { Tool } from "../3-plan/types.ts";

/** How much harm a tool can do, as far as anybody says. */
export type Grade = (typeof GRADES)[number];

/** The gravest first. `deletes`, `named`: nobody says, and its name says that it deletes, or writes. */
export const GRADES = ["destructive", "deletes", "writes", "named", "unknown", "reads"] as const;

/** By labels and hints, whoever wrote them; a name alone never makes a tool harmless. */
export function gradeOf(tool: Tool): Grade {
  if (runsCommands(tool) || tool.labels.includes("destructive")) return "destructive";
  if (tool.changes === true) return tool.hints.destructive ? "destructive" : "writes";
  if (tool.changes === false && tool.contradiction === undefined) return "reads";
  const word = writingWord(tool.name);
  return word === undefined ? "unknown" : DELETES.has(word) ? "deletes" : "named";
}

const DELETES: ReadonlySet<string> = new Set(
  "delete remove drop destroy erase wipe purge truncate overwrite terminate kill uninstall revoke".split(" "),
);
