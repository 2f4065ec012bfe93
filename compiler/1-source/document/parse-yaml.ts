import { deepestNesting, tooDeep, tooLongValue } from "./limits.ts";
import type { Stretch } from "../../base/place.ts";
import type { DocumentProblem } from "./problem.ts";
import type { YamlDocument, YamlError, YamlModule } from "./yaml-module.ts";

/**
 * What the `yaml` package made of a text. `refused` had to be found before the package could: what it would
 * crash on, what it takes silently, and quotes and brackets known by where they open.
 */
export interface ParsedYaml {
  readonly document: YamlDocument | undefined;
  readonly errors: readonly YamlError[];
  readonly refused: DocumentProblem | undefined;
}

export function parseYaml(text: string, yaml: YamlModule): ParsedYaml {
  // `uniqueKeys` compares each key with each other one: valueOf finds duplicates faster.
  const composer = new yaml.Composer({ uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  limitErrors(composer);
  try {
    return runStages(text, composer, yaml);
  } catch (thrown) {
    if (thrown === tooManyErrors)
      return { document: undefined, errors: errorsOf(composer.streamInfo()), refused: undefined };
    // The package's regular expressions run out of stack on single values of megabytes.
    if (thrown instanceof RangeError) return { document: undefined, errors: [], refused: tooLongValue };
    throw thrown;
  }
}

function errorsOf(source: Pick<YamlDocument, "errors" | "warnings">): YamlError[] {
  return [...source.errors, ...source.warnings];
}

type Composer = InstanceType<YamlModule["Composer"]>;

/** The package makes an object for each error; a million of them take minutes. It has no way to stop it but its inner one. */
function limitErrors(composer: Composer): void {
  const inner = composer as unknown as { onError: (...about: unknown[]) => void };
  const { onError } = inner;
  let errors = 0;
  inner.onError = (...about) => {
    // The composer catches it at each level, and comes here again with it.
    if (errors++ >= 100) throw tooManyErrors;
    onError(...about);
  };
}

const tooManyErrors = Object.freeze({ reason: "enough errors" });

/**
 * Runs the three stages of the package (lexer, parser, composer) side by side and looks at each token in between.
 * So a document that would overflow the composer's stack is stopped while it is still shallow.
 */
function runStages(text: string, composer: Composer, yaml: YamlModule): ParsedYaml {
  const parser = new yaml.Parser();
  const watch: TokenWatch = { openers: [], scalarNext: false, documents: 0, refused: undefined };
  const compose = (tokens: Iterable<YamlToken>): void => {
    for (const token of tokens) {
      watchToken(token, watch);
      if (watch.documents < 2 && token.type !== "directive") for (const _ of composer.next(token)) void _;
    }
  };
  for (const lexeme of new yaml.Lexer().lex(text)) {
    watchLexeme(lexeme, parser.offset, watch, yaml);
    compose(parser.next(lexeme));
    if (parser.stack.length > deepestNesting + 2)
      return { document: undefined, errors: [], refused: tooDeep(parser.offset) };
  }
  watch.refused ??= unclosed(watch);
  compose(parser.end());
  const [document] = composer.end(true, text.length);
  return { document, errors: document ? errorsOf(document) : [], refused: watch.refused };
}

/** A token of the parser's, as far as it matters here. */
type YamlToken = Parameters<Composer["next"]>[0];

interface TokenWatch {
  readonly openers: { readonly bracket: string; readonly at: number }[];
  /** The lexer says when text that could look like a token is the next lexeme. */
  scalarNext: boolean;
  documents: number;
  /** The first one, because the others may follow from it. */
  refused: DocumentProblem | undefined;
}

function watchToken(token: YamlToken, watch: TokenWatch): void {
  if (token.type === "directive") {
    watch.refused ??= {
      code: "source/yaml-feature",
      at: [token.offset, token.offset + token.source.length],
      case: "directive",
    };
  }
  if (token.type === "document" && ++watch.documents === 2) {
    watch.refused ??= {
      code: "source/yaml-feature",
      at: [token.offset, token.offset + 3],
      case: "documents",
    };
  }
}

function watchLexeme(lexeme: string, at: number, watch: TokenWatch, yaml: YamlModule): void {
  if (watch.scalarNext || lexeme === yaml.CST.SCALAR) {
    watch.scalarNext = !watch.scalarNext;
    return;
  }
  const first = lexeme[0];
  if (first === '"' || first === "'") {
    if (!isClosed(lexeme, first)) watch.refused ??= unclosedQuote(first, at);
  } else if (lexeme === "[" || lexeme === "{") {
    watch.openers.push({ bracket: lexeme, at });
  } else if (lexeme === "]" || lexeme === "}") {
    watch.refused ??= wrongCloser(lexeme, at, watch.openers.pop());
  } else if (lexeme === yaml.CST.FLOW_END) {
    watch.refused ??= unclosed(watch);
    watch.openers.length = 0;
  }
}

/**
 * The package takes a text that ends inside a quoted value when its last character is that quote. The lexer ends a
 * value at the first quote that can close it, so only what stands directly before the last one decides.
 */
function isClosed(lexeme: string, quote: string): boolean {
  if (lexeme.length < 2 || !lexeme.endsWith(quote)) return false;
  const partner = quote === '"' ? "\\" : "'";
  let before = lexeme.length - 2;
  while (before > 0 && lexeme[before] === partner) before--;
  return (lexeme.length - 2 - before) % 2 === 0;
}

function unclosedQuote(quote: string, at: number): DocumentProblem {
  return {
    code: "source/yaml",
    at: [at, at + 1],
    problem: `this ${quote} is never closed`,
    help: `put a ${quote} at the end of the text; one that is part of the text needs the other kind of quotes around it`,
  };
}

const closers: Readonly<Record<string, string>> = { "[": "]", "{": "}" };

function wrongCloser(
  closer: string,
  at: number,
  opener: TokenWatch["openers"][number] | undefined,
): DocumentProblem | undefined {
  if (opener && closers[opener.bracket] === closer) return undefined;
  const here: Stretch = [at, at + 1];
  if (!opener) {
    const problem = `there is no open bracket for this \`${closer}\``;
    return { code: "source/yaml", at: here, problem, help: "remove it, or put the text in quotes" };
  }
  const expected = closers[opener.bracket]!;
  const problem = `\`${closer}\` stands where \`${expected}\` should close what \`${opener.bracket}\` began`;
  return { code: "source/yaml", at: here, problem, help: `write \`${expected}\`` };
}

function unclosed({ openers }: TokenWatch): DocumentProblem | undefined {
  const opener = openers.at(-1);
  if (!opener) return undefined;
  return {
    code: "source/yaml",
    at: [opener.at, opener.at + 1],
    problem: `this \`${opener.bracket}\` is never closed`,
    help: `close it with \`${closers[opener.bracket]!}\`; lines inside the brackets are indented further than the key`,
  };
}
