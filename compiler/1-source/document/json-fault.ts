import type { DocumentProblem } from "./problem.ts";
import { shorten } from "./text.ts";

/** Where a text stops being JSON, and what was likely meant; the engine's own message differs by version and has no place. */
export function findJsonFault(text: string): DocumentProblem | undefined {
  const open: string[] = [];
  let expected: Expected = "value";
  for (let at = skipBlanks(text, 0); at < text.length;) {
    const token = readToken(text, at);
    const next: Expected | undefined = token && step(expected, token.kind, open);
    if (!token || !next) return explain(text, at, expected);
    expected = next;
    at = skipBlanks(text, token.end);
  }
  return expected === "end" ? undefined : explain(text, text.length, expected);
}

function skipBlanks(text: string, at: number): number {
  while (" \t\n\r".includes(text[at] ?? "x")) at++;
  return at;
}

/** `kind` is the bracket, comma or colon itself, `text` or `literal`. */
function readToken(text: string, at: number): { readonly kind: string; readonly end: number } | undefined {
  const first = text[at]!;
  if ("[]{},:".includes(first)) return { kind: first, end: at + 1 };
  if (first === '"') {
    const end = endOfText(text, at);
    return end === undefined ? undefined : { kind: "text", end };
  }
  const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![\w.])/y;
  literal.lastIndex = at;
  return literal.test(text) ? { kind: "literal", end: literal.lastIndex } : undefined;
}

/** A loop: a regular expression runs out of stack on strings of megabytes. */
function endOfText(text: string, quote: number): number | undefined {
  for (let at = quote + 1; at < text.length; at++) {
    const code = text[at]!;
    if (code === '"') return at + 1;
    if (code < " " || (code === "\\" && !/^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(text.slice(at + 1, at + 6))))
      return undefined;
    if (code === "\\") at++;
  }
  return undefined;
}

type Expected = "value" | "value or ]" | "key" | "key or }" | ":" | ", or ]" | ", or }" | "end";

/** What may come after a token, or undefined when it may not stand there. */
function step(expected: Expected, token: string, open: string[]): Expected | undefined {
  if (token === "]" || token === "}") return close(expected, token, open);
  switch (expected) {
    case "value":
    case "value or ]":
      if (token === "[" || token === "{") {
        open.push(token);
        return token === "[" ? "value or ]" : "key or }";
      }
      return token === "text" || token === "literal" ? after(open) : undefined;
    case "key":
    case "key or }":
      return token === "text" ? ":" : undefined;
    case ":":
      return token === ":" ? "value" : undefined;
    case ", or ]":
      return token === "," ? "value" : undefined;
    case ", or }":
      return token === "," ? "key" : undefined;
    case "end":
      return undefined;
  }
}

function close(expected: Expected, closer: string, open: string[]): Expected | undefined {
  if (!expected.endsWith(`or ${closer}`)) return undefined;
  open.pop();
  return after(open);
}

function after(open: readonly string[]): Expected {
  const around = open.at(-1);
  return around === undefined ? "end" : around === "[" ? ", or ]" : ", or }";
}

function explain(text: string, at: number, expected: Expected): DocumentProblem {
  const rest = text.slice(at, at + 200);
  const word = shorten(/^(?:\w+|[^\s])/.exec(rest)?.[0] ?? "", 30);
  const [problem, help] = describe(text, at, rest, word, expected);
  return { code: "source/json", at: [at, at + Math.max(1, word.length)], problem, help };
}

function describe(
  text: string,
  at: number,
  rest: string,
  word: string,
  expected: Expected,
): [problem: string, help?: string] {
  if (/^(?:\/\/|\/\*|#)/.test(rest))
    return [
      "JSON allows no comments, and one begins here",
      "remove the comment, or name the file .yaml and begin it with `#`",
    ];
  if (word === "") return ["it ends too early", `${expected === "end" ? "a value" : expectation(expected)} is missing`];
  if (word === "]" || word === "}") {
    if (/,\s*$/.test(text.slice(Math.max(0, at - 100), at)))
      return [`there is a comma before \`${word}\``, "remove the comma"];
  }
  if (word === '"' && endOfText(text, at) === undefined)
    return ["this text isn't closed, or has an escape that JSON doesn't know", 'close it with `"` on the same line'];
  if (word === "'") return ["text is in single quotes", 'write double quotes: `"`'];
  if (expected === ", or ]" || expected === ", or }")
    return [`there is no comma before \`${word}\``, "write a comma between two entries"];
  if (expected === "key" || expected === "key or }")
    return [`the key \`${word}\` has no quotes`, `write \`"${word}"\``];
  if (expected === "end") return [`there is more text behind the end, \`${word}\``, "one file holds one value"];
  const problem = `\`${word}\` stands where ${expectation(expected)} is expected`;
  return /^\w/.test(word) ? [problem, `write \`"${word}"\` if it is text`] : [problem];
}

function expectation(expected: Expected): string {
  if (expected.startsWith("value")) return "a value";
  if (expected.startsWith("key")) return "a key";
  return expected.replace(/[^ or]/g, "`$&`");
}
