import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { beginning, issuedToken } from "../base/secret-patterns.ts";
import { isInvisible } from "../base/visible.ts";
import { imitations, toolsOfOthers, type KnownTool, type ToolsOfOthers } from "./imitations.ts";
import { patterns, type Pattern } from "./poison-patterns.ts";

/** A text that may be aimed at the model. A warning for whoever decides: it proves nothing, and its absence neither. */
export interface Suspicion {
  /** Undefined: the server's instructions. Raw, as is the excerpt. */
  readonly tool: string | undefined;
  readonly kind: Pattern["kind"] | "hidden" | "imitates" | "steers" | "token";
  /** The words that raised it. */
  readonly excerpt: string;
}

/** `others`: tools of the project's other servers. */
export function suspicionsIn(manifest: JsonObject, others: readonly KnownTool[]): Suspicion[] {
  const instructions = own(manifest, "instructions");
  const tools = own(manifest, "tools");
  const list = Array.isArray(tools) ? (tools as readonly JsonValue[]).filter(isObject) : [];
  const names = new Set(list.map((tool) => String(own(tool, "name"))));
  const foreign = toolsOfOthers(others.filter((other) => !names.has(other.tool)));
  return [
    ...(typeof instructions === "string" ? inText(undefined, instructions) : []),
    ...list.flatMap((tool) => inTool(tool, foreign)),
  ];
}

/** Of one text, whose it ever is. */
export function suspicionsInText(text: string): Suspicion[] {
  return inText(undefined, text);
}

/** The first of each kind: of hostile texts there may be a hundred thousand. */
type Found = Map<Suspicion["kind"], Suspicion>;

function inTool(tool: JsonObject, others: ToolsOfOthers): Suspicion[] {
  const name = String(own(tool, "name"));
  const found: Found = new Map();
  for (const { kind, excerpt } of imitations(tool, others)) keepFirst(found, { tool: name, kind, excerpt });
  for (const [, text] of stringsOf(tool)) lookInto(text, name, found);
  return [...found.values()];
}

function inText(tool: string | undefined, text: string): Suspicion[] {
  const found: Found = new Map();
  lookInto(text, tool, found);
  return [...found.values()];
}

function keepFirst(found: Found, one: Suspicion): void {
  if (!found.has(one.kind)) found.set(one.kind, one);
}

/** What was found isn't looked for again. */
function lookInto(text: string, tool: string | undefined, found: Found): void {
  const hidden = found.has("hidden") ? undefined : hiddenIn(text);
  if (hidden !== undefined) keepFirst(found, { tool, kind: "hidden", excerpt: hidden });
  if (text.length < SHORTEST) return;
  const token = found.has("token") ? undefined : issuedToken(text);
  if (token !== undefined) keepFirst(found, { tool, kind: "token", excerpt: beginning(token) });
  for (const { kind, pattern } of patterns) {
    const match = found.has(kind) ? null : pattern.exec(text);
    if (match) keepFirst(found, { tool, kind, excerpt: around(text, match) });
  }
}

/** No order fits into fewer characters. */
const SHORTEST = 12;

/** Joiners belong to some scripts and to emoji, and line breaks to every text: what is left hides something. */
const JOINED =
  /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

function hiddenIn(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  const rest = text
    .replace(/[\t\n\r]/g, " ")
    .replace(/^\ufeff/, "")
    .replace(JOINED, (joiner, at: number) => (isLatinAround(text, at) ? joiner : ""));
  if (!isInvisible(rest)) return undefined;
  const characters = [...rest];
  const at = characters.findIndex((character) => isInvisible(character) && character !== "\ufe0f");
  return characters.slice(Math.max(0, at - 20), at + 40).join("");
}

function isLatinAround(text: string, at: number): boolean {
  return /\p{Script=Latin}/u.test(text[at - 1] ?? "");
}

function around(text: string, match: RegExpExecArray): string {
  const from = Math.max(0, match.index - 20);
  return text
    .slice(from, match.index + Math.min(match[0].length, 120) + 20)
    .replace(/\s+/g, " ")
    .trim();
}

/** Every text of a definition that a model may read, keys included, with where it stands. */
function* stringsOf(tool: JsonObject): Generator<readonly [where: string, text: string]> {
  for (const [key, value] of Object.entries(tool)) {
    if (key !== "digest") yield* stringsIn(value, key);
  }
}

function* stringsIn(value: JsonValue, where: string): Generator<readonly [string, string]> {
  if (typeof value === "string") yield [where, value];
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      yield [where, key];
      yield* stringsIn(inner, where);
    }
  } else if (Array.isArray(value)) {
    for (const inner of value as readonly JsonValue[]) yield* stringsIn(inner, where);
  }
}
