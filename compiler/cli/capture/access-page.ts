import type { AccessChange, Standing } from "../../3-plan/compare-access.ts";
import type { Redact } from "../../live-server/redact.ts";
import { toolText } from "./words.ts";

/** Names of one line; the rest is counted. */
const MOST = 12;

/** What roles gained and lost, or would; roles to which the same happens share a line. */
export function accessLines(access: readonly AccessChange[], redact: Redact, state: "done" | "proposed"): string[] {
  const several = new Set(access.map((change) => change.server)).size > 1;
  const lines = new Map<string, string[]>();
  for (const changes of grouped(access)) {
    const words = VERBS.flatMap(({ fits, [state]: verb }) => {
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

interface Verb {
  readonly proposed: string;
  readonly done: string;
  fits(change: AccessChange): boolean;
}

const VERBS: readonly Verb[] = [
  { proposed: "would gain", done: "gained", fits: ({ before }) => before.effect === "deny" },
  { proposed: "would lose", done: "lost", fits: ({ after }) => after.effect === "deny" },
  {
    proposed: "would no longer be asked for",
    done: "no longer asked for",
    fits: (change) => holds(change) && change.before.effect === "ask" && change.after.effect === "allow",
  },
  {
    proposed: "would be asked for",
    done: "now asked for",
    fits: (change) => holds(change) && change.before.effect === "allow" && change.after.effect === "ask",
  },
  {
    proposed: "would have other conditions on",
    done: "other conditions on",
    fits: (change) => holds(change) && change.before.effect === change.after.effect,
  },
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
