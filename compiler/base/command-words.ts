/** A command that stands in one text, taken apart as a shell would; a reference stays whole. */
export function commandWords(command: string): string[] {
  const words = command.matchAll(/"([^"]*)"|'([^']*)'|((?:\$\{[^}]*\}|\S)+)/g);
  return Array.from(words, ([, double, single, bare]) => double ?? single ?? bare ?? "");
}

/** What YAML reads as this very text without quotes, in a list too. */
const PLAIN = /^(?!(?:true|false|null|-)$)[A-Za-z_./-][\w./@=+-]*$/;

/** A list as one writes it in a source. */
export function listText(texts: readonly string[]): string {
  return `[${texts.map((text) => (PLAIN.test(text) ? text : JSON.stringify(text))).join(", ")}]`;
}
