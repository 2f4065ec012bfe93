import type { Server, Tool } from "../3-plan/types.ts";
import type { JsonObject } from "../base/json.ts";
import { READS, wordsOf, writingWord } from "../base/verbs.ts";

/** Labels and hints for a server that nobody has looked at: from names, annotations and descriptions alone, so to be read by a person. */
export interface Proposed {
  readonly hints: Readonly<Record<string, JsonObject>>;
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

export function proposeFor({ tools }: Server): Proposed {
  const hints = tools.flatMap((tool) => hintsFor(tool).map((hint) => [tool.name, hint] as const));
  const labels = Object.entries(LABELS).flatMap(([label, fits]) => {
    const named = tools.filter((tool) => fits(factsOf(tool))).map(({ name }) => name);
    return named.length === 0 ? [] : [[label, named] as const];
  });
  return { hints: Object.fromEntries(hints), labels: Object.fromEntries(labels) };
}

interface Facts {
  readonly words: ReadonlySet<string>;
  readonly reads: boolean;
  readonly openWorld: boolean;
}

function factsOf(tool: Tool): Facts {
  const { name, hints, changes } = tool;
  const words = wordsOf(name);
  const reads = changes === undefined ? readsByName(tool) : hints.readOnly;
  return { words: new Set(words), reads, openWorld: changes !== undefined && hints.openWorld };
}

function readsByName(tool: Tool): boolean {
  const description = tool.definition().description ?? "";
  return writingWord(tool.name, description) === undefined && wordsOf(tool.name).some((word) => READS.has(word));
}

/** Where the server says nothing, what the name says; where both speak and differ, the careful one. */
function hintsFor(tool: Tool): JsonObject[] {
  if (tool.contradiction !== undefined) return [{ readOnly: false }];
  return tool.changes === undefined && readsByName(tool) ? [{ readOnly: true, destructive: false }] : [];
}

const LABELS: Readonly<Record<string, (facts: Facts) => boolean>> = {
  destructive: ({ words, reads }) => !reads && isAny(words, DESTROYS),
  external: ({ words, reads, openWorld }) => !reads && (isAny(words, REACHES_OUT) || openWorld),
  "private-data": ({ words, reads }) => reads && isAny(words, PRIVATE),
  "untrusted-content": ({ words, reads, openWorld }) => reads && (isAny(words, FROM_OTHERS) || openWorld),
};

const DESTROYS = setOf(
  "delete remove drop destroy erase wipe purge truncate overwrite uninstall terminate kill reset revoke clear unlink",
);
const REACHES_OUT = setOf(
  "send post publish upload email mail message tweet reply comment notify invite share push deploy",
);
const PRIVATE = setOf(
  `file files document documents note notes page pages email emails mail message messages chat contact contacts user users
   customer customers account accounts calendar event events query sql table tables database record records row rows repo
   repository issue issues payment payments invoice invoices secret secrets memory graph`,
);
const FROM_OTHERS = setOf(
  "fetch browse web url page pages search issue issues email emails mail message messages comment comments review reviews feed",
);

function isAny(words: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  return [...words].some((word) => known.has(word));
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
