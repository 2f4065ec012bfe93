import { visible } from "../../base/visible.ts";
import { createReport } from "../../diagnostics/report.ts";
import type { Satisfies } from "../../diff/implies.ts";
import { schemaJudge } from "../../io/ask/runtime-judges.ts";
import { findTools } from "../../2-model/selectors/find-tools.ts";
import { isNotGranted } from "../../questions/not-granted.ts";
import { holdsAtMost, widensNothing } from "../../questions/no-wider.ts";
import type { Answer } from "../../questions/types.ts";
import type { Plan, PlannedRole } from "../../3-plan/types.ts";
import { EXIT, printJson, styleOf, type Context } from "../command.ts";
import { baseOf, comparedAccess, unknownBeside } from "../diff/base.ts";
import { wholeProject } from "../whole-project.ts";
import { nameThem, notFound } from "../words.ts";
import { answersJson } from "./json.ts";
import { answersPage } from "./page.ts";

export interface AskedQuestions {
  readonly bases: readonly string[];
  readonly selectors: readonly string[];
  readonly roles: readonly string[];
  readonly pairs: readonly (readonly [string, string])[];
}

/** A question that can't be asked is no question: then none is answered. */
export async function answerQuestions(context: Context, asked: AskedQuestions): Promise<number> {
  const { terminal, dir } = context;
  const project = await wholeProject(context);
  if (project === undefined) return EXIT.errors;
  const { plan, locate } = project;
  const roles = rolesNamed(plan, [...asked.roles, ...asked.pairs.flat()]);
  const selections = asked.selectors.map((written) => selectionOf(written, plan));
  const problems = [...roles.problems, ...selections.flatMap((one) => one.problems)];
  if (problems.length > 0) {
    for (const { problem, next } of problems)
      terminal.err.write(`rolecall: ${problem}\n${next === "" ? "" : `  ${next}\n`}`);
    return EXIT.wrongUsage;
  }
  const satisfies = await schemaJudge();
  const only = asked.roles.length === 0 ? undefined : asked.roles.map((name) => roles.named.get(name)!.name);
  const answers: Answer[] = [
    ...asked.bases.map((base) => sinceBase(base, plan, terminal.cwd, dir, satisfies)),
    ...selections.map(({ found }) => isNotGranted(plan, found, only, satisfies)),
    ...asked.pairs.map(([role, other]) =>
      holdsAtMost(plan, roles.named.get(role)!, roles.named.get(other)!, satisfies),
    ),
  ];
  const { out } = terminal;
  if (context.json) printJson(context, answersJson(answers, locate));
  else if (!context.quiet) out.write(answersPage(answers, locate, styleOf(context, out)));
  if (answers.some(({ verdict }) => verdict === "fails")) return EXIT.difference;
  return answers.some(({ verdict }) => verdict === "unknown") ? EXIT.couldNotCheck : EXIT.fine;
}

interface Problem {
  readonly problem: string;
  readonly next: string;
}

function rolesNamed(
  plan: Plan,
  names: readonly string[],
): { readonly named: ReadonlyMap<string, PlannedRole>; readonly problems: readonly Problem[] } {
  const named = new Map<string, PlannedRole>(plan.roles.map((role) => [role.name, role]));
  const known = [...named.keys()];
  const unknown = [...new Set(names)].filter((name) => !named.has(name));
  return {
    named,
    problems: unknown.map((name) => ({ problem: notFound("role", name, known), next: nameThem("role", known) })),
  };
}

const FLAG = "--not-granted";

/** What is wrong with a selector is said as of one in a rule. */
function selectionOf(written: string, plan: Plan) {
  const report = createReport(() => undefined);
  const found = findTools(written, FLAG, plan.servers, report);
  const errors = report.sorted().filter(({ severity }) => severity === "error");
  const problems = errors.map(({ says, help = "" }): Problem => ({
    problem: visible(says.startsWith(FLAG) ? says : `${FLAG}: ${says}`),
    next: help.includes("{ optional") ? "rolecall inspect SERVER lists the tools of a server" : visible(help),
  }));
  return { found, problems };
}

function sinceBase(written: string, plan: Plan, cwd: string, dir: string, satisfies: Satisfies): Answer {
  const base = baseOf(written, cwd, dir);
  if ("problem" in base)
    return {
      question: { kind: "no-new-access", base: written },
      verdict: "unknown",
      against: [],
      beyond: [],
      unknown: base,
    };
  const answer = widensNothing(base, plan, comparedAccess(plan), satisfies);
  const unknown = answer.verdict === "holds" ? unknownBeside(base, dir) : undefined;
  return unknown === undefined ? answer : { ...answer, verdict: "unknown", unknown };
}
