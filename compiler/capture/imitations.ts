import { normalText } from "../base/normal-text.ts";
import { own, type JsonObject } from "../base/json.ts";
import { isInvisible } from "../base/visible.ts";

export interface KnownTool {
  readonly server: string;
  readonly tool: string;
}

/**
 * Whether a tool passes for one of another server, or tells how one of another server is to be used. That two servers
 * have a tool of the very same name is common and says nothing: a tool is always the pair.
 */
export function imitations(
  tool: JsonObject,
  others: readonly KnownTool[],
): { readonly kind: "imitates" | "steers"; readonly excerpt: string }[] {
  const name = String(own(tool, "name"));
  const description = own(tool, "description");
  const twin = others.find((other) => passesFor(name, other));
  const steered = typeof description === "string" ? steers(description, name, others) : undefined;
  return [
    ...(twin ? [{ kind: "imitates" as const, excerpt: `${twin.server}.${twin.tool}` }] : []),
    ...(steered === undefined ? [] : [{ kind: "steers" as const, excerpt: steered }]),
  ];
}

/** `github_create_issue` beside a server `github`, or a name that only differs in what the eye passes over. */
function passesFor(name: string, other: KnownTool): boolean {
  if (name === other.tool || other.tool === "") return false;
  const plain = plainName(name);
  return (
    plain === plainName(`${other.server}_${other.tool}`) ||
    (plain === plainName(other.tool) && !isPlainVariant(name, other.tool))
  );
}

/** `listFiles` and `list_files` are two customs, not a disguise: only letters that aren't what they seem are one. */
function isPlainVariant(one: string, other: string): boolean {
  return /^[\x21-\x7e]*$/.test(one) && /^[\x21-\x7e]*$/.test(other);
}

function plainName(name: string): string {
  return [...normalText(name, "NFKC").toLowerCase()]
    .filter((character) => !isInvisible(character))
    .map((character) => LOOKS_LIKE[character] ?? character)
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Cyrillic and Greek letters that pass for Latin ones, in pairs. */
const LOOKS_LIKE: Readonly<Record<string, string>> = Object.fromEntries(
  "аaеeоoрpсcуyхxіiјjѕsԁdԛqԝwɡgοoαaνvιiκkρpτtυuχx".match(/../gu)!.map((pair) => [...pair] as [string, string]),
);

/** Ordinary words can be tools too: only names of two words or more are looked for in a text. */
function steers(description: string, name: string, others: readonly KnownTool[]): string | undefined {
  for (const other of others) {
    if (other.tool === name || !/[a-z0-9][_-]?[A-Z]|[_.-]/.test(other.tool) || other.tool.length < 6) continue;
    const at = description.indexOf(other.tool);
    if (at < 0 || isWordCharacter(description[at - 1]) || isWordCharacter(description[at + other.tool.length]))
      continue;
    const sentence = sentenceAround(description, at);
    if (ORDERS.test(sentence)) return sentence.slice(0, 160);
  }
  return undefined;
}

const ORDERS =
  /\b(?:must|always|never|instead|only after|before (?:using|calling)|do not|don't|change|set|replace|also|bcc|recipient)\b/i;

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_-]/u.test(character);
}

function sentenceAround(text: string, at: number): string {
  const from = Math.max(text.lastIndexOf(". ", at) + 1, text.lastIndexOf("\n", at) + 1);
  const ends = [text.indexOf(". ", at), text.indexOf("\n", at)].filter((end) => end >= 0);
  return text.slice(from, ends.length > 0 ? Math.min(...ends) + 1 : undefined).trim();
}
