import { groupBy } from "../../../base/group-by.ts";
import { shown } from "../shown-names.ts";

/** What a rule is about of one server's tools. */
export interface RuleMeans {
  readonly server: string;
  /** As the program shows it, stars standing for any text. `*`: all of them; undefined: that can't be known. */
  readonly tool: string | undefined;
  /** A star that is there for servers finds such tools too: each `_` stands for itself, since nobody had them in mind. */
  readonly isByTheWay?: true;
}

/**
 * Reads rules of the forms `mcp__server` and `mcp__server__tool`, with stars anywhere: what each is about of these servers.
 * A shorter name in front of `__` is meant too. Only rules with stars are held against every server.
 */
export function readingRules(servers: readonly string[]): (rule: string) => readonly RuleMeans[] {
  const heads = servers.flatMap((server) =>
    [...new Set([server, shown(server)])].map((name) => ({ server, head: `mcp__${name}__` })),
  );
  const longest = heads.reduce((most, { head }) => Math.max(most, head.length), 0);
  const whole = byText(heads.map(({ server, head }) => ({ server, text: head })));
  const begun = byText(
    heads.flatMap(({ server, head }) =>
      divisions(head, head.length).map((end) => ({ server, text: head.slice(0, end) })),
    ),
  );
  const plain = (rule: string): RuleMeans[] => [
    ...begun(`${rule}__`).map((server) => ({ server, tool: "*" })),
    ...divisions(rule, longest).flatMap((end) =>
      whole(rule.slice(0, end)).map((server) => ({ server, tool: rule.slice(end) || "*" })),
    ),
  ];
  return (written) => {
    const rule = written.replace(/\*+/g, "*");
    if (!rule.includes("*")) return rule.startsWith("mcp__") ? once(plain(rule)) : [];
    return once(heads.flatMap(({ server, head }) => behind(rule, head).map((one) => ({ server, ...one }))));
  };
}

function byText(
  all: readonly { readonly server: string; readonly text: string }[],
): (text: string) => readonly string[] {
  const groups = groupBy(all, ({ text }) => text).map(
    (group) => [group[0]!.text, group.map(({ server }) => server)] as const,
  );
  const found = new Map(groups);
  return (text) => found.get(text) ?? [];
}

/** Where a name may end and another begin, behind each `__` up to there. */
function divisions(name: string, longest: number): number[] {
  const found: number[] = [];
  const first = "mcp__".length;
  for (let at = name.indexOf("__", first); at >= 0 && at + 2 <= longest; at = name.indexOf("__", at + 1))
    found.push(at + 2);
  return found;
}

/** What may stand behind this beginning of a name for the rule to find it. */
function behind(rule: string, head: string): Omit<RuleMeans, "server">[] {
  const sure = rule.slice(0, rule.indexOf("*"));
  if (!head.startsWith(sure) && !sure.startsWith(head)) return [];
  const rests = new Set(restsAfter(rule, head));
  const found = [...rests].map((rest) => {
    const tool = rest.replace(/^(?:\*__|_)/, "");
    const isByTheWay = tool !== rest && tool !== "" && rests.has(tool) && rests.has(`*__${tool}`);
    return { tool: rest || "*", ...(isByTheWay && ({ isByTheWay } as const)) };
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
