import { isGlob, literal } from "../../base/glob.ts";
import type { Hints } from "../types.ts";

/** A selector, taken apart. */
export interface Selector {
  /** In a rule: the name of a server, a glob over names, or a preset's id. Undefined: the server it stands under, or any. */
  readonly server: string | undefined;
  /** All must match. */
  readonly parts: readonly SelectorPart[];
  /** Texts between ` & ` that mean nothing: with one of them the selector finds nothing. */
  readonly meaningless: readonly string[];
}

export type SelectorPart =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "glob"; readonly glob: string }
  | { readonly kind: "is"; readonly holds: (hints: Hints) => boolean }
  | { readonly kind: "scope" | "label"; readonly name: string };

/** `tool`: in a list under a server. `server.tool`: in a rule, where a class may stand without a server. */
export type SelectorForm = "tool" | "server.tool";

const CLASSES: ReadonlyMap<string, (hints: Hints) => boolean> = new Map([
  ["read-only", ({ readOnly }) => readOnly],
  ["write", ({ readOnly }) => !readOnly],
  ["destructive", ({ destructive }) => destructive],
  ["idempotent", ({ idempotent }) => idempotent],
  ["open-world", ({ openWorld }) => openWorld],
]);

export const classNames: readonly string[] = [...CLASSES.keys()];

/** Most selectors are names and nothing else: letters that no glob, class or escape is made of. */
const PLAIN_NAME = /^[\w./-]+$/;
const NONE: readonly string[] = [];

/** Undefined: it isn't of that form. */
export function parseSelector(written: string, form: SelectorForm): Selector | undefined {
  if (form === "tool" && PLAIN_NAME.test(written))
    return { server: undefined, parts: [{ kind: "name", name: written }], meaningless: NONE };
  const divided = divideSelector(written, form);
  if (divided === undefined) return undefined;
  const texts = divided.tools.split(" & ");
  const parts = texts.map(readPart);
  const meaningless = texts.filter((_, i) => parts[i] === undefined);
  return { server: divided.server, parts: parts.filter((part) => part !== undefined), meaningless };
}

/** The server stands once, before the first dot, and holds for all ` & ` parts. */
export function divideSelector(
  written: string,
  form: SelectorForm,
): { readonly server: string | undefined; readonly tools: string } | undefined {
  if (form === "tool" || /^(is|scope|label):/.test(written)) return { server: undefined, tools: written };
  const dot = written.indexOf(".");
  return dot <= 0 ? undefined : { server: written.slice(0, dot), tools: written.slice(dot + 1) };
}

function readPart(text: string): SelectorPart | undefined {
  if (text === "") return undefined;
  const [, prefix, rest] = /^(is|scope|label):(.*)$/s.exec(text) ?? [];
  if (prefix === "scope" || prefix === "label") return { kind: prefix, name: rest! };
  if (prefix === "is") {
    const holds = CLASSES.get(rest!);
    return holds && { kind: "is", holds };
  }
  if (isGlob(text)) return { kind: "glob", glob: text };
  return { kind: "name", name: literal(text) };
}

/** The name of the one tool that can be meant, whatever it is held against; undefined for a glob, a class or several parts. */
export function exactName({ server, parts, meaningless }: Selector): string | undefined {
  const [part] = parts;
  const isOne = parts.length === 1 && meaningless.length === 0 && (server === undefined || !isGlob(server));
  return isOne && part!.kind === "name" ? part!.name : undefined;
}

/** The same, of a text in a list under a server. */
export function exactNameOf(written: string): string | undefined {
  return exactName(parseSelector(written, "tool")!);
}

/** A class without its `is:`, however its words are joined: a name that no tool has is likely that. `write` is likelier the beginning of a name. */
export function classMeant(word: string): string | undefined {
  const bare = word
    .replace(/hint$/i, "")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
  const meant = classNames.find((name) => name !== "write" && name.replace("-", "") === bare);
  return meant && `is:${meant}`;
}
