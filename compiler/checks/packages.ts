import { commandWords } from "../base/command-words.ts";
import { listText } from "../base/flow-yaml.ts";
import { within } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Transport } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** Servers that a package runner downloads: which version, and may it stop to ask? And commands that are no program. */
export const checkPackages: Check = ({ model }, report) => {
  for (const server of model.servers)
    for (const transport of server.connect) if (transport.kind === "stdio") checkCommand(transport, report);
};

const RUNNERS: Readonly<Record<string, { readonly asks: boolean; readonly version: "@" | "==" }>> = {
  npx: { asks: true, version: "@" },
  bunx: { asks: false, version: "@" },
  uvx: { asks: false, version: "==" },
};

/** Options of the runners that take the next argument with them, or name the package themselves. */
const NAMES_PACKAGE = new Set(["-p", "--package", "--from"]);

function checkCommand(transport: Transport & { kind: "stdio" }, report: Report): void {
  const words = transport.command.map((template) => template.written);
  checkProgram(words, transport, report);
  const runner = RUNNERS[(words[0] ?? "").replace(/^.*[\\/]/, "").replace(/\.(cmd|exe)$/, "")];
  const found = runner && findPackage(words);
  if (!found) return;
  const { name, index } = found;
  const place = within(transport.place, "stdio", index);
  if (!hasVersion(name, runner.version)) {
    const suggestion =
      runner.version === "@" ? `\`${withoutVersion(name)}@<version>\`` : `\`${withoutVersion(name)}==<version>\``;
    report.add("server/unpinned-package", place, { package: name, suggestion });
  }
  const asks = runner.asks && !words.slice(1, index).some((word) => word === "-y" || word === "--yes");
  if (asks) report.add("server/npx-may-prompt", place, { package: name });
}

/** A program is one word. Paths may have spaces, so only what can't be one is said. */
function checkProgram([program = "", ...more]: readonly string[], { place }: Transport, report: Report): void {
  const words = commandWords(program);
  const isPath = /[\\/]/.test(words[0] ?? "") && !words.some((word) => word.startsWith("-"));
  if (words.length > 1 && !isPath)
    report.add("server/command-in-one", within(place, "stdio", 0), {
      program,
      suggestion: listText([...words, ...more]),
    });
}

function findPackage(words: readonly string[]): { name: string; index: number } | undefined {
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    const assigned = /^--(?:package|from)=(.+)$/.exec(word)?.[1];
    if (assigned !== undefined) return { name: assigned, index: i };
    if (NAMES_PACKAGE.has(word)) return words[i + 1] === undefined ? undefined : { name: words[i + 1]!, index: i + 1 };
    if (!word.startsWith("-")) return word.includes("${") ? undefined : { name: word, index: i };
  }
  return undefined;
}

/** One exact version: a tag such as `latest` or a range is whatever is newest. */
function hasVersion(name: string, separator: "@" | "=="): boolean {
  const version = separator === "==" && name.includes("==") ? name.split("==")[1] : name.slice(1).split("@")[1];
  return (
    version !== undefined &&
    /^v?\d+(\.\d+)*([-+.]?[0-9A-Za-z.-]+)?$/.test(version) &&
    !/[xX*]$/.test(version) &&
    /\d+\.\d+/.test(version)
  );
}

function withoutVersion(name: string): string {
  return name.split("==")[0]!.replace(/(.)@.*$/, "$1");
}
