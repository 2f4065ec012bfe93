import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { compile } from "../../compile.ts";
import { CODEOWNERS_PLACES } from "../../diff/codeowners.ts";
import type { ComparedAccess, HostSettings } from "../../diff/compare.ts";
import { memoryFiles } from "../../1-source/memory-files.ts";
import { accessOf, type Access } from "../../3-plan/access.ts";
import { readAccess } from "../../3-plan/read-access.ts";
import type { Plan } from "../../3-plan/types.ts";
import { allTargets } from "../../5-artifacts/targets.ts";
import { lazyLibraries } from "../../io/libraries.ts";
import { filesAt, firstFileAt, revisionOf, type NoRevision, type Revision } from "../../io/read/git.ts";
import { openProject } from "../../io/read/project-files.ts";
import { readResources } from "../../io/read/resources.ts";
import { DEFAULTS, PROJECT_FILE } from "../../base/project-layout.ts";
import type { SourceFiles } from "../../1-source/types.ts";
import { isPath } from "./named-base.ts";

/** What a project is compared with. */
export interface Base {
  readonly name: string;
  readonly access: ComparedAccess;
  /** Undefined: its access.json alone is known. */
  readonly plan: Plan | undefined;
  /** Undefined: it comes from no repository. */
  readonly revision: Revision | undefined;
  /** What it was compiled from. */
  readonly files?: SourceFiles;
}

/** Whose word counts for the check: the branch that the change goes to, as it is now. */
export interface Trusted {
  readonly plan: Plan | undefined;
  readonly codeowners: string | undefined;
}

const NOTHING: Access = { project: "", guards: [], servers: [], roles: [] };

export function baseOf(named: string | undefined, cwd: string, dir: string): Base | NoRevision {
  const there = named !== undefined && isPath(named) ? path.resolve(cwd, named) : undefined;
  if (there !== undefined && !existsSync(there))
    return { problem: `\`${named}\` isn't there`, next: "name a folder with a project, or an access.json" };
  if (there !== undefined)
    return statSync(there).isDirectory()
      ? compiledBase({ name: named!, revision: undefined }, openProject(there), undefined)
      : accessBase({ name: named!, revision: undefined }, readFileSync(there, "utf8"));
  const revision = revisionOf(dir, named);
  return "problem" in revision ? revision : baseAt(dir, revision);
}

function baseAt(dir: string, revision: Revision): Base | NoRevision {
  const texts = filesAt(dir, revision.commit);
  if (isNoRevision(texts)) return texts;
  return compiledBase({ name: revision.name, revision }, memoryFiles(texts), texts[`${DEFAULTS.out}/access.json`]);
}

/** Nothing counts of a base that is no revision, or can't be compiled now. */
export function trustedOf(dir: string, { plan, revision }: Base): Trusted {
  if (revision === undefined) return { plan: undefined, codeowners: undefined };
  const codeowners = firstFileAt(dir, revision.tip, CODEOWNERS_PLACES);
  if (revision.tip === revision.commit) return { plan, codeowners };
  const tip = baseAt(dir, { ...revision, commit: revision.tip });
  return { plan: "problem" in tip ? undefined : tip.plan, codeowners };
}

function isNoRevision(found: Record<string, string> | NoRevision): found is NoRevision {
  return "problem" in found && "next" in found && Object.keys(found).length === 2;
}

type About = Pick<Base, "name" | "revision">;

/** `written`: the access.json that was committed with it, for sources that this rolecall reads no more. */
function compiledBase(about: About, files: SourceFiles, written: string | undefined): Base | NoRevision {
  if (files.read(PROJECT_FILE).problem === "missing")
    return written === undefined ? { ...about, access: NOTHING, plan: undefined } : accessBase(about, written);
  const { plan, diagnostics } = compile(files, allTargets(readResources()), lazyLibraries());
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error === undefined) return { ...about, access: comparedAccess(plan), plan, files };
  if (written !== undefined) return accessBase(about, written);
  return {
    problem: `the project at ${about.name} has errors: ${error.says}`,
    next: "compare with a revision that builds",
  };
}

function accessBase(about: About, text: string): Base | NoRevision {
  const access = readAccess(text);
  if ("problem" in access)
    return { problem: `the access.json of ${about.name} ${access.problem}`, next: "compare with another one" };
  return { ...about, access, plan: undefined };
}

export function comparedAccess(plan: Plan): ComparedAccess {
  return { ...accessOf(plan), hosts: hostsOf(plan) };
}

function hostsOf({ project }: Plan): HostSettings[] {
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
