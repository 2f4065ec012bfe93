/**
 * Before V8 holds a pattern against a text it looks, at each choice, at what the next four characters may be: along every way
 * from there, however often ways meet again. `(?:a?|b?)` thirty times over are a thousand million ways, which no deadline
 * ends. So they are counted first, from the end: the steps of all ways from a place are those behind it, added up.
 */

/** Of the counting itself. */
const MOST_STEPS = 8_000;

/** Steps that are taken before a pattern is held against a text. */
export interface Ways {
  /** Four characters from each choice. */
  readonly ahead: number;
  /** Eight, where all that comes first is passed by: within the pattern, and before it if it is looked for. */
  readonly searched: number;
  readonly looked: number;
}

/** Of a source that is a pattern. Infinity: they can't be counted. */
export function waysOf(source: string): Ways {
  const reader: Reader = { tokens: source.match(TOKEN) ?? [], at: 0, depth: 0, deepest: 0 };
  const options = readChoice(reader);
  if (reader.deepest > DEEPEST_GROUP) return TOO_MANY;
  const count: Count = { steps: 0, ahead: 0, searched: 0 };
  const from = stepsFrom({ kind: "choice", options }, AT_THE_END, count);
  return count.steps > MOST_STEPS ? TOO_MANY : { ...count, looked: from[FARTHEST] };
}

const TOO_MANY: Ways = { ahead: Infinity, searched: Infinity, looked: Infinity };

const AHEAD = 4;

/** A class, an escape, the head of a group, a quantifier, or a sign. What has no end goes to the end of it all. */
const TOKEN =
  /\[(?:[^\\\]]|\\[^])*(?:\]|$)|\\(?:[pPu]\{[^}]*(?:\}|$)|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*(?:>|$)|\d+|[^])|\((?:\?(?:<?[=!]|<[^>]*(?:>|$)|[-a-z]*:))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]/giu;

type Part =
  | { readonly kind: "character" }
  /** Takes no character: `^`, `$`, and what is looked at without being taken. */
  | { readonly kind: "place" }
  | { readonly kind: "choice"; readonly options: readonly (readonly Part[])[] }
  | {
      readonly kind: "repeat";
      readonly body: Part;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    };

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
  deepest: number;
}

const DEEPEST_GROUP = 250;
const ONE_TAKEN: Part = { kind: "character" };
const NOTHING_TAKEN: Part = { kind: "place" };
/** A word before it, or none. */
const WORD_EDGE: Part = { kind: "choice", options: [[NOTHING_TAKEN], [NOTHING_TAKEN]] };

function readChoice(reader: Reader): (readonly Part[])[] {
  const options: Part[][] = [[]];
  for (; reader.at < reader.tokens.length && reader.deepest <= DEEPEST_GROUP; reader.at++) {
    const token = reader.tokens[reader.at]!;
    const option = options.at(-1)!;
    if (token === ")") break;
    if (token === "|") options.push([]);
    else if (isQuantifier(token) && option.length > 0) option.push(repeatOf(option.pop()!, token));
    else option.push(readPart(reader, token));
  }
  return options;
}

function readPart(reader: Reader, token: string): Part {
  if (/^(?:[$^]|\\(?:[1-9]|k<))/.test(token)) return NOTHING_TAKEN;
  if (token === "\\b" || token === "\\B") return WORD_EDGE;
  if (!token.startsWith("(")) return ONE_TAKEN;
  reader.at++;
  reader.deepest = Math.max(reader.deepest, ++reader.depth);
  const options = readChoice(reader);
  reader.depth--;
  // What is looked for may be looked at, or passed by.
  return { kind: "choice", options: /^\(\?<?[=!]/.test(token) ? [...options, [NOTHING_TAKEN]] : options };
}

function isQuantifier(token: string): boolean {
  return /^(?:[*+?]|\{\d.*\})\??$/.test(token);
}

/** More copies are no code of their own, or lie farther than is looked. */
const MOST_COPIES = 4;

function repeatOf(body: Part, token: string): Part {
  const [least, most] = boundsOf(token);
  const isLazy = most === Infinity && token.endsWith("?");
  return { kind: "repeat", body, least: Math.min(MOST_COPIES, least), most: Math.min(MOST_COPIES, most), isLazy };
}

function boundsOf(token: string): readonly [number, number] {
  const sign = token.charAt(0);
  if (sign !== "{") return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity];
  const [least = "", most = least] = token
    .replace(/\}\??$/, "")
    .slice(1)
    .split(",");
  return [Number(least), most === "" ? Infinity : Number(most)];
}

/** Steps of all ways from a place, by how many characters are still to be looked at. */
type Steps = readonly [number, number, number, number, number, number, number, number, number];

const FARTHEST = 8;
const AT_THE_END: Steps = [0, 1, 1, 1, 1, 1, 1, 1, 1];

interface Count {
  steps: number;
  /** Of every choice together. */
  ahead: number;
  /** Of every repeat that begins with none, together. */
  searched: number;
}

function stepsFrom(part: Part, behind: Steps, count: Count): Steps {
  if (++count.steps > MOST_STEPS) return behind;
  switch (part.kind) {
    case "character":
      return oneFarther(behind);
    case "place":
      return together(behind, AT_THE_END);
    case "choice":
      return chosen(
        part.options.map((option) => option.reduceRight((from, one) => stepsFrom(one, from, count), behind)),
        count,
      );
    case "repeat": {
      if (part.isLazy) count.searched += behind[FARTHEST];
      let from = behind;
      for (let times = part.most; times > part.least; times--)
        from = chosen([stepsFrom(part.body, from, count), behind], count);
      for (let times = part.least; times > 0; times--) from = stepsFrom(part.body, from, count);
      // V8 takes a counted repeat to be passed by where it is no code of its own and more than 255 characters follow.
      return part.least > 1 ? chosen([from, behind], count) : from;
    }
  }
}

function chosen(options: readonly Steps[], count: Count): Steps {
  if (options.length === 1) return options[0]!;
  const steps = options.reduce(together, AT_THE_END);
  count.ahead += steps[AHEAD];
  return steps;
}

// Written out, since a stranger's pattern has thousands of them.
function oneFarther([a, b, c, d, e, f, g, h]: Steps): Steps {
  return [0, 1 + a, 1 + b, 1 + c, 1 + d, 1 + e, 1 + f, 1 + g, 1 + h];
}

function together(one: Steps, [, b, c, d, e, f, g, h, i]: Steps): Steps {
  return [0, one[1] + b, one[2] + c, one[3] + d, one[4] + e, one[5] + f, one[6] + g, one[7] + h, one[8] + i];
}
