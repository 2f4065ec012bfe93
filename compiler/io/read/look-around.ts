import { existsSync } from "node:fs";
import path from "node:path";
import { dependsOn } from "../../base/depends-on.ts";
import { isObject, type JsonObject } from "../../base/json.ts";
import type { FoundFolder, FoundFormatter, FoundHost } from "../../first-project/types.ts";
import { DEFAULTS } from "../../base/project-layout.ts";
import type { HostFacts } from "../../4-fit/types.ts";
import { readPlainText } from "../bytes.ts";
import { mergedNames } from "./merged-names.ts";
import { ownVersion } from "./own-version.ts";
import { readTypeScriptSetup } from "./typescript-setup.ts";

export interface Around extends Omit<FoundFolder, "foreign" | "leftAlone" | "passedBy" | "skillFolders"> {
  readonly packageText: string | undefined;
}

/** How the team of a folder works, by its files. Nothing in it is run. */
export function lookAround(dir: string, hosts: readonly HostFacts[]): Around {
  const packageText = textOf(path.join(dir, "package.json"));
  const manifest = packageText === undefined ? undefined : jsonOf(packageText);
  const found = hosts.flatMap((host) => foundHost(host, dir, manifest).map((one) => ({ host, one })));
  return {
    name: path.basename(path.resolve(dir)) || "project",
    manifest,
    packageText,
    hosts: found.map(({ one }) => one),
    agents: new Set(found.flatMap(({ host }) => agentsOf(host, dir))),
    formatters: formattersIn(dir, manifest),
    ignores: ignoresIn(dir),
    typescript: readTypeScriptSetup(dir, DEFAULTS),
    own: ownVersion(),
  };
}

function agentsOf({ merges = [] }: HostFacts, dir: string): string[] {
  return mergedNames(dir, merges).found.flatMap(({ of, name }) => (of === "agents" ? (name ?? []) : []));
}

function foundHost(
  { id, title, signs, places, abilities }: HostFacts,
  dir: string,
  manifest: JsonObject | undefined,
): FoundHost[] {
  const file = signs?.files?.find((one) => existsSync(path.join(dir, one)));
  const used = signs?.package !== undefined && dependsOn(manifest, signs.package) ? signs.package : undefined;
  const sign = file ?? used;
  const written = [
    ...(places?.shared ?? []).filter((one) => one.startsWith(".mcp/")),
    ...(places?.keyed ?? []).flatMap((one) => one.written ?? []),
  ];
  return sign === undefined ? [] : [{ id, title, sign, written, needsRole: !abilities.roles }];
}

/** A file of ours in place of one that can't be read would lose what stands there. */
function ignoresIn(dir: string): Around["ignores"] {
  const file = path.join(dir, ".gitignore");
  const text = textOf(file);
  if (text !== undefined) return { text };
  return existsSync(path.join(dir, ".git")) && !existsSync(file) ? { text } : undefined;
}

function formattersIn(dir: string, manifest: JsonObject | undefined): FoundFormatter[] {
  const there = (...names: string[]): string | undefined => names.find((name) => existsSync(path.join(dir, name)));
  const found: FoundFormatter[] = [];
  const withText = (kind: FoundFormatter["kind"], file: string): void =>
    void found.push({ kind, file, text: textOf(path.join(dir, file)) });
  const hasPrettier = there(
    ".prettierrc",
    ".prettierrc.json",
    ".prettierrc.yaml",
    "prettier.config.js",
    "prettier.config.mjs",
    ".prettierignore",
  );
  if (hasPrettier !== undefined || dependsOn(manifest, "prettier")) withText("prettier", ".prettierignore");
  const biome = there("biome.json", "biome.jsonc");
  if (biome !== undefined) withText("biome", biome);
  if (there("eslint.config.js", "eslint.config.mjs", "eslint.config.ts") !== undefined)
    found.push({ kind: "eslint", file: undefined, text: undefined });
  return found;
}

const LARGEST = 5_000_000;

function textOf(file: string): string | undefined {
  return readPlainText(file, LARGEST);
}

function jsonOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
