// What somebody might add to a project to narrow it, and the slips of the pen that must not widen it.
import type { SamplePolicy, SampleProject, SampleServer } from "./arbitrary/project.ts";
import { referenceOf } from "./arbitrary/project.ts";
import { CLASSES, matched, matchedAcross, someName, someSelector, someWideSelector } from "./arbitrary/selectors.ts";
import { argumentsOf, someCondition } from "./arbitrary/tools.ts";
import type { Dice } from "./dice.ts";
import { pinned } from "./reference/servers.ts";
import { isObject, longForm } from "./reference/shapes.ts";
import type { Conditions, Entry, Item, Role, Tool } from "./reference/shapes.ts";

type Edit = (dice: Dice, project: SampleProject) => SampleProject | undefined;

/** The project with one more restriction somewhere, or undefined where there is no room for it. */
export function narrowed(dice: Dice, project: SampleProject): SampleProject | undefined {
  const edits = dice.sample(
    [moreInEntry, moreInParent, newEntryOfChild, newParent, newPolicy, newCeiling, newScopes, presetCeiling],
    8,
  );
  for (const edit of edits) {
    const edited = edit(dice, project);
    if (edited !== undefined) return edited;
  }
  return undefined;
}

const moreInEntry: Edit = (dice, project) => moreIn(dice, project, Object.keys(project.roles));

const moreInParent: Edit = (dice, project) => {
  const parents = Object.values(project.roles).flatMap((role) => parentsOf(role));
  return moreIn(dice, project, parents);
};

function parentsOf(role: Role): readonly string[] {
  return role.extends === undefined ? [] : [role.extends].flat();
}

function moreIn(dice: Dice, project: SampleProject, among: readonly string[]): SampleProject | undefined {
  const places = among.flatMap((role) =>
    Object.keys(project.roles[role]!.tools ?? {}).map((server) => [role, server] as const),
  );
  if (places.length === 0) return undefined;
  const [role, server] = dice.one(places);
  const entry = longForm(project.roles[role]!.tools![server]!);
  // Where an entry holds neither, `exclude` alone would start from the whole manifest.
  if (entry.include === undefined && entry.exclude === undefined) return undefined;
  const more = restriction(dice, project, server);
  return more && withEntry(project, role, server, united(entry, more));
}

function restriction(dice: Dice, project: SampleProject, server: string): Entry | undefined {
  const p = referenceOf(project);
  const tools = pinned(p, server);
  if (tools === undefined) return undefined;
  const selector = someSelector(dice, p, server);
  const kind = dice.below(3);
  if (kind === 0) return { exclude: [selector] };
  if (kind === 1) return { ask: [selector] };
  const conditions = conditionsFor(dice, matched(p, server, selector));
  return conditions && { where: { [selector]: conditions } };
}

function conditionsFor(dice: Dice, tools: readonly Tool[]): Conditions | undefined {
  const [first, ...others] = tools;
  const common = Object.entries(first === undefined ? {} : argumentsOf(first)).filter(([path]) =>
    others.every((tool) => Object.hasOwn(argumentsOf(tool), path)),
  );
  if (common.length === 0) return undefined;
  const [path, kind] = dice.one(common);
  return Object.fromEntries([[path, someCondition(dice, kind)]]);
}

function united(entry: Entry, more: Entry): Entry {
  const lists = (["exclude", "ask"] as const).flatMap((key) =>
    more[key] === undefined ? [] : [[key, [...[entry[key] ?? []].flat(), ...[more[key]].flat()]] as const],
  );
  const where = Object.entries(more.where ?? {}).map(
    ([selector, conditions]) =>
      [selector, { ...entry.where?.[selector], ...withoutLoss(entry.where?.[selector], conditions) }] as const,
  );
  return {
    ...entry,
    ...Object.fromEntries(lists),
    ...(where.length > 0 ? { where: { ...entry.where, ...Object.fromEntries(where) } } : {}),
  };
}

/** A condition that is there already isn't replaced: that would be another edit. */
function withoutLoss(there: Conditions | undefined, more: Conditions): Conditions {
  return Object.fromEntries(Object.entries(more).filter(([path]) => !Object.hasOwn(there ?? {}, path)));
}

function withEntry(project: SampleProject, role: string, server: string, entry: Entry): SampleProject {
  const written = project.roles[role]!;
  return {
    ...project,
    roles: { ...project.roles, [role]: { ...written, tools: { ...written.tools, [server]: entry } } },
  };
}

/** In a role with `extends`, an exclude without include only takes away. */
const newEntryOfChild: Edit = (dice, project) => {
  const places = Object.entries(project.roles).flatMap(([role, { extends: parents, tools }]) =>
    parents === undefined
      ? []
      : Object.keys(project.servers)
          .filter((server) => !Object.hasOwn(tools ?? {}, server))
          .map((server) => [role, server] as const),
  );
  if (places.length === 0) return undefined;
  const [role, server] = dice.one(places);
  const more = restriction(dice, project, server);
  return more && withEntry(project, role, server, more);
};

/** A parent that grants nothing. */
const newParent: Edit = (dice, project) => {
  const server = dice.one(Object.keys(project.servers));
  const more = restriction(dice, project, server);
  if (more === undefined || more.exclude !== undefined) return undefined;
  const child = dice.one(Object.keys(project.roles));
  const written = project.roles[child]!;
  return {
    ...project,
    roles: {
      ...project.roles,
      [child]: { ...written, extends: [...parentsOf(written), "watcher"] },
      watcher: { tools: { [server]: more } },
    },
  };
};

const newPolicy: Edit = (dice, project) => {
  const p = referenceOf(project);
  const role = dice.one(Object.keys(project.roles));
  const tools = [someWideSelector(dice, p)];
  const about = { name: "one more", roles: [dice.one([role, "*", `${role.slice(0, 2)}*`])], tools };
  const where = dice.chance(40)
    ? conditionsFor(
        dice,
        tools.flatMap((item) => matchedAcross(p, item).map(({ tool }) => tool)),
      )
    : undefined;
  const policy: SamplePolicy =
    where === undefined ? { ...about, effect: dice.one(["ask", "deny"] as const) } : { ...about, where };
  const list = dice.one(["policies", "guards"] as const);
  return { ...project, [list]: [...project[list], policy] };
};

const newCeiling: Edit = (dice, project) => {
  const p = referenceOf(project);
  const server = dice.one(Object.keys(project.servers));
  if (pinned(p, server) === undefined) return undefined;
  const written = project.servers[server]!;
  const selector = someSelector(dice, p, server);
  const entry: Entry =
    written.tools === undefined
      ? dice.one([{ include: [selector] }, { exclude: [selector] }, { include: [dice.one(CLASSES)] }])
      : united(longForm(written.tools), { exclude: [selector] });
  return withServer(project, server, { tools: entry });
};

const newScopes: Edit = (dice, project) => {
  const p = referenceOf(project);
  const server = dice.one(Object.keys(project.servers));
  const tools = pinned(p, server);
  const written = project.servers[server]!;
  if (
    tools === undefined ||
    written.scopes !== undefined ||
    project.presets[written.preset ?? ""]?.server?.scopes !== undefined
  )
    return undefined;
  return withServer(project, server, {
    scopes: dice.one<NonNullable<SampleServer["scopes"]>>([
      ["read:all"],
      ["write:all"],
      { all: [someName(dice, tools)] },
    ]),
  });
};

function withServer(project: SampleProject, server: string, more: Partial<SampleServer>): SampleProject {
  return {
    ...project,
    servers: { ...project.servers, [server]: { ...project.servers[server], ...more } as SampleServer },
  };
}

const presetCeiling: Edit = (dice, project) => {
  const ids = Object.keys(project.presets);
  if (ids.length === 0) return undefined;
  const preset = project.presets[dice.one(ids)]!;
  if (preset.server?.tools !== undefined) return undefined;
  const tools = { exclude: [dice.one(["*", "*e*", "get*"])] };
  return {
    ...project,
    presets: { ...project.presets, [preset.id]: { ...preset, server: { ...preset.server, tools } } },
  };
};

// ---------------------------------------------------------------- slips of the pen

interface Slip {
  readonly project: SampleProject;
  readonly written: string;
  readonly instead: string;
  /** An argument of a condition: it is judged where a tool that it is about is held. */
  readonly argument: boolean;
}

/**
 * The project with one name misspelt in a place that restricts. What a policy says of the tools of one server without a
 * manifest can't be checked, and is a warning.
 */
export function misspelt(dice: Dice, project: SampleProject): Slip | undefined {
  const p = referenceOf(project);
  const unpinned = Object.keys(project.servers).filter((server) => pinned(p, server) === undefined);
  const sites = restrictingNames(project).filter(
    ({ text, wide }) => !wide || !unpinned.some((server) => text.startsWith(`${server}.`)),
  );
  if (sites.length === 0) return undefined;
  const { path, text, wide, key, argument } = dice.one(sites);
  const instead = slip(dice, text, wide);
  return { project: replaced(project, path, key, instead) as SampleProject, written: text, instead, argument };
}

interface Site {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** `server.tool` */
  readonly wide: boolean;
  /** A key of a map, as opposed to a value. */
  readonly key: boolean;
  readonly argument: boolean;
}

function restrictingNames(project: SampleProject): Site[] {
  const entries = Object.entries(project.roles).flatMap(([role, { tools }]) =>
    Object.entries(tools ?? {}).map(([server, entry]) => [["roles", role, "tools", server], entry] as const),
  );
  const servers = Object.entries(project.servers).map(([name, server]) => [["servers", name], server] as const);
  return [
    ...entries.flatMap(([at, entry]) =>
      isObject(entry)
        ? [
            ...items([...at, "exclude"], (entry as Entry).exclude),
            ...items([...at, "ask"], (entry as Entry).ask),
            ...whereNames([...at, "where"], (entry as Entry).where),
          ]
        : [],
    ),
    ...servers.flatMap(([at, server]) => [
      ...(isObject(server.tools) ? items([...at, "tools", "exclude"], (server.tools as Entry).exclude) : []),
      ...[["labels", server.labels] as const, ["scopes", server.scopes] as const].flatMap(([key, map]) =>
        isObject(map) ? Object.entries(map).flatMap(([name, list]) => items([...at, key, name], list as Item[])) : [],
      ),
      ...Object.keys(server.hints ?? {}).map((name): Site => ({
        path: [...at, "hints", name],
        text: name,
        wide: false,
        key: true,
        argument: false,
      })),
    ]),
    ...(["policies", "guards"] as const).flatMap((list) =>
      project[list].flatMap((policy, i) => [
        ...items([list, i, "roles"], policy.roles),
        ...items([list, i, "tools"], policy.tools, true),
        ...keys([list, i, "where"], policy.where, true),
      ]),
    ),
    ...project.invariants.flatMap((invariant, i) =>
      (["never", "always", "can"] as const).flatMap((kind) => {
        const at = ["invariants", i, kind];
        const claim = invariant[kind] as { roles: Item[]; tools?: Item[]; together?: Item[] } | undefined;
        return claim === undefined
          ? []
          : [
              ...items([...at, "roles"], claim.roles),
              ...items([...at, "tools"], claim.tools, true),
              ...items([...at, "together"], claim.together, true),
            ];
      }),
    ),
  ];
}

function items(path: readonly (string | number)[], list: Item | readonly Item[] | undefined, wide = false): Site[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Item[]).flatMap((item, i): Site[] =>
    typeof item === "string" ? [{ path: [...path, i], text: item, wide, key: false, argument: false }] : [],
  );
}

function whereNames(path: readonly (string | number)[], where: Entry["where"]): Site[] {
  return [
    ...keys(path, where, false),
    ...Object.entries(where ?? {}).flatMap(([selector, conditions]) => keys([...path, selector], conditions, true)),
  ];
}

function keys(path: readonly (string | number)[], map: object | undefined, argument: boolean): Site[] {
  return Object.keys(map ?? {}).map((name) => ({
    path: [...path, name],
    text: name,
    wide: false,
    key: true,
    argument,
  }));
}

function slip(dice: Dice, text: string, wide: boolean): string {
  const dot = wide && !/^(is|scope|label):/.test(text) ? text.indexOf(".") : -1;
  if (dot >= 0 && dice.chance(40)) return slipIn(text.slice(0, dot)) + text.slice(dot);
  const parts = text.slice(dot + 1).split(" & ");
  const which = dice.below(parts.length);
  return text.slice(0, dot + 1) + parts.map((part, i) => (i === which ? slipIn(part) : part)).join(" & ");
}

function slipIn(part: string): string {
  const at = /\\.$|^.$|^(is|label|scope):/su.test(part) ? part.length : part.length - 1;
  return `${part.slice(0, at)}qz${part.slice(at)}`;
}

function replaced(value: unknown, path: readonly (string | number)[], key: boolean, text: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((one: unknown, i) => (i === step ? replaced(one, rest, key, text) : one));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => {
      if (name !== step) return [name, one];
      return key && rest.length === 0 ? [text, one] : [name, replaced(one, rest, key, text)];
    }),
  );
}
