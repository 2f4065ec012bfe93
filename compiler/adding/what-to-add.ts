import { nearest } from "../base/nearest.ts";
import { hasVersion, runnerOf, withoutVersion } from "../base/package-runner.ts";
import { visible } from "../base/visible.ts";
import { serverNameOf } from "./server-entry.ts";
import type { KnownPreset, NotToAdd, PackageToAdd, ToAdd } from "./types.ts";

/** What somebody means who types `rolecall add WORD`. A name that looks like a preset's is never taken for a package. */
export function whatToAdd(word: string, presets: readonly KnownPreset[]): ToAdd | NotToAdd {
  if (/^https?:\/\//i.test(word)) return { kind: "url", url: word };
  const [, runner, named] = /^(npx|uvx):(.*)$/s.exec(word) ?? [];
  if (runner !== undefined) return packageOf(named!, runner as PackageToAdd["runner"], word);
  const preset = presets.find(({ name }) => name === word);
  if (preset?.kind === "role")
    return { problem: `\`${word}\` is a role`, next: `rolecall presets ${word} --copy puts it into the project` };
  if (preset) return { kind: "preset", name: preset.name };
  const servers = presets.filter(({ kind }) => kind === "server");
  const near = presetFor(word, servers);
  if (near === undefined) return packageOf(word, "npx", word);
  return {
    problem: `there is no preset \`${visible(word)}\`; did you mean \`${near}\`?`,
    next: `rolecall add ${near}, or, for the npm package of that name, rolecall add npx:${visible(word)}`,
  };
}

function presetFor(word: string, presets: readonly KnownPreset[]): string | undefined {
  const bare = withoutVersion(word);
  const names = presets.map(({ name }) => name);
  const knowing = presets.find(({ packages }) => packages.includes(bare));
  return knowing?.name ?? nearest(bare, names) ?? names.find((name) => name === serverNameOf(bare));
}

/** Neither begins as an option does, nor names a place instead of a package. */
const PACKAGE = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;
const VERSION = /^[a-z0-9.^~<>=*+][a-z0-9.^~<>=*+-]*$/i;

function packageOf(named: string, runner: PackageToAdd["runner"], word: string): ToAdd | NotToAdd {
  const name = withoutVersion(named);
  const version = named.slice(name.length).replace(/^(?:==|@)/, "");
  if (!PACKAGE.test(name) || (version !== "" && !VERSION.test(version)))
    return {
      problem: `\`${visible(word)}\` is no preset, package or URL`,
      next: "rolecall presets lists the presets; a package is written npx:some-server or uvx:some-server==1.2.3",
    };
  const isExact = version !== "" && hasVersion(`${name}@${version}`, runnerOf(["npx"])!);
  if (runner === "uvx" && !isExact)
    return {
      problem: `\`${visible(named)}\` names no version, and what is newest changes`,
      next: `rolecall add uvx:${visible(name)}==1.2.3, with the version that you want`,
    };
  return { kind: "package", runner, name, version: version === "" ? undefined : version, isExact };
}
