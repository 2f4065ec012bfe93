import { own, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Tool } from "../3-plan/types.ts";
import { wordsIn, type Worded } from "./authors-words.ts";
import { written, type DefinitionPart } from "./definition-part.ts";

const HINTS = ["readOnly", "destructive", "idempotent", "openWorld"] as const;
type Hint = (typeof HINTS)[number];

/** A tool's hints and labels, whoever said them. */
export function saidParts(was: Tool, now: Tool): DefinitionPart[] {
  const parts = HINTS.flatMap((hint) => hintPart(hint, was, now));
  return [...parts, ...otherAnnotations(was, now), ...labelsPart(was, now)];
}

/** The same where of each no more is known than what counts of it. Empty: the change is another one. */
export function wordsParts(before: JsonValue, after: JsonValue): DefinitionPart[] {
  const [was, now] = [wordsIn(before), wordsIn(after)];
  if (was === undefined || now === undefined) return [];
  return [...HINTS.flatMap((hint) => countsPart(hint, was, now)), ...labelsPart(was, now)];
}

function labelsPart(was: Worded, now: Worded): DefinitionPart[] {
  const [before, after] = [was, now].map(({ labels }) => sorted(labels).join(", ")) as [string, string];
  const [had, has] = [before, after].map((labels) => (labels === "" ? "none" : labels));
  if (before === after) return [];
  return [{ part: "hints", says: `its labels are now: ${has} (before: ${had})`, before, after }];
}

function countsPart(hint: Hint, was: Worded, now: Worded): DefinitionPart[] {
  const [before, after] = [String(was.hints[hint]), String(now.hints[hint])];
  if (before === after) return [];
  return [{ part: "hints", says: `it now counts as \`${hint}\`: ${after} (before: ${before})`, before, after }];
}

/** The author's own word stands over the server's, and where nobody says anything the protocol's default counts. */
function hintPart(hint: Hint, was: Tool, now: Tool): DefinitionPart[] {
  const [claimed, claims] = [was, now].map((tool) => claimOf(hint, tool)) as [string, string];
  const [before, after] = [String(was.hints[hint]), String(now.hints[hint])];
  if (claimed === claims) return countsPart(hint, was, now);
  const isKept = before === after;
  const counts = isKept ? `; it counts as ${after}, as before` : claims === after ? "" : `; it counts as ${after} now`;
  const says = `the server now claims ${claims === NOTHING ? `nothing of \`${hint}\`` : `\`${hint}\`: ${claims}`} (before: ${claimed})${counts}`;
  return [{ part: "hints", says, before: isKept ? claimed : before, after: isKept ? claims : after }];
}

const NOTHING = "nothing";

function claimOf(hint: Hint, { annotations = {} }: Tool): string {
  const claim = own(annotations, `${hint}Hint`);
  return claim === undefined ? NOTHING : stableText(claim);
}

/** A title, or what a later protocol has: free text of the server's. */
function otherAnnotations({ annotations: was = {} }: Tool, { annotations: now = {} }: Tool): DefinitionPart[] {
  const keys = sorted(new Set([...Object.keys(was), ...Object.keys(now)]));
  return keys.flatMap((key): DefinitionPart[] => {
    const [before, after] = [own(was, key), own(now, key)].map((one) => written(one)) as [string, string];
    if (before === after || HINTS.some((hint) => key === `${hint}Hint`)) return [];
    return [{ part: "text", says: `its annotation \`${key}\` changed`, before, after }];
  });
}
