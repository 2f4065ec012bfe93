import path from "node:path";
import { shellLine, startOf } from "../../4-fit/start.ts";
import type { Start, StartCommand, StartEntry } from "../../4-fit/types.ts";
import { isServedRole } from "../../4-fit/given.ts";
import { visible } from "../../base/visible.ts";
import { isTrouble } from "../../io/login/types.ts";
import { servePlace } from "../../io/serve/place.ts";
import { openToDaemon } from "../../io/serve/reach-daemon.ts";
import { programAt } from "../../io/start/find-program.ts";
import { entryFile, entryValue, putEntry } from "../../io/start/put-entry.ts";
import { readyStart } from "../../io/start/ready-start.ts";
import { refusalWords } from "../../io/write/refusal-words.ts";
import { runProgram } from "../../io/start/run-program.ts";
import { standingOf } from "../build-standing.ts";
import { EXIT, printJson, say, styleOf, wrongUsage, type Context } from "../command.ts";
import { examine, hostsOfProject, roleOnHost, type HostsOfProject } from "../role-on-host.ts";
import { isReady, type HostDiagnosis, type RoleOnHost } from "../../live-server/host-diagnosis.ts";
import { hostDoctorJson } from "../doctor/json.ts";
import { hostDoctorPage } from "../doctor/host-page.ts";
import { version } from "../version.ts";

export interface StartOptions {
  readonly role: string;
  readonly host: string;
  /** Arguments for the host, after those that rolecall gives it. */
  readonly more: readonly string[];
  /** Show the command, and start nothing. */
  readonly print: boolean;
  readonly timeoutMs: number | undefined;
}

/** `rolecall start`. Standard output is the host's: what is found out before goes to standard error. */
export async function startRole(context: Context, options: StartOptions): Promise<number> {
  const project = await hostsOfProject(context);
  if (project === undefined) return EXIT.errors;
  const chosen = roleOnHost(project.hosts, options, "start");
  if ("problem" in chosen) return wrongUsage(context.terminal, chosen.problem, chosen.next);
  const { host } = chosen.fitted;
  const start = startOf(chosen.fitted, chosen.role.name);
  if (start.entry !== undefined) return tellApp(context, { ...chosen, entry: start.entry }, project.outcome, options);
  if (start.run === undefined || host.program === undefined)
    return wrongUsage(context.terminal, `${host.title} isn't started by a command`, insteadOf(start, chosen));
  if (options.print) return printCommand(context, host.program, start.run, options.more);
  const found = await examine(context, chosen, project.outcome, options.timeoutMs);
  if (!isReady(found)) return notReady(context, found);
  const file = programAt(host.program, context.terminal.env, context.terminal.cwd);
  if (file === undefined) return editorAlone(context, host.program, start, chosen);
  tellUnsure(context, found);
  const unserved = await beginServing(context, chosen);
  if (unserved !== undefined) return unserved;
  await tellStanding(context, chosen);
  return run(context, file, start.run, options.more);
}

/** A program that is opened like any other: what it has to know is put into its own file, which no build writes. */
async function tellApp(
  context: Context,
  { entry, ...chosen }: RoleOnHost & { readonly entry: StartEntry },
  outcome: HostsOfProject["outcome"],
  options: StartOptions,
): Promise<number> {
  const { dir, terminal } = context;
  const own = { dir, command: [process.execPath, ...process.execArgv, path.resolve(process.argv[1]!)] };
  if (options.print) {
    const text = JSON.stringify({ [entry.key]: { [entry.name]: entryValue(entry, own) } }, undefined, 2);
    const file = entryFile(entry, terminal.env, process.platform);
    terminal.out.write(context.json ? `${text}\n` : `${visible(file)}\n${text}\n`);
    return EXIT.fine;
  }
  const found = await examine(context, chosen, outcome, options.timeoutMs);
  if (!isReady(found)) return notReady(context, found);
  const put = putEntry(entry, own, terminal.env);
  if (put.problem !== undefined) {
    say(terminal, visible(put.problem), visible(put.next));
    return EXIT.errors;
  }
  terminal.out.write(`${visible(put.file)} has \`${entry.name}\`${put.isNew ? "" : " already"}: ${entry.then}\n`);
  return EXIT.fine;
}

function insteadOf({ byHand, code }: Start, { fitted, role }: RoleOnHost): string {
  if (code !== undefined) return `write in your program: ${visible(code)}`;
  if (byHand !== undefined)
    return `${byHand}; rolecall doctor --host ${fitted.host.id} --role ${role.name} looks it over first`;
  return "its files are data for tools of your own";
}

function printCommand(context: Context, program: string, command: StartCommand, more: readonly string[]): number {
  const { copied, env = [], args } = command;
  if (context.json)
    printJson(context, {
      format: 1,
      copied: copied === undefined ? null : { ...copied },
      env: Object.fromEntries(env),
      command: program,
      args: [...args, ...more],
    });
  else context.terminal.out.write(`${visible(shellLine(program, command, more))}\n`);
  return EXIT.fine;
}

function notReady(context: Context, found: HostDiagnosis): number {
  const { out, err } = context.terminal;
  if (context.json) out.write(`${JSON.stringify(hostDoctorJson(found), undefined, 2)}\n`);
  else err.write(hostDoctorPage(found, styleOf(context, err)));
  return EXIT.errors;
}

/** Of an editor the command is one way of two, so its absence was no finding. */
function editorAlone(context: Context, program: string, { byHand = "" }: Start, { fitted }: RoleOnHost): number {
  say(context.terminal, `${program} isn't on the PATH`, `${byHand}, or install ${fitted.host.title}'s command`);
  return EXIT.errors;
}

/** The host may have its own login for a server that asks for one. This can't be seen, so the start goes on and says so. */
function tellUnsure(context: Context, found: HostDiagnosis): void {
  const { err } = context.terminal;
  if (found.servers?.some(({ mayHaveLogin }) => mayHaveLogin)) err.write(hostDoctorPage(found, styleOf(context, err)));
}

/**
 * The process that serves has the variables of whoever starts it, and hosts hand on few: so it begins here, where they were
 * found. An exit code where it doesn't.
 */
async function beginServing({ dir, terminal }: Context, { fitted, role }: RoleOnHost): Promise<number | undefined> {
  if (!isServedRole(role)) return undefined;
  const about = { role: role.name, host: fitted.host.id, version };
  const hello = { ...about, server: undefined, member: undefined, project: undefined };
  try {
    const opened = await openToDaemon(servePlace(dir, terminal.env), hello, dir);
    if (!("exit" in opened)) return void opened.destroy();
    say(terminal, visible(opened.says), visible(opened.next));
    return opened.exit;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    say(terminal, visible(problem.says), visible(problem.next));
    return EXIT.errors;
  }
}

/** The host is started all the same: what was accepted is served. */
async function tellStanding(context: Context, { role }: RoleOnHost): Promise<void> {
  const standing = await standingOf(context, role);
  if (standing !== undefined) context.terminal.err.write(`rolecall: ${standing}\n`);
}

async function run(context: Context, file: string, command: StartCommand, more: readonly string[]): Promise<number> {
  const { dir, terminal } = context;
  const ready = readyStart(dir, command, terminal.env);
  if ("code" in ready) return refused(context, `\`${visible(ready.file)}\` can't be handed over`, ready);
  const ended = await runProgram({ file, args: [...ready.args, ...more], env: ready.env, cwd: dir });
  return typeof ended === "number" ? ended : refused(context, `\`${visible(file)}\` can't be started`, ended);
}

function refused({ terminal }: Context, what: string, answer: { readonly code: string }): number {
  say(terminal, `${what}: ${refusalWords(answer)}`, "`--print` shows the command, to try it by hand");
  return EXIT.couldNotCheck;
}
