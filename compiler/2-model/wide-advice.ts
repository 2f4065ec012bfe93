import { globMatcher, isGlob, literal } from "../base/glob.ts";
import { writingIn } from "../base/flow-yaml.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SelectedServer } from "./linking.ts";
import { negatedIn, partNegated } from "./negated.ts";
import { respell } from "./respell.ts";
import type { RestrictionItem } from "./restriction.ts";
import { classMeant, matchAll, parseQuietly } from "./selector.ts";
import { markOf } from "./selector-advice.ts";

/** A tool of a server, as one text. */
type FullName = string;

/** What a selector over all servers finds; nothing for one that isn't sound. */
function matchesOf(written: string, servers: readonly SelectedServer[]): FullName[] {
  const dot = written.indexOf(".");
  const bare = /^(is|scope|label):/.test(written);
  const parts = !bare && dot <= 0 ? undefined : parseQuietly(bare ? written : written.slice(dot + 1));
  if (parts === undefined) return [];
  const isMeant = bare ? () => true : globMatcher(written.slice(0, dot));
  return servers
    .filter((server) => isMeant(server.name))
    .flatMap((server) => matchAll(parts, server.set).map((index) => `${server.name}.${server.set.tools[index]!.name}`));
}

/** What to write for a selector that finds nothing; undefined where only a near name can help. */
export function wideAdvice(
  { written, place }: RestrictionItem,
  servers: readonly SelectedServer[],
): string | undefined {
  const writing = writingIn(place.file);
  const dot = written.indexOf(".");
  const rest = written.slice(dot + 1);
  const before = written.slice(0, dot + 1);
  const meant = classMeant(rest);
  if (meant !== undefined) return `write \`${writing.value(before + meant)}\``;
  if (/^(?:all|any)$/i.test(rest)) return `write \`"${before}*"\``;
  const finds = (selector: string): number => matchesOf(selector, servers).length;
  const server = dot > 0 ? written.slice(0, dot) : undefined;
  const known = server !== undefined && servers.some(({ name }) => isNamed(name, server));
  const ofTools = known
    ? respell(rest, { finds: (text) => finds(before + text), restricts: true, before, writing })
    : undefined;
  const isOneName = server !== undefined && /^[\w*?-]+$/.test(server) && !/[\s,|]/.test(written);
  return ofTools ?? (isOneName ? undefined : respell(written, { finds, restricts: true, writing }));
}

/** For what isn't of the form `server.tool`: everything, a server alone, a tool that only one server has, or both joined as some hosts join them. */
export function formAdvice(written: string, servers: readonly SelectedServer[]): string | undefined {
  if (/^(?:all|any|\*)$/i.test(written)) return "*.*";
  const meant = classMeant(written);
  if (meant !== undefined) return meant;
  if (servers.some(({ name }) => name === written)) return `${written}.*`;
  const having = servers.filter(({ set }) => set.byName.has(written));
  if (having.length === 1) return `${having[0]!.name}.${written}`;
  const plain = written.replace(/^mcp_{1,2}(?=\w)/, "");
  const joined = servers.find(({ name }) => plain.startsWith(name) && /^[_/:-]+./.test(plain.slice(name.length)));
  return joined && `${joined.name}.${plain.slice(joined.name.length).replace(/^[_/:-]+/, "")}`;
}

const MOST_NAMES = 8;

/** In a list of a rule. What is left over is shown where it is short. */
export function sayNegatedWide(
  { written, place }: RestrictionItem,
  list: readonly string[],
  servers: readonly SelectedServer[],
  report: Report,
): boolean {
  if (undotted(written) === undefined || matchesOf(written, servers).length > 0) return false;
  const { kept, dropped } = partNegated(list.map((one) => undotted(one) ?? one));
  const without = new Set(dropped.flatMap((one) => matchesOf(one, servers)));
  const left = [...new Set(kept.flatMap((one) => matchesOf(one, servers)))].filter((name) => !without.has(name));
  const isShort = without.size > 0 && left.length > 0 && left.length <= MOST_NAMES;
  const mark = markOf(written);
  const help = isShort
    ? `write \`${writingIn(place.file).value(left)}\``
    : `name the tools that are meant, without ${mark}`;
  report.add("source/negated", place, { written, help });
  return true;
}

/** `github.!merge_*` is `!github.merge_*`; undefined for what isn't negated. */
function undotted(written: string): string | undefined {
  const found = /^([\w*?-]+\.)(!\s*|-(?=\w))(.+)$/s.exec(written);
  if (found) return `!${found[1]}${found[3]}`;
  return negatedIn(written) && written;
}

export function sayNegatedRole(
  { written, place }: RestrictionItem,
  list: readonly string[],
  roles: readonly string[],
  report: Report,
): boolean {
  if (negatedIn(written) === undefined) return false;
  const { kept, dropped } = partNegated(list);
  const left = roles.filter(
    (role) => kept.some((one) => isNamed(role, one)) && !dropped.some((one) => isNamed(role, one)),
  );
  const isShort = left.length > 0 && left.length <= MOST_NAMES;
  const mark = markOf(written);
  const help = isShort
    ? `write \`${writingIn(place.file).value(left)}\``
    : `name the roles that are meant, without ${mark}`;
  report.add("source/negated", place, { written, help });
  return true;
}

function isNamed(name: string, written: string): boolean {
  return isGlob(written) ? globMatcher(written)(name) : name === literal(written);
}

/** What to write for roles that a text doesn't name. */
export function roleAdvice({ written, place }: RestrictionItem, roles: readonly string[]): string | undefined {
  const writing = writingIn(place.file);
  if (/^(?:all|any|every|everyone|everybody)$/i.test(written)) return 'write `"*"`';
  const finds = (text: string): number => roles.filter((role) => isNamed(role, text)).length;
  return respell(written, { finds, restricts: true, writing });
}
