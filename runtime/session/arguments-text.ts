/**
 * Arguments that a host hands over as JSON text. An object with two equal keys means one thing to us and may mean another
 * to whoever sends it on: it isn't read at all.
 */
export function readArgumentsText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (keysWritten(text) !== keysIn(value)) throw new SyntaxError("an object in them has two equal keys");
  return value;
}

/** In valid JSON a colon behind a text makes it a key. */
function keysWritten(text: string): number {
  let keys = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"[ \t\r\n]*(:?)/g)) if (colon === ":") keys++;
  return keys;
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
