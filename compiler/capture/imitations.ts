import { normalText } from "../base/normal-text.ts";
import { own, type JsonObject } from "../base/json.ts";
import { isInvisible } from "../base/visible.ts";

export interface KnownTool {
  readonly server: string;
  readonly tool: string;
}

/** The tools of other servers, by what a tool is compared with: servers may have ten thousand each. */
export interface ToolsOfOthers {
  /** By plain name: the server's before it, or alone. */
  readonly byName: ReadonlyMap<string, readonly KnownTool[]>;
  /** By the first word of a name that no text holds by chance. */
  readonly byWord: ReadonlyMap<string, readonly KnownTool[]>;
}

export function toolsOfOthers(tools: readonly KnownTool[]): ToolsOfOthers {
  const byName = new Map<string, KnownTool[]>();
  const byWord = new Map<string, KnownTool[]>();
  for (const one of tools) {
    for (const name of new Set([plainName(`${one.server}_${one.tool}`), plainName(one.tool)])) put(byName, name, one);
    const [word] = WORD.exec(one.tool) ?? [];
    if (word !== undefined && isUnusual(one.tool) && one.tool.startsWith(word)) put(byWord, word, one);
  }
  return { byName, byWord };
}

function put(map: Map<string, KnownTool[]>, key: string, tool: KnownTool): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [tool]);
  else if (known.length < MOST_ALIKE) known.push(tool);
}

/** Of one word or plain name. */
const MOST_ALIKE = 100;
const WORD = /[\p{L}\p{N}_-]+/u;
const WORDS = new RegExp(WORD.source, "gu");

/**
 * Whether a tool passes for one of another server, or tells how one of another server is to be used. That two servers
 * have a tool of the very same name is common and says nothing: a tool is always the pair.
 */
export function imitations(
  tool: JsonObject,
  others: ToolsOfOthers,
): { readonly kind: "imitates" | "steers"; readonly excerpt: string }[] {
  const name = String(own(tool, "name"));
  const description = own(tool, "description");
  const plain = plainName(name);
  const twin = others.byName.get(plain)?.find((other) => passesFor(name, plain, other));
  const steered = typeof description === "string" ? steers(description, name, others) : undefined;
  return [
    ...(twin ? [{ kind: "imitates" as const, excerpt: `${twin.server}.${twin.tool}` }] : []),
    ...(steered === undefined ? [] : [{ kind: "steers" as const, excerpt: steered }]),
  ];
}

/** `github_create_issue` beside a server `github`, or a name that only differs in what the eye passes over. */
function passesFor(name: string, plain: string, other: KnownTool): boolean {
  if (name === other.tool || other.tool === "") return false;
  return plain === plainName(`${other.server}_${other.tool}`) || !isPlainVariant(name, other.tool);
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
function isUnusual(tool: string): boolean {
  return tool.length >= 6 && /[a-z0-9][_-]?[A-Z]|[_.-]/.test(tool);
}

function steers(description: string, name: string, { byWord }: ToolsOfOthers): string | undefined {
  if (byWord.size === 0) return undefined;
  for (const { 0: word, index: at } of description.matchAll(WORDS)) {
    const meant = byWord
      .get(word)
      ?.some(({ tool }) => tool !== name && description.startsWith(tool, at) && endsAt(description, at + tool.length));
    if (meant !== true) continue;
    const sentence = sentenceAround(description, at);
    if (ORDERS.test(sentence)) return sentence.slice(0, LONGEST_SHOWN);
  }
  return undefined;
}

const ORDERS =
  /\b(?:must|always|never|instead|only after|before (?:using|calling)|do not|don't|change|set|replace|also|bcc|recipient)\b/i;
const LONGEST_SHOWN = 160;

function endsAt(text: string, at: number): boolean {
  return !/^[\p{L}\p{N}_-]/u.test(text.slice(at, at + 2));
}

/** No order is farther from the name. */
const AROUND = 500;

function sentenceAround(whole: string, place: number): string {
  const start = Math.max(0, place - AROUND);
  const [text, at] = [whole.slice(start, place + AROUND), place - start];
  const from = Math.max(text.lastIndexOf(". ", at) + 1, text.lastIndexOf("\n", at) + 1);
  const ends = [text.indexOf(". ", at), text.indexOf("\n", at)].filter((end) => end >= 0);
  return text.slice(from, ends.length > 0 ? Math.min(...ends) + 1 : undefined).trim();
}
