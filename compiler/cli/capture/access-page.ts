import type { AccessChange, Standing } from "../../3-plan/compare-access.ts";
import type { Redact } from "../../live-server/redact.ts";
import { toolText } from "./words.ts";

/** Names of one line; the rest is counted. */
const MOST = 12;

/** What roles would gain and lose; roles to which the same happens share a line. */
export function accessLines(access: readonly AccessChange[], redact: Redact): string[] {
  const several = new Set(access.map((change) => change.server)).size > 1;
  const lines = new Map<string, string[]>();
  for (const changes of grouped(access)) {
    const words = VERBS.flatMap(([verb, fits]) => {
      const tools = changes.filter((change) => fits(change));
      return tools.length === 0 ? [] : [`${verb} ${names(tools, redact)}`];
    }).join("; ");
    const line = several ? `${words} (${changes[0]!.server})` : words;
    lines.set(line, [...(lines.get(line) ?? []), changes[0]!.role]);
  }
  return [...lines].map(([words, roles]) => `${rolesText(roles)}: ${words}`);
}

function rolesText(roles: readonly string[]): string {
  return roles.slice(0, MOST).join(", ") + (roles.length > MOST ? ` and ${roles.length - MOST} more roles` : "");
}

const VERBS: readonly (readonly [string, (change: AccessChange) => boolean])[] = [
  ["would gain", ({ before }) => before.effect === "deny"],
  ["would lose", ({ after }) => after.effect === "deny"],
  [
    "is no longer asked for",
    (change) => holds(change) && change.before.effect === "ask" && change.after.effect === "allow",
  ],
  [
    "would be asked for",
    (change) => holds(change) && change.before.effect === "allow" && change.after.effect === "ask",
  ],
  ["would have other conditions on", (change) => holds(change) && change.before.effect === change.after.effect],
];

function holds({ before, after }: AccessChange): boolean {
  return before.effect !== "deny" && after.effect !== "deny";
}

/** By role and server. */
function grouped(access: readonly AccessChange[]): AccessChange[][] {
  const groups = new Map<string, AccessChange[]>();
  for (const change of access) {
    const key = `${change.role} ${change.server}`;
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()];
}

function names(changes: readonly AccessChange[], redact: Redact): string {
  const shown = changes.slice(0, MOST).map(({ tool, after }) => toolText(tool, redact) + bounds(after));
  return shown.join(", ") + (changes.length > MOST ? ` and ${changes.length - MOST} more` : "");
}

function bounds({ effect, where }: Standing): string {
  const words = [...(effect === "ask" ? ["asked"] : []), ...(effect !== "deny" && where ? ["where"] : [])];
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}
