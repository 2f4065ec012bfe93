import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { keyOf, type KeyPath, type Origins, type Place } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import { globMatcher, isGlob } from "../../base/glob.ts";
import { slug } from "../../base/slug.ts";
import type { TakenBeside } from "../../base/taken-beside.ts";
import type { Mention, WholeServer } from "../types.ts";
import { type NarrowedBlocks, narrowing, type Narrowing, noting, type SettingsBeside } from "./narrowing.ts";
import type { Translation } from "./types.ts";

export interface Renaming {
  /** The key of rolecall.yaml that lists the file. */
  readonly key: string;
  readonly servers: Readonly<Record<string, string>>;
  readonly role: string;
  readonly title: string;
  /** Keys of the file that are the build's own, and were passed by. */
  readonly gone: readonly (readonly string[])[];
}

export interface Translated {
  readonly blocks: JsonObject;
  readonly origins: Origins;
  readonly mentions: readonly Mention[];
  readonly asks: readonly Mention[];
  readonly wholeServers: readonly WholeServer[];
  readonly takenBeside: readonly TakenBeside[];
  /** Names under `servers` that the file doesn't have. */
  readonly unused: readonly string[];
}

/** What settings beside the file take away. */
export interface Narrows extends Pick<SettingsBeside, "program" | "namesAsShown"> {
  /** It is taken over with the file; else it is noted. */
  readonly isHeld: boolean;
  read(made: Narrowing): void;
}

/** `read` fills it, and `beside` takes away of that; what it comes to is checked like a source of ours. */
export function translating(
  root: Place,
  { key, servers, role, title, gone }: Renaming,
  report: Report,
  read: (made: Translation) => void,
  beside?: Narrows,
): Translated {
  const blocks: JsonObject = {};
  const origins: Origins[number][] = [];
  const mentions: Mention[] = [];
  const asks: Mention[] = [];
  const wholeServers: WholeServer[] = [];
  const at = (written: KeyPath): Place => ({ file: root.file, path: written });
  const put = (made: KeyPath, value: JsonValue | undefined, written: KeyPath): void => {
    if (value === undefined) return;
    setIn(blocks, made, value);
    origins.push([made, written]);
  };
  const { named, ours, unused, ...others } = naming(servers, (written, params) =>
    report.add("import/same-name", keyOf(at(written)), { ...params, key }),
  );
  const say = (code: Told) => (written: KeyPath, what: string, help: string) =>
    tell(code, at(written), { what, format: title, help }, report);
  const refuse = say("import/not-of-format");
  const { nameMeant, serversMeant } = meaning(others, refuse);
  read({
    role,
    file: root.file,
    stem: stemOf(root.file),
    isOurs: (written) => gone.some((at) => at.length === written.length && at.every((key, i) => key === written[i])),
    put,
    serverName: (theirs, written) => {
      const name = named("server", theirs, written);
      put(["servers", name], {}, written);
      if (name !== theirs) put(["servers", name, "title"], theirs, written);
      return name;
    },
    roleName: (theirs, written) => {
      const name = named("role", theirs, written);
      put(["roles", name], {}, written);
      if (name !== theirs) put(["roles", name, "description"], theirs, written);
      return name;
    },
    roleMeant: (theirs, written) => nameMeant("role", theirs, written),
    serversMeant,
    grantServer: (of, theirs, written) => {
      const server = nameMeant("server", theirs, written);
      if (server === undefined) return;
      put(["roles", of, "tools", server], ["is:read-only"], written);
      wholeServers.push({ role: of, server, theirs, place: at(written) });
    },
    mention: (selector, roles, written) => mentions.push(lineOf(selector, roles, at(written))),
    asks: (selector, roles, written) => asks.push(lineOf(selector, roles, at(written))),
    refuse,
    strictly: (written, value, isDefault) => {
      report.add(isDefault ? "import/read-by-default" : "import/read-strictly", keyOf(at(written)), {
        key: String(written.at(-1)),
        value: JSON.stringify(value),
      });
    },
    remark: say("import/means-nothing"),
    leave: say("import/left-behind"),
  });
  const takenBeside: TakenBeside[] = [];
  if (beside?.isHeld === true) narrow(beside, { blocks, origins, servers: ours() }, report);
  else beside?.read(noting(ours(), { ...beside, file: root.file }, (taken) => takenBeside.push(taken)));
  return { blocks, origins, mentions, asks, wholeServers, takenBeside, unused: unused() };
}

type Told = "import/not-of-format" | "import/means-nothing" | "import/left-behind";

function tell(code: Told, at: Place, words: { what: string; format: string; help: string }, report: Report): void {
  report.add(code, typeof at.path.at(-1) === "string" ? keyOf(at) : at, words);
}

function narrow(
  { read, ...settings }: Narrows,
  { blocks, origins, servers }: Pick<NarrowedBlocks, "blocks" | "servers"> & { readonly origins: Origins[number][] },
  report: Report,
): void {
  const put: NarrowedBlocks["put"] = (made, value, { file, path }) => {
    setIn(blocks, made, value);
    origins.push([made, path, file]);
  };
  const leave: NarrowedBlocks["leave"] = (written, what, help) =>
    tell("import/left-behind", written, { what, format: `${settings.program}'s settings`, help }, report);
  read(narrowing({ blocks, servers, put, leave }, settings));
}

function lineOf(selector: string, roles: readonly string[], place: Place): Mention {
  return { selector, roles, place: { ...keyOf(place), origins: [] } };
}

type Kind = "server" | "role";

const NO_NAME: Readonly<Record<Kind, string>> = {
  server:
    "write the name of one server; where it is really called so, say its name here with `servers:` beside the file",
  role: "write the name of one role as it stands where the role is declared",
};
const NO_PATTERN = "in a pattern write letters, digits, `-` and `_`, and `*` for anything else";

/** What the file says of servers and roles that others declare. */
function meaning({ meant, meantBy }: Pick<Naming, "meant" | "meantBy">, refuse: Translation["refuse"]) {
  const nameMeant = (kind: Kind, theirs: string, written: KeyPath): string | undefined => {
    const name = meant(kind, theirs);
    if (name === undefined) refuse(written, `\`${theirs}\` as the name of a ${kind}`, NO_NAME[kind]);
    return name;
  };
  const serversMeant: Translation["serversMeant"] = (theirs, written) => {
    if (!isGlob(theirs)) return [nameMeant("server", theirs, written) ?? []].flat();
    const names = meantBy(theirs);
    if (names.length === 0) refuse(written, `\`${theirs}\` as a pattern over servers`, NO_PATTERN);
    return names;
  };
  return { nameMeant, serversMeant };
}

interface SameName {
  readonly one: string;
  readonly other: string;
  readonly name: string;
}

type Naming = ReturnType<typeof naming>;

/** What servers and roles of one file are called here. `sayTaken`: two of its names come to one of ours. */
function naming(servers: Renaming["servers"], sayTaken: (written: KeyPath, names: SameName) => void) {
  const taken: Readonly<Record<Kind, Map<string, string>>> = { server: new Map(), role: new Map() };
  const used = new Set<string>();
  const renamed = (kind: Kind, theirs: string): string | undefined => {
    used.add(theirs);
    return kind === "server" && Object.hasOwn(servers, theirs) ? servers[theirs] : undefined;
  };
  const meant = (kind: Kind, theirs: string): string | undefined =>
    renamed(kind, theirs) ?? (isName(theirs) ? slug(theirs) : undefined);
  const meantBy = (pattern: string): readonly string[] => {
    if (!PLAIN_PATTERN.test(pattern)) return [];
    const glob = pattern.toLowerCase();
    const matches = globMatcher(glob);
    const found = Object.keys(servers).filter((theirs) => matches(theirs.toLowerCase()));
    return [glob, ...found.flatMap((theirs) => renamed("server", theirs) ?? [])];
  };
  const named = (kind: Kind, theirs: string, written: KeyPath): string => {
    const name = renamed(kind, theirs) ?? slug(theirs);
    const other = taken[kind].get(name);
    if (other !== undefined && other !== theirs) sayTaken(written, { one: theirs, other, name });
    taken[kind].set(name, theirs);
    return name;
  };
  const ours = () => new Map([...taken.server].map(([name, theirs]) => [theirs, name] as const));
  return { meant, meantBy, named, ours, unused: () => Object.keys(servers).filter((theirs) => !used.has(theirs)) };
}

function stemOf(file: string): string {
  const [name = file, folder = ""] = file.split("/").toReversed();
  const stem = name.replace(/(?<=.)\.[^.]*$/, "");
  return folder !== "" && /^(?:agent|skill|index|readme)$/i.test(stem) ? folder : stem;
}

/** Whatever may be declared may be meant, but for signs that say something else: all but one, a pattern, several. */
function isName(theirs: string): boolean {
  return /[\p{L}\p{N}_]/u.test(theirs) && !NEGATES.test(theirs) && !/[*?[\]{}|,;]|-\s*$/.test(theirs);
}
/** Before the first letter, where a name of ours has none of them either. */
const NEGATES = /^[^\p{L}\p{N}_]*[!~^#/\\\p{Pd}\p{Sm}]/u;
/** Of which each part is in the letters of our names, so that what it finds is what was meant. */
const PLAIN_PATTERN = /^[A-Za-z0-9_*?-]+$/;

/** Lists grow by one item at a time. A map that is there already is kept. */
function setIn(root: JsonObject, path: KeyPath, value: JsonValue): void {
  let around: JsonValue = root;
  path.forEach((step, i) => {
    const isLast = i === path.length - 1;
    // Two names that come to one were said to; what the second says finds no place.
    if (!isObject(around) && !Array.isArray(around)) return;
    const next = Array.isArray(around) ? around[step as number] : (around as JsonObject)[step];
    if (isLast && isObject(value) && isObject(next) && Object.keys(value).length === 0) return;
    const child: JsonValue = isLast ? value : (next ?? (typeof path[i + 1] === "number" ? [] : {}));
    if (Array.isArray(around)) around[step as number] = child;
    else define(around as JsonObject, String(step), child);
    around = child;
  });
}

/** `__proto__` is a name like others. */
function define(map: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
}
