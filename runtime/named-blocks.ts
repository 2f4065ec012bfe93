import { inNamedFlows, IS_A_VALUE, NAMES_A_VALUE } from "./named-flows.ts";
import { saysSecret } from "./secret-names.ts";

/** `- name: value` of YAML, up to its name: there its column is. */
const NAMED_VALUE =
  /^([ \t]*(?:-[ \t]+)*)(?:"([^"]{1,100})"|'([^']{1,100})'|([A-Za-z_][\w .-]{0,60}?))[ \t]*:(?=\s|$)[ \t]*(.*)$/;

interface NamedValue {
  readonly column: number;
  readonly name: string;
  readonly value: string;
  /** With what stands around it. */
  readonly written: string;
}

/** Values that stand in YAML under names that say secret, but not beside them: in lists, in lines of their own, in maps. */
export function inNamedBlocks(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const found: string[][] = [];
  /** The last value: what stands in it is read with it. */
  let [from, until] = [0, 0];
  const read = (at: number, entry: NamedValue): void => {
    const block = blockBelow(lines, at, entry);
    found.push(valuesIn(entry, block));
    [from, until] = [at, at + 1 + block.length];
  };
  for (let at = 0; at < lines.length; at++) {
    const entry = namedValueIn(lines[at]!);
    if (entry === undefined) continue;
    if (saysSecret(entry.name)) {
      read(at, entry);
      at = until - 1;
    } else
      for (const beside of besideName(lines, at, entry))
        if (beside < from || beside >= until) read(beside, namedValueIn(lines[beside]!)!);
  }
  return found.flat().filter((one) => one !== "");
}

function namedValueIn(line: string): NamedValue | undefined {
  const [, before, ...rest] = NAMED_VALUE.exec(line) ?? [];
  if (before === undefined) return undefined;
  const [double, single, plain, written = ""] = rest;
  return { column: before.length, name: double ?? single ?? plain ?? "", value: withoutMarks(written), written };
}

/** Up to its end, where a comment may follow. */
const WHOLE_IN_QUOTES = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*')(?=\s*$|\s+#)/;

/** An anchor, a tag and a comment. */
function withoutMarks(value: string): string {
  const bare = value.replace(/^(?:[&!]\S*(?:\s+|$))+/, "");
  return WHOLE_IN_QUOTES.exec(bare)?.[0] ?? bare.replace(/(?:^|\s)#.*$/, "").trim();
}

/** Wherever it stands, it ends nothing. */
const COMMENT_LINE = /^\s*#/;

/** A list may stand in the column of its name. */
function blockBelow(lines: readonly string[], at: number, { column, value }: NamedValue): string[] {
  let end = at + 1;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    const own = line.search(/\S/);
    const isElement = value === "" && own === column && /^-(?:\s|$)/.test(line.slice(own));
    if (own !== -1 && own <= column && !isElement && !COMMENT_LINE.test(line)) break;
  }
  return lines.slice(at + 1, end).map((line) => (COMMENT_LINE.test(line) && line.search(/\S/) <= column ? "" : line));
}

/** As lists of variables have it: `- name: DB_PASSWORD`, and `value: ...` in a line below or above. */
function besideName(lines: readonly string[], at: number, { name, value, column }: NamedValue): number[] {
  if (!NAMES_A_VALUE.test(name) || !saysSecret(unquoted(value))) return [];
  const around = [...linesOfElement(lines, at, column, -1), ...linesOfElement(lines, at, column, 1)];
  return around.filter((next) => {
    const beside = namedValueIn(lines[next]!);
    return beside?.column === column && IS_A_VALUE.test(beside.name);
  });
}

/** An element has few lines; with a dash another begins. */
const MOST_LINES = 20;

function linesOfElement(lines: readonly string[], at: number, column: number, step: 1 | -1): number[] {
  const found: number[] = [];
  const isFirst = (line: string): boolean => /^\s*-(?:\s|$)/.test(line.slice(0, column));
  for (let next = at + step; Math.abs(next - at) <= MOST_LINES; next += step) {
    // Upwards it is the line before, the first of which the element has.
    const line = lines[next];
    if (line === undefined || isFirst(lines[Math.max(next, next - step)]!)) return found;
    const isOutside = line.trim() !== "" && line.search(/\S/) < column && !isFirst(line);
    if ((isOutside && !COMMENT_LINE.test(line)) || line.startsWith("---")) return found;
    found.push(next);
  }
  return found;
}

/** Of lines the longer ones alone are secrets too, as those of a key are. */
const LEAST_OF_LINE = 12;

function valuesIn({ value, written }: NamedValue, block: readonly string[]): string[] {
  const lines = block.map((line) => line.trim()).filter((line) => line !== "");
  if (/^[|>][-+\d]*$/.test(value))
    return [lines.join(value.startsWith("|") ? "\n" : " "), ...lines.filter(({ length }) => length >= LEAST_OF_LINE)];
  const isOneText =
    lines.length > 0 && !lines.some((line) => /^-(?:\s|$)/.test(line) || namedValueIn(line) !== undefined);
  const whole = isOneText ? [unquoted([value, ...lines].join(" ").trim())] : [];
  const inBrackets = inNamedFlows([written, ...block].join("\n"), true);
  return [whole, [value, ...lines].map(elementIn), inBrackets].flat();
}

/** Also of brackets, whose signs a value may have. */
function elementIn(line: string): string {
  const element = line.replace(/^(?:-\s+)+/, "");
  return unquoted(withoutMarks(namedValueIn(element)?.value ?? element));
}

function unquoted(value: string): string {
  const [, double, single] = /^(?:"(.*)"|'(.*)')$/.exec(value) ?? [];
  return double ?? single?.replaceAll("''", "'") ?? value;
}
