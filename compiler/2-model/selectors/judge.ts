import { matchPart, type SelectableServer } from "./match.ts";
import type { Selector, SelectorPart } from "./parse.ts";

/** Parts that name a tool, a label or a scope which none of the servers has. */
export function unknownParts({ parts }: Selector, servers: readonly SelectableServer[]): readonly SelectorPart[] {
  return parts.filter((part) => !servers.some((server) => isKnown(part, server)));
}

function isKnown(part: SelectorPart, { set, labels }: SelectableServer): boolean {
  if (part.kind === "name") return set.byName.has(part.name);
  if (part.kind === "label") return labels.includes(part.name);
  return part.kind !== "scope" || set.scopes.some((scope) => scope.name === part.name);
}

/** Each part must find something of its own; together they may find nothing only where a class is one of them. */
export function findsTooLittle<Server extends SelectableServer>(
  { parts }: Selector,
  servers: readonly Server[],
  found: { readonly size: number },
  matching: (part: SelectorPart, server: Server) => readonly number[] = matchPart,
): boolean {
  const isLost = (part: SelectorPart) => servers.every((server) => matching(part, server).length === 0);
  return (
    parts.some((part) => part.kind !== "is" && isLost(part)) ||
    (found.size === 0 && !parts.some(({ kind }) => kind === "is"))
  );
}
