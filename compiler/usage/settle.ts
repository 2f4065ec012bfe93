import type { CodePlace, CodeStanding, CodeUsage, Lacking, ToolStanding, UsageEvent } from "./types.ts";

/** A tool that a role holds. */
export interface HeldTool {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
}

type EventOf<Kind extends UsageEvent["kind"]> = Extract<UsageEvent, { readonly kind: Kind }>;

const SHOWN = 3;

/** What all that was told comes to, for every tool that is held. */
export function settle(events: readonly UsageEvent[], held: readonly HeldTool[]): CodeUsage {
  const marks = new Map(held.map((one) => [keyOf(one), newMark()]));
  const by = {
    names: eventsOf(events, "names"),
    loses: eventsOf(events, "loses"),
    spells: groupedBy(eventsOf(events, "spells"), ({ name }) => name),
    offers: eventsOf(events, "offers"),
  };
  const travelled = travellers(eventsOf(events, "travels"), eventsOf(events, "passes-as"));
  const hiding = new Set(eventsOf(events, "hides").map(({ role }) => role));
  const named = groupedBy(by.names, ({ server, tool }) => `${server}\n${tool}`);
  const views = viewsOf(eventsOf(events, "passes-as"));
  for (const one of held) {
    const mark = marks.get(keyOf(one))!;
    const seenAs = views(one.role);
    const isMeant = (roles: readonly string[] | undefined, server: string): boolean =>
      roles === undefined ? travelled(one.role, server) : roles.some((role) => seenAs.has(role));
    for (const { roles, server, at } of named.get(`${one.server}\n${one.tool}`) ?? [])
      if (isMeant(roles, server)) mark.used.push(at);
    for (const lost of by.loses) {
      const { roles, server, tool, at } = lost;
      if (tool !== undefined && tool !== one.tool) continue;
      const isOfServer = server === undefined || server === one.server || hiding.has(one.role);
      if (isOfServer && isMeant(roles, server ?? one.server)) mark.possibly.push(at);
    }
    for (const { at } of by.spells.get(one.tool) ?? []) mark.possibly.push(at);
    for (const { roles, by: way } of by.offers) if (roles.some((role) => seenAs.has(role))) mark.model.push(way);
  }
  return {
    of: (role, server, tool) => standingOf(marks.get(keyOf({ role, server, tool }))),
    lacking: lackingOf(events, held),
  };
}

interface Mark {
  readonly used: CodePlace[];
  readonly possibly: CodePlace[];
  readonly model: string[];
}

function newMark(): Mark {
  return { used: [], possibly: [], model: [] };
}

function keyOf({ role, server, tool }: HeldTool): string {
  return `${role}\n${server}\n${tool}`;
}

function standingOf(mark: Mark | undefined): ToolStanding {
  const { used, possibly, model } = mark ?? newMark();
  const standing: CodeStanding =
    used.length > 0 ? "used" : possibly.length > 0 ? "possibly" : model.length > 0 ? "model" : "none";
  const at = used.length > 0 ? used : possibly;
  return { standing, at: [...new Set(at)].slice(0, SHOWN), by: [...new Set(model)] };
}

function eventsOf<Kind extends UsageEvent["kind"]>(events: readonly UsageEvent[], kind: Kind): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

export function groupedBy<Item>(items: readonly Item[], keyOfItem: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Every role as which a role may be seen, itself first: one that passes as another passes as what that one passes as. */
function viewsOf(passes: readonly EventOf<"passes-as">[]): (role: string) => ReadonlySet<string> {
  const next = groupedBy(passes, ({ role }) => role);
  const known = new Map<string, ReadonlySet<string>>();
  return (role) => {
    const found = known.get(role);
    if (found) return found;
    const views = new Set([role]);
    for (const view of views) for (const { as } of next.get(view) ?? []) views.add(as);
    known.set(role, views);
    return views;
  };
}

/** Whether a role's server may be where only its type is known. */
function travellers(
  travels: readonly EventOf<"travels">[],
  passes: readonly EventOf<"passes-as">[],
): (role: string, server: string) => boolean {
  const out = new Set(travels.flatMap(({ roles, server }) => roles.map((role) => `${role}\n${server}`)));
  const views = viewsOf(passes);
  return (role, server) => [...views(role)].some((view) => out.has(`${view}\n${server}`));
}

/** What code asks for and no role that it may have there holds. */
function lackingOf(events: readonly UsageEvent[], held: readonly HeldTool[]): Lacking[] {
  const has = new Set(held.map(keyOf));
  const asked = [...eventsOf(events, "lacks"), ...eventsOf(events, "names")]
    .map(({ roles = [], server, tool, at }) => roles.map((role) => ({ role, server, tool, at })))
    .filter((ways) => !ways.some((one) => has.has(keyOf(one))));
  return [...groupedBy(asked.flat(), keyOf).values()].map((all) => {
    const { role, server, tool } = all[0]!;
    return { role, server, tool, at: [...new Set(all.map(({ at }) => at))].slice(0, SHOWN) };
  });
}
