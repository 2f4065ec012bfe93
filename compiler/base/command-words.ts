/** A command that stands in one text, taken apart as a shell would; a reference stays whole. */
export function commandWords(command: string): string[] {
  const words = command.matchAll(/"([^"]*)"|'([^']*)'|((?:\$\{[^}]*\}|\S)+)/g);
  return Array.from(words, ([, double, single, bare]) => double ?? single ?? bare ?? "");
}
