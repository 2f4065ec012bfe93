import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import type { Server } from "../../3-plan/types.ts";
import type { Preset, Restriction, RoleBlock } from "../../../schemas/types.ts";

/** A preset of a server with what the compiler made of it, or a role. */
export interface PresetShown {
  readonly name: string;
  readonly text: string;
  readonly preset: Preset;
  readonly server: Server;
}
export interface RoleShown {
  readonly name: string;
  readonly text: string;
  readonly role: RoleBlock;
}
export interface Gallery {
  readonly presets: readonly PresetShown[];
  readonly roles: readonly RoleShown[];
}

export interface ScopeShown {
  readonly name: string;
  readonly tools: readonly { readonly name: string; readonly optional: boolean }[];
}

export function scopesOf({ server }: Preset): ScopeShown[] {
  const { scopes } = server;
  if (scopes === undefined || Array.isArray(scopes)) return [];
  return Object.entries(scopes as Readonly<Record<string, readonly Restriction[]>>).map(([name, list]) => ({
    name,
    tools: list.map((item) => ({ name: nameIn(item), optional: typeof item !== "string" })),
  }));
}

export function labelsOf({ server }: Preset): [label: string, tools: string[]][] {
  return Object.entries(server.labels ?? {}).map(([label, list]) => [label, list.map(nameIn)]);
}

function nameIn(item: Restriction): string {
  if (typeof item === "string") return item;
  return "optional" in item ? item.optional : item.absent;
}

export function notesOf({ notes }: Preset): readonly string[] {
  return [notes ?? []].flat();
}

export function serversOf({ role }: RoleShown): string[] {
  return Object.keys(role.tools ?? {});
}

/** Those in which each of the words is found, in whatever order. */
export function fitting({ presets, roles }: Gallery, words: readonly string[]): Gallery {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/)).filter((word) => word !== "");
  const fits = (said: readonly string[]) => {
    const all = said.join("\n").toLowerCase();
    return wanted.every((word) => all.includes(word));
  };
  return {
    presets: presets.filter((one) => fits(saidOf(one))),
    roles: roles.filter((one) => fits([one.name, one.role.description ?? "", ...serversOf(one)])),
  };
}

function saidOf({ name, preset }: PresetShown): string[] {
  const { title, description, variables, verified } = preset;
  return [
    ...[name, title, description, verified?.name].flatMap((text) => text ?? []),
    ...(variables ?? []).flatMap((variable) => [variable.name, ...(variable.also ?? [])]),
    ...scopesOf(preset).flatMap((scope) => [scope.name, ...scope.tools.map((tool) => tool.name)]),
    ...labelsOf(preset).map(([label]) => label),
  ];
}

/** Others that are about the same thing: they name it. */
export function seeAlso({ name }: PresetShown, { presets }: Gallery): PresetShown[] {
  const about = ({ preset, name: other }: PresetShown) =>
    `${other} ${preset.title} ${preset.description}`.toLowerCase();
  return presets.filter((other) => other.name !== name && about(other).includes(name));
}

/** Keys at which two documents say something else, `server.limits.timeout`; none when they say the same. */
export function differences(theirs: JsonValue, ours: JsonValue): string[] {
  if (!isObject(theirs) || !isObject(ours)) return JSON.stringify(theirs) === JSON.stringify(ours) ? [] : [""];
  const keys = sorted(new Set([...Object.keys(theirs), ...Object.keys(ours)]));
  return keys.flatMap((key) => differencesAt(key, theirs, ours));
}

function differencesAt(key: string, theirs: JsonObject, ours: JsonObject): string[] {
  const [one, other] = [own(theirs, key), own(ours, key)];
  if (one === undefined || other === undefined) return [key];
  return differences(one, other).map((below) => (below === "" ? key : `${key}.${below}`));
}

/**
 * The text of a role with the entries of some servers as comments: a role that names a server which isn't declared is an
 * error. It knows the shape that our roles have, `tools:` at four spaces and its servers at six, and nothing else.
 */
export function withoutServers(text: string, servers: ReadonlySet<string>): string {
  let key = "";
  let server = "";
  const kept = new Set<string>();
  const lines = text.split("\n").map((line) => {
    key = /^ {4}(\w+):/.exec(line)?.[1] ?? key;
    if (key !== "tools" || !line.startsWith("      ")) return line;
    server = /^ {6}([a-z][a-z0-9_-]*):/.exec(line)?.[1] ?? server;
    if (servers.has(server)) return line.replace("      ", "      # ");
    kept.add(server);
    return line;
  });
  return lines.map((line) => (kept.size === 0 && line === "    tools:" ? "    # tools:" : line)).join("\n");
}
