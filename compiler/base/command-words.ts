/** A command that stands in one text, taken apart as a shell would; a reference stays whole. */
export function commandWords(command: string): string[] {
  const words: string[] = [];
  // No reference ends behind it: of many that nobody closes each would be looked through.
  const last = command.lastIndexOf("}");
  for (let at = 0; at < command.length;) {
    const sign = command[at]!;
    const close = sign === '"' || sign === "'" ? command.indexOf(sign, at + 1) : -1;
    const end = close === -1 ? wordEnd(command, at, last) : close + 1;
    if (end > at) words.push(close === -1 ? command.slice(at, end) : command.slice(at + 1, close));
    at = Math.max(end, at + 1);
  }
  return words;
}

function wordEnd(command: string, from: number, last: number): number {
  let at = from;
  while (at < command.length && !/\s/.test(command[at]!))
    at = (at < last && command.startsWith("${", at) ? command.indexOf("}", at) : at) + 1;
  return at;
}
