import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { compile } from "../../compile.ts";
import { CODEOWNERS_PLACES } from "../../diff/codeowners.ts";
import type { ComparedAccess } from "../../diff/compare.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import { accessOf } from "../../3-plan/access.ts";
import { readJudgedAccess } from "../../3-plan/read-access.ts";
import type { Plan } from "../../3-plan/types.ts";
import { allTargets } from "../../5-artifacts/targets.ts";
import { readPlainText } from "../../io/bytes.ts";
import { lazyLibraries } from "../../io/libraries.ts";
import { firstFileAt, isThereAt, revisionOf, tipOf, type NoRevision, type Revision } from "../../io/read/git.ts";
import { openCommit } from "../../io/read/commit-files.ts";
import { openProject } from "../../io/read/project-files.ts";
import { readResources } from "../../io/read/resources.ts";
import { DEFAULTS, PROJECT_FILE } from "../../base/project-layout.ts";
import type { SourceFiles } from "../../1-source/types.ts";
import { authorsWords } from "../../diff/authors-words.ts";
import { ruleTexts } from "../../diff/compare-guards.ts";
import { ownSettings } from "../../diff/own-settings.ts";
import { hostSettings } from "./host-settings.ts";
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
  /** Of one that is known by its access.json alone: the text of its rolecall.yaml, where that is known. */
  readonly settings?: string | undefined;
}

/** Whose word counts for the check: the branch that the change goes to, as it is now. */
export interface Trusted {
  readonly plan: Plan | undefined;
  readonly codeowners: string | undefined;
}

/** Of a project that isn't there: what is said of our own servers where nothing is said. */
const NOTHING: ComparedAccess = { project: "", guards: [], servers: [], roles: [], hosts: ownSettings(DEFAULTS, []) };

const A_BASE = "name a folder with a project, or an access.json";

export function baseOf(named: string | undefined, cwd: string, dir: string): Base | NoRevision {
  const there = named !== undefined && isPath(named) ? path.resolve(cwd, named) : undefined;
  if (there !== undefined && !existsSync(there)) return { problem: `\`${named}\` isn't there`, next: A_BASE };
  if (there !== undefined) {
    const about = { name: named!, revision: undefined };
    if (statSync(there).isDirectory()) return compiledBase(about, openProject(there));
    const text = readPlainText(there);
    return text === undefined ? { problem: `\`${named}\` can't be read`, next: A_BASE } : accessBase(about, text);
  }
  const revision = revisionOf(dir, named);
  return "problem" in revision ? revision : baseAt(dir, revision);
}

function baseAt(dir: string, revision: Revision): Base | NoRevision {
  const files = openCommit(dir, revision.commit);
  if (files.read(PROJECT_FILE).problem === "missing" && isThereAt(dir, revision.commit, PROJECT_FILE))
    return { problem: `${PROJECT_FILE} at ${revision.name} is no file that can be read`, next: ANOTHER };
  const base = compiledBase({ name: revision.name, revision }, files);
  return files.lacks() ?? base;
}

/** Nothing counts of a base that is no revision, or can't be compiled now. */
export function trustedOf(dir: string, { plan, revision }: Base, named: string | undefined): Trusted | NoRevision {
  if (revision === undefined && named === undefined) return { plan: undefined, codeowners: undefined };
  const found = named === undefined ? tipOf(dir, revision!) : revisionOf(dir, named);
  if ("problem" in found) return found;
  const codeowners = firstFileAt(dir, found.commit, CODEOWNERS_PLACES);
  if (found.commit === revision?.commit) return { plan, codeowners };
  const tip = baseAt(dir, found);
  return { plan: "problem" in tip ? undefined : tip.plan, codeowners };
}

/** A base without roles is known, plan or not: nothing was held. */
export function knownPlan({ access, plan }: Base, now: Plan): Plan | undefined {
  return plan ?? (access.roles.length === 0 ? { ...now, servers: [], roles: [], guards: [] } : undefined);
}

/** An access.json tells nothing of what else rolecall.yaml says: where that may be another, nobody knows what it opens. */
export function unknownBeside(base: Base, dir: string): NoRevision | undefined {
  if (base.access.hosts !== undefined) return undefined;
  const now = openProject(dir).read(PROJECT_FILE);
  if (base.settings !== undefined && now.problem === undefined && now.text === base.settings) return undefined;
  const problem = `${PROJECT_FILE} isn't what it was, or nobody knows it, and of the base its access.json alone is known`;
  return { problem, next: ANOTHER };
}

type About = Pick<Base, "name" | "revision">;

/**
 * For sources that this rolecall reads no more, and where guards come with a package, which is in no commit, the access.json
 * counts that lies where the base's own rolecall.yaml puts it, and no other.
 */
function compiledBase(about: About, files: SourceFiles): Base | NoRevision {
  if (files.read(PROJECT_FILE).problem === "missing") return { ...about, access: NOTHING, plan: undefined };
  const { plan, diagnostics } = compile(files, allTargets(readResources()), lazyLibraries());
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return { ...about, access: comparedAccess(plan), plan, files };
  const place = `${plan.project.out}/access.json`;
  const written = isPlaceKnown(plan, errors) && about.revision !== undefined ? files.read(place) : undefined;
  if (written === undefined || written.problem !== undefined)
    return { problem: `the project at ${about.name} has errors: ${errors[0]!.says}`, next: ANOTHER };
  const base = accessBase({ ...about, name: `${about.name}, by its committed ${place}` }, written.text);
  if ("problem" in base) return base;
  const settings = files.read(PROJECT_FILE);
  if (!errors.every(isOfAPackage))
    return { ...base, ...(settings.problem === undefined && { settings: settings.text }) };
  return { ...base, access: { ...base.access, hosts: hostSettings(plan), words: authorsWords(plan) } };
}

function isPlaceKnown(plan: Plan, errors: readonly Diagnostic[]): boolean {
  return plan.project.name !== "" && errors.every((error) => error.at?.file !== PROJECT_FILE || isOfAPackage(error));
}

/** Guards that aren't there. */
function isOfAPackage({ code }: Diagnostic): boolean {
  return code === "source/guard-missing";
}

const ANOTHER = "compare with a revision that builds";

function accessBase(about: About, text: string): Base | NoRevision {
  const access = readJudgedAccess(text);
  if ("problem" in access)
    return { problem: `the access.json of ${about.name} ${access.problem}`, next: "compare with another one" };
  return { ...about, access, plan: undefined };
}

export function comparedAccess(plan: Plan): ComparedAccess {
  return { ...accessOf(plan), hosts: hostSettings(plan), words: authorsWords(plan), rules: ruleTexts(plan) };
}
