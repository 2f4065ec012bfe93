import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import * as jsonc from "jsonc-parser";
import * as yaml from "yaml";
import { type Change, withKeys } from "../../../compiler/5-artifacts/managed/keys.ts";
import { createReport } from "../../../compiler/diagnostics/report.ts";
import { textOfPath } from "../../../compiler/base/path-text.ts";
import type { BrokenKeys, KeyLibraries } from "../../../compiler/5-artifacts/managed/types.ts";
import type { ManagedKey, ManagedKeys } from "../../../compiler/5-artifacts/types.ts";
import type { JsonValue } from "../../../compiler/base/json.ts";

export const libraries: KeyLibraries = { jsonc: () => jsonc, yaml: () => yaml };
export const nothing: ReadonlySet<string> = new Set();
/** What a list names after a build of these keys. */
export const listed = ({ keys }: ManagedKeys): ReadonlySet<string> => new Set(keys.map(({ at }) => textOfPath(at)));

/** `a/b`: the key `b` in `a`. */
export const key = (at: string, value: JsonValue): ManagedKey => ({ at: at.split("/"), value });
/** The text below front matter. */
export const body = (text: string): ManagedKey => ({ at: [], value: text });
export const inJson = (...keys: ManagedKey[]): ManagedKeys => ({ path: ".mcp.json", format: "json", keys });
export const inHeader = (...keys: ManagedKey[]): ManagedKeys => ({
  path: ".claude/agents/a.md",
  format: "front-matter",
  keys,
});

/** Throws what stands in the way. */
export function put(text: string | undefined, keys: ManagedKeys, ours = nothing, loaded = libraries): Change {
  const { change, problem, taken } = withKeys(text, keys, ours, loaded, allHosts([]));
  if (!change) throw new Error(problem ? sentenceOf(problem, keys.path) : JSON.stringify(taken));
  return change;
}

function sentenceOf(problem: BrokenKeys, file: string): string {
  const report = createReport(() => undefined);
  report.add("output/broken-keys", undefined, { file, ...problem });
  return report.sorted()[0]!.says;
}
