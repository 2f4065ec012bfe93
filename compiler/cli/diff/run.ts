import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { visible } from "../../base/visible.ts";
import { compile } from "../../compile.ts";
import { compare, type ComparedAccess, type HostSettings } from "../../diff/compare.ts";
import { describe } from "../../diff/describe.ts";
import { memoryFiles } from "../../1-source/memory-files.ts";
import { accessOf, type Access } from "../../3-plan/access.ts";
import { readAccess } from "../../3-plan/read-access.ts";
import type { Plan } from "../../3-plan/types.ts";
import { allTargets } from "../../5-artifacts/targets.ts";
import { schemaJudge } from "../../io/ask/runtime-judges.ts";
import { lazyLibraries } from "../../io/libraries.ts";
import { filesAt, revisionOf, type NoRevision } from "../../io/read/git.ts";
import { openProject } from "../../io/read/project-files.ts";
import { readResources } from "../../io/read/resources.ts";
import { DEFAULTS, PROJECT_FILE } from "../../base/project-layout.ts";
import type { SourceFiles } from "../../1-source/types.ts";
import { EXIT, printJson, say, styleOf, type Context } from "../command.ts";
import { wholeProject } from "../whole-project.ts";
import { asideSince } from "./aside.ts";
import { differenceJson } from "./json.ts";
import { differencePage } from "./page.ts";
import { differenceMarkdown } from "./markdown-page.ts";

export interface DiffOptions {
  readonly base: string | undefined;
  readonly failOn: "widens" | "changed" | undefined;
  readonly markdown: boolean;
  readonly digest: boolean;
}

/** Everything heavy of `rolecall diff`. */
export async function compareWith(context: Context, options: DiffOptions): Promise<number> {
  const { terminal, dir } = context;
  const now = await wholeProject(context);
  if (now === undefined) return EXIT.errors;
  const base = baseOf(options.base, terminal.cwd, dir);
  if ("problem" in base) {
    say(terminal, `can't compare: ${visible(base.problem)}`, visible(base.next));
    return EXIT.couldNotCheck;
  }
  const satisfies = await schemaJudge();
  const difference = compare(comparedOf(base), { ...accessOf(now.plan), hosts: hostsOf(now.plan) }, satisfies);
  const described = difference.changes.map((change) => describe(change, base.plan, now.plan, satisfies));
  const aside = asideSince(base, now.plan, difference.changes);
  const shown = { difference, described, aside, base: base.name, plan: now.plan, locate: now.locate };
  const { out } = terminal;
  if (options.digest) out.write(`${difference.digest}\n`);
  else if (context.json) printJson(context, differenceJson(shown));
  else if (options.markdown) out.write(differenceMarkdown(shown));
  else if (!context.quiet) out.write(differencePage(shown, styleOf(context, out)));
  const { verdict } = difference;
  const isFound =
    options.failOn === "changed" ? verdict === "widens" || verdict === "changed" : verdict === options.failOn;
  return isFound ? EXIT.difference : EXIT.fine;
}

export interface Base {
  readonly name: string;
  readonly access: Access;
  /** Undefined: its access.json alone is known. */
  readonly plan: Plan | undefined;
}

export function comparedOf({ access, plan }: Base): ComparedAccess {
  return plan === undefined ? access : { ...access, hosts: hostsOf(plan) };
}

export function hostsOf({ project }: Plan): HostSettings[] {
  return project.hosts.map(({ id, whenUnenforceable, assumed, without, role, into }) => ({
    name: id,
    settings: {
      whenUnenforceable,
      assume: Object.fromEntries(assumed),
      without,
      role: role ?? null,
      into: into ?? null,
    },
  }));
}

const NOTHING: Access = { project: "", guards: [], servers: [], roles: [] };

export function baseOf(named: string | undefined, cwd: string, dir: string): Base | NoRevision {
  // A name is a revision and never a file: a change could bring a file of that name, and be compared with itself.
  const there = named !== undefined && IS_PATH.test(named) ? path.resolve(cwd, named) : undefined;
  if (there !== undefined && !existsSync(there))
    return { problem: `\`${named}\` isn't there`, next: "name a folder with a project, or an access.json" };
  if (there !== undefined)
    return statSync(there).isDirectory()
      ? compiledBase(named!, openProject(there), undefined)
      : writtenBase(named!, there);
  const revision = revisionOf(dir, named);
  if ("problem" in revision) return revision;
  const texts = filesAt(dir, revision.commit);
  if (isNoRevision(texts)) return texts;
  const written = texts[`${DEFAULTS.out}/access.json`];
  return compiledBase(revision.name, memoryFiles(texts), written);
}

const IS_PATH = /^(?:\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:[/\\])/;

function isNoRevision(found: Record<string, string> | NoRevision): found is NoRevision {
  return "problem" in found && "next" in found && Object.keys(found).length === 2;
}

/** `written`: the access.json that was committed with it, for sources that this rolecall reads no more. */
function compiledBase(name: string, files: SourceFiles, written: string | undefined): Base | NoRevision {
  if (files.read(PROJECT_FILE).problem === "missing")
    return written === undefined ? { name, access: NOTHING, plan: undefined } : accessBase(name, written);
  const { plan, diagnostics } = compile(files, allTargets(readResources()), lazyLibraries());
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error === undefined) return { name, access: accessOf(plan), plan };
  if (written !== undefined) return accessBase(name, written);
  return { problem: `the project at ${name} has errors: ${error.says}`, next: "compare with a revision that builds" };
}

function writtenBase(name: string, file: string): Base | NoRevision {
  return accessBase(name, readFileSync(file, "utf8"));
}

function accessBase(name: string, text: string): Base | NoRevision {
  const access = readAccess(text);
  if ("problem" in access)
    return { problem: `the access.json of ${name} ${access.problem}`, next: "compare with another one" };
  return { name, access, plan: undefined };
}
