import { commandWords } from "../base/command-words.ts";
import { listText } from "../base/flow-yaml.ts";
import { within, type Place } from "../base/place.ts";
import { PROJECT_FILE } from "../base/project-layout.ts";
import type { CaseOf, Report } from "../diagnostics/report.ts";
import {
  downloadedBy,
  hasVersion,
  runnerOf,
  withoutVersion,
  type Downloaded,
  type Runner,
} from "../base/package-runner.ts";
import type { Model, Transport } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** Servers that a package runner downloads: which version, and may it stop to ask? And commands that are no program, rolecall's own too. */
export const checkPackages: Check = ({ model }, report) => {
  checkProgram(model.project.serve.command, { file: PROJECT_FILE, path: ["serve", "command", 0] }, report);
  for (const server of model.servers)
    for (const transport of server.connect) if (transport.kind === "stdio") checkCommand(transport, model, report);
};

type Stdio = Transport & { kind: "stdio" };

function checkCommand(transport: Stdio, { installed }: Model, report: Report): void {
  const words = transport.command.map((template) => template.written);
  checkProgram(words, within(transport.place, "stdio", 0), report);
  const runner = runnerOf(words);
  const found = runner && downloadedBy(words);
  if (!found) return;
  const place = within(transport.place, "stdio", found.index);
  if (!hasVersion(found.name, runner))
    report.add("server/unpinned-package", place, { package: found.name, ...pinFor(found, runner, installed) });
  const asks = runner.asks && !words.slice(1, found.end).some((word) => word === "-y" || word === "--yes");
  if (asks) report.add("server/npx-may-prompt", place, { package: found.name });
}

/** A package is named only where its name was read: what stands there alone may be a command of another package. */
function pinFor(
  found: Downloaded,
  runner: Runner,
  installed: Model["installed"],
): CaseOf<"server/unpinned-package", "package"> {
  const name = withoutVersion(found.name);
  const known = installed.get(name);
  const isPackage = found.isOption || name.startsWith("@");
  const pin = (packageName: string, version = "<version>") => `${packageName}${runner.version}${version}`;
  if (known && (isPackage || known.name === name)) return { case: "installed", pinned: pin(name, known.version) };
  if (known) return { case: "brings-it", pinned: `${runner.option}=${pin(known.name, known.version)}` };
  if (isPackage) return { case: "package", pinned: pin(name) };
  return { case: "command", pinned: `${runner.option}=${pin("<name>")}`, name };
}

/** A program is one word. Paths may have spaces, so only what can't be one is said. */
function checkProgram([program = "", ...more]: readonly string[], place: Place, report: Report): void {
  const words = commandWords(program);
  const isPath = /[\\/]/.test(words[0] ?? "") && !words.some((word) => word.startsWith("-"));
  if (words.length > 1 && !isPath)
    report.add("server/command-in-one", place, {
      program,
      suggestion: listText([...words, ...more]),
    });
}
