import { randomUUID } from "node:crypto";
import type { Access } from "../../3-plan/access.ts";
import type { JsonObject } from "../../base/json.ts";
import { digestOf } from "../../base/digest.ts";
import { madeOnce } from "../../base/made-once.ts";
import type { AccessChanged } from "../../diff/types.ts";
import { schemaJudge } from "../../io/ask/runtime-judges.ts";
import type { Accepted, ReadBuilt } from "../../io/serve/accepted.ts";
import { isTrouble, trouble } from "../../io/login/types.ts";
import type { Inbox } from "../../io/serve/inbox.ts";
import { openKnownWays, type KnownWays, type WaysOf } from "../../io/serve/known-ways.ts";
import type { BuildItem } from "../../serve/inbox-lines.ts";
import { callsNothing } from "../../serve/calls-nothing.ts";
import { servedText } from "../../serve/served-text.ts";
import { narrowedBy, takeAway } from "../../serve/take-over.ts";
import type { Served } from "../../serve/types.ts";
import type { FoundWays } from "../../serve/ways.ts";
import { openQuestion, type BuildStanding } from "./build-question.ts";
import { isOfDoor } from "../../serve/settings-taken.ts";
import type { CompiledBuild } from "./built.ts";
import type { JudgedBuild } from "./judged.ts";
import { FIRST_START } from "./page.ts";

/** Which build counts: the one that was accepted, and of a newer one what it takes away, until a person says yes to it. */
export interface Builds {
  /** Nothing was accepted before: what it takes first is. */
  readonly isFirstStart: boolean;
  /** What is served from now on. */
  take(built: ReadBuilt & CompiledBuild): Promise<Served>;
  /**
   * What is left of what is served, where what lies on disk can't be judged: of that only what it gives is known, at each place
   * where it may lie, or nothing (empty).
   * `isFailed`: nobody could look, so even what gives the same may be another build.
   */
  takeAway(given: readonly Access[], isFailed: boolean): Promise<Served>;
  /** All else could be opened: what a first start took is accepted, which one that couldn't be begun isn't. */
  begun(): void;
  /** Another process wrote what counts: it is to be judged anew. */
  isBehind(): boolean;
  /** The same, and it can be read: a yes to what waits is none until then. */
  hasNews(): boolean;
  /** A look at what lies on disk begins, at what counts now. The folder of what another process accepted since the one before. */
  looks(): string | undefined;
  /** Of what was built last. */
  readonly standing: BuildStanding;
}

export interface BuildsWorld {
  readonly accepted: Omit<Accepted, "file">;
  readonly waysOf: WaysOf;
  readonly inbox: Inbox;
  /** A file of the project. */
  isThere(file: string): boolean;
  serve(served: Served): void;
  said(line: string): void;
}

/** What a yes would be to. */
interface Proposal {
  readonly built: ReadBuilt & CompiledBuild;
  readonly found: FoundWays;
}

const CHANGED = trouble(
  "another process of this project has changed what is accepted since this was asked",
  "answer what is asked then",
);

/** The first start of a project accepts what is there, as its user did who named it in a host's file. */
export function openBuilds(world: BuildsWorld): Builds {
  const { accepted: kept, waysOf, isThere, serve, said } = world;
  const store = openStore(kept);
  const { isFirstStart } = store;
  const ways = openKnownWays(kept, waysOf);
  /** What was accepted or is asked about, whatever came to lie on disk since and couldn't be judged. */
  let newest: Proposal | undefined;
  /** Of it, without what was taken away since it was judged: that was in no question. */
  let newestLeft: Served | undefined;
  /** By judgement: what can't be judged takes away from it. */
  let counts: Served | undefined;
  let unjudged: Unjudged | undefined;

  const question = openQuestion(world);
  const adopt = (proposal: Proposal): Served => {
    const { built, found } = proposal;
    store.keep(built, () => ways.keep(found));
    newest = proposal;
    question.settle();
    return (counts = built.served);
  };
  const take = async (proposal: Proposal): Promise<Served> => {
    const taken = await store.judge((accepted) => takenOver(accepted, proposal, ways));
    if (taken === undefined || taken.served === proposal.built.served) {
      said("a build is served");
      return adopt(proposal);
    }
    if (taken.kept !== undefined) store.keepLeft(taken.kept, said);
    const item = itemOf(proposal, taken, isThere);
    newest = proposal;
    newestLeft = proposal.built.served;
    question.ask(item, () => {
      store.refuseChanged(proposal.built.served);
      adopt(newest!);
      store.narrow(() => newestLeft!, said);
      serve(asRead(unjudged, (counts = newestLeft!)));
    });
    return (counts = taken.served);
  };
  return {
    isFirstStart,
    async take(built) {
      const served = await take({ built, found: await ways.find(built.served) });
      unjudged = undefined;
      return served;
    },
    async takeAway(given, isFailed) {
      const isAsked = given.some((access) => sameText(access, newest?.built.served.access));
      // Else it lies there no more: what does is accepted by who can judge it.
      if (!isAsked) newest = undefined;
      if (!isAsked || (isFailed && question.standing === "counts")) question.withdraw();
      unjudged = await takingAway(given, unjudged);
      const { isKnown, left } = unjudged;
      if (!isKnown) return left(counts!);
      store.narrow(left, said);
      newestLeft &&= left(newestLeft);
      return (counts = left(counts!));
    },
    begun() {
      if (isFirstStart) said(FIRST_START);
      store.begun();
    },
    isBehind: store.isBehind,
    hasNews: store.hasNews,
    looks: store.looks,
    get standing() {
      return question.standing;
    },
  };
}

function sameText(one: Access, other: Access | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What was accepted, as it lies there: another process may narrow it. */
interface Store extends Pick<Builds, "isFirstStart" | "begun" | "isBehind" | "hasNews" | "looks"> {
  /** By what counts at its end as well: what another process closed meanwhile isn't opened again. Undefined: all is accepted. */
  judge(by: (accepted: Served) => Promise<JudgedBuild | undefined>): Promise<JudgedBuild | undefined>;
  /** Throws where another process wrote since what it was judged by, and not that it is accepted. */
  refuseChanged(built: Served): void;
  keep(built: ReadBuilt, more: () => void): void;
  /** Of what was accepted less is left: that comes back by a yes alone. */
  keepLeft(accepted: Served, said: (line: string) => void): void;
  /** The same by a build that can't be judged here. */
  narrow(by: (served: Served) => Served, said: (line: string) => void): void;
}

const MOST_TRIES = 20;

function openStore(kept: BuildsWorld["accepted"]): Store {
  /** What the last build was judged by, with what was taken away of it since. */
  let accepted = kept.read();
  /** What lay there when the last look began, or was written here since. */
  let seen = accepted;
  const know = (served: Served | undefined): void => void (accepted = seen = served);
  const isFirstStart = accepted === undefined;
  const writing = keeper(!isFirstStart);
  /** Where it is gone, what was accepted stays so. */
  const now = (): Served | undefined => kept.read() ?? accepted;
  const keepIf = (find: () => Served | undefined, said: (line: string) => void): void => {
    try {
      const left = find();
      if (left === undefined) return;
      kept.keep({ served: left, lookedAt: undefined });
      accepted = accepted === seen ? left : accepted;
      seen = left;
    } catch (problem) {
      if (!isTrouble(problem)) throw problem;
      said(`what a build took away isn't kept: ${problem.says}`);
    }
  };
  return {
    isFirstStart,
    async judge(by) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const known = now();
        const judged = known && (await by(known));
        if (now() !== known) continue;
        know(known);
        return judged;
      }
      throw new Error("what was accepted changes all the time");
    },
    keep(built, more) {
      // What was accepted already isn't written once more.
      const isNew = built.served !== accepted;
      writing.keep(() => {
        if (isNew) kept.keep(built);
        more();
      });
      know(built.served);
    },
    refuseChanged: (built) => refuseOther(otherThan(accepted, now)?.found, built),
    keepLeft: (left, said) => keepIf(() => left, said),
    narrow: (by, said) => keepIf(() => lessOf(kept, seen, by), said),
    begun: writing.begun,
    isBehind: () => otherThan(seen, now) !== undefined,
    hasNews: () => otherThan(seen, now)?.found !== undefined,
    looks() {
      const other = otherThan(seen, now);
      seen = other?.found ?? seen;
      return other?.found?.out;
    },
  };
}

function refuseOther(found: Served | undefined, built: Served): void {
  if (found !== undefined && servedText(found) !== servedText(built)) throw CHANGED;
}

/** What lies there, where it is another. Looked at anew, that it can't be read is told. */
function otherThan(
  known: Served | undefined,
  now: () => Served | undefined,
): { readonly found: Served | undefined } | undefined {
  try {
    const found = now();
    return found === known ? undefined : { found };
  } catch {
    return { found: undefined };
  }
}

/**
 * Undefined: nothing is taken, or a newer rolecall wrote what is kept, with more in it than would be written here, or another
 * process accepted it since this one looked: what was seen before that is older, and it looks again.
 */
function lessOf(
  kept: BuildsWorld["accepted"],
  accepted: Served | undefined,
  by: (served: Served) => Served,
): Served | undefined {
  if (accepted === undefined || kept.read() !== accepted) return undefined;
  const less = narrowedBy(accepted, by);
  return less !== accepted && kept.isWhollyKnown() ? less : undefined;
}

/** What lies on disk and can't be judged. */
interface Unjudged {
  readonly text: string;
  /** Else it can't be read either, and nothing is called. */
  readonly isKnown: boolean;
  left(served: Served): Served;
}

/** Nothing is called of what lies there and can't be read. */
function asRead(unjudged: Unjudged | undefined, counts: Served): Served {
  return unjudged?.isKnown === false ? unjudged.left(counts) : counts;
}

/** What takes away is there from the start: the files of this process may be gone when it is needed. */
async function takingAway(given: readonly Access[], before: Unjudged | undefined): Promise<Unjudged> {
  const text = JSON.stringify(given);
  if (text === before?.text) return before;
  if (given.length === 0) return { text, isKnown: false, left: callsNothing };
  const satisfies = await schemaJudge();
  const left = (served: Served): Served => given.reduce((still, access) => takeAway(still, access, satisfies), served);
  return { text, isKnown: true, left: madeOnce(left) };
}

/** Writes at once, or else the last of it when it has begun. */
function keeper(isBegun: boolean): { keep(write: () => void): void; begun(): void } {
  let later = (): void => {};
  let writes = isBegun;
  return {
    keep(write) {
      if (writes) write();
      else later = write;
    },
    begun() {
      writes = true;
      later();
      later = () => {};
    },
  };
}

/** Undefined: it is what was accepted. What judges is loaded where there is something to judge. */
async function takenOver(
  accepted: Served,
  { built, found }: Proposal,
  ways: KnownWays,
): Promise<JudgedBuild | undefined> {
  const { served } = built;
  const moved = ways.moved(served === accepted ? found : await ways.find(accepted));
  if (served === accepted && moved.length === 0) return undefined;
  return (await import("./judged.ts")).judged(accepted, served, moved, built);
}

function itemOf({ built, found }: Proposal, taken: JudgedBuild, isThere: BuildsWorld["isThere"]): BuildItem {
  const { waiting, says, reconnected, settings, moved, hosts } = taken;
  const { file } = taken.served.settings.env;
  const { env } = built.served.settings;
  const envFile = settings.find(({ key }) => key === "serve.env");
  const reached = [...found].map(([server, { digests }]) => [server, ...digests]);
  const changes = waiting.map(told);
  const opens = [changes, reconnected, settings, moved, hosts];
  return {
    kind: "build",
    id: randomUUID(),
    // Also over what it opens: that is another where something else was accepted meanwhile.
    hash: digestOf(servedText(built.served) + JSON.stringify([reached, opens])),
    changes,
    says,
    reconnected,
    envFile:
      envFile === undefined ? null : { before: file, after: env.file, isMissing: env.isWritten && !isThere(env.file) },
    moved: moved.map(({ server, variables }) => ({
      server,
      variables: variables.map(({ name, from }) => ({ name, from: from ?? null, file: from === "file" ? file : null })),
    })),
    settings: settings.map((one) => ({ ...one })),
    approvers: addedApprovers(settings),
    door: settings.flatMap(({ key }) => (isOfDoor(key) ? key.slice("serve.".length) : [])),
    hosts: hosts.map((gain) => ({ ...gain })),
  };
}

function addedApprovers(settings: JudgedBuild["settings"]): string[] {
  const opened = settings.find(({ key }) => key === "serve.approvers");
  const [before, after] = [opened?.before, opened?.after].map((list) => (Array.isArray(list) ? list.map(String) : []));
  return after!.filter((one) => !before!.includes(one));
}

function told({ direction, kind, role, server, tool, before, after, openings }: AccessChanged): JsonObject {
  const about = { direction, kind, role: role ?? null, server: server ?? null, tool: tool ?? null, before, after };
  return openings.length === 0 ? about : { ...about, more: openings.map(({ argument }) => argument) };
}
