import path from "node:path";
import { visible } from "../../base/visible.ts";
import { schemaJudge } from "../../io/ask/runtime-judges.ts";
import { isTrouble } from "../../io/login/types.ts";
import { openDaemon, type Daemon } from "../../io/serve/daemon.ts";
import { openGateway, type Gateway } from "../../io/serve/gateway.ts";
import { loadServerLibrary } from "../../io/serve/library.ts";
import { openLog } from "../../io/serve/log.ts";
import { knownAddresses, newAddresses, servePlace, type ServePlace } from "../../io/serve/place.ts";
import { reach } from "../../io/serve/talk.ts";
import { readVariables, type ServeVariables } from "../../io/serve/variables.ts";
import { withLockFile } from "../../io/write/lock.ts";
import { takeOver } from "../../serve/take-over.ts";
import type { Served } from "../../serve/types.ts";
import { EXIT, type Context } from "../command.ts";
import { version } from "../version.ts";
import { readBuilt } from "./built.ts";
import { statusJson } from "./json.ts";
import { firstLines } from "./page.ts";

/** Another one may be reading the project at this moment. */
const PATIENCE_MS = 60_000;

/** `rolecall serve`: the process that serves the project. Of two that begin at once one goes on. */
export async function runDaemon(context: Context): Promise<number> {
  try {
    const place = servePlace(context.dir, context.terminal.env);
    const begun = await withLockFile(place.lock, PATIENCE_MS, () => begin(context, place));
    if (typeof begun === "number") return begun;
    const { daemon, stopFollowing } = begun;
    void context.terminal.stopped().then(daemon.end);
    await daemon.over;
    stopFollowing();
    return EXIT.fine;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    context.terminal.err.write(`rolecall: ${visible(problem.says)}\n  ${visible(problem.next)}\n`);
    return EXIT.errors;
  }
}

interface Begun {
  readonly daemon: Daemon;
  readonly stopFollowing: () => void;
}

async function begin(context: Context, place: ServePlace): Promise<Begun | number> {
  if (await isServed(place)) {
    context.terminal.out.write("the project is served already: rolecall serve --status\n");
    return EXIT.fine;
  }
  const built = await readBuilt(context);
  if (typeof built === "number") return built;
  const { served } = built;
  const said = openLog(place.log);
  const variables = readVariables(context.dir, served.settings.env, context.terminal.env);
  const gateway = openGateway(served, {
    library: await loadServerLibrary(),
    version,
    options: optionsOf(context, served, variables, said),
    left: () => daemon.left(),
    said,
  });
  const since = Date.now();
  const daemon: Daemon = await openDaemon(newAddresses(place), {
    gateway,
    version,
    idleMs: served.settings.idleMs,
    status: () => statusJson({ gateway, variables, since, version, pid: process.pid }),
    said,
  });
  context.terminal.out.write(firstLines(served, place.folder));
  return { daemon, stopFollowing: await follow(context, gateway, said) };
}

async function isServed(place: ServePlace): Promise<boolean> {
  const address = knownAddresses(place)?.clients;
  const socket = address === undefined ? undefined : await reach(address);
  socket?.destroy();
  return socket !== undefined;
}

function optionsOf(
  { dir }: Context,
  { settings }: Served,
  { env }: ServeVariables,
  said: (line: string) => void,
): Parameters<typeof openGateway>[1]["options"] {
  return { root: dir, env, record: path.join(dir, settings.record), on: (event) => said(JSON.stringify(event)) };
}

/** A build that is written counts; what isn't built yet changes nothing. */
async function follow(context: Context, gateway: Gateway, said: (line: string) => void): Promise<() => void> {
  const accepted = gateway.served;
  const { out } = accepted;
  const look = async (files: readonly string[]): Promise<void> => {
    if (!files.some((file) => file.startsWith(`${out}/`))) return;
    const built = await readBuilt({ ...context, terminal: { ...context.terminal, err: NOBODY, out: NOBODY } });
    if (typeof built === "number") return said("what lies on disk isn't a whole build: it isn't served");
    const { served, waiting, reconnected } = takeOver(accepted, built.served, await schemaJudge());
    said(
      waiting.length + reconnected.length === 0
        ? "a new build is served"
        : `a new build waits, but for what it takes away: ${waiting.length + reconnected.length} changes open something; \`rolecall diff\` shows them, \`rolecall serve --stop\` lets the next client begin with them`,
    );
    gateway.serve(served);
  };
  let turn = Promise.resolve();
  const changed = (files: readonly string[]): void =>
    void (turn = turn.then(() => look(files)).catch((problem: unknown) => said(String(problem))));
  return context.engine.watch(context.dir, changed, () => ({ others: [], folder: out }));
}

const NOBODY = { write: () => {}, isTerminal: false, width: undefined };
