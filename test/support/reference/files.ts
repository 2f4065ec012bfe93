// The second opinion's own way of reading a project: docs/language.md, files.
import { parse } from "yaml";
import { pathMatches } from "./conditions.ts";
import { asList, own } from "./shapes.ts";
import type { Invariant, Policy, Preset, Role, Server, Source, Tool } from "./shapes.ts";

export interface ReferenceProject {
  readonly servers: ReadonlyMap<string, Server>;
  readonly roles: ReadonlyMap<string, Role>;
  readonly policies: readonly Policy[];
  readonly invariants: readonly Invariant[];
  readonly presets: ReadonlyMap<string, Preset>;
  readonly manifests: ReadonlyMap<string, readonly Tool[]>;
  /** Whose word classes go by; left out: the author's over the server's. */
  readonly judging?: "server" | "preset" | "author" | "anybody" | "everybody";
  /** The invariant that is looked at comes from a guard, and is of this kind. */
  readonly guarded?: "can" | "another" | undefined;
}
type Files = Readonly<Record<string, string>>;

export function readReference(files: Files): ReferenceProject {
  const main = readSource(files, "rolecall.yaml");
  const folder = (main.folder ?? "mcp").replace(/^\.\//, "").replace(/\/$/, "");
  // All source files together are one program.
  const paths = new Set(["rolecall.yaml", ...Object.keys(files).filter((path) => isSource(folder, path))]);
  const sources = [...paths].sort().map((path) => readSource(files, path));
  // Guards: policies and invariants only.
  const guards = Object.keys(files).filter((path) => !paths.has(path) && isGuard(asList(main.guards), path));
  const binding = [...sources, ...guards.sort().map((path) => guarding(readSource(files, path)))];
  const presets = readFolder<Preset>(files, `${folder}/presets`, /\.ya?ml$/, (text) => parse(text) as Preset);
  const servers = new Map(sources.flatMap((source) => Object.entries(source.servers ?? {})));
  const used = [...presets].filter(([id]) => [...servers.values()].some((server) => server.preset === id));
  return {
    servers,
    roles: new Map(sources.flatMap((source) => Object.entries(source.roles ?? {}))),
    policies: [
      ...binding.flatMap((source) => source.policies ?? []),
      ...used.flatMap(([id, preset]) => (preset.policies ?? []).map((policy) => ({ ...policy, from: id }))),
    ],
    invariants: binding.flatMap((source) => source.invariants ?? []),
    presets,
    manifests: readFolder(
      files,
      `${folder}/manifests`,
      /\.json$/,
      (text) => (JSON.parse(text) as { tools: Tool[] }).tools,
    ),
  };
}

function guarding(source: Source): Source {
  const marked = <Rule extends object>(rules: readonly Rule[] | undefined): readonly (Rule & { guard: true })[] =>
    (rules ?? []).map((rule) => ({ ...rule, guard: true }));
  return { ...source, policies: marked(source.policies), invariants: marked(source.invariants) };
}

/** YAML 1.2 core and JSON. */
function readSource(files: Files, path: string): Source {
  const text = own(files, path) ?? "{}";
  return ((path.endsWith(".json") ? JSON.parse(text) : parse(text, { schema: "core" })) ?? {}) as Source;
}

/** Sources are mcp/**\/*.{yaml,yml,json}; manifests, presets, hosts and schema lie there too and aren't sources. */
function isSource(folder: string, path: string): boolean {
  const inside = folder === "." ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
  if (inside === undefined || !/\.(yaml|yml|json)$/.test(inside)) return false;
  return !/^(manifests|presets|hosts|schema)\//.test(inside);
}

function isGuard(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => pathMatches(glob.replaceAll("\\", "/").replace(/^\.\//, "").split("/"), path.split("/")));
}

/** File name without its ending -> what it holds. */
function readFolder<T>(files: Files, folder: string, ending: RegExp, read: (text: string) => T): Map<string, T> {
  const inside = folder.replace(/^\.\//, "");
  const names = Object.keys(files).filter((path) => path.startsWith(`${inside}/`) && ending.test(path));
  return new Map(names.map((path) => [path.slice(inside.length + 1).replace(ending, ""), read(files[path] ?? "")]));
}
