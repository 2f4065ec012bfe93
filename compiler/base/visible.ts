/**
 * Text for people. Names and descriptions come from strangers: before they reach a terminal or a Markdown
 * page, every character that steers, hides or reorders what is shown becomes its number.
 */

/**
 * Controls (escape included), format characters (zero-width, bidirectional, tags), line and paragraph
 * separators, lone surrogates, and what fonts are told to draw as nothing. An emoji keeps its own selector.
 */
const UNSEEN =
  /(?<!\p{Extended_Pictographic})\u{fe0f}|(?!\u{fe0f})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const PLAIN = /^[\x20-\x7e]*$/;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One harmless line: nothing in it moves the cursor, hides, or changes the direction of reading. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSEEN, (character) => SHORT[character] ?? codeUnit(character));
}

/** Where it is decided by what is shown: what looks like a blank and isn't U+0020 is no blank there either. */
export function visibleBlanks(text: string): string {
  return visible(text).replace(BLANK, codeUnit);
}

/** Two signs that fonts draw as nothing are no white space to Unicode. */
const BLANK = /(?! )\p{Zs}|[\u2800\u{1d159}]/gu;

/** A stranger's name may be as long as it likes; more than this of one is printed nowhere. */
const MOST_SHOWN = 1000;

/** The beginning of a text that is too long to be read, and how long it is. Secrets are masked before. */
export function bounded(text: string): string {
  return boundedTo(MOST_SHOWN, text);
}

/** With another bound. */
export function boundedTo(most: number, text: string): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]$/.test(text.slice(0, most)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length} characters)`;
}

/** Whether something in the text can't be seen, or moves what can. */
export function isInvisible(text: string): boolean {
  return text.search(UNSEEN) >= 0;
}

/** JSON text with the same characters as escapes: still the same JSON, since they stand in strings only. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, (character) => (character === "\n" ? character : [...utf16(character)].join("")));
}

/** JSON text of a string as YAML and TOML have it, whose escapes are of whole characters: halves of one are no text there. */
export function visibleInQuotes(json: string): string {
  return json.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/**
 * Plain words in Markdown: no link, image, HTML, emphasis, entity or table cell begins or ends in it.
 * Where a name stands alone, prefer `codeCell`: a host's own shorthand (@name, #12) is dead only in code.
 */
export function visibleMarkdown(text: string): string {
  return visible(bounded(text))
    .replace(/[\\`*_{}[\]<>|~&#@:!$^=]/g, "\\$&")
    .replace(/\bwww\./gi, "www\\.")
    .replace(/^(\s*)([-+])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2");
}

/** Text as code in a cell of a Markdown table, back-ticks and pipes included. */
export function codeCell(text: string): string {
  const shown = visible(bounded(text)).replaceAll("|", "\\|");
  const longest = (shown.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const room = shown === "" || /^`|`$|^ (?! *$).* $/.test(shown) ? " " : "";
  return `${fence}${room}${shown}${room}${fence}`;
}

function codeUnit(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

function* utf16(character: string): Generator<string> {
  for (let i = 0; i < character.length; i++) yield `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
}
