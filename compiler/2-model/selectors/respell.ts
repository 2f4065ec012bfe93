import type { Writing } from "../../base/flow-yaml.ts";
import type { SelectorAdvice } from "../../diagnostics/report.ts";

/**
 * What a selector that finds nothing most likely means in this language. Nothing is proposed that wasn't held against
 * the tools, and nothing that would grant more than was written.
 */
export interface Respelling {
  /** How much a selector finds; 0 for one that isn't sound. */
  readonly finds: (selector: string) => number;
  /** In a place that restricts, a pattern without an anchor is meant for all that it is in. */
  readonly restricts: boolean;
  /** The server that the list is about: its name before a tool's is one word too many. */
  readonly server?: string | undefined;
  /** What stands before each proposal: `github.` in a rule. */
  readonly before?: string | undefined;
  /** How the file spells it. */
  readonly writing: Writing;
}

/** Undefined when no other spelling is likely. */
export function respell(written: string, context: Respelling): SelectorAdvice | undefined {
  const without = withoutServer(written, context);
  if (without !== undefined) return { case: "server-twice", spelling: context.writing.value(without) };
  const several = severalIn(written);
  if (several && allFind(several, context)) return { case: "each", spelling: items(several, context) };
  const globs = globsOf(written, context);
  if (globs && allFind(globs, context))
    return { case: globs.length === 1 ? "glob" : "globs", spelling: items(globs, context) };
  // `.*` alone may be a name with a dot and a star.
  return looksForeign(written.replace(/\.[*+]/g, "")) ? { case: "other-language" } : undefined;
}

function items(texts: readonly string[], { before = "", writing }: Respelling): string {
  return texts.map((text) => writing.value(before + text)).join(", ");
}

function allFind(texts: readonly string[], { finds }: Respelling): boolean {
  return texts.length > 0 && texts.every((text) => finds(text) > 0);
}

/** `github.create_issue`, `mcp__github__create_issue`, `github/create_issue`. */
function withoutServer(written: string, { server, finds, restricts }: Respelling): string | undefined {
  if (server === undefined) return undefined;
  const bare = written.replace(/^mcp_{1,2}/, "");
  if (!bare.startsWith(server)) return undefined;
  const rest = /^(?:\.|\/|:|__?|-)(.+)$/s.exec(bare.slice(server.length))?.[1];
  const isSafe = rest !== undefined && (restricts || rest !== "*");
  return isSafe && finds(rest) > 0 ? rest : undefined;
}

/** Several selectors in one text. */
function severalIn(written: string): string[] | undefined {
  if (/[{}()[\]]/.test(written)) return undefined;
  const parts = written.split(/\s*[,;]\s*|\s*\|\|?\s*|\s+(?:or\s+)?/).filter((part) => part !== "");
  return parts.length > 1 && !parts.includes("&") ? parts : undefined;
}

function looksForeign(written: string): boolean {
  return /^\/.+\/[a-z]*$|^\^|\$$|\.[*+]|\\[dwsb.]|\{[^{}]*,[^{}]*\}|\([^()]*\)|\[[^[\]]+\]/.test(written);
}

function globsOf(written: string, { finds, restricts }: Respelling): string[] | undefined {
  if (!looksForeign(written)) return undefined;
  const expanded = /[{]/.test(written) ? expandBraces(written) : undefined;
  if (expanded) return expanded;
  const pattern = /^\/(.*)\/[a-z]*$/s.exec(written)?.[1] ?? written;
  const [, begins, inner, ends] = /^(\^?)(.*?)(\$?)$/s.exec(pattern)!;
  const bodies = readAlternatives(inner!.replace(/^\(\?i\)/, ""));
  return bodies?.map((body) => {
    const before = begins === "" && ends !== "" ? "*" : "";
    const after = begins !== "" && ends === "" ? "*" : "";
    const narrow = `${before}${body}${after}`.replace(/\*+/g, "*");
    const wide = `${begins ? "" : "*"}${body}${ends ? "" : "*"}`.replace(/\*+/g, "*");
    return restricts && finds(wide) > finds(narrow) ? wide : narrow;
  });
}

/** More alternatives than anybody writes are left as they are. */
const MOST = 12;

function expandBraces(text: string): string[] | undefined {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text);
  if (!found) return /[{}]/.test(text) ? undefined : [text];
  const [, before, choice, after] = found;
  const all = choice!.split(",").map((one) => expandBraces(`${before}${one.trim()}${after}`));
  if (!all.every((one) => one !== undefined)) return undefined;
  const flat = [...new Set(all.flat())];
  return flat.length <= MOST ? flat : undefined;
}

/** The globs that say the same as an expression; undefined where no glob says it. */
function readAlternatives(text: string): string[] | undefined {
  const reading: ExpressionReading = { text, at: 0 };
  const found = alternatives(reading, 0);
  return found && reading.at === text.length ? found : undefined;
}

interface ExpressionReading {
  readonly text: string;
  at: number;
}

function alternatives(reading: ExpressionReading, depth: number): string[] | undefined {
  const all: string[] = [];
  for (;;) {
    const sequence = readSequence(reading, depth);
    if (sequence === undefined) return undefined;
    all.push(...sequence);
    if (all.length > MOST) return undefined;
    if (reading.text[reading.at] !== "|") return all;
    reading.at++;
  }
}

function readSequence(reading: ExpressionReading, depth: number): string[] | undefined {
  let made = [""];
  while (reading.at < reading.text.length && !/[|)]/.test(reading.text[reading.at]!)) {
    const atoms = readAtom(reading, depth);
    if (atoms === undefined) return undefined;
    made = made.flatMap((before) => atoms.map((atom) => before + atom));
    if (made.length > MOST) return undefined;
  }
  return made;
}

/** One character, `.` with its star, or a group; what else an expression can say, no glob can. */
function readAtom(reading: ExpressionReading, depth: number): string[] | undefined {
  const rest = reading.text.slice(reading.at);
  if (reading.at === 0 && rest.startsWith("*")) return take(reading, "*", ["*"]);
  const any = /^\.([*+]?)(?![?{])/.exec(rest);
  if (any) return take(reading, any[0], [any[1] === "*" ? "*" : any[1] === "+" ? "?*" : "?"]);
  const escaped = /^\\([^A-Za-z0-9])(?![*+?{])/.exec(rest);
  if (escaped) return take(reading, escaped[0], [/[*?\\]/.test(escaped[1]!) ? `\\${escaped[1]!}` : escaped[1]!]);
  const plain = /^[^\\^$.*+?()[\]{}|](?![*+?{])/.exec(rest);
  if (plain) return take(reading, plain[0], [plain[0]]);
  const group = /^\((?:\?:)?/.exec(rest);
  if (!group || depth > 4) return undefined;
  reading.at += group[0].length;
  const inside = alternatives(reading, depth + 1);
  if (inside === undefined || !/^\)(?![*+?{])/.test(reading.text.slice(reading.at))) return undefined;
  reading.at++;
  return inside;
}

function take(reading: ExpressionReading, written: string, globs: string[]): string[] {
  reading.at += written.length;
  return globs;
}
