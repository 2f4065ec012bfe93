import { realpathSync } from "node:fs";
import { DEFAULTS } from "../../base/project-layout.ts";
import { bounded, visible } from "../../base/visible.ts";
import { renderText } from "../../diagnostics/render-text.ts";
import { isTrouble } from "../../io/login/types.ts";
import { openAccepted } from "../../io/serve/accepted.ts";
import { loadServerLibrary } from "../../io/serve/library.ts";
import { askToldState, SERVED_HERE } from "../../io/serve/started-by.ts";
import { openState } from "../../io/state/open-state.ts";
import { serveState } from "../../io/state/state-server.ts";
import { servedState } from "../../serve/serve-plan.ts";
import type { ToldState } from "../../serve/told-state.ts";
import type { TeamState } from "../../state/answers.ts";
import { EXIT, heard, say, styleOf, type Context } from "../command.ts";
import { buildId, version } from "../version.ts";

/** What is told of the team, as it is at the moment. */
interface Followed {
  readonly first: ToldState;
  now(): Promise<ToldState>;
  stop(): void;
}

/** `rolecall state`: standard output is the protocol's. */
export async function serveTeam(context: Context, named: string | undefined): Promise<number> {
  const { dir, terminal } = context;
  const followed = await (isServedHere(context) ? followAccepted(context) : followBuild(context));
  if (followed === undefined) return EXIT.errors;
  const { first, now, stop } = followed;
  // Whoever started this knows it by the name that it had then.
  const name = named ?? first.state.name;
  const team = async (): Promise<TeamState> => teamOf(await now(), name);
  const world = openState({ dir, env: terminal.env, record: first.record, team });
  const library = loadServerLibrary();
  const said = (problem: string): void => void terminal.err.write(`rolecall: ${visible(bounded(problem))}\n`);
  const duplex = { input: process.stdin, output: process.stdout };
  await Promise.race([serveState({ library, version, team, ...world, said }, duplex, name), terminal.stopped()]);
  stop();
  process.stdin.destroy();
  return EXIT.fine;
}

/** It was started by the process that serves this very project. */
function isServedHere({ dir, terminal }: Context): boolean {
  const folder = terminal.env[SERVED_HERE];
  if (folder === undefined) return false;
  try {
    return realpathSync(folder) === realpathSync(dir);
  } catch {
    return false;
  }
}

/** What a person said yes to, less what was taken away since: that process knows. Whatever the sources say meanwhile. */
async function followAccepted({ dir, terminal }: Context): Promise<Followed | undefined> {
  const first = await askToldState(dir, terminal.env);
  if (first === undefined) {
    say(terminal, "what serves this project gives no answer", "rolecall serve --status");
    return undefined;
  }
  let last = first;
  return { first, now: async () => (last = (await askToldState(dir, terminal.env)) ?? last), stop: () => {} };
}

/** What the sources say. While these have an error, what they said before, or what was accepted. */
async function followBuild(context: Context): Promise<Followed | undefined> {
  const { engine, dir, terminal } = context;
  const sound = await soundState(context);
  const first = sound ?? acceptedState(context);
  if (first === undefined) {
    terminal.err.write("rolecall: nothing is told of the team while the project has errors\n");
    return undefined;
  }
  let isSound = true;
  let folder: string = DEFAULTS.folder;
  let last = Promise.resolve(first);
  const looked = (now: typeof sound): void => {
    if (isSound && now === undefined) terminal.err.write(`rolecall: ${STANDS}\n`);
    isSound = now !== undefined;
    folder = now?.folder ?? folder;
  };
  looked(sound);
  const silent = { ...context, terminal: { ...terminal, err: NOBODY } };
  const again = async (former: Promise<ToldState>): Promise<ToldState> => {
    const now = await soundState(silent).catch(() => undefined);
    looked(now);
    return now ?? former;
  };
  const stop = await engine.watch(
    dir,
    () => void (last = again(last)),
    () => ({ others: [], folder }),
  );
  return { first, now: () => last, stop };
}

const STANDS = "the sources have an error: the team is told of as it was before (`rolecall build` says which)";

async function soundState(context: Context): Promise<(ToldState & { readonly folder: string }) | undefined> {
  const { engine, dir, terminal } = context;
  const { plan, diagnostics } = await engine.compile(dir);
  // Whoever captures this very server asks it before there is a manifest, and nothing of a team follows from one.
  if (
    plan !== undefined &&
    !diagnostics.some(({ severity, code }) => severity === "error" && code !== "manifest/needed")
  ) {
    const { name, folder, serve } = plan.project;
    return { project: name, state: servedState(plan), record: serve.record, folder };
  }
  terminal.err.write(renderText(heard({ ...context, quiet: true }, diagnostics), styleOf(context, terminal.err)));
  return undefined;
}

/** Of the last build that a person accepted, less what others took away since; undefined: there is none. */
function acceptedState({ dir, terminal }: Context): ToldState | undefined {
  try {
    const accepted = openAccepted(dir, terminal.env, buildId).read();
    const served = accepted?.left ?? accepted;
    if (served?.state === undefined) return undefined;
    return { project: served.project, state: served.state, record: served.settings.record };
  } catch (problem) {
    if (isTrouble(problem)) return undefined;
    throw problem;
  }
}

function teamOf({ project, state }: ToldState, name: string): TeamState {
  const { roles, members, decisions, backlog, history, closed } = state;
  return { name, project, roles, members, decisions, backlog, history, closed };
}

const NOBODY = { write: () => {}, isTerminal: false, width: undefined };
