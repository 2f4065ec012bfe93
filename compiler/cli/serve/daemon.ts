import path from "node:path";
import { visible } from "../../base/visible.ts";
import { isTrouble, trouble, type LoginTrouble } from "../../io/login/types.ts";
import { isAsLookedAt } from "../../io/remember/looked-at.ts";
import { answeringTo } from "../../io/serve/answering.ts";
import { openAccepted, type Accepted, type ReadBuilt } from "../../io/serve/accepted.ts";
import { openDaemon, type Daemon } from "../../io/serve/daemon.ts";
import { FOLDER_GONE, whenGone } from "../../io/serve/folder-gone.ts";
import { openGateway, type Gateway } from "../../io/serve/gateway.ts";
import { openInbox, type Inbox } from "../../io/serve/inbox.ts";
import { loadServerLibrary } from "../../io/serve/library.ts";
import { openLog } from "../../io/serve/log.ts";
import { servePlace, type ServePlace } from "../../io/serve/place.ts";
import { handedOver, makesRoom, whoServes } from "../../io/serve/taking-over.ts";
import { isThere, openVariables, type ServeVariables } from "../../io/serve/variables.ts";
import { withLockFile } from "../../io/write/lock.ts";
import { refusedHere } from "../../serve/offered.ts";
import type { Served } from "../../serve/types.ts";
import type { AskedHttp, HttpParts, OpenedHttp } from "./open-http.ts";
import { EXIT, say, type Context } from "../command.ts";
import { buildId, version } from "../version.ts";
import { openBuilds, type Builds } from "./builds.ts";
import type { CompiledBuild, NotBuilt } from "./built.ts";
import { following } from "./following.ts";
import { statusJson } from "./json.ts";
import { firstLines } from "./page.ts";
import type { Several } from "./several.ts";
import { waysIn } from "./ways.ts";

/** Another one may be reading the project at this moment. */
const PATIENCE_MS = 60_000;

/**
 * `rolecall serve`: the process that serves the project. Of two that begin at once one goes on. `of`: the project that whoever
 * starts it comes for; of another it serves nothing, and accepts nothing.
 */
export async function runDaemon(context: Context, asked?: AskedHttp, of?: string): Promise<number> {
  try {
    const place = servePlace(context.dir, context.terminal.env);
    const begun = await withLockFile(place.lock, PATIENCE_MS, () => begin(context, place, { asked, of }));
    if (typeof begun === "number") return begun;
    const { daemon, stopFollowing, said } = begun;
    let exit: number = EXIT.fine;
    void context.terminal.stopped().then(daemon.end);
    const stopLooking = whenGone(context.dir, () => {
      exit = EXIT.errors;
      said(FOLDER_GONE);
      say(context.terminal, FOLDER_GONE, "start it again where it is now");
      void daemon.end();
    });
    await daemon.over;
    stopLooking();
    stopFollowing();
    return exit;
  } catch (problem) {
    if (!isTrouble(problem)) throw problem;
    context.terminal.err.write(`rolecall: ${visible(problem.says)}\n  ${visible(problem.next)}\n`);
    return EXIT.errors;
  }
}

interface Beginning {
  readonly asked: AskedHttp | undefined;
  readonly of: string | undefined;
}

interface Begun {
  readonly daemon: Daemon;
  readonly stopFollowing: () => void;
  said(line: string): void;
}

async function begin(context: Context, place: ServePlace, { asked, of }: Beginning): Promise<Begun | number> {
  const there = await whoServes(place);
  if (there !== undefined && !makesRoom(there, version, asked !== undefined)) {
    context.terminal.out.write("the project is served already: rolecall serve --status\n");
    return EXIT.fine;
  }
  const accepted = openAccepted(context.dir, context.terminal.env, buildId);
  const built = await standingOrRead(context, accepted, of);
  if ("exit" in built) return built.exit;
  const said = openLog(place.log);
  const inbox = openInbox({ holdMs: built.served.settings.askHoldMs, now: Date.now });
  const variablesOf = openVariables(context.dir, context.terminal.env);
  let gateway: Gateway | undefined;
  const builds = openBuilds({
    accepted,
    waysOf: waysIn(context, variablesOf, said),
    inbox,
    isThere: (file) => isThere(context.dir, file),
    serve: (served) => gateway?.serve(served),
    said,
  });
  const served = await builds.take(built);
  const makeRoom = async (): Promise<void> => {
    builds.begun();
    if (there !== undefined) await handedOver(place);
  };
  const opening = {
    place,
    asked,
    served,
    out: built.served.out,
    accepted: path.relative(context.dir, accepted.file),
    builds,
    inbox,
    variablesOf,
    isStill: () => !builds.isBehind() && standingNow(context, accepted) !== undefined,
    makeRoom,
    said,
  };
  try {
    return await opened(context, { ...opening, gatewayIs: (opened) => (gateway = opened) });
  } catch (problem) {
    throw isTrouble(problem) && inbox.waiting().length > 0 ? withWaiting(problem) : problem;
  }
}

/** It was judged by what counts, and somebody may have mended it already. */
function withWaiting({ says, next }: LoginTrouble): LoginTrouble {
  return trouble(says, `${next}; ${WAITING}: rolecall serve --accept`);
}

const WAITING = "what is built now waits for a yes, and this was judged without it";

interface Opening {
  readonly place: ServePlace;
  readonly asked: AskedHttp | undefined;
  readonly served: Served;
  /** Where the build lies: what is served may be an earlier one, with another place, while that waits. */
  readonly out: string;
  readonly accepted: string;
  readonly builds: Builds;
  readonly inbox: Inbox;
  readonly variablesOf: ReturnType<typeof openVariables>;
  /** What was read first lies there unchanged, and is what was accepted. */
  isStill(): boolean;
  /** The last that could go wrong. */
  makeRoom(): Promise<void>;
  gatewayIs(gateway: Gateway): void;
  said(line: string): void;
}

async function opened(context: Context, opening: Opening): Promise<Begun> {
  const { place, asked, served, builds, inbox, said } = opening;
  const variables = opening.variablesOf(served.settings.env);
  if (asked !== undefined) (await import("./open-http.ts")).refuseSharedSecrets(context.dir, served, variables);
  const library = loadServerLibrary();
  const several = asked && (await oneOfSeveral(context, served, variables, said));
  const answering = answeringTo(inbox, several?.asks);
  const gateway = openGateway(served, {
    library,
    version,
    options: { ...optionsOf(context, served, variables, said), limiter: several?.limiter },
    inbox,
    asksOverHttp: several === undefined ? inbox : several.asking,
    states: several?.states,
    isHttp: asked !== undefined,
    isBehind: () => builds.standing !== "counts",
    left: () => daemon.left(),
    said,
  });
  opening.gatewayIs(gateway);
  const { look, watch } = following(context, { gateway, out: opening.out, accepted: opening.accepted, builds, said });
  const { isFirstStart } = builds;
  const facts = { since: Date.now(), version, pid: process.pid, isFirstStart };
  const http = await openedHttp(context, { ...opening, several }, { gateway, library, variables, said });
  const daemon: Daemon = await openDaemon(place, {
    gateway,
    inbox,
    answering,
    version,
    // Who gives it an address counts on finding it there.
    idleMs: () => (http === undefined ? gateway.served.settings.idleMs : undefined),
    http,
    status: () => statusJson({ ...facts, gateway, builds, http, inbox, answering, variables }),
    look,
    said,
  });
  gateway.whenChanged(() => daemon.left());
  const waiting = inbox.waiting();
  const { out } = context.terminal;
  out.write(firstLines(served, { folder: place.folder, waiting, http, isFirstStart }, out.width));
  const stop = await watch();
  // What was built since it was read, and before anybody watched, is seen now.
  if (!opening.isStill()) await look();
  return {
    daemon,
    stopFollowing() {
      stop();
      several?.close();
    },
    said,
  };
}

/** Where all that it was made of is as it was, what was accepted is what a check would find: nothing is compiled. */
async function standingOrRead(
  context: Context,
  accepted: Accepted,
  of: string | undefined,
): Promise<(ReadBuilt & CompiledBuild) | NotBuilt> {
  const standing = standingNow(context, accepted);
  const built =
    standing === undefined
      ? await (await import("./built.ts")).readBuilt(context)
      : { served: standing, lookedAt: undefined };
  const refused = "exit" in built ? undefined : refusedHere(built.served.project, of);
  if (refused === undefined) return built;
  say(context.terminal, refused.says, refused.next);
  return { exit: refused.exit };
}

function standingNow({ dir }: Context, accepted: Accepted): Served | undefined {
  return accepted.standing((lookedAt) => isAsLookedAt(dir, lookedAt));
}

async function oneOfSeveral(
  { dir }: Context,
  served: Served,
  variables: ServeVariables,
  said: (line: string) => void,
): Promise<Several | undefined> {
  if (served.settings.http.limits === undefined) return undefined;
  return (await import("./several.ts")).openSeveral(dir, served, variables, said);
}

/** What can't be opened takes nobody's place, and leaves nothing open. */
async function openedHttp(
  context: Context,
  { asked, several, makeRoom }: Pick<Opening, "asked" | "makeRoom"> & { readonly several: Several | undefined },
  parts: HttpParts,
): Promise<OpenedHttp | undefined> {
  let http: OpenedHttp | undefined;
  try {
    http = asked && (await (await import("./open-http.ts")).openHttp(context, asked, parts));
    await makeRoom();
    return http;
  } catch (problem) {
    await http?.close(0);
    several?.close();
    throw problem;
  }
}

function optionsOf(
  { dir }: Context,
  { settings }: Served,
  { env }: ServeVariables,
  said: (line: string) => void,
): Parameters<typeof openGateway>[1]["options"] {
  return {
    root: dir,
    env,
    record: path.join(dir, settings.record),
    askTimeoutMs: settings.askTimeoutMs,
    on: (event) => said(JSON.stringify(event)),
  };
}
