import type { Access } from "../../3-plan/access.ts";
import { plainPath } from "../../base/plain-path.ts";
import { PROJECT_FILE } from "../../base/project-layout.ts";
import { UNREAD } from "../../base/unread-build.ts";
import { isTrouble } from "../../io/login/types.ts";
import { followBuilt } from "../../io/read/built-files.ts";
import { builtAccesses } from "../../io/read/built-names.ts";
import type { Gateway } from "../../io/serve/gateway.ts";
import type { Context } from "../command.ts";
import type { Builds } from "./builds.ts";
import { openLookingAgain, type Looked } from "./looking-again.ts";

export interface FollowedBuild {
  readonly gateway: Gateway;
  /** Where it lies. */
  readonly out: string;
  /** Where what was accepted lies, relative to the project: another process may narrow it. */
  readonly accepted: string;
  readonly builds: Builds;
  said(line: string): void;
}

export interface BuildFollowing {
  look(): Promise<void>;
  watch(): Promise<() => void>;
}

/** What is known of where builds lie. */
interface Places {
  /** Where the last one was written, and where the sources would have the next. */
  outs: readonly string[];
  /** What lies there isn't what the sources make, or can't be judged. */
  isToCome: boolean;
}

/** A build that is written counts, as far as it may; what isn't built yet changes nothing. Of `serve:` little is written. */
export function following(context: Context, followed: FollowedBuild): BuildFollowing {
  const { dir } = context;
  const places: Places = { outs: [followed.out], isToCome: false };
  const missed = followBuilt(dir, () => places.outs);
  const again = openLookingAgain();
  const problems = saidOnce(followed.said);
  const readOne = createReading(context, { ...followed, said: problems.say }, places);
  let turn = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const lookNow = async (): Promise<void> => {
    waiting = undefined;
    missed.begin();
    again.begun();
    again.ended(await readOne());
  };
  /** One that waits for its turn sees all that comes until then. */
  const look = (): Promise<void> => {
    waiting ??= turn = turn.then(lookNow);
    return turn;
  };
  const lookAnew = (): Promise<void> => {
    again.anew();
    problems.anew();
    return look();
  };
  const isBuilt = (file: string): boolean =>
    file === PROJECT_FILE ||
    keysIn(followed.gateway).includes(file) ||
    places.outs.some((out) => file.startsWith(`${out}/`));
  const changed = (files: readonly string[]): void => {
    if (places.isToCome || files.some(isBuilt) || followed.builds.isBehind()) void lookAnew();
  };
  const { builds } = followed;
  const isAskedTooLate = (): boolean => builds.standing === "waits" && builds.hasNews();
  const poll = (): void => {
    if (missed.isAny(places.isToCome) || isAskedTooLate()) void lookAnew();
    else if (again.isDue()) void look();
  };
  return {
    look: lookAnew,
    async watch() {
      const stop = await context.engine.watch(dir, changed, () => ({
        others: [followed.accepted, ...keysIn(followed.gateway)],
        folder: places.outs.at(-1)!,
      }));
      const timer = setInterval(poll, POLL_MS);
      return () => {
        clearInterval(timer);
        stop();
      };
    },
  };
}

/** Of the issuer: a build writes nothing of them. */
function keysIn({ served: { settings } }: Gateway): string[] {
  const { auth } = settings.http;
  return auth !== undefined && "jwks" in auth && auth.jwks !== undefined && !URL.canParse(auth.jwks)
    ? [plainPath(auth.jwks)]
    : [];
}

/** One look at what lies on disk; its trouble is said. It never throws. */
function createReading(
  context: Context,
  { gateway, builds, said }: FollowedBuild,
  places: Places,
): () => Promise<Looked> {
  const silent = { ...context, terminal: { ...context.terminal, err: NOBODY, out: NOBODY } };
  /** A part of ours that can't be loaded is one more thing that can fail: all of it does so here. */
  const read = async () => (await import("./built.ts")).readBuilt(silent);
  /** Whatever fails on the way, what the build takes away counts, or nothing is called. */
  const takeAway = async (looked: Looked, known: Access | undefined): Promise<Looked> => {
    const given = known === undefined ? builtAccesses(context.dir, places.outs) : [known];
    const isFailed = looked === "failed";
    gateway.serve(
      await builds.takeAway(given, isFailed).catch((problem: unknown) => {
        said(wordsOf(problem));
        return builds.takeAway([], isFailed);
      }),
    );
    said(`what lies on disk can't be judged: ${gateway.served.isUnread === true ? UNREAD : ONLY_TAKES}`);
    return looked;
  };
  const failed = (problem: unknown, known?: Access): Promise<Looked> => {
    said(wordsOf(problem));
    return takeAway("failed", known);
  };
  const readOne = async (): Promise<Looked> => {
    places.isToCome = true;
    const elsewhere = builds.looks();
    // What lies at the old place is older than what was accepted: nobody writes there any more.
    if (elsewhere !== undefined) places.outs = [elsewhere];
    const built = await read().catch((problem: unknown) => failed(problem));
    if (typeof built === "string") return built;
    if ("exit" in built) {
      places.outs = [...new Set([places.outs[0]!, built.out ?? places.outs[0]!])];
      return takeAway("not built", undefined);
    }
    places.outs = [built.served.out];
    const taken = await builds.take(built).catch((problem: unknown) => failed(problem, built.served.access));
    if (typeof taken === "string") return taken;
    places.isToCome = false;
    gateway.serve(taken);
    return "judged";
  };
  return () =>
    readOne().catch((problem: unknown) => {
      said(wordsOf(problem));
      return "failed";
    });
}

/** What goes wrong again and again is told once, until there is something new. */
function saidOnce(said: (line: string) => void): { say(line: string): void; anew(): void } {
  const told = new Set<string>();
  return {
    say(line) {
      if (!told.has(line)) said(line);
      told.add(line);
    },
    anew: () => told.clear(),
  };
}

/** Without the list of files that asked for one that isn't there. */
function wordsOf(problem: unknown): string {
  if (isTrouble(problem)) return problem.says;
  return (problem instanceof Error ? problem.message : String(problem)).split("\n", 1)[0]!;
}

const POLL_MS = 500;

const ONLY_TAKES = "of its access.json only what it takes away counts";

const NOBODY = { write: () => {}, isTerminal: false, width: undefined };
