import { byName } from "../../base/order.ts";
import { visible } from "../../base/visible.ts";
import type { Plan, Variable } from "../../3-plan/types.ts";
import type { FittedPlan } from "../../4-fit/types.ts";
import type { Target } from "../target.ts";
import type { Artifact } from "../types.ts";

/** The marked block of `.env.example`: every variable that a connection refers to, by server. */
export const envExample: Target = {
  id: "env-example",
  title: "variables to set",
  emit: function* (plan: Plan, hosts: readonly FittedPlan[]): Iterable<Artifact> {
    const path = plan.project.envExample;
    if (path !== undefined) yield { path, block: envLines(plan, hosts), comment: "#" };
  },
};

export function envLines(plan: Plan, hosts: readonly FittedPlan[] = []): string[] {
  const but = notBy(hosts);
  const sharing = serversOf(plan);
  const shown = new Set<string>();
  const lines: string[] = [];
  for (const server of plan.servers) {
    const variables = [...server.variables]
      .sort((a, b) => byName(a.name, b.name))
      .filter((variable) => !shown.has(variable.name));
    if (variables.length === 0) continue;
    if (lines.length > 0) lines.push("");
    lines.push(`# ${server.name}`);
    for (const { name } of variables) {
      shown.add(name);
      lines.push(
        ...variableLines(
          together(sharing.get(name)!),
          sharing
            .get(name)!
            .slice(1)
            .map(([other]) => other),
          but,
        ),
      );
    }
  }
  return lines.length === 0 ? ["# No server needs a variable."] : lines;
}

/** A host's own file has the variable's name in it, and the host looks under no other. */
function notBy(hosts: readonly FittedPlan[]): string {
  const titles = hosts.filter(({ host }) => !host.takesAsWritten).map(({ host }) => host.title);
  return titles.length === 0 ? "" : `, but not in ${titles.join(", ")}`;
}

type Uses = readonly (readonly [server: string, variable: Variable])[];

function serversOf(plan: Plan): Map<string, [string, Variable][]> {
  const uses = new Map<string, [string, Variable][]>();
  for (const server of plan.servers) {
    for (const variable of server.variables) {
      const known = uses.get(variable.name);
      if (known) known.push([server.name, variable]);
      else uses.set(variable.name, [[server.name, variable]]);
    }
  }
  return uses;
}

/**
 * What all servers together say of a variable: required when one of them requires it; a default only when they agree, and
 * another name only when all accept it.
 */
function together(uses: Uses): Variable {
  const variables = uses.map(([, variable]) => variable);
  const first = variables[0]!;
  return {
    name: first.name,
    required: variables.some((v) => v.required),
    default: variables.every((v) => v.default === first.default) ? first.default : undefined,
    purpose: variables.find((v) => v.purpose !== undefined)?.purpose,
    url: variables.find((v) => v.url !== undefined)?.url,
    acceptedNames: first.acceptedNames.filter((one) => variables.every((v) => v.acceptedNames.includes(one))),
  };
}

/** A variable that must be set stands ready to be filled in; another is a comment with its default. */
function variableLines(variable: Variable, others: readonly string[], but: string): string[] {
  const { name, purpose, url, acceptedNames } = variable;
  const about: string[] = [];
  if (purpose !== undefined) about.push(purpose);
  if (url !== undefined) about.push(`get it at ${url}`);
  if (acceptedNames.length > 0) about.push(`also accepted: ${acceptedNames.join(", ")}${but}`);
  if (others.length > 0) about.push(`also for ${others.join(", ")}`);
  const comments = about.map((text) => `# ${oneLine(text)}`);
  return [...comments, variable.required ? `${name}=` : `# ${name}=${shownDefault(variable)}`];
}

/** A default that might be a secret isn't repeated. */
function shownDefault(variable: Variable): string {
  const secret = /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|PRIVATE|_KEY$|_PAT$|AUTH/i.test(variable.name);
  return variable.default === undefined || secret ? "" : valueText(variable.default);
}

/** A value that every reader of such files understands, should the line be uncommented. */
function valueText(value: string): string {
  const text = oneLine(value);
  if (/^[\w./:@%+,-]*$/.test(text)) return text;
  if (!text.includes("'")) return `'${text}'`;
  return text.includes('"') ? `\`${text.replaceAll("`", "'")}\`` : `"${text}"`;
}

/** Nothing in it ends the comment, hides, or looks like the end of our block. */
function oneLine(text: string): string {
  return visible(text).replaceAll(">>> rolecall >>>", "rolecall").replaceAll("<<< rolecall <<<", "rolecall").trim();
}
