import { hostMeant } from "../base/host-data.ts";
import type { RoleName } from "../base/names.ts";
import { sorted, sortedBy } from "../base/order.ts";
import { keyOf, within } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { RoleBlock } from "../../schemas/types.ts";
import { linkAddresses } from "./addresses.ts";
import type { Declared } from "./declarations.ts";
import { findCircles, lineageOf, type Parents } from "./lineage.ts";
import { checkRoleName, checkServerName, type KnownNames } from "./names.ts";
import { linkPrompts } from "./prompts.ts";
import { linkEntry, type WrittenEntry } from "./role-entry.ts";
import type { SelectableServer } from "./selectors/match.ts";
import type { Builtins, Delegate, NamedBuiltin, Prompt, Role, RoleEntry, SchemaCheck } from "./types.ts";

export interface RoleContext {
  readonly roles: ReadonlyMap<string, Declared<RoleBlock>>;
  readonly entries: readonly WrittenEntry[];
  readonly servers: ReadonlyMap<string, SelectableServer>;
  readonly known: KnownNames;
  readonly prompts: ReadonlyMap<string, Prompt | undefined>;
  readonly checkSchema: SchemaCheck;
  readonly report: Report;
}

export function linkRoles(context: RoleContext): Role[] {
  const parents = linkParents(context);
  const own = new Map(
    [...context.roles.values()].map((declared) => [
      declared.name,
      {
        builtins: ownBuiltins(declared, context),
        named: namedBuiltins(declared, context),
        delegates: ownDelegates(declared, context),
      },
    ]),
  );
  const entries = linkEntries(context);
  const addresses = linkAddresses(context.roles.values(), context.known, context.report);
  const promptOf = linkPrompts({ ...context, parents });
  return [...context.roles.values()].map((declared) => {
    const lineage = lineageOf(declared.name, parents) as RoleName[];
    return {
      name: declared.name as RoleName,
      place: declared.place,
      description: declared.block.description,
      owner: declared.block.owner,
      keep: declared.block.keep,
      prompt: promptOf(declared, lineage),
      parents: [...(parents.get(declared.name) ?? [])] as RoleName[],
      lineage,
      entries: entries.get(declared.name)!,
      addresses: addresses.get(declared.name)!,
      builtins: uniteBuiltins(lineage.flatMap((name) => own.get(name)?.builtins ?? [])),
      namedBuiltins: own.get(declared.name)!.named,
      delegates: uniteDelegates(lineage.flatMap((name) => own.get(name)?.delegates ?? [])),
    };
  });
}

/** Parents that exist and lie on no circle. */
function linkParents({ roles, known, report }: RoleContext): Parents {
  const parents = new Map<string, string[]>();
  for (const { name, block, place } of roles.values()) {
    const written =
      block.extends === undefined ? [] : typeof block.extends === "string" ? [block.extends] : block.extends;
    const sound = written.filter((parent, i) => {
      const at = typeof block.extends === "string" ? within(place, "extends") : within(place, "extends", i);
      return checkRoleName(parent, `role \`${name}\``, at, known, report);
    });
    parents.set(name, [...new Set(sound)]);
  }
  return withoutCycles(parents, roles, report);
}

function withoutCycles(parents: Map<string, string[]>, roles: RoleContext["roles"], report: Report): Parents {
  const circles = findCircles(parents);
  for (const circle of circles) {
    const cycle = circle.map((role) => `\`${role}\``).join(" → ");
    report.add("role/extends-cycle", within(roles.get(circle[0]!)!.place, "extends"), { cycle });
  }
  const cut = new Set(circles.flat());
  return cut.size === 0 ? parents : new Map([...parents].map(([name, list]) => [name, cut.has(name) ? [] : list]));
}

/** By role, sorted by server. */
function linkEntries({ roles, entries, servers, known, report, checkSchema }: RoleContext): Map<string, RoleEntry[]> {
  const linked = new Map([...roles.keys()].map((role): [string, RoleEntry[]] => [role, []]));
  for (const entry of sortedBy(entries, ({ server }) => server)) {
    if (!checkServerName(entry.server, `role \`${entry.role}\``, keyOf(entry.place), known, report)) continue;
    linked.get(entry.role)!.push(linkEntry(entry, servers.get(entry.server)!, checkSchema, report));
  }
  return new Map([...linked].map(([role, own]) => [role, roles.get(role)!.layer ? heldToEachOther(own) : own]));
}

/** Layers restrict each other: where several speak of a server, none gives what another of them doesn't include. */
function heldToEachOther(entries: readonly RoleEntry[]): RoleEntry[] {
  return entries.map((entry) => {
    const others = entries.filter((other) => other !== entry && other.server === entry.server);
    const lists = others.map(({ include }) => new Set(include.flatMap(({ tools }) => tools)));
    const isInAll = (tool: number): boolean => lists.every((list) => list.has(tool));
    return { ...entry, include: entry.include.map((one) => ({ ...one, tools: one.tools.filter(isInAll) })) };
  });
}

function ownBuiltins(declared: Declared<RoleBlock>, { known: { hosts }, report }: RoleContext): Builtins[] {
  const known = hosts.filter(({ isData }) => !isData);
  return Object.entries(declared.block.builtins ?? {}).map(([host, names]) => {
    if (!known.some(({ id }) => id === host))
      report.add("role/unknown-host", keyOf(within(declared.place, "builtins", host)), {
        host,
        nearest: hostMeant(host, known),
        known: known.map(({ id }) => id).join(", "),
      });
    if (typeof names === "string") return { host, names: names === "none" ? [] : ["*"] };
    return { host, names: names.map((entry) => (typeof entry === "string" ? entry : entry.optional)) };
  });
}

/** Hosts split their lists at commas and white space, and read brackets and signs in their own ways. */
const ONE_WORD = /^[A-Za-z0-9_][A-Za-z0-9_.:/-]*$/;

function namedBuiltins(declared: Declared<RoleBlock>, { report }: RoleContext): NamedBuiltin[] {
  return Object.entries(declared.block.builtins ?? {}).flatMap(([host, names]) =>
    typeof names === "string"
      ? []
      : names.flatMap((entry, i) => {
          const isOptional = typeof entry !== "string";
          const name = isOptional ? entry.optional : entry;
          const place = within(declared.place, "builtins", host, i, ...(isOptional ? ["optional"] : []));
          if (ONE_WORD.test(name)) return [{ host, name, isOptional, place }];
          report.add("role/bad-builtin", place, { name });
          return [];
        }),
  );
}

function uniteBuiltins(list: readonly Builtins[]): Builtins[] {
  const byHost = new Map<string, Set<string>>();
  for (const { host, names } of list) byHost.set(host, new Set([...(byHost.get(host) ?? []), ...names]));
  return sortedBy(byHost.keys(), (host) => host).map((host) => ({
    host,
    names: byHost.get(host)!.has("*") ? ["*"] : sorted(byHost.get(host)!),
  }));
}

function ownDelegates(declared: Declared<RoleBlock>, { known, report }: RoleContext): Delegate[] {
  return (declared.block.delegates ?? []).flatMap((role, i) => {
    const place = within(declared.place, "delegates", i);
    return checkRoleName(role, `role \`${declared.name}\``, place, known, report)
      ? [{ role: role as RoleName, place }]
      : [];
  });
}

function uniteDelegates(list: readonly Delegate[]): Delegate[] {
  return sortedBy(
    new Map(list.toReversed().map((delegate) => [delegate.role, delegate])).values(),
    (delegate) => delegate.role,
  );
}
