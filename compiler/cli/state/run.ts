import { bounded, visible } from "../../base/visible.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { loadServerLibrary } from "../../io/serve/library.ts";
import { openState } from "../../io/state/open-state.ts";
import { serveState } from "../../io/state/state-server.ts";
import { membersOf } from "../../3-plan/members.ts";
import type { Plan } from "../../3-plan/types.ts";
import type { TeamState } from "../../state/answers.ts";
import { EXIT, heard, styleOf, type Context } from "../command.ts";
import { version } from "../version.ts";

/** `rolecall state`: standard output is the protocol's. */
export async function serveTeam(context: Context, named: string | undefined): Promise<number> {
  const { engine, dir, terminal } = context;
  const first = await soundPlan(context);
  if (first === undefined) return EXIT.errors;
  const { record } = first.project.serve;
  // Whoever started this knows it by the name that it had then.
  const name = named ?? first.project.state.name;
  let team = Promise.resolve(teamOf(first, name));
  // A source that isn't sound yet changes nothing.
  const again = async (): Promise<TeamState> => {
    const plan = await soundPlan({ ...context, terminal: { ...terminal, err: NOBODY } });
    return plan === undefined ? team : teamOf(plan, name);
  };
  const stop = await engine.watch(
    dir,
    () => {
      const former = team;
      team = again().catch(() => former);
    },
    () => ({ others: [], folder: first.project.folder }),
  );
  const world = openState({ dir, env: terminal.env, record, team: () => team });
  const library = loadServerLibrary();
  const said = (problem: string): void => void terminal.err.write(`rolecall: ${visible(bounded(problem))}\n`);
  const duplex = { input: process.stdin, output: process.stdout };
  await Promise.race([
    serveState({ library, version, team: () => team, ...world, said }, duplex, name),
    terminal.stopped(),
  ]);
  stop();
  process.stdin.destroy();
  return EXIT.fine;
}

async function soundPlan(context: Context): Promise<Plan | undefined> {
  const { engine, dir, terminal } = context;
  const { plan, diagnostics } = await engine.compile(dir);
  // Whoever captures this very server asks it before there is a manifest, and nothing of a team follows from one.
  if (!diagnostics.some(({ severity, code }) => severity === "error" && code !== "manifest/needed")) return plan;
  terminal.err.write(renderText(heard({ ...context, quiet: true }, diagnostics), styleOf(context, terminal.err)));
  terminal.err.write("rolecall: nothing is told of the team while the project has errors\n");
  return undefined;
}

function teamOf({ project, roles }: Plan, name: string): TeamState {
  const { decisions, backlog, history } = project.state;
  return {
    name,
    project: project.name,
    roles: roles.map((role) => ({ name: role.name, description: role.description })),
    members: membersOf(project.state, roles),
    decisions,
    backlog,
    history,
  };
}

const NOBODY = { write: () => {}, isTerminal: false, width: undefined };
