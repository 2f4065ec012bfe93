import { groupBy } from "../../../base/group-by.ts";
import { byBeginning } from "../by-beginning.ts";
import { shown } from "../shown-names.ts";

/** What a rule is about of one server's tools. */
export interface RuleMeans {
  readonly server: string;
  /** As the program shows it, stars standing for any text. `*`: all of them; undefined: that can't be known. */
  readonly tool: string | undefined;
  /** A star that is there for servers finds such tools too: so many first letters stand for themselves, since nobody had them in mind. */
  readonly exact?: number;
}

/** Letters of rules, times letters of names that they are held against and servers of these: beyond it rules are told, so that no file takes hours. */
const MOST_COMPARED = 10_000_000;

/**
 * Reads rules of the forms `mcp__server` and `mcp__server__tool`, with stars anywhere: what each is about of these servers.
 * A shorter name in front of `__` is meant too.
 */
export function readingRules(servers: readonly string[]): (rule: string) => readonly RuleMeans[] {
  const named = servers.flatMap((server) =>
    [...new Set([server, shown(server)])].map((name) => ({ server, head: `mcp__${name}__` })),
  );
  const serversOf = new Map(
    groupBy(named, ({ head }) => head).map((group) => [group[0]!.head, group.map(({ server }) => server)]),
  );
  const heads = byBeginning(serversOf.keys());
  let compared = 0;
  return (written) => {
    const rule = written.replace(/\*+/g, "*");
    const isPlain = !rule.includes("*");
    if (isPlain && !rule.startsWith("mcp__")) return [];
    const sure = rule.split("*", 1)[0]!;
    const wide = isPlain ? `${rule}__` : sure;
    if (!heads.isBeginning(wide) && heads.beginningsOf(sure).length === 0) return [];
    const unsure = [{ server: servers[0]!, tool: undefined }];
    if (compared > MOST_COMPARED) return unsure;
    const found = [...new Set([...heads.beginningWith(wide), ...heads.beginningsOf(sure)])];
    compared += found.reduce((sum, head) => sum + rule.length * (head.length + serversOf.get(head)!.length), 0);
    if (compared > MOST_COMPARED) return unsure;
    const restsOf = (head: string) => (isPlain ? [{ tool: plainRest(rule, head) }] : behind(rule, head));
    return once(
      found.flatMap((head) =>
        restsOf(head).flatMap((rest) => serversOf.get(head)!.map((server) => ({ server, ...rest }))),
      ),
    );
  };
}

/** Of a name that is shorter than this beginning all is meant. */
function plainRest(rule: string, head: string): string {
  return rule.slice(head.length) || "*";
}

/** What may stand behind this beginning of a name for the rule to find it. */
function behind(rule: string, head: string): Omit<RuleMeans, "server">[] {
  const rests = new Set(restsAfter(rule, head));
  const found = [...rests].flatMap((rest) => {
    const tool = rest.replace(/^(?:\*__|_)/, "");
    const isByTheWay = tool !== rest && tool !== "" && rests.has(tool) && rests.has(`*__${tool}`);
    if (!isByTheWay) return [{ tool: rest || "*" }];
    // `ns::drop` is shown as `ns__drop`.
    const before = rest.slice(0, rest.length - tool.length);
    const spelt = [...new Set([before, before.replace("__", "::")])];
    return spelt.map((one) => ({ tool: one + tool, exact: one.length }));
  });
  // As a rule of a whole server it would be about all of its tools.
  const isServer = restsAfter(rule, head.slice(0, -"__".length)).includes("");
  return isServer && !rests.has("*") ? [...found, { tool: undefined }] : found;
}

/** A pattern's ends that are left where it has found a text: a star that has found enough may find more. */
function restsAfter(pattern: string, text: string): string[] {
  const withEmptyStars = (at: Iterable<number>): Set<number> =>
    new Set([...at].flatMap((i) => (pattern[i] === "*" ? [i, i + 1] : [i])));
  let reached = withEmptyStars([0]);
  for (const sign of text) {
    const next = [...reached].flatMap((i) => (pattern[i] === "*" ? [i] : pattern[i] === sign ? [i + 1] : []));
    if (next.length === 0) return [];
    reached = withEmptyStars(next);
  }
  return [...reached].filter((i) => !(reached.has(i - 1) && pattern[i - 1] === "*")).map((i) => pattern.slice(i));
}

/** Each once; beside all of a server's tools none of them says more. */
function once(means: readonly RuleMeans[]): readonly RuleMeans[] {
  const all = new Set(means.flatMap(({ server, tool }) => (tool === "*" ? [server] : [])));
  const said = new Set<string>();
  return means.filter(({ server, tool }) => {
    if (all.has(server) && tool !== "*") return false;
    const key = JSON.stringify([server, tool]);
    return !said.has(key) && said.add(key);
  });
}
