import { lineStartAt, phraseAt, quoted } from "./phrase.ts";
import type { Explanation } from "./problem.ts";
import { shorten } from "./text.ts";

/** What to say of an unquoted text that begins with `*`, which for YAML is an alias. Undefined: there is none. */
export function explainStar(text: string, at: number): Explanation | undefined {
  const [start, end] = phraseAt(text, at);
  if (text[start] !== "*") return undefined;
  const phrase = text.slice(start, end);
  const key = /^(\*[^\s:,{}[\]]*)\s*:(?=\s|$)/.exec(phrase)?.[1];
  const written = key ?? phrase;
  const shown = shorten(written);
  const problem =
    written === "*"
      ? "`*` without quotes is an alias, not a glob"
      : `\`${shown}\` is an alias, and nothing above has that anchor`;
  const help =
    key === undefined ? valueHelp(written, keyBefore(text, start)) : `quote the key alone: \`${quoted(shown)}:\``;
  return { at: start, end: start + written.length, problem, help };
}

/** The key whose value begins there; an item of a list has none. */
function keyBefore(text: string, start: number): string | undefined {
  return /(?<![\w.-])([\w.-]+)["']?:[ \t]*$/.exec(text.slice(lineStartAt(text, start), start))?.[1];
}

/** Keys that take a list of names. */
const LISTS = ["roles", "include", "exclude", "ask", "together", "optional", "absent"];

function valueHelp(written: string, key: string | undefined): string {
  const shown = quoted(shorten(written));
  if (written !== "*") {
    const isList = key !== undefined && (key === "tools" || LISTS.includes(key));
    return `if it is text, quote it: \`${isList ? `[${shown}]` : shown}\``;
  }
  if (key === "tools") return 'write `["*.*"]` in a rule, `all` for a server';
  if (key === undefined) return `quote it: \`${shown}\``;
  return LISTS.includes(key) ? `write \`[${shown}]\`` : "write `all`";
}
