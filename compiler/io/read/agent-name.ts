import { plainEntries } from "../../5-artifacts/managed/plain-front-matter.ts";
import { isOverlong, plainLines } from "../../base/plain-lines.ts";
import { keyLibraries } from "../libraries.ts";

type Document = ReturnType<ReturnType<ReturnType<typeof keyLibraries>["yaml"]>["parseDocument"]>;

/** Undefined among them: it may be any. */
type Names = readonly (string | undefined)[];

/**
 * What an agent's file calls it: the `name` of its front matter, else `otherwise`. Hosts differ about where a header ends,
 * and make what they can of one that isn't sound YAML: each reading counts, and where they can't be told, any name.
 */
export function agentName(text: string, otherwise: string | undefined): Names {
  const headers = headersOf(text.replace(/^\uFEFF/, ""));
  if (headers === undefined) return [undefined];
  const byPath = otherwise === undefined ? [] : [otherwise];
  if (headers.length === 0) return byPath;
  return [...new Set(headers.flatMap((header) => namesOf(header, byPath)))];
}

/**
 * One host ends it at the first `---` wherever that stands, another at the first line that begins so, a third at the first
 * that is nothing else; without one they read on to the end. Undefined: a language is named, which may be any, or lines
 * end as not every host reads them.
 */
function headersOf(text: string): readonly string[] | undefined {
  const [opening, language = ""] = /^\s*---(?!-)([^\n]*)\n/.exec(text) ?? [];
  if (opening === undefined) return /^\s*---(?!-)[^\n\r]*\r/.test(text) ? undefined : [];
  if (language.trim() !== "") return undefined;
  const rest = text.slice(opening.length);
  const anywhere = rest.indexOf("---");
  const ends = [/^---/m, /^---[ \t\r]*$/m].map((end) => end.exec(rest)?.index ?? rest.length);
  return [...new Set([...(anywhere < 0 ? [] : [anywhere]), ...ends])].map((end) => rest.slice(0, end));
}

function namesOf(written: string, byPath: readonly string[]): Names {
  const header = plainLines(written);
  if (header === undefined || isOverlong(header)) return [undefined];
  const named = plainName(header) ?? soundName(header);
  if (named !== undefined) return named.length > 0 ? named : byPath;
  return [...unsoundNames(header), ...byPath];
}

/** As most are written; undefined: the `yaml` package has to read it. */
function plainName(header: string): readonly string[] | undefined {
  const named = plainEntries(header)?.filter(({ key }) => key === "name");
  return named?.map(({ json }) => String(JSON.parse(json)));
}

/** Undefined: it isn't sound. */
function soundName(header: string): Names | undefined {
  try {
    const document = keyLibraries().yaml().parseDocument(header, { prettyErrors: false, logLevel: "silent" });
    if (document.errors.length > 0) return undefined;
    if (!isPlainTree(document.contents) || !hasPlainKeys(document, header)) return [undefined];
    const held = document.toJS() as { readonly name?: unknown } | null;
    return held?.name === undefined || held.name === null ? [] : [String(held.name)];
  } catch {
    // Nested so deeply that the parser's stack has no room.
    return [undefined];
  }
}

/** Without anchors, aliases and tags, which parsers take in different ways. */
function isPlainTree(node: unknown): boolean {
  const { isAlias, isMap, isScalar, isSeq } = keyLibraries().yaml();
  if (node === null || node === undefined) return true;
  if (isAlias(node)) return false;
  const { anchor, tag } = node as { readonly anchor?: string; readonly tag?: string };
  if (anchor !== undefined || tag !== undefined) return false;
  if (isMap(node)) return node.items.every(({ key, value }) => isPlainTree(key) && isPlainTree(value));
  return isSeq(node) ? node.items.every(isPlainTree) : isScalar(node);
}

/** None is written with an escape, or brings what stands elsewhere. */
function hasPlainKeys({ contents }: Document, header: string): boolean {
  const { isMap, isScalar } = keyLibraries().yaml();
  if (!isMap(contents)) return true;
  return contents.items.every(
    ({ key }) =>
      isScalar(key) && !ELSEWHERE.has(key.value) && !header.slice(key.range?.[0], key.range?.[1]).includes("\\"),
  );
}

const ELSEWHERE: ReadonlySet<unknown> = new Set(["<<", "__proto__"]);

/** By which a line may have a key that isn't seen as `name`. */
const HIDES_KEY = [
  /^\s*\{/,
  /^[ \t]*"[^"\n\\]*\\[^\n]*"[ \t]*:/m,
  /^[ \t]*["']?(?:<<|__proto__)["']?[ \t]*:/m,
  /^[ \t]*\?(?:\s|$)/m,
  /^[ \t]*[&!]/m,
];
/** An alias counts where there is something that it can stand for: prose has asterisks too. */
const ALIAS_AS_KEY = /^[ \t]*\*\S[^\n]*:/m;
const ANCHOR = /(?:^|[\s{[,])&\S/;
const NAME = /(?:^|[\s{,])["']?name["']?[ \t]*:[ \t]*["']?([^"',}\n]*)/g;
const NAME_IN_LINE = /^[ \t]*(?:- )?["']?name["']?[ \t]*:[ \t]*(?:[&*!|>#]|$|"[^"\n]*\\)/m;
/** Its value, or the colon, may stand in another line. */
const NAME_ALONE = /^[ \t]*(?:- )?["']?name["']?[ \t]*$/m;

function unsoundNames(header: string): Names {
  const isHidden = HIDES_KEY.some((one) => one.test(header)) || (ALIAS_AS_KEY.test(header) && ANCHOR.test(header));
  if (isHidden || NAME_IN_LINE.test(header) || NAME_ALONE.test(header)) return [undefined];
  return [...header.matchAll(NAME)].map(([, name = ""]) => name.replace(/\s#.*/, "").trim());
}
