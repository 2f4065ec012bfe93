import { firstOf } from "../base/list-words.ts";
import { toolPath } from "../base/names.ts";
import type { JsonObject } from "../base/json.ts";
import { visible } from "../base/visible.ts";
import type { OwnTools } from "../4-fit/types.ts";
import { allHosts } from "../5-artifacts/hosts/all-hosts.ts";
import {
  createCombiner,
  type Combination,
  type CombinationPart,
  type CombinedTool,
  type CombinationKind,
  type PartName,
  type RoleCombinations,
} from "../questions/combinations.ts";
import type { Plan, PlannedRole } from "../3-plan/types.ts";
import type { LabelledFact } from "./page.ts";

/** What several pages say of tools that are dangerous together. */
export function combinerOf(plan: Plan): (role: PlannedRole) => RoleCombinations {
  return createCombiner(plan, ownToolsOfHosts());
}

export function ownToolsOfHosts(): ReadonlyMap<string, OwnTools> {
  return new Map(allHosts([]).flatMap(({ id, ownTools }) => (ownTools === undefined ? [] : [[id, ownTools] as const])));
}

const KIND_WORDS: Readonly<Record<CombinationKind, string>> = {
  leak: "private data + untrusted content + a way out",
  "write-and-run": "writes + runs commands",
};
const PART_WORDS: Readonly<Record<PartName, string>> = {
  "private-data": "private data",
  "untrusted-content": "untrusted content",
  "way-out": "a way out",
  writes: "writes",
  runs: "runs commands",
};

/** Of several hosts, where the same tools would have to go. */
export interface GroupedCombination extends Omit<Combination, "host"> {
  readonly hosts: readonly string[];
}

/** What a host's own tools add is left out where the same tools would have to go on any host. */
export function grouped(combinations: readonly Combination[]): GroupedCombination[] {
  const groups = new Map<string, GroupedCombination>();
  for (const one of combinations) {
    const { kind, host, fewest, isAsked } = one;
    const key = [kind, isAsked, ...fewest.map((tool) => toolWords(tool))].join("\n");
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { ...one, hosts: host === undefined ? [] : [host] });
    else if (known.hosts.length > 0 && host !== undefined)
      groups.set(key, { ...known, hosts: [...known.hosts, host], parts: united(known.parts, one.parts) });
  }
  return [...groups.values()];
}

function united(parts: readonly CombinationPart[], more: readonly CombinationPart[]): CombinationPart[] {
  return parts.map(({ part, tools }, i) => ({
    part,
    tools: [...new Map([...tools, ...more[i]!.tools].map((tool) => [toolWords(tool), tool])).values()],
  }));
}

/** `private data + untrusted content + a way out, on claude-code`. */
export function combinationWords({ kind, hosts }: Pick<GroupedCombination, "kind" | "hosts">): string {
  return hosts.length === 0 ? KIND_WORDS[kind] : `${KIND_WORDS[kind]}, on ${hosts.map(visible).join(", ")}`;
}

/** Which tools are what, and how it would be gone. */
export function combinationFacts(
  { parts, fewest, isAsked }: GroupedCombination,
  quote: (name: string) => string = visible,
): LabelledFact[] {
  const asked = parts.filter(({ tools }) => tools.every((tool) => tool.isAsked));
  return [
    ...parts.map(({ part, tools }): LabelledFact => [
      PART_WORDS[part],
      [firstOf(tools.map((tool) => toolWords(tool, quote)))],
    ]),
    ["gone without", [firstOf(fewest.map((tool) => nameWords(tool, quote)))]],
    [
      "a person",
      isAsked
        ? [`says yes to each call of what ${asked.map(({ part }) => `is "${PART_WORDS[part]}"`).join(" and ")}`]
        : [],
    ],
  ];
}

/** `github.merge (asked, on conditions, through writer)`. */
export function toolWords(tool: CombinedTool, quote: (name: string) => string = visible): string {
  const said = [
    ...(tool.isAsked ? ["asked"] : []),
    ...(tool.isConditioned ? ["on conditions"] : []),
    ...(tool.through === undefined ? [] : [`through ${quote(tool.through)}`]),
  ];
  const name = nameWords(tool, quote);
  return said.length === 0 ? name : `${name} (${said.join(", ")})`;
}

export function nameWords({ server, name }: CombinedTool, quote: (name: string) => string = visible): string {
  return quote(server === undefined ? name : toolPath(server as never, name as never));
}

export function combinationJson({ kind, host, parts, fewest, isAsked }: Combination): JsonObject {
  return {
    kind,
    host: host ?? null,
    parts: parts.map(({ part, tools }) => ({ part, tools: tools.map(combinedToolJson) })),
    goneWithout: fewest.map(({ server, name }) => ({ server: server ?? null, name })),
    asked: isAsked,
  };
}

export function combinedToolJson({ server, name, isAsked, isConditioned, through }: CombinedTool): JsonObject {
  return {
    server: server ?? null,
    name,
    effect: isAsked ? "ask" : "allow",
    where: isConditioned,
    through: through ?? null,
  };
}
