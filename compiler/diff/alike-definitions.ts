import { sortedBy } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import { GRADES, gradeOf } from "./gravity.ts";
import type { ChangedDefinition } from "./told.ts";

/**
 * Tools of one server that changed in one way, for the same roles: in exactly the same words, but for texts, which are told
 * elsewhere. In the order of their first; of each the gravest tool first.
 */
export function alikeDefinitions(definitions: readonly ChangedDefinition[]): ChangedDefinition[][] {
  const groups = new Map<string, ChangedDefinition[]>();
  for (const one of definitions) {
    const key = wayOf(one);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return [...groups.values()].map((all) => sortedBy(all, rankOf));
}

function wayOf({ first: { change, parts }, roles }: ChangedDefinition): string {
  const { direction, server, before, after } = change;
  const known = parts();
  const says = known.flatMap((one) => (one.part === "text" ? [] : [[one.part, one.says]]));
  return stableText([direction, server ?? null, before === null, after === null, known.length === 0, says, [...roles]]);
}

function rankOf({ first: { tool, change } }: ChangedDefinition): string {
  return `${tool === undefined ? 0 : GRADES.indexOf(gradeOf(tool))}${change.tool}`;
}
