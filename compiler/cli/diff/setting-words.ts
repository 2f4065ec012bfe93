import { isObject, own, type JsonValue } from "../../base/json.ts";
import { otherKeys } from "../../base/other-keys.ts";
import { stableText } from "../../base/stable-text.ts";
import { bounded, visible } from "../../base/visible.ts";
import type { AccessChanged } from "../../diff/types.ts";
import type { Quote } from "./piece-words.ts";

/** What keys of rolecall.yaml mean, for who reads a change of one and knows none. */

/** What of rolecall.yaml it is about. */
export function settingsOwner(name: string, quote: Quote): string {
  return isOwn(name) ? quote(name) : `host ${quote(name)}`;
}

function isOwn(name: string): boolean {
  return name === "serve" || name === "state";
}

/** By block and key. */
export const KEY_WORDS: Readonly<Record<string, string>> = {
  "serve.command": "what starts it",
  "serve.auth.issuer": "who makes the tokens that clients bring",
  "serve.auth.jwks": "where the keys of these tokens are",
  "serve.auth.audience": "for whom these tokens are made out",
  "serve.auth.rolesClaim": "what in a token names the role",
  "serve.auth.tokens": "the token of each role",
  "serve.url": "where clients reach it from outside",
  "serve.hosts": "names by which clients reach it over HTTP",
  "serve.limits": "where several share the rates of servers",
  "serve.key": "what several have in common to ask a person",
  "serve.env": "the file with variables of servers",
  "serve.approvers": "from where a yes is taken",
  "serve.askTimeout": "how long a person is asked",
  "serve.record": "where the record of calls goes",
  "state.decisions": "the file of decisions",
  "state.backlog": "the file of tasks",
  "state.history": "the notes of each member",
  "state.members": "who is in the team",
  "state.members.charter": "the charter of each member",
  "hosts.via": "how it reaches servers",
  "hosts.open": "servers open to whoever works there",
  "hosts.issuer": "who makes the tokens that clients bring",
  "hosts.jwks": "where the keys of these tokens are",
  "hosts.audience": "for whom these tokens are made out",
  "hosts.claim": "what in a token names the role",
  "hosts.url": "where clients reach the gateway",
  "hosts.gateway": "the Gateway that its routes belong to",
  "hosts.assume": "which variables count as set or unset",
  "hosts.role": "the role that its files are for",
  "hosts.whenUnenforceable": "what becomes of what it can't hold",
  "hosts.without": "servers kept away from it",
  "hosts.into": "the file of yours that gets its keys",
  "hosts.project": "the project of its rows",
  "hosts.product": "the product of its rows",
  "hosts.transports": "the transports that its rows take",
  "hosts.keptAway": "kept away from it",
};

/** No keys: they follow from others. */
const NOT_WRITTEN: ReadonlySet<string> = new Set(["open", "keptAway"]);

/** In a list of several. */
export function keyName(name: string, key: string): string {
  return NOT_WRITTEN.has(key) ? keyWords(name, key) : key;
}

function keyWords(name: string, key: string): string {
  const means = KEY_WORDS[`${isOwn(name) ? name : "hosts"}.${key}`];
  return means === undefined ? key : NOT_WRITTEN.has(key) ? means : `${means} (${key})`;
}

/** What a key says, and what it said. */
export function settingWords(
  { server, before, after }: Pick<AccessChanged, "server" | "before" | "after">,
  key: string,
  quote: Quote,
): string {
  const [was, is] = [before, after].map((entry) => valueWords(key, valueOf(entry, key), quote));
  return `${keyWords(server!, key)}: now ${is}, before ${was}`;
}

function valueOf(entry: JsonValue, key: string): JsonValue {
  return isObject(entry) ? (own(entry, key) ?? null) : null;
}

/** What it means that nothing is said. */
const UNSAID: Readonly<Record<string, string>> = { via: "the servers themselves", role: "every role" };

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  via: { serve: "through rolecall serve" },
  whenUnenforceable: {
    "leave-out": "it is left out",
    gateway: "it goes through rolecall serve",
    error: "the build fails",
  },
};

function valueWords(key: string, value: JsonValue, quote: Quote): string {
  if (value === null) return UNSAID[key] ?? "nothing said";
  if (isObject(value) && Object.keys(value).length === 0) return "none";
  if (Array.isArray(value) && key !== "command")
    return value.length === 0 ? "none" : quote(value.map(stableText).join(", "));
  if (typeof value !== "string") return quote(stableText(value));
  return VALUES[key]?.[value] ?? (key === "askTimeout" ? durationWords(value) : quote(stableText(value)));
}

function durationWords(written: string): string {
  const amount = Number.parseInt(written, 10);
  return amount % 60_000 === 0 ? `${amount / 60_000}m` : amount % 1000 === 0 ? `${amount / 1000}s` : `${amount}ms`;
}

/** Of a host that comes: what decides who reaches what by it, as far as it's said. */
const TOLD_OF_NEW = ["via", "open", "issuer", "jwks", "audience", "claim", "url", "gateway", "role", "without"];

/** A fact a line: what is set, what follows from it, and what the host is given by it. */
export function settingLines(change: AccessChanged): string[] {
  const { server, before, after, given } = change;
  const quote = (text: string): string => bounded(visible(text));
  const isSaid = (key: string): boolean =>
    stableText(valueOf(after, key)).length > "[]".length && valueOf(after, key) !== null;
  const set =
    before === null
      ? TOLD_OF_NEW.filter(isSaid).map(
          (key) => `${keyWords(server!, key)}: ${valueWords(key, valueOf(after, key), quote)}`,
        )
      : otherKeys(before, after).map((key) => settingWords(change, key, quote));
  const now = before === null ? "given there" : "given there now";
  return [
    ...set,
    ...viaLines(change),
    ...givenLine(now, given?.more),
    ...givenLine("not given there any more", given?.less),
  ];
}

function viaLines({ server, before, after }: AccessChanged): string[] {
  if (before === null || after === null || !otherKeys(before, after).includes("via")) return [];
  return [
    valueOf(after, "via") === null
      ? `the host holds the rules itself, as far as it can: rolecall hosts ${visible(server!)} shows which`
      : "rolecall serve judges each call there: it holds every rule, whatever the host can hold",
  ];
}

const MOST_GIVEN = 12;

function givenLine(words: string, names: readonly string[] = []): string[] {
  const more = names.length - MOST_GIVEN;
  const shown = names.slice(0, MOST_GIVEN).map(visible).join(", ");
  return names.length === 0 ? [] : [`${words}: ${shown}${more > 0 ? ` and ${more} more` : ""}`];
}
