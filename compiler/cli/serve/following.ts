import path from "node:path";
import type { Access } from "../../3-plan/access.ts";
import { PROJECT_FILE } from "../../base/project-layout.ts";
import { isTrouble } from "../../io/login/types.ts";
import { builtFiles } from "../../io/read/built-files.ts";
import { fileMark } from "../../io/read/file-mark.ts";
import type { Gateway } from "../../io/serve/gateway.ts";
import type { Context } from "../command.ts";
import type { Builds } from "./builds.ts";

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
  const missed = createMissed(dir, (isWhole) => [
    PROJECT_FILE,
    ...places.outs.flatMap((out) => builtFiles(dir, out, isWhole)),
  ]);
  const readOne = createReading(context, followed, places);
  let turn = Promise.resolve();
  let waiting: Promise<void> | undefined;
  /** One that waits for its turn sees all that comes until then. */
  const look = (): Promise<void> => {
    waiting ??= turn = turn.then(() => {
      waiting = undefined;
      missed.begin();
      return readOne();
    });
    return turn;
  };
  const isBuilt = (file: string): boolean =>
    file === PROJECT_FILE || places.outs.some((out) => file.startsWith(`${out}/`));
  const changed = (files: readonly string[]): void => {
    if (places.isToCome || files.some(isBuilt) || followed.builds.isBehind()) void look();
  };
  return {
    look,
    async watch() {
      const stop = await context.engine.watch(dir, changed, () => ({
        others: [followed.accepted],
        folder: places.outs.at(-1)!,
      }));
      const timer = setInterval(() => missed.isAny(places.isToCome) && void look(), POLL_MS);
      return () => {
        clearInterval(timer);
        stop();
      };
    },
  };
}

/** One look at what lies on disk; its trouble is said. */
function createReading(
  context: Context,
  { gateway, builds, said }: FollowedBuild,
  places: Places,
): () => Promise<void> {
  const silent = { ...context, terminal: { ...context.terminal, err: NOBODY, out: NOBODY } };
  const problemSaid = (problem: unknown): void =>
    said(isTrouble(problem) ? problem.says : problem instanceof Error ? problem.message : String(problem));
  /** Whatever fails on the way, what the build takes away counts, or nothing is called. */
  const takeAway = async (known: Access | undefined): Promise<void> => {
    const access = known ?? (await newestAccess(context.dir, places.outs).catch(() => undefined));
    gateway.serve(await builds.takeAway(access).catch(() => builds.takeAway(undefined)));
    said(`what lies on disk can't be judged: ${gateway.served.isUnread === true ? CALLS_NOTHING : ONLY_TAKES}`);
  };
  const readOne = async (): Promise<void> => {
    const { readBuilt } = await import("./built.ts");
    const built = await readBuilt(silent).catch(problemSaid);
    places.isToCome = true;
    if (built === undefined || "exit" in built) {
      places.outs = [...new Set([places.outs[0]!, built?.out ?? places.outs[0]!])];
      return takeAway(undefined);
    }
    places.outs = [built.served.out];
    const taken = await builds.take(built).catch(problemSaid);
    if (taken === undefined) return takeAway(built.served.access);
    places.isToCome = false;
    gateway.serve(taken);
  };
  return () => readOne().catch(problemSaid);
}

const POLL_MS = 500;

interface Missed {
  /** All that lies there now is being looked at. */
  begin(): void;
  /** Something else lies there, and is written no more. */
  isAny(isWhole: boolean): boolean;
}

/** What no watcher told of. */
function createMissed(dir: string, files: (isWhole: boolean) => readonly string[]): Missed {
  const marks = (of: readonly string[]) => new Map(of.map((file) => [file, fileMark(path.join(dir, file))]));
  let lookedAt = marks(files(false));
  let before = "";
  return {
    begin() {
      lookedAt = marks(files(true));
      before = "";
    },
    isAny(isWhole) {
      const now = [...marks(files(isWhole))];
      const text = now.every(([file, mark]) => lookedAt.get(file) === mark) ? "" : JSON.stringify(now);
      const isQuiet = text !== "" && text === before;
      before = text;
      return isQuiet;
    },
  };
}

/** Of the last of these places at which anything can be read. */
async function newestAccess(dir: string, outs: readonly string[]): Promise<Access | undefined> {
  const { builtAccess } = await import("../../io/read/built-names.ts");
  return outs.map((out) => builtAccess(dir, out)).findLast((access) => access !== undefined);
}

const ONLY_TAKES = "of its access.json only what it takes away counts";
const CALLS_NOTHING = "its access.json can't be read, so nothing is called";

const NOBODY = { write: () => {}, isTerminal: false, width: undefined };
