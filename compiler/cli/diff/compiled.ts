import { readFileSync } from "node:fs";
import path from "node:path";
import { APPROVALS_FILE } from "../../base/project-layout.ts";
import { visible } from "../../base/visible.ts";
import { decideApproval, MOST_DAYS, type ApprovalDecision, type WrittenApproval } from "../../diff/approval.ts";
import { ownersOf } from "../../diff/codeowners.ts";
import { compare, ofProjectIn } from "../../diff/compare.ts";
import { describeAll } from "../../diff/describe.ts";
import { gateOf } from "../../diff/gate.ts";
import { moreNamedBetween, schemasIn } from "../../diff/more-named.ts";
import { onlyRenamed } from "../../diff/only-renamed.ts";
import { readEvents, type ReadEvents } from "../../diff/read-events.ts";
import { settingsChanges } from "../../diff/settings-changes.ts";
import { summaryOf } from "../../diff/summary.ts";
import type { AccessDifference } from "../../diff/types.ts";
import type { Plan } from "../../3-plan/types.ts";
import { schemaJudge } from "../../io/ask/runtime-judges.ts";
import { folderInRepository } from "../../io/read/git.ts";
import { openProject } from "../../io/read/project-files.ts";
import { EXIT, say, type Context } from "../command.ts";
import { wholeProject } from "../whole-project.ts";
import { asideSince } from "./aside.ts";
import { baseOf, comparedAccess, knownPlan, trustedOf, unknownBeside, type Base, type Trusted } from "./base.ts";
import { changedSources } from "./changed-sources.ts";
import { printDifference } from "./print.ts";
import type { DiffOptions } from "./options.ts";

/** Everything heavy of `rolecall diff`: both sides are compiled. */
export async function compareCompiled(context: Context, options: DiffOptions): Promise<number> {
  const { terminal, dir } = context;
  const now = await wholeProject(context);
  if (now === undefined) return EXIT.errors;
  const base = baseOf(options.base, terminal.cwd, dir);
  if ("problem" in base) return notCompared(context, base.problem, base.next);
  const events = eventsOf(options, terminal.cwd);
  if ("problem" in events) return notCompared(context, events.problem, "rolecall diff --help says what it holds");
  const satisfies = await schemaJudge();
  const access = comparedAccess(now.plan);
  const folder = folderInRepository(dir);
  const moreNamed = moreNamedBetween(schemasIn(base.plan), schemasIn(now.plan));
  const difference = ofProjectIn(folder, compare(base.access, access, satisfies, moreNamed));
  const before = knownPlan(base, now.plan);
  const described = describeAll(difference.changes, before, now.plan, satisfies);
  const trusted = trustedOf(dir, base, options.trusted);
  if ("problem" in trusted) return notCompared(context, trusted.problem, trusted.next);
  const names = options.failOn?.names ?? { widens: "all", changed: "all" };
  const gate = gateOf(described, names, {
    exceptions: trusted.plan?.project.diff?.exceptions ?? [],
    today: options.today,
  });
  const isAsked = options.failOn !== undefined && gate.findings.length > 0;
  const asks = { base, trusted, plan: now.plan, folder, today: options.today, ...events };
  const standing = standingApproval(difference, asks);
  const { named, unknown } = knownOf(base, dir);
  printDifference(context, options.as, {
    difference,
    described,
    aside: asideSince(before, now.plan, difference),
    summary: () => summaryOf(described, difference, onlyRenamed(difference, described, base.access, access)),
    settings: settingsChanges(base.plan?.project, now.plan.project),
    gate: { ...gate, approval: isAsked ? standing : undefined, failOn: options.failOn?.written },
    standing,
    isGated: options.failOn !== undefined || isGated(dir, asks),
    base: named,
    ...comparedWith(base, now.plan, dir, difference.verdict === "same"),
    folder,
    sources: now.plan.project.folder,
    locate: now.locate,
    today: options.today,
  });
  const isFound = isAsked && standing?.accepted !== true;
  return isFound ? EXIT.difference : answeredAs(context, options, unknown);
}

/** Nothing was found: an answer where all was compared, or nobody wants one. */
function answeredAs(context: Context, { failOn }: DiffOptions, unknown: ReturnType<typeof unknownBeside>): number {
  return failOn === undefined || unknown === undefined
    ? EXIT.fine
    : notCompared(context, unknown.problem, unknown.next);
}

function knownOf(base: Base, dir: string) {
  const unknown = unknownBeside(base, dir);
  return { unknown, named: unknown === undefined ? base.name : `${base.name}, ${TELLS_NOTHING}` };
}

const TELLS_NOTHING = "which tells nothing of `hosts`, `serve` and `state`, of hints and labels";

function comparedWith(base: Base, plan: Plan, dir: string, isSame: boolean) {
  return {
    sourcesChanged: isSame ? changedSources(base.files, openProject(dir), plan.project.folder) : [],
    compared: { roles: plan.roles.length, servers: plan.servers.length },
  };
}

/** What couldn't be checked is no pass. */
function notCompared({ terminal }: Context, problem: string, next: string): number {
  say(terminal, `can't compare: ${visible(problem)}`, visible(next));
  return EXIT.couldNotCheck;
}

interface ApprovalSources extends Pick<ReadEvents, "authors"> {
  readonly base: Base;
  readonly trusted: Trusted;
  readonly plan: Plan;
  readonly folder: string;
  readonly events: ReadEvents["events"] | undefined;
  readonly today: string;
}

/** Somebody wrote what approvals go by, on either side or where the change goes to, or CODEOWNERS names the file of them. */
function isGated(dir: string, { base, trusted, plan, folder }: ApprovalSources): boolean {
  const file = `${plan.project.folder}/${APPROVALS_FILE}`;
  return (
    [base.plan, trusted.plan, plan].some((one) => one?.project.diff !== undefined || !isEmpty(one?.project.approved)) ||
    ownersOf(trusted.codeowners ?? "", folder + file).isNamed ||
    openProject(dir).read(file).problem !== "missing"
  );
}

function isEmpty(list: readonly unknown[] = []): boolean {
  return list.length === 0;
}

/** What narrows, or is the same, needs none. */
function standingApproval({ verdict, digest }: AccessDifference, sources: ApprovalSources) {
  return verdict === "widens" || verdict === "changed" ? approvalOf(digest, sources) : undefined;
}

function approvalOf(
  digest: string,
  { base, trusted, plan, folder, authors, events, today }: ApprovalSources,
): ApprovalDecision {
  const written = (from: Plan | undefined): WrittenApproval[] =>
    (from?.project.approved ?? []).map((one) => ({
      digest: one.digest,
      by: one.by,
      date: one.date,
      file: folder + one.place.file,
    }));
  const { diff } = trusted.plan?.project ?? {};
  return decideApproval({
    digest,
    trusted: {
      approved: written(trusted.plan),
      codeowners: trusted.codeowners,
      approvers: diff?.approvers ?? [],
      label: diff?.label,
    },
    began: written(base.plan),
    now: written(plan),
    authors,
    events,
    dates: { first: dayFrom(today, -MOST_DAYS), last: dayFrom(today, 1) },
  });
}

function dayFrom(today: string, days: number): string {
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

type Events = Pick<ApprovalSources, "authors" | "events">;

function eventsOf({ approvals, authors }: DiffOptions, cwd: string): Events | { readonly problem: string } {
  if (approvals === undefined) return { authors, events: undefined };
  let text: string;
  try {
    text = readFileSync(path.resolve(cwd, approvals), "utf8");
  } catch {
    return { problem: `${approvals} can't be read` };
  }
  const read = readEvents(text);
  if ("problem" in read) return { problem: `${approvals} ${read.problem}` };
  const all = [...(authors ?? []), ...(read.authors ?? [])];
  return { authors: all.length === 0 ? undefined : all, events: read.events };
}
