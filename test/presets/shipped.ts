import { parse } from "yaml";
import { readShipped } from "../../compiler/io/read/shipped-presets.ts";
import type { Preset, Restriction } from "../../schemas/types.ts";
import type { KnownServer } from "./known-tools.ts";

/** What the presets of the package name, held against what servers have. */

export interface RealTool {
  readonly name: string;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly arguments: readonly string[];
}

export const SERVERS: ReadonlyMap<string, { readonly text: string; readonly preset: Preset }> = new Map(
  readShipped()
    .filter(({ kind }) => kind === "server")
    .map(({ name, text }) => [name, { text, preset: parse(text) as Preset }]),
);

export const ROLES: ReadonlyMap<string, string> = new Map(
  readShipped()
    .filter(({ kind }) => kind === "role")
    .map(({ name, text }) => [name, text]),
);

export function toolsOf({ tools }: KnownServer): RealTool[] {
  return wordsOf(tools).map((word) => {
    const [, mark, name, args = ""] = /^([?!]?)([^(]+)(?:\((.*)\))?$/.exec(word)!;
    return {
      name: name!,
      readOnly: mark === "?",
      destructive: mark === "!",
      arguments: args.split(",").filter((argument) => argument !== ""),
    };
  });
}

export function wordsOf(text = ""): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** A manifest with nothing in it but what was known. */
export function manifestOf(server: string, tools: readonly RealTool[]): string {
  return JSON.stringify({
    server,
    tools: tools.map(({ name, readOnly, destructive, arguments: args }) => ({
      name,
      inputSchema: { type: "object", properties: Object.fromEntries(args.map((one) => [one, { type: "string" }])) },
      annotations: { readOnlyHint: readOnly, destructiveHint: destructive },
    })),
  });
}

interface Named {
  readonly where: string;
  readonly name: string;
  readonly optional: boolean;
}

/** Every tool that a preset names in scopes, labels and its ceiling. */
export function namedIn({ server }: Preset): Named[] {
  const { scopes, labels, tools } = server;
  const ceiling = typeof tools === "object" && !Array.isArray(tools) ? { tools: tools.exclude ?? [] } : {};
  return [
    ...listsOf("scopes", scopes as Lists),
    ...listsOf("labels", (labels ?? {}) as Lists),
    ...listsOf("ceiling", ceiling as Lists),
  ];
}

type Lists = Readonly<Record<string, readonly Restriction[]>>;

function listsOf(kind: string, lists: Lists): Named[] {
  return Object.entries(lists).flatMap(([key, list]) =>
    list.map((item) => ({
      where: `${kind} ${key}`,
      name: typeof item === "string" ? item : "optional" in item ? item.optional : item.absent,
      optional: typeof item !== "string",
    })),
  );
}

/** What is wrong with a preset against the tools of its server, in sentences. */
export function faultsOf(preset: Preset, tools: readonly RealTool[], elsewhere: readonly string[]): string[] {
  const real = new Map(tools.map((tool) => [tool.name, tool]));
  const named = namedIn(preset);
  const scoped = new Set(named.filter(({ where }) => where.startsWith("scopes")).map(({ name }) => name));
  const hints = Object.entries(preset.server.hints ?? {});
  return [
    ...named
      .filter(({ name, optional }) => !real.has(name) && !(optional && elsewhere.includes(name)))
      .map(({ where, name }) => `${where}: the server has no ${name}`),
    ...named.filter(({ name }) => !scoped.has(name)).map(({ where, name }) => `${where}: ${name} is in no scope`),
    ...tools.filter(({ name }) => !scoped.has(name)).map(({ name }) => `no scope covers ${name}`),
    ...hints.filter(([name]) => !real.has(name)).map(([name]) => `hints: the server has no ${name}`),
    ...hints
      .filter(([name, said]) => saysNothing(said, real.get(name)))
      .map(([name]) => `hints: nothing new of ${name}`),
  ];
}

function saysNothing(said: Readonly<Record<string, boolean | undefined>>, tool: RealTool | undefined): boolean {
  if (tool === undefined) return false;
  const known: Readonly<Record<string, boolean>> = { readOnly: tool.readOnly, destructive: tool.destructive };
  return Object.entries(said).every(([hint, value]) => known[hint] === value);
}
