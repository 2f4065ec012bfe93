import type { JsonObject, JsonValue } from "../base/json.ts";
import type { Project } from "../../schemas/types.ts";
import type { Direction } from "./types.ts";

/**
 * What another value of a key means to access.
 *
 * - `widens`: it decides what is started or reached, or who comes in; or nobody can tell.
 * - `more widens`: it is a list; one that only lacks something narrows.
 * - `changed`: the same access, of something that isn't the same.
 * - `given`: what hosts' files give by it says.
 * - `nothing`: it gives and takes nothing, or is told of elsewhere.
 */
export type Meaning = "widens" | "more widens" | "changed" | "given" | "nothing";

type Keys<T> = T extends unknown ? keyof T & string : never;
type Serve = NonNullable<Project["serve"]>;
type State = NonNullable<Project["state"]>;
type HostEntry = Exclude<NonNullable<Project["hosts"]>[number], string>;
type Judged<K extends string> = Readonly<Record<K, Meaning>>;

/**
 * Every key of the schema, of each block the gravest first: in this order they are told. One that comes to the schema and
 * isn't judged here is no TypeScript, and red in test/cli/diff.
 */
export const MEANINGS = {
  serve: {
    command: "widens",
    "auth.issuer": "widens",
    // Keys of a file are a list, one of which may go.
    "auth.jwks": "more widens",
    "auth.audience": "widens",
    "auth.rolesClaim": "widens",
    "auth.tokens": "more widens",
    url: "widens",
    hosts: "more widens",
    limits: "widens",
    key: "widens",
    env: "widens",
    approvers: "more widens",
    askTimeout: "changed",
    record: "changed",
    idle: "nothing",
    askHold: "nothing",
    prompt: "nothing",
  } satisfies Judged<Exclude<Keys<Serve>, "auth"> | `auth.${Keys<NonNullable<Serve["auth"]>>}`>,
  state: {
    decisions: "widens",
    backlog: "widens",
    history: "widens",
    // Each has notes of its own, which are read.
    members: "more widens",
    "members.charter": "changed",
    // Roles that hold the server name it, and what starts it is a way to it.
    name: "nothing",
    command: "nothing",
  } satisfies Judged<Keys<State> | "members.charter">,
  hosts: {
    // Another one holds the rules.
    via: "changed",
    // No key: servers of which whoever works there has every tool, whatever roles hold.
    open: "more widens",
    issuer: "widens",
    jwks: "widens",
    audience: "widens",
    claim: "widens",
    url: "widens",
    gateway: "widens",
    assume: "widens",
    role: "given",
    whenUnenforceable: "given",
    without: "given",
    into: "changed",
    project: "changed",
    product: "changed",
    transports: "changed",
    // One that comes or goes is told as a whole.
    id: "nothing",
  } satisfies Judged<Keys<HostEntry> | "open">,
} as const;

export type Block = keyof typeof MEANINGS;

/** The keys of a block that are compared. */
export type TellingKey<B extends Block> = {
  [K in keyof (typeof MEANINGS)[B]]: (typeof MEANINGS)[B][K] extends "nothing" ? never : K & string;
}[keyof (typeof MEANINGS)[B]];

/** In the order in which they are told. */
export function inOrder<B extends Block>(
  block: B,
  values: Readonly<Partial<Record<TellingKey<B>, JsonValue | undefined>>>,
): JsonObject {
  const said = values as Readonly<Record<string, JsonValue | undefined>>;
  return Object.fromEntries(
    Object.keys(MEANINGS[block]).flatMap((key) => (key in said ? [[key, said[key] ?? null]] : [])),
  );
}

/** Undefined: the key alone doesn't say. */
export function meant(block: Block, key: string, was: JsonValue, is: JsonValue): Direction | undefined {
  const meaning = (MEANINGS[block] as Judged<string>)[key];
  if (meaning === undefined || meaning === "given" || meaning === "nothing") return undefined;
  if (meaning !== "more widens") return meaning;
  if (!Array.isArray(was) || !Array.isArray(is)) return "widens";
  return is.every((one) => was.includes(one)) ? "narrows" : "widens";
}
