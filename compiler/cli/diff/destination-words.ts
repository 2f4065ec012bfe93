import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { bounded, boundedTo, visible } from "../../base/visible.ts";
import type { Quote } from "./piece-words.ts";

/** What happened to the way to a server, in a few words, and what the gravest of it is. */
export function destinationHead(before: JsonValue, after: JsonValue, quote: Quote): string {
  if (Array.isArray(before) && Array.isArray(after)) return "its addresses are tried in another order";
  if (!isObject(after)) return "one way to it is gone";
  if (!isObject(before)) return "it can be reached in one more way";
  const [was, is] = [wayOf(before), wayOf(after)];
  if (was !== is) return movedWords(before, after, quote);
  const more = newFacts(before, after);
  if (more.length > 0) return `it gets more than before, ${named(more, quote)}`;
  if (isApart(before) !== isApart(after)) return connectionWords(after);
  return newFacts(after, before).length > 0 ? "it gets less than before" : "it gets other values";
}

function connectionWords(way: JsonObject): string {
  return isApart(way) ? "each session has a connection of its own" : "all sessions share one connection";
}

function isApart(way: JsonObject): boolean {
  return own(way, "connection") === "session";
}

function movedWords(before: JsonObject, after: JsonObject, quote: Quote): string {
  if (isCommand(after))
    return `${isCommand(before) ? "another command starts it" : "a command starts it now"}, ${short(wayOf(after), quote)}`;
  const [was, is] = [hostOf(before), hostOf(after)];
  if (was === is) return "calls go to another address of the same host";
  const isSameName = was.replace(/^[a-z]+:/i, "") === is.replace(/^[a-z]+:/i, "");
  return `calls go ${isSameName ? "by another protocol" : "to another host"}, ${short(is, quote)}`;
}

/** As long as a line that is read in seconds holds. */
const MOST_OF_WAY = 80;

function short(text: string, quote: Quote): string {
  return quote(boundedTo(MOST_OF_WAY, text));
}

const MOST_FACTS = 3;

function named(facts: ReturnType<typeof newFacts>, quote: Quote): string {
  const more = facts.length - MOST_FACTS;
  const shown = facts.slice(0, MOST_FACTS).map(({ noun, name }) => `${noun} ${short(name, quote)}`);
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** One fact a line: before, then now, then what is new. */
export function destinationLines(before: JsonValue, after: JsonValue): string[] {
  if (!isObject(after)) return isObject(before) ? [`before: ${wayWords(before)}`] : [];
  const isOther = !isObject(before) || wayOf(before) !== wayOf(after);
  return [
    ...(isOther && isObject(before) ? [`before: ${wayWords(before)}`] : []),
    ...(isOther ? [`now: ${wayWords(after)}`] : []),
    ...factsOf(before, after).map((fact) => `new: ${fact}`),
    ...factsOf(after, before).map((fact) => `gone: ${fact}`),
    ...(isObject(before) ? startLines(before, after) : []),
  ];
}

/** How it is started now, where that is another way than before. */
function startLines(before: JsonObject, after: JsonObject): string[] {
  const cwd = (way: JsonObject): string => String(own(way, "cwd") ?? "the project");
  return [
    ...(isApart(before) === isApart(after) ? [] : [`now ${connectionWords(after)}`]),
    ...(cwd(before) === cwd(after) ? [] : [`now starts in ${shown(cwd(after))}, before in ${shown(cwd(before))}`]),
  ];
}

/** The gravest first. */
const FACTS = [
  ["headers", "header", "the server is sent the header"],
  ["variables", "variable", "the connection uses the environment variable"],
  ["env", "variable", "the server is given the environment variable"],
  ["also", "variable", "the connection may use the environment variable"],
] as const;

function factsOf(without: JsonValue, having: JsonValue): string[] {
  return newFacts(without, having).map(({ words, name }) => `${words} ${shown(name)}`);
}

/** What the second has and the first hasn't. */
function newFacts(without: JsonValue, having: JsonValue) {
  return FACTS.flatMap(([key, noun, words]) => {
    const known = listOf(without, key);
    return listOf(having, key).flatMap((one) => (known.includes(one) ? [] : [{ noun, words, name: String(one) }]));
  });
}

function listOf(way: JsonValue, key: string): readonly JsonValue[] {
  const list = isObject(way) ? own(way, key) : undefined;
  return Array.isArray(list) ? list : [];
}

function shown(value: JsonValue): string {
  return bounded(visible(`\`${String(value)}\``));
}

function wayWords(way: JsonObject): string {
  return shown(wayOf(way));
}

function isCommand(way: JsonObject): boolean {
  return Array.isArray(own(way, "stdio"));
}

function wayOf(way: JsonObject): string {
  const stdio = own(way, "stdio");
  return Array.isArray(stdio) ? stdio.join(" ") : String(own(way, "http") ?? own(way, "sse") ?? "");
}

/** As it is written: what a variable brings isn't known here. */
function hostOf(way: JsonObject): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(wayOf(way))?.[0] ?? wayOf(way);
}
