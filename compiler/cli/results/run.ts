import { existsSync } from "node:fs";
import path from "node:path";
import { visible } from "../../base/visible.ts";
import { createReport } from "../../diagnostics/report.ts";
import { renderJson } from "../../diagnostics/render-json.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import type { Plan } from "../../3-plan/types.ts";
import { withValueAt } from "../../5-artifacts/managed/yaml-source.ts";
import { plainBytes } from "../../io/bytes.ts";
import { keyLibraries, resultLibraries } from "../../io/libraries.ts";
import { loadModule } from "../../io/read/load-module.ts";
import { writeFiles } from "../../io/write/write-files.ts";
import { readResults } from "../../results/read-results.ts";
import type { ReadResults } from "../../results/types.ts";
import { EXIT, printJson, styleOf, tell, wrongUsage, type Context } from "../command.ts";
import { resultsJson } from "./json.ts";
import { problemLines, resultsPage, wrotePage } from "./page.ts";

export interface ResultOptions {
  /** As it was typed: relative to where the command was called. */
  readonly module: string;
  readonly server: string | undefined;
  readonly write: boolean;
}

/** Everything heavy of `rolecall results`. */
export async function readModule(context: Context, options: ResultOptions): Promise<number> {
  const { terminal, dir, engine } = context;
  const file = path.resolve(terminal.cwd, options.module);
  const shown = `\`${visible(options.module)}\``;
  if (!existsSync(file)) return wrongUsage(terminal, `${shown} isn't there`, "name a JavaScript module");
  if (/\.[cm]?tsx?$/.test(file))
    return wrongUsage(terminal, "TypeScript isn't loaded", "build it to JavaScript first, and name what was made");
  const { plan, diagnostics } = await engine.compile(dir);
  const noProject = diagnostics.filter(({ code }) => code === "source/no-project");
  if (noProject.length > 0) return fail(context, noProject);
  terminal.runsUserCode?.();
  const exported = await exportsOf(file, options.module);
  if ("why" in exported) return say(context, exported.why);
  const read = readResults(exported.exports, ownersIn(plan, options.server), resultLibraries(file));
  if (read.results.length + read.problems.length === 0) return say(context, `${shown} exports no schema of Zod`);
  const wrote = options.write ? await writeResults(context, plan, read, diagnostics) : [];
  if (wrote === undefined) return EXIT.errors;
  show(context, read, options.write, wrote);
  return read.problems.length === 0 ? EXIT.fine : EXIT.errors;
}

function ownersIn({ servers }: Plan, server: string | undefined): Parameters<typeof readResults>[1] {
  const only = servers.length === 1 ? servers[0]!.name : undefined;
  const known = servers.map(({ name, manifest, tools }) => {
    const promising = tools.map((tool) => [tool.name, { promises: tool.resultFrom === "server" }] as const);
    return [name as string, manifest && new Map<string, { promises: boolean }>(promising)] as const;
  });
  return { server: server ?? only, known: new Map(known) };
}

function show(context: Context, read: ReadResults, isToWrite: boolean, wrote: readonly string[]): void {
  const { out, err } = context.terminal;
  if (context.json) return printJson(context, resultsJson(read, wrote));
  err.write(problemLines(read, styleOf(context, err), context.quiet));
  if (wrote.length > 0) tell(context, wrotePage(read, wrote));
  else if (isToWrite) err.write("nothing was written\n");
  else if (read.results.length > 0) out.write(resultsPage(read.results));
}

async function exportsOf(
  file: string,
  shown: string,
): Promise<{ readonly exports: object } | { readonly why: string }> {
  try {
    return { exports: await loadModule(file) };
  } catch (error) {
    return { why: `\`${shown}\` can't be loaded: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** All files or none; the paths that were written. A project that would have an error more is left as it is. */
async function writeResults(
  context: Context,
  plan: Plan,
  { results, problems }: ReadResults,
  before: readonly Diagnostic[],
): Promise<readonly string[] | undefined> {
  if (problems.length > 0) return [];
  const { dir, engine } = context;
  const texts = editedSources(dir, plan, results);
  if (typeof texts === "string")
    return void say(
      context,
      `\`${texts}\` isn't written so that it can be edited: put what is printed without --write there`,
    );
  const known = new Set(before.map(({ code, says }) => `${code} ${says}`));
  const { diagnostics } = await engine.compile(dir, texts);
  const fresh = diagnostics.filter(({ severity, code, says }) => severity === "error" && !known.has(`${code} ${says}`));
  if (fresh.length > 0) return void fail(context, fresh);
  const report = createReport(() => undefined);
  const files = [...texts].map(([file, text]) => ({ path: file, text }));
  if (!writeFiles(dir, files, report)) return void fail(context, report.sorted());
  return [...texts.keys()];
}

/** By path; or the path of one that can't be edited. */
function editedSources(dir: string, plan: Plan, results: ReadResults["results"]): ReadonlyMap<string, string> | string {
  const texts = new Map<string, string>();
  for (const { server, tool, schema } of results) {
    const { file, path: at } = plan.servers.find(({ name }) => name === server)!.place;
    const text = texts.get(file) ?? plainBytes(path.join(dir, file)).toString("utf8");
    const isSource = /\.ya?ml$/.test(file) && at.length === 2 && at[0] === "servers";
    const wanted = ["servers", server, "results", tool];
    const edited = isSource ? withValueAt(text, wanted, schema, keyLibraries().yaml()) : undefined;
    if (edited === undefined) return file;
    texts.set(file, edited);
  }
  return texts;
}

function say({ terminal }: Context, sentence: string): number {
  terminal.err.write(`rolecall: ${visible(sentence)}\n`);
  return EXIT.errors;
}

function fail(context: Context, diagnostics: readonly Diagnostic[]): number {
  const { out, err } = context.terminal;
  if (context.json) out.write(renderJson(diagnostics));
  else err.write(renderText(diagnostics, styleOf(context, err)));
  return EXIT.errors;
}
