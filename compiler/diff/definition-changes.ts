import type { Access, ToolAccess } from "../3-plan/access.ts";
import type { AuthorsWords } from "./authors-words.ts";
import { rulesJson } from "./compare-rules.ts";
import type { MoreNamed } from "./more-named.ts";
import { paired } from "./paired.ts";
import type { AccessChanged } from "./types.ts";

/** Of tools that a role held and holds, those that aren't what they were. */
export function definitionChanges(first: WordedAccess, then: WordedAccess, moreNamed: MoreNamed): AccessChanged[] {
  const pins = otherPins(first, then);
  const changes: AccessChanged[] = [];
  for (const [one, other] of pins.size === 0 ? [] : paired(first.roles, then.roles))
    for (const [held, holds] of paired(one?.servers ?? [], other?.servers ?? [])) {
      const server = (holds ?? held)!.name;
      const known = pins.get(server);
      if (known === undefined || held === undefined || holds === undefined) continue;
      for (const [had, has] of paired(held.tools, holds.tools)) {
        const pins = had === undefined || has === undefined ? undefined : known.get(has.name);
        if (pins === undefined) continue;
        // Hundreds of thousands in a large project: written out, an object takes half of what a spread one does.
        const [role, tool] = [other!.name, has!.name];
        const [direction, kind] = ["changed", "definition"] as const;
        for (const { was: before, is: after } of pins)
          changes.push({ direction, kind, role, server, tool, before, after, openings: NONE });
        for (const one of opened({ role, server, tool }, had!, has!, moreNamed)) changes.push(one);
      }
    }
  return changes;
}

const NONE: readonly never[] = [];

/** `words`: undefined where nobody knows. */
type WordedAccess = Access & { readonly words?: AuthorsWords };

interface OtherPin {
  readonly was: string | null;
  readonly is: string | null;
}

type OtherPins = ReadonlyMap<string, readonly OtherPin[]>;

/** By server and tool, its definition and what counts of it: each once, however many roles hold it. */
function otherPins(before: WordedAccess, after: WordedAccess): ReadonlyMap<string, OtherPins> {
  const found = new Map<string, OtherPins>();
  for (const [one, other] of paired(before.servers, after.servers)) {
    const [said, says] = [before, after].map(({ words }) => words?.get((other ?? one)!.name));
    const pins = paired(one?.tools ?? [], other?.tools ?? []).flatMap(([had, has]): [string, OtherPin[]][] => {
      const [was, is] = [had?.digest ?? null, has?.digest ?? null];
      const { name } = (has ?? had)!;
      const [word, words] = [said?.get(name), says?.get(name)];
      const others = [
        ...(was === is ? [] : [{ was, is }]),
        ...(word === undefined || words === undefined || word === words ? [] : [{ was: word, is: words }]),
      ];
      return others.length === 0 ? [] : [[name, others]];
    });
    if (pins.length > 0) found.set((other ?? one)!.name, new Map(pins));
  }
  return found;
}

/** A tool with conditions takes only arguments that its schema names: one that is named now passes. */
function opened(
  about: Pick<AccessChanged, "role" | "server" | "tool">,
  had: ToolAccess,
  has: ToolAccess,
  moreNamed: MoreNamed,
): readonly AccessChanged[] {
  if (had.where.length === 0 || has.where.length === 0) return NONE;
  const openings = moreNamed(about.server!, about.tool!).map((argument) => ({ argument, by: undefined }));
  if (openings.length === 0) return [];
  return [
    {
      ...about,
      direction: "widens",
      kind: "condition",
      before: rulesJson(had.where),
      after: rulesJson(has.where),
      openings,
    },
  ];
}
