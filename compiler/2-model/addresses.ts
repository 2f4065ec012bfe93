import type { RoleName, ServerName } from "../base/names.ts";
import { sortedBy } from "../base/order.ts";
import { keyOf, within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { AddressBlock, RoleBlock } from "../../schemas/types.ts";
import { uriGlobProblem } from "../../runtime/resource-uri.ts";
import type { Declared } from "./declarations.ts";
import type { ServerLayer } from "./layers.ts";
import { checkServerName, type KnownNames } from "./names.ts";
import type { AddressCeilings, AddressEntry, AddressRule } from "./types.ts";

/** Globs of addresses, wherever they are written. One that can't be one is reported, and means nothing: that is an error. */

interface Writing {
  readonly rule: AddressRule["rule"];
  readonly by: string | undefined;
  /** For people: `role \`tester\``. */
  readonly owner: string;
}

function rulesIn(globs: readonly string[], place: Place, { rule, by, owner }: Writing, report: Report): AddressRule[] {
  return globs.flatMap((glob, i) => {
    const from = within(place, i);
    if (isSound(glob, owner, from, report)) return [{ rule, written: glob, by, from }];
    return [];
  });
}

function isSound(glob: string, owner: string, place: Place, report: Report): boolean {
  const problem = uriGlobProblem(glob);
  if (problem !== undefined) report.add("source/bad-address", place, { owner, glob, problem });
  return problem === undefined;
}

/** By role, sorted by server. */
export function linkAddresses(
  roles: Iterable<Declared<RoleBlock>>,
  known: KnownNames,
  report: Report,
): ReadonlyMap<string, readonly AddressEntry[]> {
  return new Map([...roles].map((role) => [role.name, entriesOf(role, known, report)]));
}

function entriesOf({ name, block, place }: Declared<RoleBlock>, known: KnownNames, report: Report): AddressEntry[] {
  const owner = `role \`${name}\``;
  return sortedBy(Object.entries(block.resources ?? {}), ([server]) => server).flatMap(([server, entry]) => {
    const at = within(place, "resources", server);
    if (!checkServerName(server, owner, keyOf(at), known, report)) return [];
    const { include, exclude } = unpacked(entry, at);
    const about = { by: name, owner };
    const made = {
      role: name as RoleName,
      server: server as ServerName,
      place: at,
      include: rulesIn(include.globs, include.place, { ...about, rule: "include" }, report),
      exclude: rulesIn(exclude.globs, exclude.place, { ...about, rule: "exclude" }, report),
      isClosed: entry === "none",
    };
    for (const { written, from } of made.exclude)
      if (include.globs.includes(written)) report.add("source/address-both", from, { owner, glob: written });
    return [made];
  });
}

function unpacked(
  entry: AddressBlock,
  at: Place,
): Record<"include" | "exclude", { readonly globs: readonly string[]; readonly place: Place }> {
  const nothing = { globs: [], place: at };
  if (entry === "none") return { include: nothing, exclude: nothing };
  if (Array.isArray(entry)) return { include: { globs: entry, place: at }, exclude: nothing };
  const { include = [], exclude = [] } = entry as Exclude<AddressBlock, string | readonly string[]>;
  return {
    include: { globs: include, place: within(at, "include") },
    exclude: { globs: exclude, place: within(at, "exclude") },
  };
}

/** What a server's definition says for every role; each layer holds. */
export function linkAddressCeilings(layers: readonly ServerLayer[], server: string, report: Report): AddressCeilings {
  const owner = `server \`${server}\``;
  const writing = { rule: "ceiling", by: undefined, owner } as const;
  const said = layers.flatMap(({ block, place, found }) => {
    const closed = block.enabled === false ? [{ within: [], exclude: [] }] : [];
    if (block.resources === undefined || found === true) return closed;
    const { include, exclude } = unpacked(block.resources, within(place, "resources"));
    const isList = block.resources === "none" || include.globs.length > 0;
    return [
      ...closed,
      {
        within: isList ? rulesIn(include.globs, include.place, writing, report) : undefined,
        exclude: rulesIn(exclude.globs, exclude.place, writing, report),
      },
    ];
  });
  return {
    within: said.flatMap((one) => (one.within === undefined ? [] : [one.within])),
    exclude: said.flatMap(({ exclude }) => exclude),
  };
}

const NO_SERVER = "it begins with no server, as `notes:`";

/** `server:glob` of a policy, by server; `*` stands for all of them. */
export function linkDeniedAddresses(
  { written, place, policy }: { readonly written: readonly string[]; readonly place: Place; readonly policy: string },
  known: KnownNames,
  report: Report,
): ReadonlyMap<ServerName, readonly AddressRule[]> {
  const owner = `policy \`${policy}\``;
  const found = new Map<ServerName, AddressRule[]>();
  written.forEach((item, i) => {
    const from = within(place, i);
    const [, server, glob] = /^([^:]*):(.*)$/.exec(item) ?? [];
    // Mostly the scheme is the server's name, and was taken for both.
    const meant = glob?.startsWith("//") === true && known.servers.has(server!) ? `${server}:${item}` : undefined;
    if (server === undefined || glob === undefined || !/^(?:\*|[a-z][a-z0-9_-]*)$/.test(server))
      return report.add("source/bad-address", from, { owner, glob: item, problem: NO_SERVER });
    if (meant !== undefined)
      return report.add("source/bad-address", from, { owner, glob: item, problem: NO_SERVER, meant });
    if (server !== "*" && !checkServerName(server, owner, from, known, report)) return undefined;
    if (!isSound(glob, owner, from, report)) return undefined;
    const rule = { rule: "policy", written: glob, by: policy, from } as const;
    for (const name of server === "*" ? known.servers : [server])
      found.set(name as ServerName, [...(found.get(name as ServerName) ?? []), rule]);
    return undefined;
  });
  return found;
}
