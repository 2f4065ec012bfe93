import { isObject } from "../../../base/json.ts";
import type { KeyPath } from "../../../base/place.ts";
import { type ByBeginning, byBeginning } from "../by-beginning.ts";
import { shown } from "../shown-names.ts";
import type { Translation } from "../types.ts";

export interface HasRules {
  readonly tools?: unknown;
  readonly permission?: unknown;
  readonly agent?: unknown;
  readonly mode?: unknown;
}

/** A rule about these servers' tools, in whichever place. */
export function leaveRules(document: HasRules, servers: readonly string[], leave: Translation["leave"]): void {
  const heads = byBeginning(servers.map((server) => `${shown(server)}_`));
  const help = "it is about agents of OpenCode: write who may what in roles and policies";
  for (const [at, held] of placesOfRules(document)) {
    // One word is a rule about every tool.
    if (held === "deny" || held === "ask") leave(at, `\`${at.join(".")}: ${held}\``, help);
    for (const [rule, word] of Object.entries(isObject(held) ? held : {}))
      if (isAbout(rule, word, heads)) leave([...at, rule], `the rule \`${rule}\``, help);
  }
}

type RulesAt = readonly [at: KeyPath, held: unknown];

/** At the top, and of each agent. */
function placesOfRules({ tools, permission, agent, mode }: HasRules): RulesAt[] {
  const perAgent = Object.entries({ agent, mode }).flatMap(([place, agents]) =>
    Object.entries(isObject(agents) ? agents : {}).flatMap(([name, one]) =>
      ["tools", "permission"].map((key): RulesAt => [[place, name, key], isObject(one) ? one[key] : undefined]),
    ),
  );
  return [[["tools"], tools], [["permission"], permission], ...perAgent];
}

/** A rule that names the server's tools, or a pattern that may find some and takes them away. */
function isAbout(rule: string, word: unknown, heads: ByBeginning): boolean {
  if (heads.beginningsOf(rule).length > 0) return true;
  const sure = /^[^*?]*/.exec(rule)![0];
  return sure.length < rule.length && word !== "allow" && word !== true && heads.isBeginning(sure);
}
