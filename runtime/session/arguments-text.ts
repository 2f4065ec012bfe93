/**
 * Arguments that a host hands over as JSON text. An object with two equal keys, and a number with more digits than a double
 * holds, mean one thing to us and may mean another to whoever sends them on: they aren't read at all.
 */
export function readArgumentsText(text: string): unknown {
  const value = valueOfText(text);
  let keys = 0;
  // In valid JSON a colon behind a text makes it a key, and outside of texts a digit is a number's.
  // One that never ends goes on to the end, so that no other is looked for within it.
  for (const [found, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"[ \t\r\n]*(:?)|\\?$)|-?\d[\d.eE+-]*/g)) {
    if (colon === ":") keys++;
    else if (colon === undefined && !isExact(found))
      throw new SyntaxError("a number in them has more digits than are read");
  }
  if (keys !== keysIn(value)) throw new SyntaxError("an object in them has two equal keys");
  return value;
}

/** The platform's own words quote a piece of the text, cut anywhere: half a secret, which no masker would know. */
function valueOfText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, before] = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec((error as SyntaxError).message) ?? [];
    throw new SyntaxError(`their text can't be read${before === undefined ? "" : ` from character ${+before + 1} on`}`);
  }
}

/** No double has more characters when it is written out. */
const LONGEST_NUMBER = 400;

function isExact(written: string): boolean {
  return written.length <= LONGEST_NUMBER && decimal(written) === decimal(String(Number(written)));
}

/** The same text for the same number, however it is written. */
function decimal(written: string): string {
  const [, sign, whole = "", part = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(written) ?? [];
  const digits = (whole + part).replace(/^0+/, "");
  const significant = digits.replace(/(?<!0)0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - part.length + digits.length - significant.length}`;
}

function keysIn(value: unknown): number {
  let keys = 0;
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next)) keys += Object.keys(next).length;
    for (const inner of Object.values(next)) left.push(inner);
  }
  return keys;
}
