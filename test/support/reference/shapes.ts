// What the second opinion reads: the shape of the files, and selectors as text, straight from the language page.
// The readings taken are listed at the top of reference.ts.

export interface Condition {
  readonly glob?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly schema?: object | boolean;
  readonly optional?: boolean;
}
/** Argument path -> condition. */
export type Conditions = Readonly<Record<string, Condition>>;

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A property of the data itself, never one that every object inherits. */
export function own<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function asList<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

// ---------------------------------------------------------------- what the files hold

export type Verdict = "allow" | "ask" | "deny";
export type Hint = "readOnly" | "destructive" | "idempotent" | "openWorld";
export type Hints = Readonly<Record<string, Partial<Record<Hint, boolean>>>>;
export type ScopeMap = Readonly<Record<string, Items>>;

export interface Entry {
  readonly include?: Items;
  readonly exclude?: Items;
  readonly ask?: Items;
  readonly where?: Readonly<Record<string, Conditions>>;
}
export type WrittenEntry = "all" | "none" | "read-only" | readonly Item[] | Entry;

export interface Server {
  readonly preset?: string;
  readonly manifest?: string;
  readonly connect?: { readonly cwd?: string } | readonly { readonly cwd?: string }[];
  readonly root?: string;
  readonly tools?: WrittenEntry;
  readonly scopes?: ScopeMap | readonly Item[];
  readonly hints?: Hints;
  readonly labels?: ScopeMap;
}
export interface Role {
  readonly extends?: string | readonly string[];
  readonly prompt?: string;
  readonly tools?: Readonly<Record<string, WrittenEntry>>;
  readonly delegates?: string | readonly string[];
}
export interface Policy {
  readonly roles: Items;
  readonly tools: Items;
  readonly effect?: Verdict;
  readonly where?: Conditions;
  /** The preset that brings it. */
  readonly from?: string;
  readonly guard?: boolean;
}
export interface Statement {
  readonly roles: Items;
  readonly tools?: Items;
}
export type Never = Statement & { readonly together?: Items; readonly asked?: string };
export type Always = Statement & { readonly effect: Verdict };
export interface Invariant {
  readonly name?: string;
  readonly never?: Never;
  readonly always?: Always;
  readonly can?: Statement;
  readonly guard?: boolean;
}
export interface Source {
  readonly folder?: string;
  readonly guards?: string | readonly string[];
  readonly servers?: Readonly<Record<string, Server>>;
  readonly roles?: Readonly<Record<string, Role>>;
  readonly policies?: readonly Policy[];
  readonly invariants?: readonly Invariant[];
}
export interface Preset {
  readonly server?: Server;
  readonly policies?: readonly Policy[];
}
export interface Tool {
  readonly name: string;
  readonly inputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** A list is `include`; `all` is include "*"; `none` is exclude "*"; `read-only` is include is:read-only. */
export function longForm(entry: WrittenEntry): Entry {
  if (entry === "all") return { include: ["*"] };
  if (entry === "none") return { exclude: ["*"] };
  if (entry === "read-only") return { include: ["is:read-only"] };
  return isObject(entry) ? (entry as Entry) : { include: entry as readonly Item[] };
}

// ---------------------------------------------------------------- names, globs and classes

export type Item = string | { readonly optional: string } | { readonly absent: string };
export type Items = Item | readonly Item[];

export interface Letter {
  readonly text: string;
  readonly escaped: boolean;
}
export type Selector = readonly Letter[];

export function textOf(item: Item): string {
  if (typeof item === "string") return item;
  return "optional" in item ? item.optional : item.absent;
}

/** `{ absent: x }` never grants. */
export function granting(items: Items | undefined): readonly Item[] {
  return asList(items).filter((item) => typeof item === "string" || "optional" in item);
}

/** `\` escapes. */
export function letters(selector: string): Selector {
  const found = Array.from(selector.matchAll(/\\(.)|(.)/gsu));
  return found.map(([, escaped, plain]) => ({ text: escaped ?? plain ?? "", escaped: escaped !== undefined }));
}

/** The text that the letters mean. */
export function meaning(selector: Selector): string {
  return selector.map((letter) => letter.text).join("");
}

/** The text as it was written, escapes and all. */
function spelling(selector: Selector): string {
  return selector.map((letter) => (letter.escaped ? "\\" : "") + letter.text).join("");
}

/** The parts that ` & ` joins. */
export function joined(selector: Selector): Selector[] {
  const at = selector.findIndex((_, index) => spelling(selector.slice(index, index + 3)) === " & ");
  return at < 0 ? [selector] : [selector.slice(0, at), ...joined(selector.slice(at + 3))];
}

/** `is`, `scope`, `label`, or undefined for a name or a glob. */
export function classOf(part: Selector): string | undefined {
  return /^(is|scope|label):/.exec(spelling(part))?.[1];
}

export function isExact(selector: string): boolean {
  const parts = joined(letters(selector));
  return parts.length === 1 && parts.every((part) => classOf(part) === undefined && !part.some(isWild));
}

/** An exact name, or a glob whose `*` and `?` match any character; case-sensitive. */
export function nameMatches(selector: Selector, name: string): boolean {
  return wildcard(selector, Array.from(name));
}

export function anyName(items: Items | undefined, name: string): boolean {
  return asList(items).some((item) => nameMatches(letters(textOf(item)), name));
}

function isWild(letter: Letter): boolean {
  return !letter.escaped && (letter.text === "*" || letter.text === "?");
}

/** `*` is any run of characters, `?` is one, an escaped one is itself. */
export function wildcard(pattern: Selector, name: readonly string[]): boolean {
  const [letter, ...rest] = pattern;
  if (letter === undefined) return name.length === 0;
  if (isWild(letter) && letter.text === "*") {
    return wildcard(rest, name) || (name.length > 0 && wildcard(pattern, name.slice(1)));
  }
  const same = isWild(letter) || letter.text === name[0];
  return name.length > 0 && same && wildcard(rest, name.slice(1));
}
