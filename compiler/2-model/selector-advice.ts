import { writingIn, type Writing } from "../base/flow-yaml.ts";
import type { Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SelectedServer } from "./linking.ts";
import { negatedIn, partNegated } from "./negated.ts";
import { respell } from "./respell.ts";
import { classMeant, matchAll, parseQuietly } from "./selector.ts";

/** What to write for a selector of one server that finds nothing; undefined where only a near name can help. */
export function selectorAdvice(
  { written, place }: { readonly written: string; readonly place: Place },
  server: SelectedServer,
  restricts: boolean,
): string | undefined {
  const finds = (selector: string): number => matchesOf(selector, server).length;
  const writing = writingIn(place.file);
  return (
    wordAdvice(written, restricts, writing) ??
    kindAdvice(written, server, writing) ??
    respell(written, { finds, restricts, server: server.name, writing })
  );
}

/** Words of the language in a place of names. */
function wordAdvice(written: string, restricts: boolean, writing: Writing): string | undefined {
  const meant = classMeant(written);
  if (meant !== undefined) return `write \`${writing.value(meant)}\``;
  if (/^(?:all|any|every|everything)$/i.test(written)) return 'write `"*"`, which is any tool';
  if (!/^(?:none|nothing)$/i.test(written)) return undefined;
  return restricts ? "remove it" : `write \`${writing.value("none")}\` in place of the whole entry of the server`;
}

/** The name of a scope or a label of that server. */
function kindAdvice(written: string, server: SelectedServer, writing: Writing): string | undefined {
  if (server.labels.includes(written)) return `write \`${writing.value(`label:${written}`)}\``;
  return server.set.scopes.some((scope) => scope.name === written)
    ? `write \`${writing.value(`scope:${written}`)}\``
    : undefined;
}

function matchesOf(selector: string, server: SelectedServer): readonly number[] {
  const parts = parseQuietly(selector);
  return parts === undefined ? [] : matchAll(parts, server.set);
}

/** Whether an item is a negation and no name of a tool; what to write for it is said with the whole list before one's eyes. */
export function sayNegated(
  item: { readonly written: string; readonly place: Place },
  list: readonly string[],
  server: SelectedServer,
  report: Report,
): boolean {
  if (server.unreadable || negatedIn(item.written) === undefined || matchesOf(item.written, server).length > 0)
    return false;
  report.add("source/negated", item.place, {
    written: item.written,
    help: negationHelp(item, list, server),
  });
  return true;
}

function negationHelp(
  { written, place }: { readonly written: string; readonly place: Place },
  list: readonly string[],
  server: SelectedServer,
): string {
  const { kept, dropped } = partNegated(list);
  const { value, entry } = writingIn(place.file);
  const key = listKey(place);
  if (key === "include")
    return kept.length === 0
      ? `list it under \`exclude\`, as \`${value(dropped)}\`, and under \`include\` what is held`
      : `write \`${entry("exclude", dropped)}\` beside \`${entry("include", kept)}\``;
  if (key === "tools" || isEntry(place)) {
    const exclude = { exclude: dropped };
    return `write \`${value(kept.length === 0 ? exclude : { include: kept, ...exclude })}\` in place of the list`;
  }
  const left = namesLeft(kept, dropped, server);
  return left ? `write \`${value(left)}\`` : `name the tools that are meant, without ${markOf(written)}`;
}

/** The key that a list stands under; its items may be maps with `optional` or `absent`. */
function listKey(place: Place): string | number | undefined {
  return place.path.findLast((step, i) => i < place.path.length - 1 && typeof step === "string");
}

/** The list is all that a role says of a server. */
function isEntry({ path }: Place): boolean {
  return path[0] === "roles" && path[2] === "tools" && path.length === 5;
}

const MOST_NAMES = 8;

function namesLeft(
  kept: readonly string[],
  dropped: readonly string[],
  server: SelectedServer,
): readonly string[] | undefined {
  const without = new Set(dropped.flatMap((selector) => matchesOf(selector, server)));
  const left = new Set(kept.flatMap((selector) => matchesOf(selector, server)).filter((index) => !without.has(index)));
  if (without.size === 0 || left.size === 0 || left.size > MOST_NAMES) return undefined;
  return server.set.tools.filter((tool) => left.has(tool.index)).map((tool) => tool.name);
}

export function markOf(written: string): string {
  return written.includes("!") ? "`!`" : /^not\s/i.test(written) ? "`not`" : "`-`";
}
